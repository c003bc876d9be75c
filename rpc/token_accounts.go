package rpc

import (
	"cmp"
	"context"
	"strings"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/facts"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

var (
	opTokenAccountsByOwner     = op("rpc.Client.TokenAccountsByOwner", "getTokenAccountsByOwnerV2")
	opTokenAccountsByOwnerNode = op("rpc.Client.TokenAccountsByOwner", "getTokenAccountsByOwner")
	opTokenAccountsByDelegate  = op("rpc.Client.TokenAccountsByDelegate", "getTokenAccountsByDelegate")
)

// A TokenFilter selects token accounts by mint or by token program. Make it with
// [ByMint], [ByProgram] or [AnyProgram]; the zero TokenFilter is invalid.
type TokenFilter struct {
	Mint      types.Address `json:"mint,omitempty"`      // empty when ProgramID is set
	ProgramID types.Address `json:"programId,omitempty"` // empty when Mint is set

	anyProgram bool
}

// ByMint selects the accounts of one mint, of either token program.
func ByMint(mint types.Address) TokenFilter { return TokenFilter{Mint: mint} }

// ByProgram selects the accounts of one token program: [types.TokenProgram] or
// [types.Token2022Program].
func ByProgram(id types.Address) TokenFilter { return TokenFilter{ProgramID: id} }

// AnyProgram selects the accounts of both token programs, in pages of their own: first
// [types.TokenProgram], then [types.Token2022Program].
func AnyProgram() TokenFilter { return TokenFilter{anyProgram: true} }

func (f TokenFilter) check() error {
	switch {
	case f.anyProgram && f.Mint == "" && f.ProgramID == "":
		return nil
	case f.anyProgram:
	case f.Mint != "" && f.ProgramID == "":
		return argument.Address("filter", f.Mint)
	case f.ProgramID != "" && f.Mint == "":
		return argument.Address("filter", f.ProgramID)
	}
	return argument.Invalid("filter", "needs either a mint or a program; make it with ByMint, ByProgram or AnyProgram")
}

// token2022Cursor begins the cursors of the second part of a listing of AnyProgram.
const token2022Cursor = "token2022:"

// at returns the filter to send at a cursor, and the rest of the cursor.
func (f TokenFilter) at(cursor string) (sent TokenFilter, key string) {
	if !f.anyProgram {
		return f, cursor
	}
	if key, second := strings.CutPrefix(cursor, token2022Cursor); second {
		return ByProgram(types.Token2022Program), key
	}
	return ByProgram(types.TokenProgram), cursor
}

// next returns the cursor after a page of sent. The key is empty on the last page of sent.
func (f TokenFilter) next(sent TokenFilter, key string) string {
	last := sent.ProgramID == types.Token2022Program
	if f.anyProgram && (last && key != "" || !last && key == "") {
		return token2022Cursor + key
	}
	return key
}

// A TokenAccount is a token account with its address.
type TokenAccount struct {
	Address types.Address `json:"pubkey"` // of the account; the wallet is [TokenInfo.Owner]
	Account Account       `json:"account"`
}

// TokenAccountsByOwnerOptions are the options of [Client.TokenAccountsByOwner]. The zero
// value, like nil, means finalized state and parsed data.
type TokenAccountsByOwnerOptions struct {
	// Limit is at most 10 000, and 0 means 1000.
	types.PageOptions

	AccountOptions
}

// TokenAccountsByOwner lists the token accounts of a wallet, in no particular order. Read
// the list with All, Pages, Page or Collect; each page costs 1 credit, also the empty one
// at the end. A page may be short or empty although more follow, and accounts that change
// during the listing may be missed or listed twice. A host without paged methods (see the
// package comment) returns one page per token program.
//
// JSON-RPC method: getTokenAccountsByOwnerV2, or getTokenAccountsByOwner.
func (c *Client) TokenAccountsByOwner(
	ctx context.Context, owner types.Address, filter TokenFilter, opts *TokenAccountsByOwnerOptions,
) types.List[TokenAccount] {
	o := argument.Options(opts)
	o.AccountOptions, o.Limit = o.withDefaults(), cmp.Or(o.Limit, facts.AccountsPage)
	invalid := cmp.Or(argument.Address("owner", owner), filter.check(), o.check(), argument.NotNegative("Limit", o.Limit))
	l := c.listingOf(opTokenAccountsByOwner, owner, filter, o.PageOptions)
	return paging.List(ctx, l, func(ctx context.Context, w *paging.Walk) (*types.Page[TokenAccount], error) {
		sent, key := filter.at(w.At)
		return pagedOrWhole(c, opTokenAccountsByOwner, func() (*types.Page[TokenAccount], error) {
			config := struct {
				TokenAccountsByOwnerOptions
				Limit  int    `json:"limit"`
				Cursor string `json:"paginationKey,omitempty"`
			}{o, o.Limit, key}
			got, err := transport.Result(ctx, c.api, transport.Query[tokenPage]{
				Op: opTokenAccountsByOwner, Invalid: invalid, Params: []any{owner, sent, config}, Items: &w.Items,
				Check: func(p *tokenPage) error { return p.Value.complete(p.keyedAccounts) },
			})
			if err != nil {
				return nil, err
			}
			return got.Value.page(got.Context.Slot, filter.next(sent, got.Value.Key)), nil
		}, func() (*types.Page[TokenAccount], error) {
			return c.tokenAccounts(ctx, opTokenAccountsByOwnerNode, &w.Items, owner, filter, sent, o.AccountOptions, cmp.Or(invalid, o.checkNode(key)))
		})
	})
}

// TokenAccountsByDelegateOptions are the options of [Client.TokenAccountsByDelegate]. The
// zero value, like nil, means finalized state and parsed data.
type TokenAccountsByDelegateOptions struct {
	Commitment     types.Commitment // empty means CommitmentFinalized
	MinContextSlot uint64           // the oldest acceptable slot; 0 means any

	// DataSlice and Encoding are as in [AccountOptions].
	DataSlice *types.DataSlice
	Encoding  types.Encoding

	// Cursor resumes after a page, with AnyProgram: set it to the Cursor of the last page
	// you handled. Empty means the first page.
	Cursor string
}

// TokenAccountsByDelegate lists the token accounts from which delegate may spend, in no
// particular order. Read the list with All, Pages, Page or Collect; each page costs 1
// credit. There is one page, or with [AnyProgram] one per token program, each with its
// Slot. A mint that does not exist fails with [types.ErrNotFound].
//
// JSON-RPC method: getTokenAccountsByDelegate.
func (c *Client) TokenAccountsByDelegate(
	ctx context.Context, delegate types.Address, filter TokenFilter, opts *TokenAccountsByDelegateOptions,
) types.List[TokenAccount] {
	o := argument.Options(opts)
	config := (&AccountOptions{Commitment: o.Commitment, MinContextSlot: o.MinContextSlot, DataSlice: o.DataSlice, Encoding: o.Encoding}).withDefaults()
	invalid := cmp.Or(argument.Address("delegate", delegate), filter.check(), config.check())
	l := c.listingOf(opTokenAccountsByDelegate, delegate, filter, types.PageOptions{Cursor: o.Cursor})
	return paging.List(ctx, l, func(ctx context.Context, w *paging.Walk) (*types.Page[TokenAccount], error) {
		sent, key := filter.at(w.At)
		var unknown error
		if key != "" {
			unknown = argument.Invalid("Cursor", "is not the Cursor of a page of this listing")
		}
		return c.tokenAccounts(ctx, opTokenAccountsByDelegate, &w.Items, delegate, filter, sent, config, cmp.Or(invalid, unknown))
	})
}

// tokenAccounts requests the token accounts of an address in one page. Sent is filter, or the part
// of it for this page.
func (c *Client) tokenAccounts(
	ctx context.Context, op transport.Op, items *transport.Items, address types.Address, filter, sent TokenFilter, config AccountOptions, invalid error,
) (*types.Page[TokenAccount], error) {
	page, err := whole[TokenAccount](ctx, c, op, items, invalid, address, sent, config)
	if err == nil {
		page.Cursor = filter.next(sent, "")
	}
	return page, err
}
