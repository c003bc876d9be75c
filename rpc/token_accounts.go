package rpc

import (
	"cmp"
	"context"
	"iter"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

const tokenAccountsByDelegate transport.Op = "rpc.Client.TokenAccountsByDelegate getTokenAccountsByDelegate"

// A TokenFilter selects token accounts by mint or by token program. Make it with
// [ByMint] or [ByProgram].
type TokenFilter struct {
	Mint      types.Address `json:"mint,omitempty"`      // empty when ProgramID is set
	ProgramID types.Address `json:"programId,omitempty"` // empty when Mint is set
}

// ByMint selects the accounts of one mint, of either token program.
func ByMint(mint types.Address) TokenFilter { return TokenFilter{Mint: mint} }

// ByProgram selects the accounts of one token program: [types.TokenProgram] or
// [types.Token2022Program].
func ByProgram(id types.Address) TokenFilter { return TokenFilter{ProgramID: id} }

func (f TokenFilter) check() error {
	switch {
	case f.Mint != "" && f.ProgramID == "":
		return argument.Address("filter", f.Mint)
	case f.ProgramID != "" && f.Mint == "":
		return argument.Address("filter", f.ProgramID)
	}
	return argument.Invalid("filter", "needs either a mint or a program; make it with ByMint or ByProgram")
}

// TokenAccountsOptions are the options of [Client.TokenAccountsByDelegate]. The zero
// value, like nil, means finalized state and parsed data.
type TokenAccountsOptions struct {
	// Commitment is the state to read; empty means CommitmentFinalized.
	Commitment Commitment `json:"commitment,omitempty"`

	// MinContextSlot is the oldest acceptable slot; 0 means any.
	MinContextSlot uint64 `json:"minContextSlot,omitempty"`

	// DataSlice limits the data in the response; nil means all of it. It requires an
	// Encoding other than EncodingJSONParsed.
	DataSlice *types.DataSlice `json:"dataSlice,omitempty"`

	// Encoding of the data; empty means EncodingJSONParsed. (The default of nodes,
	// base58, fails for token accounts.)
	Encoding Encoding `json:"encoding"`
}

// TokenAccounts is a list of token accounts.
type TokenAccounts struct {
	Slot  uint64         // the slot of the state that was read
	Items []TokenAccount // in no particular order; empty when no account matches
}

// A TokenAccount is a token account with its address.
type TokenAccount struct {
	Address types.Address `json:"pubkey"` // of the account; the wallet is [TokenInfo.Owner]
	Account Account       `json:"account"`
}

// TokenAccountsByDelegate returns the token accounts from which delegate may spend, in
// one list. It costs 1 credit. A mint that does not exist fails with
// [types.ErrNotFound].
//
// JSON-RPC method: getTokenAccountsByDelegate.
func (c *Client) TokenAccountsByDelegate(
	ctx context.Context, delegate types.Address, filter TokenFilter, opts *TokenAccountsOptions,
) (*TokenAccounts, error) {
	config := opts.withDefaults()
	items, slot, err := transport.Value(ctx, c.api, transport.Query[[]TokenAccount]{
		Op: tokenAccountsByDelegate, Invalid: cmp.Or(argument.Address("delegate", delegate), filter.check(), config.check()),
		Params: []any{delegate, filter, config}, Check: checkTokenAccounts,
	})
	if err != nil {
		return nil, err
	}
	return &TokenAccounts{slot, *items}, nil
}

func checkTokenAccounts(list *[]TokenAccount) error {
	return paging.CheckItems(*list, func(a *TokenAccount) bool { return a.Address != "" })
}

// AllTokenAccountsByDelegate iterates over the token accounts of both token programs
// from which delegate may spend. It calls [Client.TokenAccountsByDelegate] for
// [types.TokenProgram], then for [types.Token2022Program], and costs 2 credits. The
// slots of the two lists may differ.
func (c *Client) AllTokenAccountsByDelegate(
	ctx context.Context, delegate types.Address, opts *TokenAccountsOptions,
) iter.Seq2[TokenAccount, error] {
	o := opts.withDefaults()
	return ofBothPrograms(func(filter TokenFilter) (*TokenAccounts, error) {
		return c.TokenAccountsByDelegate(ctx, delegate, filter, &o)
	})
}

// withDefaults returns a copy that later changes by the caller do not affect.
func (o *TokenAccountsOptions) withDefaults() TokenAccountsOptions {
	var c TokenAccountsOptions
	if o != nil {
		c = *o
	}
	c.DataSlice, c.Encoding = defaultEncoding(c.DataSlice, c.Encoding)
	return c
}

func (o *TokenAccountsOptions) check() error {
	return cmp.Or(checkSlice(o.DataSlice, o.Encoding), o.Commitment.check())
}
