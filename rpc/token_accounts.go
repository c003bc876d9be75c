package rpc

import (
	"cmp"
	"context"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

var (
	opTokenAccountsByOwner    = transport.Op{Method: "rpc.Client.TokenAccountsByOwner", Wire: "getTokenAccountsByOwner"}
	opTokenAccountsByDelegate = transport.Op{Method: "rpc.Client.TokenAccountsByDelegate", Wire: "getTokenAccountsByDelegate"}
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

// AnyProgram selects the accounts of both token programs, each of which is a request
// and a page: first [types.TokenProgram], then [types.Token2022Program]. To request the
// second page alone, use [ByProgram].
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

// checkOne refuses AnyProgram too.
func (f TokenFilter) checkOne() error {
	if f.anyProgram {
		return argument.Invalid("filter", "is AnyProgram; list the accounts of each program with ByProgram")
	}
	return f.check()
}

// A TokenAccount is a token account with its address.
type TokenAccount struct {
	Address types.Address `json:"pubkey"` // of the account; the wallet is [TokenInfo.Owner]
	Account Account       `json:"account"`
}

// TokenAccountsByOwner lists the token accounts of a wallet, in no particular order. Read
// the list with All, Pages, Page or Collect; each page costs 1 credit. There is one page,
// or with [AnyProgram] one per token program, each with its Slot. A mint that does not
// exist fails with [types.ErrNotFound]; for a wallet with many accounts, use
// [Client.TokenAccountsByOwnerV2].
//
// JSON-RPC method: getTokenAccountsByOwner.
func (c *Client) TokenAccountsByOwner(
	ctx context.Context, owner types.Address, filter TokenFilter, opts *AccountOptions,
) types.List[TokenAccount] {
	config := opts.withDefaults()
	return c.tokenAccounts(ctx, opTokenAccountsByOwner, owner, filter, config, cmp.Or(argument.Address("owner", owner), filter.check(), config.check()))
}

// TokenAccountsByDelegate lists the token accounts from which delegate may spend, in no
// particular order. Read the list with All, Pages, Page or Collect; each page costs 1
// credit. There is one page, or with [AnyProgram] one per token program, each with its
// Slot. A mint that does not exist fails with [types.ErrNotFound], and ChangedSinceSlot,
// which the method does not have, with [types.ErrInvalid].
//
// JSON-RPC method: getTokenAccountsByDelegate.
func (c *Client) TokenAccountsByDelegate(
	ctx context.Context, delegate types.Address, filter TokenFilter, opts *AccountOptions,
) types.List[TokenAccount] {
	config := opts.withDefaults()
	var changed error
	if config.ChangedSinceSlot != 0 {
		changed = argument.Invalid("ChangedSinceSlot", "does not go with TokenAccountsByDelegate; the service does not have it there")
	}
	return c.tokenAccounts(ctx, opTokenAccountsByDelegate, delegate, filter, config, cmp.Or(argument.Address("delegate", delegate), filter.check(), config.check(), changed))
}

// tokenAccounts returns a list with a page per token program. The cursor of the second
// page is its program.
func (c *Client) tokenAccounts(
	ctx context.Context, op transport.Op, address types.Address, filter TokenFilter, config AccountOptions, invalid error,
) types.List[TokenAccount] {
	return paging.NewList(ctx, paging.Listing{Op: op.Wire}, func(ctx context.Context, program string) (*types.Page[TokenAccount], error) {
		sent := filter
		if filter.anyProgram {
			sent = ByProgram(cmp.Or(types.Address(program), types.TokenProgram))
		}
		items, slot, err := transport.Value(ctx, c.api, transport.Query[[]TokenAccount]{
			Op: op, Invalid: invalid, Params: []any{address, sent, config}, Check: checkTokenAccounts,
		})
		if err != nil {
			return nil, err
		}
		page := &types.Page[TokenAccount]{Items: *items, Slot: slot}
		if filter.anyProgram && sent.ProgramID == types.TokenProgram {
			page.Cursor, page.HasMore = string(types.Token2022Program), true
		}
		return page, nil
	})
}

func checkTokenAccounts(list *[]TokenAccount) error {
	return paging.CheckItems(*list, func(a *TokenAccount) bool { return a.Address != "" })
}
