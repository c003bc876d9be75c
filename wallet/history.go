package wallet

import (
	"cmp"
	"context"
	"iter"
	"net/url"

	"github.com/shopspring/decimal"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/txtype"
)

// HistoryOptions says which transactions to return, and which page of them.
// The zero value, like nil, asks for the newest ones of all types.
type HistoryOptions struct {
	Cursor        string          // where to start: Cursor of the page before; empty means at the newest. Sent as before
	After         types.Signature // only transactions after this one; empty means all
	Limit         int             // transactions per page, at most 100; 0 means the service's default, 100
	Type          txtype.Type     // only transactions of this type; empty means all. The service takes some of the types only
	TokenAccounts TokenAccounts   // empty means the service's default, TokenAccountsChanged
	Prefetch      bool            // ask for the next page while the caller works on this one; pages and items only
}

// TokenAccounts says which transactions a history has besides those that name
// the wallet itself: a token that arrives names only the wallet's account for
// that token. Those before December 2022 (slot 111,491,819) may be missing
// whatever is asked. Values without a constant here are sent as they are.
type TokenAccounts string

// What can be asked of the wallet's token accounts.
const (
	TokenAccountsNone    TokenAccounts = "none"           // nothing
	TokenAccountsChanged TokenAccounts = "balanceChanged" // transactions that changed a balance
	TokenAccountsAll     TokenAccounts = "all"            // all transactions
)

func (o *HistoryOptions) query() url.Values {
	q := url.Values{}
	set(q, "before", o.Cursor)
	set(q, "after", o.After)
	set(q, "limit", o.Limit)
	set(q, "type", o.Type)
	set(q, "tokenAccounts", o.TokenAccounts)
	return q
}

// A Transaction is one that a wallet took part in.
type Transaction struct {
	Signature      types.Signature `json:"signature"`      // that names it
	Timestamp      types.Time      `json:"timestamp"`      // of the block; zero while the service does not know it yet
	Slot           uint64          `json:"slot"`           // that it is in
	Fee            decimal.Decimal `json:"fee"`            // in SOL, not in lamports
	FeePayer       types.Address   `json:"feePayer"`       // who paid it; often another than the wallet
	Error          string          `json:"error"`          // why the transaction failed on chain; empty when it succeeded
	BalanceChanges []BalanceChange `json:"balanceChanges"` // of the wallet; empty when nothing changed
}

// A BalanceChange is what a transaction did to a wallet's holding of one token.
type BalanceChange struct {
	// Mint is the token: [types.SOL] is native SOL. [types.WrappedSOL] may be
	// native SOL as well as wrapped SOL: the answer does not tell.
	Mint     types.Address   `json:"mint"`
	Amount   decimal.Decimal `json:"amount"`   // in whole tokens; below zero when they left the wallet
	Decimals int             `json:"decimals"` // digits after the point: the smallest unit is 10^-Decimals of a token
}

// History returns one page of the transactions of wallet, newest first. It
// costs 100 credits. Some plans may not include it, which is a [types.APIError]
// with status 403.
//
// A page may have few items or none though more follow. A wallet that is no
// address or a negative Limit is refused with [types.ErrInvalid] before
// anything is sent.
//
// REST: GET /v1/wallet/{wallet}/history.
func (c *Client) History(ctx context.Context, wallet types.Address, opts *HistoryOptions) (*Page[Transaction], error) {
	var o HistoryOptions
	if opts != nil {
		o = *opts
	}
	if err := cmp.Or(argument.Address("wallet", wallet), argument.NotNegative("Limit", o.Limit)); err != nil {
		return nil, err
	}
	return list[Transaction](ctx, c.api, walletPath(wallet, "history"), o.query())
}

// HistoryPages walks the pages of [Client.History] from opts.Cursor on. Each
// costs 100 credits. To resume a walk, set Cursor to that of the last handled
// page. HasMore tells the end: an empty Cursor, as an option, is the start.
//
// An error ends the walk. One that matches [types.ErrIncomplete] comes after a
// page that promises more but gives no cursor, or one that was there before.
func (c *Client) HistoryPages(ctx context.Context, wallet types.Address, opts *HistoryOptions) iter.Seq2[*Page[Transaction], error] {
	var o HistoryOptions
	if opts != nil {
		o = *opts
	}
	fetch := func(ctx context.Context, cursor string) (*Page[Transaction], error) {
		o := o
		o.Cursor = cursor
		return c.History(ctx, wallet, &o)
	}
	return paging.Pages(ctx, "GET "+walletPath(wallet, "history"), o.Cursor, o.Prefetch, fetch, (*Page[Transaction]).next)
}

// AllHistory walks the transactions of all pages of [Client.HistoryPages], at
// its cost and with its errors. A listing is not a snapshot: transactions that
// happen after its first page was read are not in it, and what the service
// learns late of older ones may be missed.
func (c *Client) AllHistory(ctx context.Context, wallet types.Address, opts *HistoryOptions) iter.Seq2[Transaction, error] {
	return paging.Items(c.HistoryPages(ctx, wallet, opts), (*Page[Transaction]).items)
}
