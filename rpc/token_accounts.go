package rpc

import (
	"context"
	"iter"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

// A TokenFilter says which token accounts are meant: those of one token or
// those of one token program. Make it with [ByMint] or [ByProgram].
type TokenFilter struct {
	Mint      types.Address `json:"mint,omitempty"`      // only accounts of this token; empty means not by token
	ProgramID types.Address `json:"programId,omitempty"` // only accounts of this token program; empty means not by program
}

// ByMint returns the filter for the accounts of one token, whichever of the
// token programs it belongs to.
func ByMint(mint types.Address) TokenFilter { return TokenFilter{Mint: mint} }

// ByProgram returns the filter for the accounts of one token program:
// [types.TokenProgram] or [types.Token2022Program].
func ByProgram(id types.Address) TokenFilter { return TokenFilter{ProgramID: id} }

func (f TokenFilter) check() error {
	switch {
	case f.Mint != "" && f.ProgramID == "":
		return argument.Address("filter", f.Mint)
	case f.ProgramID != "" && f.Mint == "":
		return argument.Address("filter", f.ProgramID)
	}
	return argument.Invalid("filter", "needs exactly one of mint and program; make it with ByMint or ByProgram")
}

// TokenAccountsOptions say from which state, and in which form, token accounts
// are read. Their zero value, like nil, asks for finalized state and accounts
// that the service has read.
type TokenAccountsOptions struct {
	Commitment     Commitment       `json:"commitment,omitempty"`     // empty means the service's default, Finalized
	MinContextSlot uint64           `json:"minContextSlot,omitempty"` // the oldest slot that will do; 0 means any
	DataSlice      *types.DataSlice `json:"dataSlice,omitempty"`      // the part of the data to send, not with JSONParsed; nil means all of it
	Encoding       Encoding         `json:"encoding"`                 // empty means JSONParsed; the service's own default fails for token accounts
}

// TokenAccounts is a list of token accounts.
type TokenAccounts struct {
	Slot  uint64         // of the state that this is
	Items []TokenAccount // in no promised order; empty when nothing matches
}

// A TokenAccount is an account that holds tokens, with its address.
type TokenAccount struct {
	Address types.Address `json:"pubkey"`  // of the account itself; its wallet is [TokenInfo.Owner]
	Account Account       `json:"account"` // what is stored there
}

// An Account is what Solana stores at an address.
type Account struct {
	Lamports   uint64        `json:"lamports"`   // SOL of the account, in units of 0.000000001: the deposit for rent, and the tokens where they are wrapped SOL
	Owner      types.Address `json:"owner"`      // the program; for token accounts one of the two token programs
	Data       Data          `json:"data"`       // in the encoding that was asked for, or another that the node chose
	Executable bool          `json:"executable"` // true for programs only
	RentEpoch  Epoch         `json:"rentEpoch"`  // when rent is due next; NoRent where it never is
	Space      uint64        `json:"space"`      // the length of the whole data in bytes; 0 when the node does not say
}

// TokenAccountsByDelegate returns the token accounts that delegate may spend
// from. It is one list, not paged, and costs 1 credit.
//
// With JSONParsed, which is the default, the service leaves out accounts that
// it cannot read. A node that has not reached MinContextSlot is asked again a
// few times; then its refusal is a [types.APIError], as it is for a mint that
// does not exist.
//
// A delegate, mint or program that is no address, a filter without exactly one
// of mint and program, an unknown commitment, which a node would take for
// finalized, and a data slice of JSONParsed are refused with
// [types.ErrInvalid].
//
// JSON-RPC method: getTokenAccountsByDelegate.
func (c *Client) TokenAccountsByDelegate(ctx context.Context, delegate types.Address, filter TokenFilter, opts *TokenAccountsOptions) (*TokenAccounts, error) {
	config := opts.withDefaults()
	if err := argument.Address("delegate", delegate); err != nil {
		return nil, err
	}
	if err := filter.check(); err != nil {
		return nil, err
	}
	if err := config.check(); err != nil {
		return nil, err
	}
	params := []any{delegate, filter, config}
	items, slot, err := transport.Call[[]TokenAccount](ctx, c.api, "getTokenAccountsByDelegate", params)
	if err != nil {
		return nil, err
	}
	return &TokenAccounts{slot, items}, nil
}

// AllTokenAccountsByDelegate walks the token accounts of both token programs
// that delegate may spend from: first those of [types.TokenProgram], then those
// of [types.Token2022Program]. It is [Client.TokenAccountsByDelegate] asked
// twice, each when the walk gets there, and costs 2 credits. The two lists may
// be of different slots; no account is in both.
//
// An error ends the walk, so that one of the second program comes after the
// accounts of the first.
func (c *Client) AllTokenAccountsByDelegate(ctx context.Context, delegate types.Address, opts *TokenAccountsOptions) iter.Seq2[TokenAccount, error] {
	o := opts.withDefaults()
	return func(yield func(TokenAccount, error) bool) {
		for _, program := range []types.Address{types.TokenProgram, types.Token2022Program} {
			list, err := c.TokenAccountsByDelegate(ctx, delegate, ByProgram(program), &o)
			if err != nil {
				yield(TokenAccount{}, err)
				return
			}
			for _, item := range list.Items {
				if !yield(item, nil) {
					return
				}
			}
		}
	}
}

// withDefaults returns the options as they are sent and as they are now,
// whatever the caller does to them later.
func (o *TokenAccountsOptions) withDefaults() TokenAccountsOptions {
	var c TokenAccountsOptions
	if o != nil {
		c = *o
	}
	if c.DataSlice != nil {
		part := *c.DataSlice
		c.DataSlice = &part
	}
	if c.Encoding == "" {
		c.Encoding = JSONParsed
	}
	return c
}

func (o *TokenAccountsOptions) check() error {
	if o.DataSlice != nil && o.Encoding == JSONParsed {
		return argument.Invalid("DataSlice", "not with jsonParsed, which is the default too; set Encoding to Base64")
	}
	return o.Commitment.check()
}
