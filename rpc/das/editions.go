package das

import (
	"cmp"
	"context"
	"iter"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

const editions transport.Op = "das.Client.Editions getNftEditions"

// An EditionPage is one page of the printed editions of an NFT. To go on after it, set
// the Cursor of the options to that of the page.
type EditionPage struct {
	Items   []Edition // in no particular order
	Cursor  string    // where the next page starts; empty on the last page, which is empty
	HasMore bool      // whether more pages may follow

	MasterEdition types.Address // the account of the master edition
	Supply        uint64        // editions printed so far
	MaxSupply     *uint64       // the most that may be printed; nil without a limit
}

// An Edition is a printed edition of an NFT.
type Edition struct {
	Mint    types.Address `json:"mint"` // empty when the indexer does not know it
	Address types.Address `json:"edition_address"`
	Number  uint64        `json:"edition"`
	Burnt   bool          `json:"burnt"` // not always sent
}

// A listedEdition has the names of two indexers.
type listedEdition struct {
	Edition
	OtherMint   types.Address `json:"mint_address"`
	OtherNumber uint64        `json:"edition_number"`
}

// listedEditions is a page as the service sends it.
type listedEditions struct {
	Page          int             `json:"page"`
	MasterEdition types.Address   `json:"master_edition_address"`
	Supply        uint64          `json:"supply"`
	MaxSupply     *uint64         `json:"max_supply"`
	Editions      []listedEdition `json:"editions"` // absent when there are none
}

func (l *listedEditions) complete() error {
	return cmp.Or(
		transport.Require(l.MasterEdition != "", "master_edition_address"),
		paging.CheckItems(l.Editions, func(e *listedEdition) bool { return e.Address != "" }),
	)
}

// items returns the editions under their Go names.
func (l *listedEditions) items() []Edition {
	all := make([]Edition, len(l.Editions))
	for i, e := range l.Editions {
		all[i] = e.Edition
		if e.Mint == "" {
			all[i].Mint = e.OtherMint
		}
		if e.Number == 0 {
			all[i].Number = e.OtherNumber
		}
	}
	return all
}

// Editions returns one page of the printed editions of an NFT. It costs 10 credits. An
// NFT without a master edition fails with [types.ErrNotFound].
//
// JSON-RPC method: getNftEditions.
func (c *Client) Editions(
	ctx context.Context, mint types.Address, opts *PageOptions,
) (*EditionPage, error) {
	o := opts.copied()
	return c.editions(ctx, mint, &o, nil)
}

func (c *Client) editions(ctx context.Context, mint types.Address, o *PageOptions, again *repetition[Edition]) (*EditionPage, error) {
	at, _ := placeOf(o.Cursor, o.Limit)
	var got *listedEditions
	page, err := numbered(ctx, editions, at, again, func(ctx context.Context, at place) (part[Edition], error) {
		params := struct {
			Mint  types.Address `json:"mint"`
			Page  int           `json:"page"`
			Limit int           `json:"limit,omitempty"`
		}{mint, at.page, at.limit}
		var err error
		got, err = transport.Result(ctx, c.api, transport.Query[listedEditions]{
			Op: editions, Invalid: cmp.Or(argument.Address("mint", mint), o.check()),
			Params: params, Check: (*listedEditions).complete,
		})
		if err != nil {
			return part[Edition]{}, err
		}
		return part[Edition]{items: got.items(), page: got.Page}, nil
	})
	if err != nil {
		return nil, orNotFound(err)
	}
	return &EditionPage{page.Items, page.Cursor, page.HasMore, got.MasterEdition, got.Supply, got.MaxSupply}, nil
}

// EditionPages iterates over the pages of [Client.Editions], at 10 credits each. To
// resume, set Cursor to that of the last handled page; the last page is empty. If the
// service sends the first page again, the listing ends with [types.ErrIncomplete].
func (c *Client) EditionPages(
	ctx context.Context, mint types.Address, opts *PageOptions,
) iter.Seq2[*EditionPage, error] {
	o := opts.copied()
	return func(yield func(*EditionPage, error) bool) {
		again := &repetition[Edition]{key: func(e *Edition) string { return string(e.Address) }}
		fetch := func(ctx context.Context, cursor string) (*EditionPage, error) {
			o := o
			o.Cursor = cursor
			return c.editions(ctx, mint, &o, again)
		}
		next := func(p *EditionPage) (string, error) { return p.Cursor, nil }
		paging.Pages(ctx, editions.String(), o.Cursor, o.Prefetch, fetch, next)(yield)
	}
}

// AllEditions iterates over the editions of all pages of [Client.EditionPages], at 10
// credits per page. It ends with the same errors. Editions that are printed during the
// listing may be missed or listed twice.
func (c *Client) AllEditions(
	ctx context.Context, mint types.Address, opts *PageOptions,
) iter.Seq2[Edition, error] {
	return paging.Items(c.EditionPages(ctx, mint, opts), func(p *EditionPage) []Edition { return p.Items })
}
