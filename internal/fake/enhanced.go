package fake

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
)

// searchPeriod is how many transactions a search for a type looks at.
const searchPeriod = 100

// A pastEvent is an event in the history, with what a history is sorted and filtered by.
type pastEvent struct {
	Event     `json:"-"`
	Slot      int64  `json:"slot"`
	Timestamp int64  `json:"timestamp"`
	Source    string `json:"source"`

	reach map[string]int // how it involves its wallets; nil means that it names them
}

// Happen adds events to the histories and balances of their wallets and to the parsed
// histories. Delivered events are in them too, and each event is in them once.
func (s *Service) Happen(events ...Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.happened == nil {
		s.happened, s.recent = map[string]bool{}, map[string]*activity{}
	}
	if len(s.happened) > 10*kept { // duplicates follow soon
		clear(s.happened)
	}
	sorted := true
	for _, e := range events {
		if s.happened[e.Signature] {
			continue
		}
		s.happened[e.Signature] = true
		s.move(e)
		p := pastEvent{Event: e}
		if json.Unmarshal([]byte(e.Enhanced), &p) != nil { // an event made by hand may have any form
			continue
		}
		sorted = sorted && (len(s.past) == 0 || s.past[len(s.past)-1].Slot <= p.Slot)
		s.past = append(s.past, p)
		if s.Keep > 0 && len(s.past) > s.Keep {
			s.past = slices.Delete(s.past, 0, 1)
		}
	}
	if !sorted {
		slices.SortStableFunc(s.past, bySlot)
	}
}

