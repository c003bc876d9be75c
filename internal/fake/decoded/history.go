package decoded

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/solwire/solwire-go/internal/fake/wire"
	"github.com/solwire/solwire-go/internal/fake/world"
	"github.com/solwire/solwire-go/types"
)

const maxLimit = 100

// decode reads a body, in which the service refuses unknown members and null.
func decode(c *wire.Call, into any) *wire.Refusal {
	members, isObject := wire.Object(c.Body)
	if !c.JSON || !isObject {
		return refuse("body is not a JSON object")
	}
	for name, value := range members {
		if string(value) == "null" {
			return refuse("invalid type: null for `" + name + "`")
		}
	}
	decoder := json.NewDecoder(strings.NewReader(string(c.Body)))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return refuse(strings.TrimPrefix(err.Error(), "json: "))
	}
	return nil
}

// Transactions answers with one result for each signature.
func Transactions(c *wire.Call) ([]byte, *wire.Refusal) {
	var in struct {
		Transactions []string `json:"transactions"`
		Commitment   string   `json:"commitment"`
		Raw          bool     `json:"includeRawTransaction"`
	}
	if refused := cmp.Or(decode(c, &in), commitment(in.Commitment)); refused != nil {
		return nil, refused
	}
	if n := len(in.Transactions); n < 1 || n > maxLimit {
		return nil, refuse("transactions must have 1 to 100 signatures")
	}
	var all []json.RawMessage
	for _, s := range in.Transactions {
		x := c.World.Transaction(s)
		if x != nil && x.Slot > c.World.SlotOf(cmp.Or(in.Commitment, "confirmed")) {
			x = nil
		}
		all = append(all, resultOf(c.World, s, x, in.Raw))
	}
	return world.JSON("?", all), nil
}

func commitment(text string) *wire.Refusal {
	if !slices.Contains([]string{"", "confirmed", "finalized"}, text) {
		return refuse("commitment must be confirmed or finalized")
	}
	return nil
}

// bounds are the bounds of a range.
type bounds[N int64 | uint64] struct {
	Above   *N `json:"gt"`
	From    *N `json:"gte"`
	Below   *N `json:"lt"`
	Through *N `json:"lte"`
}

func (b bounds[N]) has(n N) bool {
	return (b.Above == nil || n > *b.Above) && (b.From == nil || n >= *b.From) && (b.Below == nil || n < *b.Below) && (b.Through == nil || n <= *b.Through)
}

type historyRequest struct {
	Address    string         `json:"address"`
	Limit      *int           `json:"limit"`
	Token      string         `json:"paginationToken"`
	Before     string         `json:"beforeSignature"`
	After      string         `json:"afterSignature"`
	Order      string         `json:"sortOrder"`
	Commitment string         `json:"commitment"`
	Raw        bool           `json:"includeRawTransaction"`
	Slots      bounds[uint64] `json:"slot"`
	Times      bounds[int64]  `json:"time"`
}

// A place is the position of a transaction.
type place struct {
	slot  uint64
	index int
}

func placeOf(x *world.Transaction) place { return place{x.Slot, x.Index} }

func (p place) compare(q place) int {
	return cmp.Or(cmp.Compare(p.slot, q.slot), cmp.Compare(p.index, q.index))
}

// History answers with a page of the transactions that name an address. Those that name
// only its token accounts are not listed.
func History(c *wire.Call) ([]byte, *wire.Refusal) {
	in := historyRequest{Order: "desc"}
	if refused := decode(c, &in); refused != nil {
		return nil, refused
	}
	limit := maxLimit
	if in.Limit != nil {
		limit = *in.Limit
	}
	var after *place // of the page before
	if in.Token != "" {
		after = new(place)
		if _, err := fmt.Sscanf(in.Token, "%d:%d", &after.slot, &after.index); err != nil {
			return nil, refuse("invalid paginationToken")
		}
	}
	programs := []string{world.System, string(types.TokenProgram), string(types.Token2022Program), world.Swaps}
	switch {
	case !world.IsAddress(in.Address):
		return nil, refuse("invalid address")
	case slices.Contains(programs, in.Address):
		return nil, refuse("programs are not supported")
	case limit < 1 || limit > maxLimit:
		return nil, refuse("limit must be 1 to 100")
	case in.Order != "asc" && in.Order != "desc":
		return nil, refuse("sortOrder must be asc or desc")
	case commitment(in.Commitment) != nil:
		return nil, commitment(in.Commitment)
	}
	var newer, older *world.Transaction // bounds
	for signature, bound := range map[string]**world.Transaction{in.Before: &newer, in.After: &older} {
		if signature == "" {
			continue
		}
		if *bound = c.World.Transaction(signature); *bound == nil {
			return nil, refuse("unknown signature")
		}
	}
	list := history(c.World, in.Address, in.Commitment)
	direction := 1
	if in.Order == "desc" {
		slices.Reverse(list)
		direction = -1
	}
	var data []json.RawMessage
	var last place
	var token string
	for _, x := range list {
		p := placeOf(x)
		switch {
		case after != nil && p.compare(*after)*direction <= 0,
			newer != nil && p.compare(placeOf(newer)) >= 0, older != nil && p.compare(placeOf(older)) <= 0,
			!in.Slots.has(x.Slot), !in.Times.has(x.Time.Unix()):
			continue
		}
		if len(data) == limit {
			token = fmt.Sprintf("%d:%d", last.slot, last.index)
			break
		}
		data, last = append(data, resultOf(c.World, x.Signature, x, in.Raw)), p
	}
	return world.JSON(`{"data":?,"paginationToken":!}`, data, token), nil
}

// history returns the transactions that name an address, from old to new.
func history(w *world.World, address, commitment string) []*world.Transaction {
	var all []*world.Transaction
	for _, m := range w.History(address, cmp.Or(commitment, "confirmed")) {
		if m.Reach == world.Named {
			all = append(all, m.Transaction)
		}
	}
	return all
}
