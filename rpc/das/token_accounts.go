package das

import (
	"cmp"
	"context"
	"encoding/json"
	"iter"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

const tokenAccounts transport.Op = "das.Client.TokenAccounts getTokenAccounts"

// A TokenFilter selects token accounts. Make it with [ByMint], [ByOwner] or
// [ByOwnerAndMint].
type TokenFilter struct {
	Mint  types.Address `json:"mint,omitempty"`  // empty means all mints
	Owner types.Address `json:"owner,omitempty"` // empty means all owners
}

// ByMint selects the accounts of one mint. A holder may have several.
func ByMint(mint types.Address) TokenFilter { return TokenFilter{Mint: mint} }

// ByOwner selects the accounts of one owner: the tokens it holds.
func ByOwner(owner types.Address) TokenFilter { return TokenFilter{Owner: owner} }

// ByOwnerAndMint selects the accounts of one owner for one mint.
func ByOwnerAndMint(owner, mint types.Address) TokenFilter { return TokenFilter{mint, owner} }

func (f TokenFilter) check() error {
	if f == (TokenFilter{}) {
		return argument.Invalid("filter", "is empty; make it with ByMint or ByOwner")
	}
	for _, a := range []types.Address{f.Mint, f.Owner} {
		if a != "" {
			if err := argument.Address("filter", a); err != nil {
				return err
			}
		}
	}
	return nil
}

// TokenAccountsOptions page the token accounts. The zero value, like nil, selects
// those with a balance and starts at the first page.
type TokenAccountsOptions struct {
	// Cursor is that of the last handled page, to go on after it. Empty means the first
	// page.
	Cursor string

	Limit           int  // items per page; 0 means 1000, the default and maximum of the service
	ShowZeroBalance bool // include accounts with a balance of 0
	Prefetch        bool // request the next page while the loop handles the current one
}

func (o *TokenAccountsOptions) copied() TokenAccountsOptions {
	if o == nil {
		return TokenAccountsOptions{}
	}
	return *o
}

// A TokenAccount is an account that holds a token. Indexers that store amounts as
// signed numbers do not list accounts that hold 2^63 units or more.
type TokenAccount struct {
	Address types.Address `json:"address"`
	Mint    types.Address `json:"mint"`
	Owner   types.Address `json:"owner"` // the wallet

	// RawAmount is in the smallest unit. Wire name: amount.
	RawAmount uint64 `json:"amount"`

	// RawDelegatedAmount is what Delegate may spend, in the smallest unit. Wire name:
	// delegated_amount.
	RawDelegatedAmount uint64 `json:"delegated_amount"`

	// Delegate is empty without a delegate, and not always sent.
	Delegate types.Address `json:"delegate"`

	CloseAuthority types.Address `json:"close_authority"` // not always sent
	Frozen         bool          `json:"frozen"`
	Burnt          bool          `json:"burnt"` // not always sent

	// Extensions are those of a Token-2022 account; nil without extensions.
	Extensions json.RawMessage `json:"token_extensions"`

	// Err says why the service lists the account but cannot show it; then only
	// Address is set. It is empty for all others. Wire name: errors, next to the items.
	Err string `json:"-"`
}

// listedAccounts is a page as the service sends it.
type listedAccounts struct {
	Page     int             `json:"page"`
	Cursor   string          `json:"cursor"`
	Accounts []listedAccount `json:"token_accounts"`
	Errors   []itemError     `json:"errors"`
}

// A listedAccount has the names of two indexers.
type listedAccount struct {
	TokenAccount
	RawAmount          Units           `json:"amount"` // these two may be text
	RawDelegatedAmount Units           `json:"delegated_amount"`
	Other              json.RawMessage `json:"extensions"`
}

// An itemError says why an item of a listing cannot be shown.
type itemError struct {
	ID    types.Address `json:"id"`
	Error string        `json:"error"`
}

func (l *listedAccounts) complete() error {
	return cmp.Or(
		transport.Require(l.Accounts != nil, "token_accounts"),
		paging.CheckItems(l.Accounts, func(a *listedAccount) bool { return a.Address != "" }),
		paging.CheckCursor(l.Cursor),
	)
}

func (l *listedAccounts) items() []TokenAccount {
	all := make([]TokenAccount, 0, len(l.Accounts)+len(l.Errors))
	for _, a := range l.Accounts {
		if isNull(a.Extensions) {
			a.Extensions = a.Other
		}
		dropNull(&a.Extensions)
		a.TokenAccount.RawAmount, a.TokenAccount.RawDelegatedAmount = uint64(a.RawAmount), uint64(a.RawDelegatedAmount)
		all = append(all, a.TokenAccount)
	}
	for _, e := range l.Errors {
		all = append(all, TokenAccount{Address: e.ID, Err: cmp.Or(e.Error, "unknown")})
	}
	return all
}

// TokenAccounts returns one page of token accounts: those of a mint, of an owner, or
// both, not sorted by amount. It costs 10 credits. The page of an unknown mint or owner
// is empty.
//
// JSON-RPC method: getTokenAccounts.
func (c *Client) TokenAccounts(
	ctx context.Context, filter TokenFilter, opts *TokenAccountsOptions,
) (*types.Page[TokenAccount], error) {
	o := opts.copied()
	size := sizeOf(o.Limit)
	return c.tokenAccountPage(ctx, filter, &o, &size, nil)
}

// tokenAccountPage requests one page. It lowers size where the response would be too
// large.
func (c *Client) tokenAccountPage(
	ctx context.Context, filter TokenFilter, o *TokenAccountsOptions, size *transport.Size, again *repetition[TokenAccount],
) (*types.Page[TokenAccount], error) {
	if err := c.api.Check(tokenAccounts, filter.check(), argument.NotNegative("Limit", o.Limit)); err != nil {
		return nil, err
	}
	if at, ok := placeOf(o.Cursor, o.Limit); ok {
		return numbered(ctx, tokenAccounts, at, again, func(ctx context.Context, at place) (part[TokenAccount], error) {
			got, err := c.tokenAccounts(ctx, filter, o, at, "")
			if err != nil {
				return part[TokenAccount]{}, err
			}
			size.N = at.limit // the next page may be by cursor
			return part[TokenAccount]{got.items(), got.Page, got.Cursor}, nil
		})
	}
	got, err := whole(size, func(limit int) (*listedAccounts, error) {
		return c.tokenAccounts(ctx, filter, o, place{limit: limit}, o.Cursor)
	})
	if err != nil {
		return nil, err
	}
	page := &types.Page[TokenAccount]{Items: got.items(), Cursor: got.Cursor, HasMore: got.Cursor != ""}
	return page, again.check(tokenAccounts, page.Items)
}

func (c *Client) tokenAccounts(ctx context.Context, filter TokenFilter, o *TokenAccountsOptions, at place, cursor string) (*listedAccounts, error) {
	params := struct {
		TokenFilter
		Page    int    `json:"page,omitempty"`
		Limit   int    `json:"limit,omitempty"`
		Cursor  string `json:"cursor,omitempty"`
		Options *Show  `json:"options,omitempty"`
	}{filter, at.page, at.limit, cursor, Show{ZeroBalance: o.ShowZeroBalance}.sent()}
	return transport.Result(ctx, c.api, transport.Query[listedAccounts]{
		Op: tokenAccounts, Params: params, Check: (*listedAccounts).complete,
	})
}

// TokenAccountPages iterates over the pages of [Client.TokenAccounts], at 10 credits
// each. To resume, set Cursor to that of the last handled page; HasMore is false on
// the last one. If the service ignores the cursor or the page number, the listing ends
// with [types.ErrIncomplete].
func (c *Client) TokenAccountPages(
	ctx context.Context, filter TokenFilter, opts *TokenAccountsOptions,
) iter.Seq2[*types.Page[TokenAccount], error] {
	o := opts.copied()
	return func(yield func(*types.Page[TokenAccount], error) bool) {
		size := sizeOf(o.Limit)
		again := &repetition[TokenAccount]{key: func(a *TokenAccount) string { return string(a.Address) }}
		fetch := func(ctx context.Context, cursor string) (*types.Page[TokenAccount], error) {
			o := o
			o.Cursor = cursor
			return c.tokenAccountPage(ctx, filter, &o, &size, again)
		}
		paging.List(ctx, tokenAccounts.String(), o.Cursor, o.Prefetch, fetch)(yield)
	}
}

// AllTokenAccounts iterates over the accounts of all pages of
// [Client.TokenAccountPages], at 10 credits per page. It ends with the same errors.
// Accounts that are opened or emptied during the listing may be missed or listed twice.
func (c *Client) AllTokenAccounts(
	ctx context.Context, filter TokenFilter, opts *TokenAccountsOptions,
) iter.Seq2[TokenAccount, error] {
	return paging.ListItems(c.TokenAccountPages(ctx, filter, opts))
}
