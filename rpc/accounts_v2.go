package rpc

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/decode"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

var (
	opProgramAccountsV2      = transport.Op{Method: "rpc.Client.ProgramAccountsV2", Wire: "getProgramAccountsV2"}
	opTokenAccountsByOwnerV2 = transport.Op{Method: "rpc.Client.TokenAccountsByOwnerV2", Wire: "getTokenAccountsByOwnerV2"}
)

// pageLimit is the default number of items per page, since the service documents none.
const pageLimit = 1000

// ProgramAccountsV2Options are the options of [Client.ProgramAccountsV2]. The zero
// value, like nil, means all accounts, in finalized state and with parsed data.
type ProgramAccountsV2Options struct {
	AccountOptions

	// Filters are conditions that an account has to match all of. The service accepts up
	// to 4.
	Filters []types.Filter `json:"filters,omitempty"`

	// Limit is the number of items per page, up to 10 000. 0 means 1000.
	Limit int `json:"limit"`

	// Cursor resumes after a page: set it to the Cursor of the last page you handled,
	// and leave the other options as they were. It fails with [types.ErrInvalid] in
	// another listing. Empty means the first page. Wire name: paginationKey.
	Cursor string `json:"paginationKey,omitempty"`

	// Prefetch requests the next page while the loop handles the current one.
	Prefetch bool `json:"-"`
}

// ProgramAccountsV2 lists the accounts that a program owns. Read the list with All, Pages,
// Page or Collect; each page costs 1 credit. A page may be short or empty although more
// follow. Accounts that change during the listing may be missed or listed twice.
//
// JSON-RPC method: getProgramAccountsV2.
func (c *Client) ProgramAccountsV2(
	ctx context.Context, program types.Address, opts *ProgramAccountsV2Options,
) types.List[ProgramAccount] {
	var o ProgramAccountsV2Options
	if opts != nil {
		o = *opts
	}
	o.AccountOptions, o.Filters, o.Limit = o.withDefaults(), append([]types.Filter(nil), o.Filters...), cmp.Or(o.Limit, pageLimit)
	invalid := cmp.Or(argument.Address("program", program), o.check(), checkFilters(o.Filters), argument.NotNegative("Limit", o.Limit))
	start := paging.Listing{Op: opProgramAccountsV2.Wire, Selection: selectionOf(opProgramAccountsV2, program, o.Filters), Cursor: o.Cursor, Prefetch: o.Prefetch}
	return paging.NewList(ctx, start, func(ctx context.Context, cursor string) (*types.Page[ProgramAccount], error) {
		config := struct {
			ProgramAccountsV2Options
			WithContext bool `json:"withContext"` // for the slot
		}{o, true}
		config.Cursor = cursor
		got, err := transport.Result(ctx, c.api, transport.Query[programPage]{
			Op: opProgramAccountsV2, Invalid: invalid, Params: []any{program, config},
			Check: func(p *programPage) error { return p.accounts().complete() },
		})
		if err != nil {
			return nil, err
		}
		p := got.accounts()
		return pageOf(p, p.items()), nil
	})
}

// TokenAccountsByOwnerV2Options are the options of [Client.TokenAccountsByOwnerV2]. The
// zero value, like nil, means finalized state and parsed data.
type TokenAccountsByOwnerV2Options struct {
	AccountOptions

	// Limit is the number of items per page, up to 10 000. 0 means 1000.
	Limit int `json:"limit"`

	// Cursor resumes after a page: set it to the Cursor of the last page you handled,
	// and leave the other options as they were. It fails with [types.ErrInvalid] in
	// another listing. Empty means the first page. Wire name: paginationKey.
	Cursor string `json:"paginationKey,omitempty"`

	// Prefetch requests the next page while the loop handles the current one.
	Prefetch bool `json:"-"`
}

// TokenAccountsByOwnerV2 lists the token accounts of a wallet, of one mint or one token
// program. Read the list with All, Pages, Page or Collect; each page costs 1 credit. A
// page may be short or empty although more follow. Accounts that change during the listing
// may be missed or listed twice.
//
// JSON-RPC method: getTokenAccountsByOwnerV2.
func (c *Client) TokenAccountsByOwnerV2(
	ctx context.Context, owner types.Address, filter TokenFilter, opts *TokenAccountsByOwnerV2Options,
) types.List[TokenAccount] {
	var o TokenAccountsByOwnerV2Options
	if opts != nil {
		o = *opts
	}
	o.AccountOptions, o.Limit = o.withDefaults(), cmp.Or(o.Limit, pageLimit)
	invalid := cmp.Or(argument.Address("owner", owner), filter.checkOne(), o.check(), argument.NotNegative("Limit", o.Limit))
	start := paging.Listing{Op: opTokenAccountsByOwnerV2.Wire, Selection: selectionOf(opTokenAccountsByOwnerV2, owner, filter), Cursor: o.Cursor, Prefetch: o.Prefetch}
	return paging.NewList(ctx, start, func(ctx context.Context, cursor string) (*types.Page[TokenAccount], error) {
		config := o
		config.Cursor = cursor
		got, err := transport.Result(ctx, c.api, transport.Query[pageOfAccounts]{
			Op: opTokenAccountsByOwnerV2, Invalid: invalid, Params: []any{owner, filter, config}, Check: (*pageOfAccounts).complete,
		})
		if err != nil {
			return nil, err
		}
		items := make([]TokenAccount, len(got.items()))
		for i, item := range got.items() {
			items[i] = TokenAccount(item)
		}
		return pageOf(got, items), nil
	})
}

// selectionOf returns what selects the items of a listing by a position: a method, the
// address that it is about, and filters.
func selectionOf(op transport.Op, address types.Address, filters any) paging.Selection {
	text, _ := json.Marshal(filters) // fails for invalid filters only, which are refused
	return paging.Selection{op.Method, string(address), string(text)}
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
	Total    uint64           `json:"totalResults"`
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

func (p *pageOfAccounts) total() uint64 {
	if p.Value != nil && p.Value.Total != 0 {
		return p.Value.Total
	}
	return p.Total
}

func (p *pageOfAccounts) complete() error {
	return cmp.Or(transport.Require(p.items() != nil, "accounts"), checkAccounts(p.items()), paging.CheckCursor(p.key()))
}

func pageOf[T any](p *pageOfAccounts, items []T) *types.Page[T] {
	return &types.Page[T]{Items: items, Cursor: p.key(), HasMore: p.key() != "", Slot: p.Context.Slot, Total: p.total()}
}
