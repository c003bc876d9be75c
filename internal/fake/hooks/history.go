package hooks

import (
	"cmp"
	"encoding/json"
	"iter"
	"net/http"
	"slices"
	"strings"

	"github.com/solwire/solwire-go/internal/fake/wire"
	"github.com/solwire/solwire-go/internal/fake/world"
)

// searchPeriod is how many transactions a search for a type looks at.
const searchPeriod = 100

// A past is a transaction of a parsed history: one of the world, or an event that was made by
// hand.
type past struct {
	tx        *world.Transaction
	event     *Event
	signature string
	kind      string
	source    string
	slot      int64
	time      int64
	reach     int
}

func pastOf(x *world.Transaction, reach int) past {
	return past{tx: x, signature: x.Signature, kind: x.Kind, source: sourceOf(x), slot: int64(x.Slot), time: x.Time.Unix(), reach: reach}
}

func (p past) text(w *world.World) string {
	if p.event != nil {
		return p.event.Enhanced
	}
	return enhanced(w, p.tx)
}

// remember keeps an event that was made by hand. One without a readable form is not in
// histories.
func (b *Book) remember(e Event) {
	var members struct {
		Slot      int64  `json:"slot"`
		Timestamp int64  `json:"timestamp"`
		Source    string `json:"source"`
	}
	known := slices.ContainsFunc(b.byHand, func(p past) bool { return p.signature == e.Signature })
	if known || json.Unmarshal([]byte(e.Enhanced), &members) != nil {
		return
	}
	b.byHand = append(b.byHand, past{event: &e, signature: e.Signature, kind: e.Type, source: members.Source, slot: members.Slot, time: members.Timestamp})
	slices.SortStableFunc(b.byHand, func(x, y past) int { return cmp.Compare(x.slot, y.slot) })
}

// parsedTransactions answers in the order of the history and leaves out unknown signatures.
func (b *Book) parsedTransactions(c *wire.Call) ([]byte, *wire.Refusal) {
	var in struct {
		Transactions []string `json:"transactions"`
	}
	members, isObject := wire.Object(c.Body)
	commitment(c.Query)
	switch {
	case !c.JSON || !isObject || len(members) != 1 && !c.Lenient || json.Unmarshal(c.Body, &in) != nil:
		return nil, bad("body is not an object with transactions")
	case len(in.Transactions) < 1 || len(in.Transactions) > 100:
		return nil, bad("transactions must have between 1 and 100 signatures")
	}
	if refused := c.Query.Refused(); refused != nil {
		return nil, refused
	}
	var found []past
	for _, p := range b.byHand {
		if slices.Contains(in.Transactions, p.signature) {
			found = append(found, p)
		}
	}
	for i, signature := range in.Transactions {
		if x := c.World.Transaction(signature); x != nil && !slices.Contains(in.Transactions[:i], signature) {
			found = append(found, pastOf(x, 0))
		}
	}
	slices.SortStableFunc(found, inOrder)
	texts := []string{}
	for _, p := range found {
		texts = append(texts, p.text(c.World))
	}
	return []byte("[" + strings.Join(texts, ",") + "]"), nil
}

func inOrder(a, b past) int {
	if a.slot == b.slot && a.tx != nil && b.tx != nil {
		return cmp.Compare(a.tx.Index, b.tx.Index)
	}
	return cmp.Compare(a.slot, b.slot)
}

func commitment(q *wire.Query) {
	if text := q.Text("commitment"); text != "" && text != "finalized" && text != "confirmed" {
		q.Failf("commitment must be finalized or confirmed")
	}
}

// A selection is what a history is asked for.
type selection struct {
	address, kind, source, cursor string
	limit                         int
	reach                         int
	ascending                     bool
	slots, times                  [2]int64 // from and to; -1 is no bound
}

// selectionOf reads the query.
func selectionOf(q *wire.Query, address string) selection {
	s := selection{address: address, limit: q.Integer("limit", 10, 100), kind: q.Text("type"), source: q.Text("source")}
	before, after, order := q.Text("before-signature"), q.Text("after-signature"), q.Text("sort-order")
	s.slots, s.times = bounds(q, "slot"), bounds(q, "time")
	s.cursor, s.ascending = before+after, order == "asc"
	if q.Lenient && s.cursor == "" { // the older spelling
		s.cursor = q.Text("before")
	}
	commitment(q)
	switch q.Text("token-accounts") {
	case "", "none":
		s.reach = world.Named
	case "balanceChanged":
		s.reach = world.BalanceChanged
	case "all":
		s.reach = world.TokenAccounts
	default:
		q.Failf("token-accounts must be none, balanceChanged or all")
	}
	if !slices.Contains([]string{"", "asc", "desc"}, order) || before != "" && s.ascending || after != "" && !s.ascending {
		q.Failf("sort-order does not fit")
	}
	if none := [2]int64{-1, -1}; s.slots != none && s.times != none {
		q.Failf("slot and time filters cannot be combined")
	}
	return s
}