// enhanced answers the routes of parsed transactions.
func (s *Service) enhanced(r *http.Request, body []byte) answer {
	values := r.URL.Query()
	key := values.Get("api-key")
	values.Del("api-key")
	switch s.keyStatus(key) {
	case http.StatusUnauthorized:
		return webhookRefusal(&refusal{http.StatusUnauthorized, "Unauthorized", ""})
	case http.StatusTooManyRequests:
		return webhookRefusal(&refusal{http.StatusTooManyRequests, "Rate limit exceeded", ""}).overLimit()
	}
	op, path := routed(r)
	if op == nil {
		return invalidPath()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	result, refused := op(s, &call{path: path, query: &query{values: values, lenient: s.Lenient}, body: body, json: isJSON(r.Header.Get("Content-Type"))})
	switch {
	case refused != nil && refused.code == http.StatusNotFound:
		return answer{status: refused.code, body: encode(map[string]string{"error": refused.message})}
	case refused != nil:
		return webhookRefusal(refused)
	}
	return ok(result)
}

// parsedTransactions answers in the order of the history and leaves out unknown
// signatures.
func (s *Service) parsedTransactions(c *call) ([]byte, *refusal) {
	var in struct {
		Transactions []string `json:"transactions"`
	}
	members, isObject := object(c.body)
	commitment(c.query)
	switch {
	case !c.json || !isObject || len(members) != 1 && !s.Lenient || json.Unmarshal(c.body, &in) != nil:
		return nil, badWebhook("body is not an object with transactions")
	case len(in.Transactions) < 1 || len(in.Transactions) > 100:
		return nil, badWebhook("transactions must have between 1 and 100 signatures")
	}
	if refused := c.query.refused(); refused != nil {
		return nil, refused
	}
	var found []string
	for _, list := range [][]pastEvent{s.worldEvents(), s.past} {
		for _, e := range list {
			if slices.Contains(in.Transactions, e.Signature) {
				found = append(found, e.Enhanced)
			}
		}
	}
	return []byte("[" + strings.Join(found, ",") + "]"), nil
}

func commitment(q *query) {
	if text := q.text("commitment"); text != "" && text != "finalized" && text != "confirmed" {
		q.failf("commitment must be finalized or confirmed")
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

// selection reads the query.
func (q *query) selection(address string) selection {
	w := selection{address: address, limit: q.integer("limit", 10, 100), kind: q.text("type"), source: q.text("source")}
	before, after, order := q.text("before-signature"), q.text("after-signature"), q.text("sort-order")
	w.slots, w.times = q.bounds("slot"), q.bounds("time")
	w.cursor, w.ascending = before+after, order == "asc"
	if q.lenient && w.cursor == "" { // the older spelling
		w.cursor = q.text("before")
	}
	commitment(q)
	switch q.text("token-accounts") {
	case "", "none":
		w.reach = itself
	case "balanceChanged":
		w.reach = balanceChanged
	case "all":
		w.reach = tokenAccount
	default:
		q.failf("token-accounts must be none, balanceChanged or all")
	}
	if !slices.Contains([]string{"", "asc", "desc"}, order) || before != "" && w.ascending || after != "" && !w.ascending {
		q.failf("sort-order does not fit")
	}
	if none := [2]int64{-1, -1}; w.slots != none && w.times != none {
		q.failf("slot and time filters cannot be combined")
	}
	return w
}

// has reports whether e is in the history, before types and sources are looked at.
func (w *selection) has(e *pastEvent) bool {
	within := func(n int64, b [2]int64) bool { return (b[0] < 0 || n >= b[0]) && (b[1] < 0 || n < b[1]) }
	return slices.Contains(e.Accounts, w.address) && e.reach[w.address] <= w.reach && within(e.Slot, w.slots) && within(e.Timestamp, w.times)
}

// parsedHistory answers with one page of a history.
func (s *Service) parsedHistory(c *call) ([]byte, *refusal) {
	w := c.query.selection(c.path["address"])
	if refused := c.query.refused(); refused != nil {
		return nil, refused
	}
	if !isAddress(w.address) {
		return nil, badWebhook("invalid address")
	}
	list := slices.Concat(s.worldEvents(), s.past)
	if !slices.IsSortedFunc(list, bySlot) {
		slices.SortStableFunc(list, bySlot)
	}
	if !w.ascending {
		slices.Reverse(list)
	}
	if w.cursor != "" {
		i := slices.IndexFunc(list, func(e pastEvent) bool { return e.Signature == w.cursor })
		if i < 0 {
			return nil, badWebhook("unknown signature")
		}
		list = list[i+1:]
	}
	return w.page(list)
}

// page answers with the first events of a list.
func (w *selection) page(list []pastEvent) ([]byte, *refusal) {
	found, searched, last := []string{}, 0, ""
	for _, e := range list {
		if !w.has(&e) {
			continue
		}
		if len(found) == w.limit || w.kind != "" && searched == searchPeriod {
			break
		}
		searched, last = searched+1, e.Signature
		if (w.kind == "" || w.kind == e.Type) && (w.source == "" || w.source == e.Source) {
			found = append(found, e.Enhanced)
		}
	}
	if len(found) == 0 && searched > 0 && w.kind != "" {
		name := map[bool]string{false: "before-signature", true: "after-signature"}[w.ascending]
		return nil, &refusal{http.StatusNotFound, "Failed to find events within the search period. To continue search, " +
			"query the API again with the `" + name + "` parameter set to " + last + ".", ""}
	}
	return []byte("[" + strings.Join(found, ",") + "]"), nil
}

// bounds returns the bounds of a range: the first number in it and the first one beyond
// it, -1 for none.
func (q *query) bounds(of string) (b [2]int64) {
	b = [2]int64{q.bound("gte-" + of), q.bound("lt-" + of)}
	if n := q.bound("gt-" + of); n >= 0 {
		b[0] = max(b[0], n+1)
	}
	if n := q.bound("lte-" + of); n >= 0 && (b[1] < 0 || n < b[1]) {
		b[1] = n + 1
	}
	return b
}

// bound returns an optional parameter, -1 without one.
func (q *query) bound(name string) int64 {
	if !q.values.Has(name) {
		return -1
	}
	return q.long(name, 0, 1<<62)
}
