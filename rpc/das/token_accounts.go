package das

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

var opTokenAccounts = transport.Op{Method: "das.Client.TokenAccounts", Wire: "getTokenAccounts"}

// A TokenAccountsFilter selects token accounts: the accounts of a mint, of an owner, or of
// an owner for one mint.
type TokenAccountsFilter struct {
	Mint  types.Address `json:"mint,omitempty"`  // empty means all mints; a holder may have several accounts of one
	Owner types.Address `json:"owner,omitempty"` // empty means all owners
}

func (f TokenAccountsFilter) check() error {
	if f == (TokenAccountsFilter{}) {
		return argument.Invalid("filter", "is empty; set Mint, Owner or both")
	}
	if f.Mint != "" {
		if err := argument.Address("Mint", f.Mint); err != nil {
			return err
		}
	}
	if f.Owner != "" {
		return argument.Address("Owner", f.Owner)
	}
	return nil
}

// TokenAccountsOptions are the options of [Client.TokenAccounts]. The zero value, like
// nil, selects the accounts with a balance and starts at the first page.
type TokenAccountsOptions struct {
	// Cursor resumes after a page: set it to the Cursor of the last page handled. Empty
	// starts at the first page.
	Cursor string

	// AfterID and BeforeID limit the list to the accounts with addresses between them,
	// both excluded, in ascending order. Some indexers refuse them, or send accounts in
	// another order, which fails with [types.ErrIncomplete].
	AfterID, BeforeID types.Address

	Limit           int  // items per page; 0 means 1000, the default and maximum of the service
	ShowZeroBalance bool // includes accounts with a balance of 0
	Prefetch        bool // requests the next page while the loop handles this one
}

func (o *TokenAccountsOptions) copied() TokenAccountsOptions {
	if o == nil {
		return TokenAccountsOptions{}
	}
	return *o
}

func (o *TokenAccountsOptions) inRange() bool { return o.AfterID != "" || o.BeforeID != "" }

func (o *TokenAccountsOptions) check() error {
	if err := argument.NotNegative("Limit", o.Limit); err != nil {
		return err
	}
	for name, a := range map[string]types.Address{"AfterID": o.AfterID, "BeforeID": o.BeforeID} {
		if a != "" {
			if err := argument.Address(name, a); err != nil {
				return err
			}
		}
	}
	if o.inRange() && o.Cursor != "" && !isID(types.Address(o.Cursor)) {
		return argument.Invalid("Cursor", "is not the Cursor of a page of this listing")
	}
	return nil
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

	// Extensions are the Token-2022 extensions of the account; nil without any.
	Extensions json.RawMessage `json:"token_extensions,omitempty"`

	// Err says why the service lists the account but cannot show it; then only
	// Address is set. It is empty for all others. Wire name: errors, next to the items.
	Err string `json:"error,omitempty"`
}

// listedAccounts is a page as the service sends it.
type listedAccounts struct {
	Page     int             `json:"page"`
	Cursor   string          `json:"cursor"`
	Slot     uint64          `json:"last_indexed_slot"`
	Accounts []listedAccount `json:"token_accounts"`
	Errors   []itemError     `json:"errors"`
}

