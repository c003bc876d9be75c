package compressed

import (
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

// A Client lists compressed accounts. It is safe for concurrent use.
type Client struct{ api *transport.Client }

// New returns a Client for cfg. It fails with [types.ErrInvalid] when the key
// is missing or the URL cannot work.
func New(cfg types.Config) (*Client, error) {
	api, err := transport.New(cfg, transport.RPC)
	if err != nil {
		return nil, err
	}
	return &Client{api}, nil
}

// A Page is a part of a listing. It may be empty or short without being the
// last one; only an empty Cursor ends a listing.
type Page[T any] struct {
	Slot   uint64 `json:"-"`      // up to which slot the service had read the chain; may go back from page to page
	Items  []T    `json:"items"`  // at most as many as the limit
	Cursor string `json:"cursor"` // where the next page starts; empty on the last page
}

func (p *Page[T]) next() (string, error) { return p.Cursor, nil }

func (p *Page[T]) items() []T { return p.Items }
