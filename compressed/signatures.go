package compressed

import (
	"cmp"
	"context"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/types"
)

var (
	opSignaturesForAccount        = inOneVersion("compressed.Client.SignaturesForAccount", "getCompressionSignaturesForAccount")
	opSignaturesForAddress        = inOneVersion("compressed.Client.SignaturesForAddress", "getCompressionSignaturesForAddress")
	opSignaturesForOwner          = inOneVersion("compressed.Client.SignaturesForOwner", "getCompressionSignaturesForOwner")
	opSignaturesForTokenOwner     = inOneVersion("compressed.Client.SignaturesForTokenOwner", "getCompressionSignaturesForTokenOwner")
	opLatestCompressionSignatures = inOneVersion("compressed.Client.LatestCompressionSignatures", "getLatestCompressionSignatures")
	opLatestNonVotingSignatures   = inOneVersion("compressed.Client.LatestNonVotingSignatures", "getLatestNonVotingSignatures")
)

// A SignatureInfo is a transaction in a listing.
type SignatureInfo struct {
	Signature types.Signature `json:"signature"` // identifies the transaction
	Slot      uint64          `json:"slot"`
	BlockTime types.Time      `json:"blockTime"`

	// TransactionError says why the transaction failed; empty if it succeeded. Only
	// LatestNonVotingSignatures sets it. Wire name: error.
	TransactionError string `json:"error"`
}

// SignaturesForAccount returns the transaction that created the account with a hash. If the account
// is spent, the transaction that spent it comes first. An unknown hash fails with
// [types.ErrNotFound]. It costs 10 credits.
//
// JSON-RPC method: getCompressionSignaturesForAccount.
func (c *Client) SignaturesForAccount(ctx context.Context, hash types.Hash) ([]SignatureInfo, error) {
	p, err := page[SignatureInfo](ctx, c, opSignaturesForAccount, nil, argument.Hash("hash", hash), hash, hashParam{hash})
	if err != nil {
		return nil, err
	}
	return p.Items, nil
}

// SignaturesForAddress lists the transactions that changed the compressed account with an
// address, the newest first; an unknown address has none. Read the list with All, Pages,
// Page or Collect; each page costs 10 credits.
//
// JSON-RPC method: getCompressionSignaturesForAddress.
func (c *Client) SignaturesForAddress(ctx context.Context, address types.Address, opts *ListingOptions) types.List[SignatureInfo] {
	return c.signatures(ctx, opSignaturesForAddress, argument.Address("address", address), listParams{Address: address}, opts)
}

// SignaturesForOwner lists the transactions that created or spent compressed accounts of owner,
// the newest first; an unknown owner has none. Read the list with All, Pages, Page or Collect;
// each page costs 10 credits.
//
// JSON-RPC method: getCompressionSignaturesForOwner.
func (c *Client) SignaturesForOwner(ctx context.Context, owner types.Address, opts *ListingOptions) types.List[SignatureInfo] {
	return c.signatures(ctx, opSignaturesForOwner, argument.Address("owner", owner), listParams{Owner: owner}, opts)
}

// SignaturesForTokenOwner lists the transactions that created or spent compressed token accounts
// of a wallet, the newest first; an unknown owner has none. Read the list with All, Pages, Page
// or Collect; each page costs 10 credits.
//
// JSON-RPC method: getCompressionSignaturesForTokenOwner.
func (c *Client) SignaturesForTokenOwner(ctx context.Context, owner types.Address, opts *ListingOptions) types.List[SignatureInfo] {
	return c.signatures(ctx, opSignaturesForTokenOwner, argument.Address("owner", owner), listParams{Owner: owner}, opts)
}

// LatestCompressionSignatures lists all transactions that changed compressed accounts, the
// newest first. The list is very long: end the loop with break. Read the list with All, Pages,
// Page or Collect; each page costs 10 credits.
//
// JSON-RPC method: getLatestCompressionSignatures.
func (c *Client) LatestCompressionSignatures(ctx context.Context, opts *ListingOptions) types.List[SignatureInfo] {
	return c.signatures(ctx, opLatestCompressionSignatures, nil, listParams{}, opts)
}

// LatestNonVotingSignatures lists all transactions that are not votes, failed ones too, the
// newest first. The list is very long: end the loop with break. Read the list with All, Pages,
// Page or Collect; each page costs 10 credits.
//
// JSON-RPC method: getLatestNonVotingSignatures.
func (c *Client) LatestNonVotingSignatures(ctx context.Context, opts *ListingOptions) types.List[SignatureInfo] {
	return c.signatures(ctx, opLatestNonVotingSignatures, nil, listParams{}, opts)
}

func (c *Client) signatures(ctx context.Context, op operation, invalid error, params listParams, opts *ListingOptions) types.List[SignatureInfo] {
	o := argument.Options(opts)
	return listing(ctx, c, op, invalid, params, o.PageOptions, func(w *paging.Walk, p *types.Page[SignatureInfo]) {
		n := len(p.Items) + len(w.Items.Unreadable)
		// the service takes cursors, but sends none
		if op == opLatestNonVotingSignatures && p.Cursor == "" && len(p.Items) > 0 && n >= cmp.Or(o.Limit, op.v2.Facts().Items) {
			p.Cursor = signatureCursor(&p.Items[len(p.Items)-1])
		}
		inOrder(w, p, -1, func(s *SignatureInfo) key { return key{s.Slot, string(s.Signature), ""} })
	})
}
