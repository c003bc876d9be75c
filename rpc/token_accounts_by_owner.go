package rpc

import (
	"cmp"
	"context"
	"iter"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

const opTokenAccountsByOwner transport.Op = "rpc.Client.TokenAccountsByOwner getTokenAccountsByOwner"

// TokenAccountsByOwner returns the token accounts of a wallet, in one list. It costs 1
// credit. A mint that does not exist fails with [types.ErrNotFound]; for a wallet with
// many accounts, use [Client.AllTokenAccountsByOwnerV2].
//
// JSON-RPC method: getTokenAccountsByOwner.
func (c *Client) TokenAccountsByOwner(
	ctx context.Context, owner types.Address, filter TokenFilter, opts *AccountOptions,
) (*TokenAccounts, error) {
	config := opts.withDefaults()
	items, slot, err := transport.Value(ctx, c.api, transport.Query[[]TokenAccount]{
		Op: opTokenAccountsByOwner, Invalid: cmp.Or(argument.Address("owner", owner), filter.check(), config.check()),
		Params: []any{owner, filter, config}, Check: checkTokenAccounts,
	})
	if err != nil {
		return nil, err
	}
	return &TokenAccounts{slot, *items}, nil
}

// AllTokenAccountsByOwner iterates over the token accounts of a wallet in both token
// programs. It calls [Client.TokenAccountsByOwner] for [types.TokenProgram], then for
// [types.Token2022Program], and costs 2 credits. The slots of the two lists may
// differ.
func (c *Client) AllTokenAccountsByOwner(
	ctx context.Context, owner types.Address, opts *AccountOptions,
) iter.Seq2[TokenAccount, error] {
	o := opts.withDefaults()
	return ofBothPrograms(func(filter TokenFilter) (*TokenAccounts, error) {
		return c.TokenAccountsByOwner(ctx, owner, filter, &o)
	})
}

// ofBothPrograms iterates over the lists of both token programs.
func ofBothPrograms(list func(TokenFilter) (*TokenAccounts, error)) iter.Seq2[TokenAccount, error] {
	return func(yield func(TokenAccount, error) bool) {
		for _, program := range []types.Address{types.TokenProgram, types.Token2022Program} {
			accounts, err := list(ByProgram(program))
			if err != nil {
				yield(TokenAccount{}, err)
				return
			}
			for _, item := range accounts.Items {
				if !yield(item, nil) {
					return
				}
			}
		}
	}
}
