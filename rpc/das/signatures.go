package das

import (
	"cmp"
	"context"
	"iter"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/decode"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

const signatures transport.Op = "das.Client.Signatures getSignaturesForAsset"

// PageOptions page the listings of signatures and editions. The zero value, like nil,
// starts at the first page.
type PageOptions struct {
	// Cursor is that of the last handled page, to go on after it. Empty means the first
	// page.
	Cursor string

	Limit    int  // items per page; 0 means 1000, the default and maximum of the service
	Prefetch bool // request the next page while the loop handles the current one
}

func (o *PageOptions) copied() PageOptions {
	if o == nil {
		return PageOptions{}
	}
	return *o
}

func (o *PageOptions) check() error {
	if err := argument.NotNegative("Limit", o.Limit); err != nil {
		return err
	}
	return checkPlace(o.Cursor)
}

// A Signature is a transaction of a compressed NFT.
type Signature struct {
	Signature types.Signature
	Operation string // what it did, such as MintToCollectionV1, Transfer or Burn
}

// UnmarshalJSON decodes a pair of signature and operation. Anything else makes the
// zero Signature.
func (s *Signature) UnmarshalJSON(b []byte) error {
	*s = Signature{}
	if len(b) == 0 || b[0] != '[' {
		return nil
	}
	var pair [2]string
	if err := decode.Value(b, &pair); err != nil {
		return err
	}
	*s = Signature{types.Signature(pair[0]), pair[1]}
	return nil
}

// Signatures returns one page of the transactions of a compressed NFT, most often the
// newest first. It costs 10 credits. The page of an unknown asset is empty; other
// kinds of assets fail with a [types.APIError].
//
// JSON-RPC method: getSignaturesForAsset.
func (c *Client) Signatures(
	ctx context.Context, id types.Address, opts *PageOptions,
) (*types.Page[Signature], error) {
	o := opts.copied()
	return c.signatures(ctx, id, &o, nil)
}

func (c *Client) signatures(ctx context.Context, id types.Address, o *PageOptions, again *repetition[Signature]) (*types.Page[Signature], error) {
	at, _ := placeOf(o.Cursor, o.Limit)
	page, err := numbered(ctx, signatures, at, again, func(ctx context.Context, at place) (part[Signature], error) {
		params := struct {
			ID    types.Address `json:"id"`
			Page  int           `json:"page"`
			Limit int           `json:"limit,omitempty"`
		}{id, at.page, at.limit}
		type listed struct {
			Page  int         `json:"page"`
			Items []Signature `json:"items"`
		}
		got, err := transport.Result(ctx, c.api, transport.Query[listed]{
			Op: signatures, Invalid: cmp.Or(argument.Address("id", id), o.check()),
			Params: params, Check: func(l *listed) error {
				signed := func(s *Signature) bool { return s.Signature != "" }
				return cmp.Or(transport.Require(l.Items != nil, "items"), paging.CheckItems(l.Items, signed))
			},
		})
		if err != nil {
			return part[Signature]{}, err
		}
		return part[Signature]{items: got.Items, page: got.Page}, nil
	})
	if err != nil {
		return nil, orNotFound(err)
	}
	return page, nil
}

// SignaturePages iterates over the pages of [Client.Signatures], at 10 credits each.
// To resume, set Cursor to that of the last handled page; the last page is empty. If
// the service sends the first page again, the listing ends with [types.ErrIncomplete].
func (c *Client) SignaturePages(
	ctx context.Context, id types.Address, opts *PageOptions,
) iter.Seq2[*types.Page[Signature], error] {
	o := opts.copied()
	return func(yield func(*types.Page[Signature], error) bool) {
		again := &repetition[Signature]{key: func(s *Signature) string { return string(s.Signature) + s.Operation }}
		fetch := func(ctx context.Context, cursor string) (*types.Page[Signature], error) {
			o := o
			o.Cursor = cursor
			return c.signatures(ctx, id, &o, again)
		}
		paging.List(ctx, signatures.String(), o.Cursor, o.Prefetch, fetch)(yield)
	}
}

// AllSignatures iterates over the transactions of all pages of
// [Client.SignaturePages], at 10 credits per page. It ends with the same errors.
// Transactions during the listing may be missed, and cause others to be listed twice.
func (c *Client) AllSignatures(
	ctx context.Context, id types.Address, opts *PageOptions,
) iter.Seq2[Signature, error] {
	return paging.ListItems(c.SignaturePages(ctx, id, opts))
}
