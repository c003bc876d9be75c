package hooks

import (
	"cmp"
	"encoding/json"
	"net/http"
	"slices"

	"github.com/solwire/solwire-go/internal/fakeapi/wire"
	"github.com/solwire/solwire-go/internal/fakeapi/world"
)

// searchPeriod is how many transactions a search for a type looks at.
const searchPeriod = 100

// parsedTransactions answers in the order of the history and leaves out unknown signatures.
func parsedTransactions(c *wire.Call) []byte {
	var in struct {
		Transactions []string `json:"transactions"`
	}
	newest := c.World.SlotOf(cmp.Or(commitment(c), "processed")) // delivered transactions are known
	c.Decode(c.Body, &in, false)
	if len(in.Transactions) < 1 || len(in.Transactions) > c.Facts.Inputs {
		c.Invalid("transactions must have between 1 and %d signatures", c.Facts.Inputs)
	}
	var found []*world.Transaction
	for i, signature := range in.Transactions {
		if x := c.World.Transaction(signature); x != nil && x.Slot <= newest && !slices.Contains(in.Transactions[:i], signature) {
			found = append(found, x)
		}
	}
	slices.SortStableFunc(found, (*world.Transaction).Compare)
	var texts []json.RawMessage
	for _, x := range found {
		texts = append(texts, enhanced(c.World, x))
	}
	return world.JSON("?", texts)
}

func commitment(c *wire.Call) string {
	text := c.Query.Text("commitment")
	c.OneOf(text, "finalized", "confirmed")
	return text
}

// parsedHistory answers with one page of a history.
func parsedHistory(c *wire.Call) []byte {
	q, address := c.Query, c.Path("address")
	limit, kind, source := q.Integer("limit", 10, c.Facts.Items), q.Text("type"), q.Text("source")
	before, after, order := q.Text("before-signature"), q.Text("after-signature"), q.Text("sort-order")
	if before+after == "" { // the older spelling
		before = q.Text("before")
	}
	h := wire.History{Commitment: commitment(c), Ascending: order == "asc", Slots: bounds(q, "slot"), Times: bounds(q, "time")}
	h.Reach = c.Reach(q.Text("token-accounts"), "none")
	c.OneOf(order, "asc", "desc")
	if !world.IsAddress(address) {
		c.Invalid("invalid address")
	}
	h.Continue(c.Known(before + after))
	found, searched, last := []json.RawMessage{}, 0, ""
	for m := range h.Of(c.World, address) {
		if len(found) == limit || kind != "" && searched == searchPeriod {
			break
		}
		searched, last = searched+1, m.Signature
		if (kind == "" || kind == m.Kind) && (source == "" || source == sourceOf(m.Transaction)) {
			found = append(found, enhanced(c.World, m.Transaction))
		}
	}
	if len(found) == 0 && searched > 0 && kind != "" {
		name := map[bool]string{false: "before-signature", true: "after-signature"}[h.Ascending]
		c.Fail(http.StatusNotFound, "Failed to find events within the search period. To continue search, query the API again with the `%s` parameter set to %s.", name, last)
	}
	return world.JSON("?", found)
}

// bounds reads a range.
func bounds(q *wire.Query, of string) wire.Bounds {
	bound := func(name string) *uint64 {
		if !q.Values.Has(name + "-" + of) {
			return nil
		}
		n := uint64(q.Long(name+"-"+of, 0, 1<<62))
		return &n
	}
	return wire.Bounds{GTE: bound("gte"), GT: bound("gt"), LTE: bound("lte"), LT: bound("lt")}
}
