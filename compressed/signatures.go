package compressed

import (
	"cmp"
	"context"
	"iter"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

const (
	signaturesForAccount        transport.Op = "compressed.Client.SignaturesForAccount getCompressionSignaturesForAccount"
	signaturesForAddress        transport.Op = "compressed.Client.SignaturesForAddress getCompressionSignaturesForAddress"
	signaturesForOwner          transport.Op = "compressed.Client.SignaturesForOwner getCompressionSignaturesForOwner"
	signaturesForTokenOwner     transport.Op = "compressed.Client.SignaturesForTokenOwner getCompressionSignaturesForTokenOwner"
	latestCompressionSignatures transport.Op = "compressed.Client.LatestCompressionSignatures getLatestCompressionSignatures"
	latestNonVotingSignatures   transport.Op = "compressed.Client.LatestNonVotingSignatures getLatestNonVotingSignatures"
)

// A SignatureInfo is a transaction in a listing.
type SignatureInfo struct {
	Signature types.Signature `json:"signature"` // identifies the transaction
	Slot      uint64          `json:"slot"`
	BlockTime types.Time      `json:"blockTime"`

	// Err says why the transaction failed; empty if it succeeded. Only
	// LatestNonVotingSignatures sets it. Wire name: error.
	Err string `json:"error"`
}

func isNamed(s *SignatureInfo) bool { return s.Signature != "" }

// SignaturesForAccount returns the transactions that created and, unless it is still
// unspent, spent the account with a hash: one or two, the newest first. An unknown
// hash fails with [types.ErrNotFound]. It costs 10 credits.
//
// JSON-RPC method: getCompressionSignaturesForAccount.
func (c *Client) SignaturesForAccount(ctx context.Context, hash types.Hash) ([]SignatureInfo, error) {
	p, err := page(ctx, c, signaturesForAccount, argument.Hash("hash", hash), hashParam{hash}, isNamed)
	if err != nil {
		return nil, err
	}
	return p.Items, nil
}

// SignaturesForAddress returns one page of the transactions that changed the
// compressed account with an address, the newest first. The page of an unknown address
// is empty. It costs 10 credits.
//
// JSON-RPC method: getCompressionSignaturesForAddress.
func (c *Client) SignaturesForAddress(
	ctx context.Context, address types.Address, opts *ListingOptions,
) (*types.Page[SignatureInfo], error) {
	o := opts.copied()
	params := struct {
		Address types.Address `json:"address"`
		ListingOptions
	}{address, o}
	return c.signatures(ctx, signaturesForAddress, argument.Address("address", address), params, o)
}

// SignaturesForAddressPages iterates over the pages of [Client.SignaturesForAddress],
// at 10 credits each. To resume, set Cursor to that of the last handled page; HasMore
// is false on the last one. A page that is out of order and a repeated cursor end the
// listing with [types.ErrIncomplete].
func (c *Client) SignaturesForAddressPages(
	ctx context.Context, address types.Address, opts *ListingOptions,
) iter.Seq2[*types.Page[SignatureInfo], error] {
	return listPages(ctx, signaturesForAddress, opts, func(ctx context.Context, o *ListingOptions) (*types.Page[SignatureInfo], error) {
		return c.SignaturesForAddress(ctx, address, o)
	})
}

// AllSignaturesForAddress iterates over the transactions of all pages of
// [Client.SignaturesForAddressPages], at 10 credits per page. It ends with the same
// errors.
func (c *Client) AllSignaturesForAddress(
	ctx context.Context, address types.Address, opts *ListingOptions,
) iter.Seq2[SignatureInfo, error] {
	return paging.ListItems(c.SignaturesForAddressPages(ctx, address, opts))
}

// SignaturesForOwner returns one page of the transactions that changed compressed
// accounts of owner, spent ones too, the newest first. The page of an unknown owner is
// empty. It costs 10 credits.
//
// JSON-RPC method: getCompressionSignaturesForOwner.
func (c *Client) SignaturesForOwner(
	ctx context.Context, owner types.Address, opts *ListingOptions,
) (*types.Page[SignatureInfo], error) {
	o := opts.copied()
	params := struct {
		Owner types.Address `json:"owner"`
		ListingOptions
	}{owner, o}
	return c.signatures(ctx, signaturesForOwner, argument.Address("owner", owner), params, o)
}

// SignaturesForOwnerPages iterates over the pages of [Client.SignaturesForOwner],
// at 10 credits each. To resume, set Cursor to that of the last handled page; HasMore
// is false on the last one. A page that is out of order and a repeated cursor end the
// listing with [types.ErrIncomplete].
func (c *Client) SignaturesForOwnerPages(
	ctx context.Context, owner types.Address, opts *ListingOptions,
) iter.Seq2[*types.Page[SignatureInfo], error] {
	return listPages(ctx, signaturesForOwner, opts, func(ctx context.Context, o *ListingOptions) (*types.Page[SignatureInfo], error) {
		return c.SignaturesForOwner(ctx, owner, o)
	})
}

// AllSignaturesForOwner iterates over the transactions of all pages of
// [Client.SignaturesForOwnerPages], at 10 credits per page. It ends with the same
// errors.
func (c *Client) AllSignaturesForOwner(
	ctx context.Context, owner types.Address, opts *ListingOptions,
) iter.Seq2[SignatureInfo, error] {
	return paging.ListItems(c.SignaturesForOwnerPages(ctx, owner, opts))
}

// SignaturesForTokenOwner returns one page of the transactions that changed compressed
// token accounts of a wallet, spent ones too, the newest first. The page of an unknown
// owner is empty. It costs 10 credits.
//
// JSON-RPC method: getCompressionSignaturesForTokenOwner.
func (c *Client) SignaturesForTokenOwner(
	ctx context.Context, owner types.Address, opts *ListingOptions,
) (*types.Page[SignatureInfo], error) {
	o := opts.copied()
	params := struct {
		Owner types.Address `json:"owner"`
		ListingOptions
	}{owner, o}
	return c.signatures(ctx, signaturesForTokenOwner, argument.Address("owner", owner), params, o)
}

// SignaturesForTokenOwnerPages iterates over the pages of [Client.SignaturesForTokenOwner],
// at 10 credits each. To resume, set Cursor to that of the last handled page; HasMore
// is false on the last one. A page that is out of order and a repeated cursor end the
// listing with [types.ErrIncomplete].
func (c *Client) SignaturesForTokenOwnerPages(
	ctx context.Context, owner types.Address, opts *ListingOptions,
) iter.Seq2[*types.Page[SignatureInfo], error] {
	return listPages(ctx, signaturesForTokenOwner, opts, func(ctx context.Context, o *ListingOptions) (*types.Page[SignatureInfo], error) {
		return c.SignaturesForTokenOwner(ctx, owner, o)
	})
}

// AllSignaturesForTokenOwner iterates over the transactions of all pages of
// [Client.SignaturesForTokenOwnerPages], at 10 credits per page. It ends with the same
// errors.
func (c *Client) AllSignaturesForTokenOwner(
	ctx context.Context, owner types.Address, opts *ListingOptions,
) iter.Seq2[SignatureInfo, error] {
	return paging.ListItems(c.SignaturesForTokenOwnerPages(ctx, owner, opts))
}

// LatestCompressionSignatures returns one page of all transactions that changed
// compressed accounts, the newest first. The listing reaches back to the first one: end
// the iteration with break. It costs 10 credits.
//
// JSON-RPC method: getLatestCompressionSignatures.
func (c *Client) LatestCompressionSignatures(
	ctx context.Context, opts *ListingOptions,
) (*types.Page[SignatureInfo], error) {
	o := opts.copied()
	return c.signatures(ctx, latestCompressionSignatures, nil, o, o)
}

// LatestCompressionSignaturesPages iterates over the pages of [Client.LatestCompressionSignatures],
// at 10 credits each. To resume, set Cursor to that of the last handled page; HasMore
// is false on the last one. A page that is out of order and a repeated cursor end the
// listing with [types.ErrIncomplete].
func (c *Client) LatestCompressionSignaturesPages(
	ctx context.Context, opts *ListingOptions,
) iter.Seq2[*types.Page[SignatureInfo], error] {
	return listPages(ctx, latestCompressionSignatures, opts, func(ctx context.Context, o *ListingOptions) (*types.Page[SignatureInfo], error) {
		return c.LatestCompressionSignatures(ctx, o)
	})
}

// AllLatestCompressionSignatures iterates over the transactions of all pages of
// [Client.LatestCompressionSignaturesPages], at 10 credits per page. It ends with the same
// errors.
func (c *Client) AllLatestCompressionSignatures(
	ctx context.Context, opts *ListingOptions,
) iter.Seq2[SignatureInfo, error] {
	return paging.ListItems(c.LatestCompressionSignaturesPages(ctx, opts))
}

// LatestNonVotingSignatures returns one page of all transactions that are not votes,
// failed ones too, the newest first. The listing reaches back to the first one: end the
// iteration with break. It costs 10 credits.
//
// JSON-RPC method: getLatestNonVotingSignatures.
func (c *Client) LatestNonVotingSignatures(
	ctx context.Context, opts *ListingOptions,
) (*types.Page[SignatureInfo], error) {
	o := opts.copied()
	p, err := page(ctx, c, latestNonVotingSignatures, o.check(), o, isNamed)
	if err != nil {
		return nil, err
	}
	if size := cmp.Or(o.Limit, maxLimit); p.Cursor == "" && len(p.Items) >= size { // the service takes cursors but sends none
		p.Cursor, p.HasMore = signatureCursor(&p.Items[len(p.Items)-1]), true
	}
	signatureOrder().check(latestNonVotingSignatures, o.Cursor, p)
	if p.HasMore && p.Cursor == "" && p.Err == nil {
		incomplete(p, latestNonVotingSignatures.String(), "the last item has no valid signature to go on after")
	}
	return p, nil
}

// LatestNonVotingSignaturesPages iterates over the pages of [Client.LatestNonVotingSignatures],
// at 10 credits each. To resume, set Cursor to that of the last handled page; HasMore
// is false on the last one. A page that is out of order and a repeated cursor end the
// listing with [types.ErrIncomplete].
func (c *Client) LatestNonVotingSignaturesPages(
	ctx context.Context, opts *ListingOptions,
) iter.Seq2[*types.Page[SignatureInfo], error] {
	return listPages(ctx, latestNonVotingSignatures, opts, func(ctx context.Context, o *ListingOptions) (*types.Page[SignatureInfo], error) {
		return c.LatestNonVotingSignatures(ctx, o)
	})
}

// AllLatestNonVotingSignatures iterates over the transactions of all pages of
// [Client.LatestNonVotingSignaturesPages], at 10 credits per page. It ends with the same
// errors.
func (c *Client) AllLatestNonVotingSignatures(
	ctx context.Context, opts *ListingOptions,
) iter.Seq2[SignatureInfo, error] {
	return paging.ListItems(c.LatestNonVotingSignaturesPages(ctx, opts))
}

// maxLimit is the default and largest number of items of a page.
const maxLimit = 1000

// signatures requests a page of a listing of transactions.
func (c *Client) signatures(
	ctx context.Context, op transport.Op, invalid error, params any, o ListingOptions,
) (*types.Page[SignatureInfo], error) {
	p, err := page(ctx, c, op, cmp.Or(invalid, o.check()), params, isNamed)
	if err != nil {
		return nil, err
	}
	signatureOrder().check(op, o.Cursor, p)
	return p, nil
}
