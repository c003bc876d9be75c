package das

import (
	"cmp"
	"context"
	"encoding/json"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/decode"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

var opSignatures = op("das.Client.Signatures", "getSignaturesForAsset")

// ListingOptions are the options of [Client.Editions] and [Client.Signatures]. The zero
// value, like nil, starts at the first page.
type ListingOptions struct {
	// Limit is at most 1000, and 0 means 1000.
	types.PageOptions
}

// A Signature is a transaction of a compressed NFT.
type Signature struct {
	Signature types.Signature
	Operation string // such as MintToCollectionV1, Transfer or Burn
}

// MarshalJSON encodes a pair, as the service does.
func (s Signature) MarshalJSON() ([]byte, error) {
	return json.Marshal([2]string{string(s.Signature), s.Operation})
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

// Signatures lists the transactions of a compressed NFT, most often the newest first. A new
// transaction during the listing may be missed, and another one listed twice. Read the list with
// All, Pages, Page or Collect; each page costs 10 credits, also the empty one at the end. The
// list of an unknown asset is empty; other kinds of assets fail with a [types.APIError]. The
// documented parameters after and before have no options: indexers refuse all their values.
//
// JSON-RPC method: getSignaturesForAsset.
func (c *Client) Signatures(ctx context.Context, id types.Address, opts *ListingOptions) types.List[Signature] {
	o := argument.Options(opts)
	type listed struct {
		Page  int         `json:"page"`
		Slot  uint64      `json:"last_indexed_slot"`
		Items []Signature `json:"items" required:"true"`
	}
	r := &source[Signature]{
		runs: true, id: func(s *Signature) types.Address { return types.Address(s.Signature) },
		fetch: func(ctx context.Context, w *paging.Walk, sent window) (p part[Signature], err error) {
			params := struct {
				ID types.Address `json:"id"`
				window
			}{id, sent}
			got, err := transport.Result(ctx, c.api, transport.Query[listed]{
				Op: opSignatures, Invalid: cmp.Or(argument.Address("id", id), argument.Fields(&o), checkRows(w.At)), Items: &w.Items,
				About: id, Params: params, Check: func(l *listed) error { return paging.CheckItems(&l.Items) },
			})
			if err != nil {
				return p, orNotFound(err)
			}
			page := types.Page[Signature]{Items: got.Items, Slot: got.Slot}
			return part[Signature]{page, len(got.Items), got.Page}, nil
		},
	}
	return paging.List(ctx, paging.ListingOf(c.api, opSignatures, id, "", o.PageOptions), r.page)
}
