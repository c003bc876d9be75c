package decoded

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/solwire/solwire-go/internal/fakeapi/wire"
	"github.com/solwire/solwire-go/internal/fakeapi/world"
	"github.com/solwire/solwire-go/types"
)

// Transactions answers with one result for each signature.
func Transactions(c *wire.Call) []byte {
	var in struct {
		rawOptions

		Transactions []string `json:"transactions"`
		Commitment   string   `json:"commitment"   oneof:"confirmed finalized"`
	}
	c.Decode(c.Body, &in, true)
	if n := len(in.Transactions); n < 1 || n > c.Facts.Inputs {
		c.Invalid("transactions must have 1 to %d signatures", c.Facts.Inputs)
	}
	newest := c.World.SlotOf(cmp.Or(in.Commitment, "confirmed"))
	var all []json.RawMessage
	for _, s := range in.Transactions {
		x := c.World.Transaction(s)
		if x != nil && x.Slot > newest {
			x = nil
		}
		all = append(all, resultOf(c.World, s, x, in.encoding()))
	}
	return world.JSON("?", all)
}

// rawOptions say how the raw transactions are encoded.
type rawOptions struct {
	Raw        string `json:"rawTransaction"        oneof:"none json jsonParsed base64"`
	IncludeRaw bool   `json:"includeRawTransaction"`
}

func (o rawOptions) encoding() string {
	if o.IncludeRaw {
		return cmp.Or(o.Raw, "json")
	}
	return o.Raw
}

type historyRequest struct {
	wire.Listing
	rawOptions

	Address string      `json:"address"`
	Before  string      `json:"beforeSignature"`
	After   string      `json:"afterSignature"`
	Status  string      `json:"status"          oneof:"succeeded failed any"` // default: succeeded
	Reach   string      `json:"tokenAccounts"`
	Slots   wire.Bounds `json:"slot"`
	Times   wire.Bounds `json:"time"`
}

// History answers with a page of the transactions of an address.
func History(c *wire.Call) []byte {
	in := historyRequest{Listing: wire.Listing{Limit: c.Facts.Items}}
	c.Decode(c.Body, &in, true)
	switch {
	case !world.IsAddress(in.Address):
		c.Invalid("invalid address")
	case slices.Contains([]string{world.System, string(types.TokenProgram), string(types.Token2022Program), world.Swaps}, in.Address):
		c.Invalid("programs are not supported")
	}
	h := in.history(c)
	data, next := h.Page(c.World, in.Address, in.Limit, func(m *world.Mention) (json.RawMessage, string) {
		return resultOf(c.World, m.Signature, m.Transaction, in.encoding()), wire.CursorOf(m.Transaction)
	})
	return world.JSON(`{"data":?,"paginationToken":!}`, data, next)
}
