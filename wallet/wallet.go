package wallet

import (
	"context"
	"fmt"
	"net/url"

	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

// A Client asks about wallets. It is safe for concurrent use.
type Client struct{ api *transport.Client }

// New returns a client that uses the WalletURL of cfg. It sends nothing. The
// error matches [types.ErrInvalid]: the key is missing, or the URL cannot work.
func New(cfg types.Config) (*Client, error) {
	api, err := transport.New(cfg, transport.Wallet)
	if err != nil {
		return nil, err
	}
	return &Client{api}, nil
}

// A Page is one page of a history or of a list of transfers.
type Page[T any] struct {
	Items  []T    // newest first; may be empty though more pages follow
	Cursor string // where the next page starts; empty on the last page

	// HasMore is whether the service says that more follows. With an empty
	// Cursor there is no way to it, and a walk ends with [types.ErrIncomplete]
	// after this page.
	HasMore bool

	lost error // more follows, but there is no cursor
}

// list reads one page of a listing with cursors.
func list[T any](ctx context.Context, api *transport.Client, path string, query url.Values) (*Page[T], error) {
	var answer struct {
		Data       []T `json:"data"`
		Pagination *struct {
			HasMore    *bool  `json:"hasMore"`
			NextCursor string `json:"nextCursor"`
		} `json:"pagination"`
	}
	if err := api.Get(ctx, path, query, &answer); err != nil {
		return nil, err
	}
	switch {
	case answer.Data == nil:
		return nil, transport.NoList("GET "+path, "data")
	case answer.Pagination == nil: // not the end, but an unknown one
		return nil, transport.NoList("GET "+path, "pagination")
	}
	page := &Page[T]{Items: answer.Data, HasMore: answer.Pagination.NextCursor != ""}
	if more := answer.Pagination.HasMore; more != nil {
		page.HasMore = *more
	}
	if page.HasMore {
		page.Cursor = answer.Pagination.NextCursor
		if page.Cursor == "" {
			page.lost = fmt.Errorf("GET %s: more pages promised without a cursor: %w", path, types.ErrIncomplete)
		}
	}
	return page, nil
}

func (p *Page[T]) next() (string, error) { return p.Cursor, p.lost }

func (p *Page[T]) items() []T { return p.Items }

// walletPath is that of an operation on one wallet.
func walletPath(wallet types.Address, operation string) string {
	return transport.Path("v1", "wallet", string(wallet), operation)
}

// set adds a parameter. A zero value is not sent, so that the service's own
// default holds.
func set[T comparable](query url.Values, name string, value T) {
	var zero T
	if value != zero {
		query.Set(name, fmt.Sprint(value))
	}
}
