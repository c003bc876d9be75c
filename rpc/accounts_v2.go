package rpc

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"iter"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/decode"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

const (
	opProgramAccountsV2      transport.Op = "rpc.Client.ProgramAccountsV2 getProgramAccountsV2"
	opTokenAccountsByOwnerV2 transport.Op = "rpc.Client.TokenAccountsByOwnerV2 getTokenAccountsByOwnerV2"
)

// PageOptions page a listing of accounts. They are part of the options of
// [Client.ProgramAccountsV2] and [Client.TokenAccountsByOwnerV2].
type PageOptions struct {
	// Limit is the number of items per page, up to 10 000. 0 means 1000.
	Limit int `json:"limit"`

	// Cursor is that of the last handled page, to go on after it. Empty means the
	// first page. Wire name: paginationKey.
	Cursor string `json:"paginationKey,omitempty"`

	// Prefetch requests the next page while the loop handles the current one.
	Prefetch bool `json:"-"`
}

// pageLimit is the default number of items per page, since the service documents none.
const pageLimit = 1000

func (o PageOptions) withDefaults() PageOptions {
	o.Limit = cmp.Or(o.Limit, pageLimit)
	return o
}

// ProgramAccountsV2Options select and page the accounts of a program. The zero value,
// like nil, means all accounts, in finalized state and with parsed data.
type ProgramAccountsV2Options struct {
	ProgramAccountsOptions
	PageOptions
}

func (o *ProgramAccountsV2Options) withDefaults() ProgramAccountsV2Options {
	if o == nil {
		o = new(ProgramAccountsV2Options)
	}
	return ProgramAccountsV2Options{o.ProgramAccountsOptions.withDefaults(), o.PageOptions.withDefaults()}
}

// ProgramAccountsV2 returns one page of the accounts that a program owns. It costs 1
// credit. A page may be short or empty although more follow.
//
// JSON-RPC method: getProgramAccountsV2.
func (c *Client) ProgramAccountsV2(
	ctx context.Context, program types.Address, opts *ProgramAccountsV2Options,
) (*types.Page[ProgramAccount], error) {
	o := opts.withDefaults()
	err := c.api.Check(opProgramAccountsV2, argument.Address("program", program), o.check(), argument.NotNegative("Limit", o.Limit))
	if err != nil {
		return nil, err
	}
	config := struct {
		ProgramAccountsV2Options
		WithContext bool `json:"withContext"` // for the slot
	}{o, true}
	got, err := transport.Result(ctx, c.api, transport.Query[programPage]{
		Op: opProgramAccountsV2, Params: []any{program, config}, Check: func(p *programPage) error { return p.accounts().complete() },
	})
	if err != nil {
		return nil, err
	}
	p := got.accounts()
	return pageOf(p, p.items()), nil
}

// ProgramAccountsV2Pages iterates over the pages of [Client.ProgramAccountsV2], at 1
// credit each. To resume, set Cursor to that of the last handled page, with the same
// other options. A repeated cursor ends the listing with [types.ErrIncomplete].
func (c *Client) ProgramAccountsV2Pages(
	ctx context.Context, program types.Address, opts *ProgramAccountsV2Options,
) iter.Seq2[*types.Page[ProgramAccount], error] {
	o := opts.withDefaults()
	fetch := func(ctx context.Context, cursor string) (*types.Page[ProgramAccount], error) {
		o := o
		o.Cursor = cursor
		return c.ProgramAccountsV2(ctx, program, &o)
	}
	return paging.List(ctx, opProgramAccountsV2.String(), o.Cursor, o.Prefetch, fetch)
}

// AllProgramAccountsV2 iterates over the accounts of all pages of
// [Client.ProgramAccountsV2Pages], at 1 credit per page. It ends with the same errors.
// Accounts that change during the listing may be missed or listed twice.
func (c *Client) AllProgramAccountsV2(
	ctx context.Context, program types.Address, opts *ProgramAccountsV2Options,
) iter.Seq2[ProgramAccount, error] {
	return paging.ListItems(c.ProgramAccountsV2Pages(ctx, program, opts))
}

// TokenAccountsByOwnerV2Options select and page the token accounts of a wallet. The
// zero value, like nil, means finalized state and parsed data.
type TokenAccountsByOwnerV2Options struct {
	AccountOptions
	PageOptions
}

func (o *TokenAccountsByOwnerV2Options) withDefaults() TokenAccountsByOwnerV2Options {
	if o == nil {
		o = new(TokenAccountsByOwnerV2Options)
	}
	return TokenAccountsByOwnerV2Options{o.AccountOptions.withDefaults(), o.PageOptions.withDefaults()}
}