// A listedAccount has the names of two indexers.
type listedAccount struct {
	TokenAccount
	RawAmount          Units           `json:"amount"` // these two may be text
	RawDelegatedAmount Units           `json:"delegated_amount"`
	Other              json.RawMessage `json:"extensions"`
	Error              json.RawMessage `json:"error"` // hides Err of TokenAccount
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

// TokenAccounts lists the token accounts of a mint, of an owner, or of both, not sorted by
// amount. Accounts that are opened or emptied meanwhile may be missed or listed twice.
// Read the list with All, Pages, Page or Collect; each page costs 10 credits. The list of
// an unknown mint or owner is empty.
//
// JSON-RPC method: getTokenAccounts.
func (c *Client) TokenAccounts(ctx context.Context, filter TokenAccountsFilter, opts *TokenAccountsOptions) types.List[TokenAccount] {
	o := opts.copied()
	selection := paging.Selection{opTokenAccounts.Method, string(filter.Mint + " " + filter.Owner), strconv.FormatBool(o.ShowZeroBalance)}
	start := paging.Listing{Op: opTokenAccounts.Wire, Selection: selection, Cursor: o.Cursor, Prefetch: o.Prefetch}
	o.Cursor = start.Position()
	return paging.ListOf(ctx, start, func() func(context.Context, string) (*types.Page[TokenAccount], error) {
		return newAccountsReading(c.api, filter, o).page
	})
}

// An accountsReading is the state of one reading of token accounts: by page number until
// the service sends a cursor, and by cursor from then on.
type accountsReading struct {
	api     *transport.Client
	filter  TokenAccountsFilter
	opts    TokenAccountsOptions
	size    transport.Size
	numbers *numbered[TokenAccount]
	begins  *repeats[TokenAccount] // of pages by cursor
	cursors bool                   // whether the service sends cursors
}

func newAccountsReading(api *transport.Client, filter TokenAccountsFilter, o TokenAccountsOptions) *accountsReading {
	key := func(a *TokenAccount) string { return string(a.Address) }
	r := &accountsReading{
		api: api, filter: filter, opts: o, size: sizeAt(o.Cursor, o.Limit), begins: &repeats[TokenAccount]{key: key, begins: true},
	}
	r.numbers = &numbered[TokenAccount]{opTokenAccounts, &r.size, &repeats[TokenAccount]{key: key}, func(ctx context.Context, at place) (part[TokenAccount], error) {
		got, err := r.request(ctx, accountsWindow{Page: at.page, Limit: at.limit})
		if err != nil {
			return part[TokenAccount]{}, err
		}
		r.cursors = r.cursors || got.Cursor != ""
		return part[TokenAccount]{got.items(), got.Page, got.Cursor, got.Slot}, nil
	}}
	return r
}

func (r *accountsReading) page(ctx context.Context, cursor string) (*types.Page[TokenAccount], error) {
	if r.opts.inRange() {
		return r.pageInRange(ctx, cursor)
	}
	if at, ok := placeOf(cursor, r.opts.Limit); ok {
		page, _, err := r.numbers.page(ctx, at)
		if err != nil {
			return nil, err
		}
		if err := r.begins.check(opTokenAccounts, page.Items, false); err != nil {
			return nil, err
		}
		return page, nil
	}
	page, err := r.fitting(ctx, accountsWindow{Cursor: cursor})
	if err != nil {
		return nil, err
	}
	if err := r.begins.check(opTokenAccounts, page.Items, false); err != nil {
		return nil, err
	}
	if err := r.checkCursor(ctx, page); err != nil {
		return nil, err
	}
	return page, nil
}

// fitting requests a page with a smaller limit where the response would be too large.
func (r *accountsReading) fitting(ctx context.Context, w accountsWindow) (*types.Page[TokenAccount], error) {
	got, err := shrinking(&r.size, func(limit int) (*listedAccounts, error) {
		w.Limit = limit
		return r.request(ctx, w)
	})
	if err != nil {
		return nil, err
	}
	return &types.Page[TokenAccount]{Items: got.items(), Cursor: got.Cursor, HasMore: got.Cursor != "", Slot: got.Slot}, nil
}

// pageInRange requests the page after an address, the cursor. The accounts must ascend,
// since others would otherwise be missing.
func (r *accountsReading) pageInRange(ctx context.Context, cursor string) (*types.Page[TokenAccount], error) {
	after := cmp.Or(types.Address(cursor), r.opts.AfterID)
	page, err := r.fitting(ctx, accountsWindow{After: after, Before: r.opts.BeforeID})
	if err != nil {
		return nil, err
	}
	for i, last := 0, after; i < len(page.Items) && page.Items[i].Err == ""; i++ { // the broken ones come last
		address := page.Items[i].Address
		if last != "" && compare(address, last) <= 0 || r.opts.BeforeID != "" && compare(address, r.opts.BeforeID) >= 0 {
			return nil, fmt.Errorf("%s: the accounts do not ascend from AfterID to BeforeID: %w", opTokenAccounts, types.ErrIncomplete)
		}
		last = address
	}
	if page.Cursor, err = highest(page.Items, func(a *TokenAccount) types.Address { return a.Address }); err != nil {
		return nil, r.api.WithOp(opTokenAccounts, err)
	}
	page.HasMore = page.Cursor != ""
	return page, nil
}

// checkCursor fails if the service ignored the cursor that the reading started at: it
// sends none. A page without a cursor is otherwise the last one.
func (r *accountsReading) checkCursor(ctx context.Context, page *types.Page[TokenAccount]) error {
	if r.cursors = r.cursors || page.HasMore; r.cursors || len(page.Items) == 0 {
		return nil
	}
	first, err := r.request(ctx, accountsWindow{Page: 1, Limit: 1})
	if err != nil || first.Cursor != "" {
		return err
	}
	return fmt.Errorf("%s: the service ignores cursors; list the accounts from the start: %w", opTokenAccounts, types.ErrIncomplete)
}

// An accountsWindow is the part of the list that a request asks for, on the wire.
type accountsWindow struct {
	Page   int           `json:"page,omitempty"`
	Limit  int           `json:"limit,omitempty"`
	Cursor string        `json:"cursor,omitempty"`
	After  types.Address `json:"after,omitempty"`
	Before types.Address `json:"before,omitempty"`
}

func (r *accountsReading) request(ctx context.Context, w accountsWindow) (*listedAccounts, error) {
	params := struct {
		TokenAccountsFilter
		accountsWindow
		Options *Show `json:"options,omitempty"`
	}{r.filter, w, Show{ZeroBalance: r.opts.ShowZeroBalance}.sent()}
	return transport.Result(ctx, r.api, transport.Query[listedAccounts]{
		Op: opTokenAccounts, Invalid: cmp.Or(r.filter.check(), r.opts.check()),
		Params: params, Check: (*listedAccounts).complete,
	})
}
