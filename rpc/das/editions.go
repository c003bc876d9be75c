package das

import (
	"cmp"
	"context"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

var opEditions = op("das.Client.Editions", "getNftEditions")

// An EditionPage is one page of the printed editions of an NFT.
type EditionPage struct {
	types.Page[Edition] // in no particular order; the last page has no items

	MasterEdition types.Address `json:"masterEdition"` // the account of the master edition
	Supply        uint64        `json:"supply"`        // editions printed so far
	MaxSupply     *uint64       `json:"maxSupply"`     // the most prints; nil without a limit
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
	Slot          uint64          `json:"last_indexed_slot"`
	MasterEdition types.Address   `json:"master_edition_address" required:"true"`
	Supply        uint64          `json:"supply"`
	MaxSupply     *uint64         `json:"max_supply"`
	Editions      []listedEdition `json:"editions"` // absent when there are none
}

func (l *listedEditions) complete() error { return paging.CheckItems(&l.Editions) }

// items returns the editions under their Go names.
func (l *listedEditions) items() []Edition {
	all := make([]Edition, len(l.Editions))
	for i, e := range l.Editions {
		all[i] = e.Edition
		all[i].Mint, all[i].Number = cmp.Or(e.Mint, e.OtherMint), cmp.Or(e.Number, e.OtherNumber)
	}
	return all
}

// Editions lists the printed editions of an NFT. Editions that are printed during the listing may
// be missed. Read the list with All, Pages, Page or Collect; each page costs 10 credits, also
// the empty one at the end. An NFT without a master edition fails with [types.ErrNotFound].
//
// JSON-RPC method: getNftEditions.
func (c *Client) Editions(ctx context.Context, mint types.Address, opts *ListingOptions) types.ListOf[EditionPage, Edition] {
	o := argument.Options(opts)
	fetch := func(ctx context.Context, w *paging.Walk) (*EditionPage, error) {
		var got *listedEditions
		r := &source[Edition]{
			id: func(e *Edition) types.Address { return e.Address },
			fetch: func(ctx context.Context, w *paging.Walk, sent window) (p part[Edition], err error) {
				params := struct {
					Mint types.Address `json:"mint"`
					window
				}{mint, sent}
				got, err = transport.Result(ctx, c.api, transport.Query[listedEditions]{
					Op: opEditions, Invalid: cmp.Or(argument.Address("mint", mint), argument.Fields(&o), checkRows(w.At)),
					About: mint, Params: params, Check: (*listedEditions).complete, Items: &w.Items,
				})
				if err != nil {
					return p, orNotFound(err)
				}
				page := types.Page[Edition]{Items: got.items(), Slot: got.Slot}
				return part[Edition]{page, len(page.Items), got.Page}, nil
			},
		}
		page, err := r.page(ctx, w)
		if err != nil {
			return nil, err
		}
		return &EditionPage{*page, got.MasterEdition, got.Supply, got.MaxSupply}, nil
	}
	l := paging.ListingOf(c.api, opEditions, mint, "", o.PageOptions)
	return paging.ListOf(ctx, l, fetch, func(p *EditionPage) *types.Page[Edition] { return &p.Page })
}
