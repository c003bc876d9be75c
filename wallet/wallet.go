package wallet

import (
	"cmp"
	"context"
	"fmt"
	"net/url"

	"github.com/shopspring/decimal"

	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

// A Client calls the Wallet API. It is safe for concurrent use.
type Client struct{ api *transport.Client }

// New returns a Client for cfg. An invalid Config fails with [types.ErrInvalid], and
// so does devnet, which has no Wallet API.
func New(cfg types.Config) (*Client, error) {
	api, err := transport.New(cfg, transport.Wallet, nil)
	if err != nil {
		return nil, err
	}
	return &Client{api}, nil
}

// list requests one page of a listing that is sorted from new to old. It leaves out items outside
// of the window. The page is the last one if no later item can be in the window. Complete
// refuses an item; it may be nil. Open returns the public item and its time. An item without a
// time counts as sent with the item before it, and the first item as sent now.
func list[W, T any](
	ctx context.Context, c *Client, w *paging.Walk, r transport.Request, complete func(*W) error, open func(*W) (T, types.Time), in window,
) (*types.Page[T], error) {
	r.Items = &w.Items
	listed, err := transport.Fetch(ctx, c.api, r, func(l *listed[W]) error { return l.check(complete) })
	if err != nil {
		return nil, err
	}
	page := &types.Page[T]{Items: make([]T, 0, len(listed.Data)), Cursor: listed.Pagination.NextCursor}
	switch more := listed.Pagination.HasMore; {
	case more != nil && !*more:
		page.Cursor = ""
	case page.Cursor == "":
		page.Cursor = paging.DeadEnd("hasMore is true but there is no cursor")
	}
	last := c.api.Now()
	for i := range listed.Data {
		item, at := open(&listed.Data[i])
		if !at.IsZero() {
			last = at.Time
		}
		if in.endsBefore(last) {
			page.Cursor = ""
			break
		}
		if in.has(last) {
			page.Items = append(page.Items, item)
		}
	}
	return page, nil
}

// listed is a page as the service sends it.
type listed[W any] struct {
	Data       []W `json:"data" required:"true"`
	Pagination struct {
		// without it and a cursor, a truncated listing would look complete
		HasMore    *bool  `json:"hasMore" required:"nextCursor"`
		NextCursor string `json:"nextCursor"`
	} `json:"pagination" required:"true"`
}

// check refuses a page with an invalid item.
func (l *listed[W]) check(complete func(*W) error) error {
	err := paging.CheckItems(&l.Data)
	for i := range l.Data {
		if complete != nil {
			err = cmp.Or(err, complete(&l.Data[i]))
		}
	}
	return err
}

// needsRaw refuses a missing amount in the smallest unit beside one in whole tokens.
func needsRaw(member string, raw uint64, amount decimal.Decimal) error {
	return transport.Require(raw != 0 || amount.IsZero(), member)
}

// request returns the request for an operation on one wallet. Invalid are the errors of
// the other arguments.
func request(op transport.Op, wallet types.Address, query url.Values, invalid ...error) transport.Request {
	invalid = append([]error{checkWallet("wallet", wallet)}, invalid...)
	return transport.Request{Op: op, Invalid: cmp.Or(invalid...), Path: []string{string(wallet)}, Query: query}
}

// set adds a parameter to query, unless it is zero and so the default of the service.
func set[T comparable](query url.Values, name string, value T) {
	var zero T
	if value != zero {
		query.Set(name, fmt.Sprint(value))
	}
}
