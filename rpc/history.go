package rpc

import (
	"cmp"
	"context"

	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

// A history is a listing of transactions or transfers of an address, in their order. W
// is an item as the service sends it, T a public one.
type history[W, T any] struct {
	sequence

	address types.Address
	config  func(token string) any // the options as they are sent
	invalid error                  // why an argument is invalid
	credits func(items int) uint64
	check   func([]W) error
	item    func(*W) T
	at      func(*T) position
}

// A historyPage is a page of a history as the service sends it.
type historyPage[W any] struct {
	Data   []W    `json:"data"`
	Cursor string `json:"paginationToken"`
}

func listHistory[W, T any](ctx context.Context, c *Client, h history[W, T]) types.List[T] {
	fetch := func(ctx context.Context, cursor string) (*types.Page[T], error) {
		token, invalid := h.token(cursor)
		got, err := transport.Result(ctx, c.api, transport.Query[historyPage[W]]{
			Op: h.op, Invalid: cmp.Or(h.invalid, invalid), Params: []any{h.address, h.config(token)},
			Credits: func(p *historyPage[W]) uint64 { return h.credits(len(p.Data)) },
			Check: func(p *historyPage[W]) error {
				return cmp.Or(transport.Require(p.Data != nil, "data"), h.check(p.Data), paging.CheckCursor(p.Cursor))
			},
		})
		if err != nil {
			return nil, err
		}
		page := &types.Page[T]{Items: make([]T, len(got.Data)), Cursor: h.mark(got.Cursor), HasMore: got.Cursor != ""}
		for i := range got.Data {
			page.Items[i] = h.item(&got.Data[i])
		}
		return page, nil
	}
	h.about = h.address
	h.selection = paging.Selection{h.op.Method, string(h.address)} // the token has the order
	return sequenceOf(ctx, h.sequence, fetch, h.at)
}

// creditsPerHundred is the price of a number of transactions.
func creditsPerHundred(n int) uint64 { return 10 * max(1, (uint64(n)+99)/100) }

func tenCredits(int) uint64 { return 10 }
