package hooks

import (
	"cmp"
	"encoding/json"
	"iter"
	"net/http"
	"slices"

	"github.com/solwire/solwire-go/internal/fake/wire"
	"github.com/solwire/solwire-go/internal/fake/world"
)

// searchPeriod is how many transactions a search for a type looks at.
const searchPeriod = 100

// parsedTransactions answers in the order of the history and leaves out unknown signatures.
func (b *Book) parsedTransactions(c *wire.Call) ([]byte, *wire.Refusal) {
	var in struct {
		Transactions []string `json:"transactions"`
	}
	members, isObject := wire.Object(c.Body)
	newest := c.World.SlotOf(cmp.Or(commitment(c.Query), "processed")) // what is delivered is known
	switch {
	case !c.JSON || !isObject || len(members) != 1 && !c.Lenient || json.Unmarshal(c.Body, &in) != nil:
		return nil, bad("body is not an object with transactions")
	case len(in.Transactions) < 1 || len(in.Transactions) > 100:
		return nil, bad("transactions must have between 1 and 100 signatures")
	}
	if refused := c.Query.Refused(); refused != nil {
		return nil, refused
	}
	var found []*world.Transaction
	for i, signature := range in.Transactions {
		if x := c.World.Transaction(signature); x != nil && x.Slot <= newest && !slices.Contains(in.Transactions[:i], signature) {
			found = append(found, x)
		}
	}
	slices.SortStableFunc(found, inOrder)
	var texts []json.RawMessage
	for _, x := range found {
		texts = append(texts, enhanced(c.World, x))
	}
	return world.JSON("?", texts), nil
}

func inOrder(a, b *world.Transaction) int {
	return cmp.Or(cmp.Compare(a.Slot, b.Slot), cmp.Compare(a.Index, b.Index))
}

func commitment(q *wire.Query) string {
	text := q.Text("commitment")
	if text != "" && text != "finalized" && text != "confirmed" {
		q.Failf("commitment must be finalized or confirmed")
	}
	return text
}

// A selection is what a history is asked for.
type selection struct {
	address, kind, source, cursor, commitment string
	limit                                     int
	reach                                     int
	ascending                                 bool
	slots, times                              [2]int64 // from and to; -1 is no bound
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
	s.commitment = commitment(q)
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

// has reports whether m is in the history, before types and sources are looked at.
func (s *selection) has(m world.Mention) bool {
	within := func(n int64, b [2]int64) bool { return (b[0] < 0 || n >= b[0]) && (b[1] < 0 || n < b[1]) }
	return m.Reach <= s.reach && within(int64(m.Slot), s.slots) && within(m.Time.Unix(), s.times)
}

// history returns the transactions of an address in the order of a selection.
func (s *selection) history(w *world.World) iter.Seq2[int, world.Mention] {
	mentions := w.History(s.address, s.commitment)
	if s.ascending {
		return slices.All(mentions)
	}
	return slices.Backward(mentions)
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
	cursor := c.World.Transaction(s.cursor)
	begun := s.cursor == ""
	if !begun && cursor == nil {
		return nil, bad("unknown signature")
	}
	found, searched, last := []json.RawMessage{}, 0, ""
	for _, m := range s.history(c.World) {
		if !begun {
			past := inOrder(m.Transaction, cursor)
			if begun = past != 0 && (past > 0) == s.ascending || m.Transaction == cursor; m.Transaction == cursor || !begun {
				continue
			}
		}
		if !s.has(m) {
			continue
		}
		if len(found) == s.limit || s.kind != "" && searched == searchPeriod {
			break
		}
		searched, last = searched+1, m.Signature
		if (s.kind == "" || s.kind == m.Kind) && (s.source == "" || s.source == sourceOf(m.Transaction)) {
			found = append(found, enhanced(c.World, m.Transaction))
		}
	}
	if len(found) == 0 && searched > 0 && s.kind != "" {
		name := map[bool]string{false: "before-signature", true: "after-signature"}[s.ascending]
		return nil, &wire.Refusal{Code: http.StatusNotFound, Message: "Failed to find events within the search period. To continue search, " +
			"query the API again with the `" + name + "` parameter set to " + last + "."}
	}
	return world.JSON("?", found), nil
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