// has reports whether p is in the history, before types and sources are looked at.
func (s *selection) has(p past) bool {
	within := func(n int64, b [2]int64) bool { return (b[0] < 0 || n >= b[0]) && (b[1] < 0 || n < b[1]) }
	return p.reach <= s.reach && within(p.slot, s.slots) && within(p.time, s.times)
}

// history returns the transactions of an address in the order of a selection.
func (b *Book) history(w *world.World, s *selection) iter.Seq[past] {
	var byHand []past
	for _, p := range b.byHand {
		if slices.Contains(p.event.Accounts, s.address) {
			byHand = append(byHand, p)
		}
	}
	var mentions []world.Mention
	if x := w.Wallet(s.address); x != nil {
		mentions = x.Txs
	} else {
		for _, x := range w.Naming(s.address) {
			mentions = append(mentions, world.Mention{Transaction: x})
		}
	}
	return func(yield func(past) bool) {
		for i, j := 0, 0; i < len(mentions) || j < len(byHand); {
			m, h := i, j // their places
			if !s.ascending {
				m, h = len(mentions)-1-i, len(byHand)-1-j
			}
			hand := i == len(mentions)
			if !hand && j < len(byHand) {
				hand = (byHand[h].slot < int64(mentions[m].Slot)) == s.ascending
			}
			var p past
			if hand {
				p = byHand[h]
				j++
			} else {
				p = pastOf(mentions[m].Transaction, mentions[m].Reach)
				i++
			}
			if !yield(p) {
				return
			}
		}
	}
}

// parsedHistory answers with one page of a history.
func (b *Book) parsedHistory(c *wire.Call) ([]byte, *wire.Refusal) {
	s := selectionOf(c.Query, c.Path("address"))
	if refused := c.Query.Refused(); refused != nil {
		return nil, refused
	}
	if !world.IsAddress(s.address) {
		return nil, bad("invalid address")
	}
	begun := s.cursor == ""
	if !begun && c.World.Transaction(s.cursor) == nil && !slices.ContainsFunc(b.byHand, func(p past) bool { return p.signature == s.cursor }) {
		return nil, bad("unknown signature")
	}
	found, searched, last := []string{}, 0, ""
	cursor := b.place(c.World, s.cursor)
	for p := range b.history(c.World, &s) {
		if !begun {
			past := inOrder(p, cursor)
			if begun = past != 0 && (past > 0) == s.ascending || p.signature == s.cursor; p.signature == s.cursor || !begun {
				continue
			}
		}
		if !s.has(p) {
			continue
		}
		if len(found) == s.limit || s.kind != "" && searched == searchPeriod {
			break
		}
		searched, last = searched+1, p.signature
		if (s.kind == "" || s.kind == p.kind) && (s.source == "" || s.source == p.source) {
			found = append(found, p.text(c.World))
		}
	}
	if len(found) == 0 && searched > 0 && s.kind != "" {
		name := map[bool]string{false: "before-signature", true: "after-signature"}[s.ascending]
		return nil, &wire.Refusal{Code: http.StatusNotFound, Message: "Failed to find events within the search period. To continue search, " +
			"query the API again with the `" + name + "` parameter set to " + last + "."}
	}
	return []byte("[" + strings.Join(found, ",") + "]"), nil
}

// place returns the transaction of a cursor.
func (b *Book) place(w *world.World, signature string) past {
	if x := w.Transaction(signature); x != nil {
		return pastOf(x, 0)
	}
	if i := slices.IndexFunc(b.byHand, func(p past) bool { return p.signature == signature }); i >= 0 {
		return b.byHand[i]
	}
	return past{}
}

// bounds returns the bounds of a range: the first number in it and the first one beyond it, -1
// for none.
func bounds(q *wire.Query, of string) (b [2]int64) {
	b = [2]int64{bound(q, "gte-"+of), bound(q, "lt-"+of)}
	if n := bound(q, "gt-"+of); n >= 0 {
		b[0] = max(b[0], n+1)
	}
	if n := bound(q, "lte-"+of); n >= 0 && (b[1] < 0 || n < b[1]) {
		b[1] = n + 1
	}
	return b
}

// bound returns an optional parameter, -1 without one.
func bound(q *wire.Query, name string) int64 {
	if !q.Values.Has(name) {
		return -1
	}
	return q.Long(name, 0, 1<<62)
}
