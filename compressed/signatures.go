package compressed

import (
	"cmp"
	"context"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

var (
	opSignaturesForAccount        = transport.Op{Method: "compressed.Client.SignaturesForAccount", Wire: "getCompressionSignaturesForAccount"}
	opSignaturesForAddress        = transport.Op{Method: "compressed.Client.SignaturesForAddress", Wire: "getCompressionSignaturesForAddress"}
	opSignaturesForOwner          = transport.Op{Method: "compressed.Client.SignaturesForOwner", Wire: "getCompressionSignaturesForOwner"}
	opSignaturesForTokenOwner     = transport.Op{Method: "compressed.Client.SignaturesForTokenOwner", Wire: "getCompressionSignaturesForTokenOwner"}
	opLatestCompressionSignatures = transport.Op{Method: "compressed.Client.LatestCompressionSignatures", Wire: "getLatestCompressionSignatures"}
	opLatestNonVotingSignatures   = transport.Op{Method: "compressed.Client.LatestNonVotingSignatures", Wire: "getLatestNonVotingSignatures"}
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

func isSignatureInfo(s *SignatureInfo) bool { return s.Signature != "" }

// SignaturesForAccount returns the transactions that created and, unless it is still
// unspent, spent the account with a hash: one or two, the newest first. An unknown
// hash fails with [types.ErrNotFound]. It costs 10 credits.
//
// JSON-RPC method: getCompressionSignaturesForAccount.
func (c *Client) SignaturesForAccount(ctx context.Context, hash types.Hash) ([]SignatureInfo, error) {
	p, err := page(ctx, c, opSignaturesForAccount, argument.Hash("hash", hash), hashParam{hash}, isSignatureInfo)
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
	return c.signatures(ctx, opSignaturesForAddress, address, argument.Address("address", address), opts, func(o ListingOptions) any {
		return struct {
			Address types.Address `json:"address"`
			ListingOptions
		}{address, o}
	})
}

// SignaturesForOwner lists the transactions that changed compressed accounts of owner,
// spent ones too, the newest first; an unknown owner has none. Read the list with All,
// Pages, Page or Collect; each page costs 10 credits.
//
// JSON-RPC method: getCompressionSignaturesForOwner.
func (c *Client) SignaturesForOwner(ctx context.Context, owner types.Address, opts *ListingOptions) types.List[SignatureInfo] {
	return c.signatures(ctx, opSignaturesForOwner, owner, argument.Address("owner", owner), opts, ofOwner(owner))
}

// SignaturesForTokenOwner lists the transactions that changed compressed token accounts
// of a wallet, spent ones too, the newest first; an unknown owner has none. Read the list
// with All, Pages, Page or Collect; each page costs 10 credits.
//
// JSON-RPC method: getCompressionSignaturesForTokenOwner.
func (c *Client) SignaturesForTokenOwner(ctx context.Context, owner types.Address, opts *ListingOptions) types.List[SignatureInfo] {
	return c.signatures(ctx, opSignaturesForTokenOwner, owner, argument.Address("owner", owner), opts, ofOwner(owner))
}

// LatestCompressionSignatures lists all transactions that changed compressed accounts,
// the newest first. The list reaches back to the first one: end the loop with break. Read
// the list with All, Pages, Page or Collect; each page costs 10 credits.
//
// JSON-RPC method: getLatestCompressionSignatures.
func (c *Client) LatestCompressionSignatures(ctx context.Context, opts *ListingOptions) types.List[SignatureInfo] {
	return c.signatures(ctx, opLatestCompressionSignatures, "", nil, opts, func(o ListingOptions) any { return o })
}

// LatestNonVotingSignatures lists all transactions that are not votes, failed ones too,
// the newest first. The list reaches back to the first one: end the loop with break. Read
// the list with All, Pages, Page or Collect; each page costs 10 credits.
//
// JSON-RPC method: getLatestNonVotingSignatures.
func (c *Client) LatestNonVotingSignatures(ctx context.Context, opts *ListingOptions) types.List[SignatureInfo] {
	return listing(ctx, c, opLatestNonVotingSignatures, "", nil, opts, func(o ListingOptions) any { return o }, isSignatureInfo, addSignatureCursor)
}

// addSignatureCursor adds the cursor that the service takes but does not send.
func addSignatureCursor(o ListingOptions, p *types.Page[SignatureInfo]) {
	full := len(p.Items) >= cmp.Or(o.Limit, maxLimit)
	if p.Cursor == "" && full {
		p.Cursor, p.HasMore = signatureCursor(&p.Items[len(p.Items)-1]), true
	}
	signatureOrder.check(o.Cursor, p)
	if p.HasMore && p.Cursor == "" {
		p.Cursor = paging.DeadEnd("the last item has no valid signature to continue after")
	}
}

// maxLimit is the default and largest number of items of a page.
const maxLimit = 1000

// ofOwner returns the parameters of a listing by owner.
func ofOwner(owner types.Address) func(ListingOptions) any {
	return func(o ListingOptions) any {
		return struct {
			Owner types.Address `json:"owner"`
			ListingOptions
		}{owner, o}
	}
}

func (c *Client) signatures(
	ctx context.Context, op transport.Op, address types.Address, invalid error, opts *ListingOptions, params func(ListingOptions) any,
) types.List[SignatureInfo] {
	return listing(ctx, c, op, address, invalid, opts, params, isSignatureInfo, func(o ListingOptions, p *types.Page[SignatureInfo]) {
		signatureOrder.check(o.Cursor, p)
	})
}
