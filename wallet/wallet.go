package wallet

import (
	"cmp"
	"context"
	"fmt"
	"net/url"

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

// list requests one page of a cursor listing. Named reports whether an item has the
// member that all real items have.
func list[T any](ctx context.Context, c *Client, op transport.Op, wallet types.Address, query url.Values, named func(*T) bool) (*types.Page[T], error) {
	listed, err := transport.Fetch(ctx, c.transport(), request(op, wallet, query), func(l *listed[T]) error { return l.missing(named) })
	if err != nil {
		return nil, err
	}
	page := &types.Page[T]{Items: listed.Data, Cursor: listed.Pagination.NextCursor, HasMore: listed.Pagination.NextCursor != ""}
	if more := listed.Pagination.HasMore; more != nil {
		page.HasMore = *more
	}
	switch {
	case !page.HasMore:
		page.Cursor = ""
	case page.Cursor == "":
		page.Err = fmt.Errorf("%s: hasMore is true but there is no cursor: %w", op, types.ErrIncomplete)
	}
	return page, nil
}

// listed is a page on the wire.
type listed[T any] struct {
	Data       []T `json:"data"`
	Pagination struct {
		HasMore    *bool  `json:"hasMore"`
		NextCursor string `json:"nextCursor"`
	} `json:"pagination"`
}

// missing says what an incomplete page lacks. Without hasMore and a cursor, a
// truncated listing would look complete.
func (l *listed[T]) missing(named func(*T) bool) error {
	return cmp.Or(
		transport.Require(l.Data != nil, "data"),
		transport.Require(l.Pagination.HasMore != nil || l.Pagination.NextCursor != "", "pagination"),
		paging.CheckItems(l.Data, named),
		paging.CheckCursor(l.Pagination.NextCursor),
	)
}

// transport returns nil for a Client that New did not make.
func (c *Client) transport() *transport.Client {
	if c == nil {
		return nil
	}
	return c.api
}

// request returns the request for an operation on one wallet.
func request(op transport.Op, wallet types.Address, query url.Values) transport.Request {
	return transport.Request{Op: op, Path: []string{string(wallet)}, Query: query}
}

// set adds a parameter to query, unless it is zero and so the default of the service.
func set[T comparable](query url.Values, name string, value T) {
	var zero T
	if value != zero {
		query.Set(name, fmt.Sprint(value))
	}
}
