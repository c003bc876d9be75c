package das

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

var opTokenAccounts = op("das.Client.TokenAccounts", "getTokenAccounts")

// A TokenAccountsFilter selects the token accounts of a mint, of an owner, or of an owner for one
// mint. The zero value fails with [types.ErrInvalid].
type TokenAccountsFilter struct {
	Mint  types.Address `json:"mint,omitempty"`  // empty means all mints
	Owner types.Address `json:"owner,omitempty"` // empty means all owners
}

func (f TokenAccountsFilter) check() error {
	if f == (TokenAccountsFilter{}) {
		return argument.Invalid("filter", "is empty; set Mint, Owner or both")
	}
	return argument.Fields(&f)
}

// TokenAccountsOptions are the options of [Client.TokenAccounts]. The zero value, like
// nil, selects the accounts with a balance and starts at the first page.
type TokenAccountsOptions struct {
	// Limit is at most 1000, and 0 means 1000.
	types.PageOptions

	// AfterID and BeforeID limit the list to the addresses between them, without these two, in
	// ascending order. Some indexers refuse them. Another order fails with [types.ErrIncomplete].
	AfterID, BeforeID types.Address

	ShowZeroBalance bool // includes accounts with a balance of 0
}

// A TokenAccount is an account that holds a token. Indexers that store amounts as
// signed numbers do not list accounts that hold 2^63 units or more.
type TokenAccount struct {
	Address types.Address `json:"address"`
	Mint    types.Address `json:"mint"`
	Owner   types.Address `json:"owner"` // the wallet

	// RawAmount is in the smallest unit. Wire name: amount.
	RawAmount uint64 `json:"amount"`

	// RawDelegatedAmount is the most that Delegate may spend, in the smallest unit. Wire name:
	// delegated_amount.
	RawDelegatedAmount uint64 `json:"delegated_amount"`

	// Delegate is empty without a delegate, and not always sent.
	Delegate types.Address `json:"delegate"`

	CloseAuthority types.Address `json:"close_authority"` // not always sent
	Frozen         bool          `json:"frozen"`
	Burnt          bool          `json:"burnt"` // not always sent

	// Extensions are the Token-2022 extensions of the account; nil without any.
	Extensions json.RawMessage `json:"token_extensions,omitempty"`

	// Problem says why the service cannot show the account. Then, all other members but Address
	// are missing. Empty for all other accounts. Wire name: errors, next to the items.
	Problem string `json:"error,omitempty"`
}

// listedAccounts is a page as the service sends it.
type listedAccounts struct {
	Page     int             `json:"page"`
	Cursor   string          `json:"cursor"`
	Slot     uint64          `json:"last_indexed_slot"`
	Accounts []listedAccount `json:"token_accounts" required:"true"`
	Errors   []itemError     `json:"errors"`
}

// A listedAccount has the names of two indexers.
type listedAccount struct {
	TokenAccount
	RawAmount          *Units          `json:"amount" required:"true"` // these two may be text
	RawDelegatedAmount Units           `json:"delegated_amount"`
	Other              json.RawMessage `json:"extensions"`
	Error              json.RawMessage `json:"error"` // hides Problem of TokenAccount
}

// An itemError says why an item of a listing cannot be shown.
type itemError struct {
	ID    types.Address `json:"id"`
	Error string        `json:"error"`
}

func (l *listedAccounts) complete() error { return paging.CheckItems(&l.Accounts) }

func (l *listedAccounts) items() []TokenAccount {
	all := make([]TokenAccount, 0, len(l.Accounts)+len(l.Errors))
	for _, a := range l.Accounts {
		if isNull(a.Extensions) {
			a.Extensions = a.Other
		}
		dropNull(&a.Extensions)
		a.TokenAccount.RawAmount, a.TokenAccount.RawDelegatedAmount = uint64(*a.RawAmount), uint64(a.RawDelegatedAmount)
		all = append(all, a.TokenAccount)
	}
	for _, e := range l.Errors {
		all = append(all, TokenAccount{Address: e.ID, Problem: cmp.Or(e.Error, "unknown")})
	}
	return all
}

// TokenAccounts lists the token accounts of a mint, of an owner, or of both, not sorted by amount.
// If accounts are opened or emptied during the listing, some may be missed or listed twice. Read
// the list with All, Pages, Page or Collect; each page costs 10 credits, also the empty one at
// the end. The list of an unknown mint or owner is empty.
//
// On indexers that page by number, the list ends with [types.ErrIncomplete] when an account
// comes twice. A resumed list compares only with the last 256 accounts before its Cursor.
//
// JSON-RPC method: getTokenAccounts.
func (c *Client) TokenAccounts(ctx context.Context, filter TokenAccountsFilter, opts *TokenAccountsOptions) types.List[TokenAccount] {
	o := argument.Options(opts)
	inRange := o.AfterID+o.BeforeID != ""
	check := func(at string) error {
		if inRange && at != "" && !isID(types.Address(at)) {
			return argument.Invalid("Cursor", "is not the Cursor of a page of this listing")
		}
		return cmp.Or(filter.check(), argument.Fields(&o))
	}
	// by page number until the service sends a cursor, and by cursor from then on
	r := &source[TokenAccount]{
		id:   func(a *TokenAccount) types.Address { return a.Address },
		byID: inRange, after: o.AfterID, before: o.BeforeID,
		fetch: func(ctx context.Context, w *paging.Walk, sent window) (p part[TokenAccount], err error) {
			params := struct {
				TokenAccountsFilter
				window
				Options shown `json:"options,omitzero"`
			}{filter, sent, shown{ShowZeroBalance: o.ShowZeroBalance}}
			got, err := transport.Result(ctx, c.api, transport.Query[listedAccounts]{
				Op: opTokenAccounts, Invalid: check(w.At), About: cmp.Or(filter.Mint, filter.Owner), Params: params, Check: (*listedAccounts).complete, Items: &w.Items,
			})
			if err != nil {
				return p, err
			}
			page := types.Page[TokenAccount]{Items: got.items(), Cursor: got.Cursor, Slot: got.Slot}
			return part[TokenAccount]{page, len(got.Accounts), got.Page}, nil
		},
	}
	if inRange {
		r.order = 1
	}
	l := paging.ListingOf(c.api, opTokenAccounts, cmp.Or(filter.Mint, filter.Owner), fmt.Sprint(filter, o.ShowZeroBalance), o.PageOptions)
	return paging.List(ctx, l, r.page)
}