// TokenAccountsByOwnerV2 returns one page of the token accounts of a wallet. It costs
// 1 credit. A page may be short or empty although more follow.
//
// JSON-RPC method: getTokenAccountsByOwnerV2.
func (c *Client) TokenAccountsByOwnerV2(
	ctx context.Context, owner types.Address, filter TokenFilter,
	opts *TokenAccountsByOwnerV2Options,
) (*types.Page[TokenAccount], error) {
	o := opts.withDefaults()
	err := c.api.Check(opTokenAccountsByOwnerV2, argument.Address("owner", owner), filter.check(), o.check(), argument.NotNegative("Limit", o.Limit))
	if err != nil {
		return nil, err
	}
	config := struct {
		TokenAccountsByOwnerV2Options
		WithContext bool `json:"withContext"` // for the slot
	}{o, true}
	got, err := transport.Result(ctx, c.api, transport.Query[pageOfAccounts]{
		Op: opTokenAccountsByOwnerV2, Params: []any{owner, filter, config}, Check: (*pageOfAccounts).complete,
	})
	if err != nil {
		return nil, err
	}
	items := make([]TokenAccount, len(got.items()))
	for i, item := range got.items() {
		items[i] = TokenAccount(item)
	}
	return pageOf(got, items), nil
}

// TokenAccountsByOwnerV2Pages iterates over the pages of
// [Client.TokenAccountsByOwnerV2], at 1 credit each. To resume, set Cursor to that of
// the last handled page, with the same other options. A repeated cursor ends the listing
// with [types.ErrIncomplete].
func (c *Client) TokenAccountsByOwnerV2Pages(
	ctx context.Context, owner types.Address, filter TokenFilter,
	opts *TokenAccountsByOwnerV2Options,
) iter.Seq2[*types.Page[TokenAccount], error] {
	o := opts.withDefaults()
	fetch := func(ctx context.Context, cursor string) (*types.Page[TokenAccount], error) {
		o := o
		o.Cursor = cursor
		return c.TokenAccountsByOwnerV2(ctx, owner, filter, &o)
	}
	return paging.List(ctx, opTokenAccountsByOwnerV2.String(), o.Cursor, o.Prefetch, fetch)
}

// AllTokenAccountsByOwnerV2 iterates over the accounts of all pages of
// [Client.TokenAccountsByOwnerV2Pages], at 1 credit per page. It ends with the same
// errors. Accounts that change during the listing may be missed or listed twice.
func (c *Client) AllTokenAccountsByOwnerV2(
	ctx context.Context, owner types.Address, filter TokenFilter,
	opts *TokenAccountsByOwnerV2Options,
) iter.Seq2[TokenAccount, error] {
	return paging.ListItems(c.TokenAccountsByOwnerV2Pages(ctx, owner, filter, opts))
}

// A programPage is a page of program accounts: the accounts beside the key, or both in
// value. Without a union in it, it decodes faster than a pageOfAccounts.
type programPage struct {
	Context readContext `json:"context"`
	keyedAccounts
	Value keyedAccounts `json:"value"`
}

type readContext struct {
	Slot uint64 `json:"slot"`
}

func (p *programPage) accounts() *pageOfAccounts {
	return &pageOfAccounts{p.Context, p.keyedAccounts, &accountsOrPage{p.Value}}
}

// A pageOfAccounts is a page of token accounts in each of its documented shapes: the accounts beside the
// key, both inside value, or the accounts as value and the key beside it.
type pageOfAccounts struct {
	Context readContext `json:"context"`
	keyedAccounts
	Value *accountsOrPage `json:"value"`
}

// keyedAccounts are accounts with the key of the next page.
type keyedAccounts struct {
	Accounts []ProgramAccount `json:"accounts"`
	Key      string           `json:"paginationKey"`
}

// accountsOrPage is the value of a page.
type accountsOrPage struct{ keyedAccounts }

func (v *accountsOrPage) UnmarshalJSON(b []byte) error {
	*v = accountsOrPage{}
	switch b = bytes.TrimSpace(b); {
	case bytes.HasPrefix(b, []byte("[")):
		return decode.Value(b, &v.Accounts)
	case bytes.HasPrefix(b, []byte("{")):
		return decode.Value(b, &v.keyedAccounts)
	}
	return errors.New("the response has accounts that are not a list or a page")
}

func (p *pageOfAccounts) items() []ProgramAccount {
	if p.Value != nil && p.Value.Accounts != nil {
		return p.Value.Accounts
	}
	return p.Accounts
}

func (p *pageOfAccounts) key() string {
	if p.Value != nil && p.Value.Key != "" {
		return p.Value.Key
	}
	return p.Key
}

func (p *pageOfAccounts) complete() error {
	return cmp.Or(transport.Require(p.items() != nil, "accounts"), checkAccounts(p.items()), paging.CheckCursor(p.key()))
}

func pageOf[T any](p *pageOfAccounts, items []T) *types.Page[T] {
	return &types.Page[T]{Items: items, Cursor: p.key(), HasMore: p.key() != "", Slot: p.Context.Slot}
}
