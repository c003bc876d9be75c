package rpc

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"reflect"
	"time"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/tx"
)

const (
	opTransactionsForAddress          transport.Op = "rpc.Client.TransactionsForAddress getTransactionsForAddress"
	opTransactionSignaturesForAddress transport.Op = "rpc.Client.TransactionSignaturesForAddress getTransactionsForAddress"
)

// HistoryOptions select and page the transactions of an address. The zero value, like
// nil, means all transactions that name the address, the newest first.
type HistoryOptions struct {
	Commitment     Commitment // empty means CommitmentFinalized; not CommitmentProcessed
	MinContextSlot uint64     // the oldest acceptable slot of the node; 0 means any

	Ascending bool // whether to list the oldest transactions first

	// Slots selects transactions by slot. A listing that ends at a past slot gives the
	// same result every time.
	Slots Range

	Status HistoryStatus // empty means all

	// Since and Until select transactions at or after Since and before Until, such as
	// those of a month; zero means no bound. A listing that ends at a past Until gives
	// the same result every time. Block times are estimates of the validators. The
	// service does not document whether transactions without one are listed.
	Since, Until time.Time

	// After and Before select transactions that are newer than After and older than
	// Before, whatever the order of the listing; empty means no bound.
	After, Before types.Signature

	// TokenAccounts says which transactions of the token accounts of a wallet are
	// listed too. They are known from December 2022 on.
	TokenAccounts TokenAccountHistory

	Transfer *TransferFilter // selects transactions with such a transfer of tokens; nil means all

	// Limit is the number of items per page, up to 1000. 0 means 1000 signatures or
	// 100 transactions.
	Limit int

	// Cursor is that of the last handled page, to go on after it. Empty means the
	// first page. Wire name: paginationToken.
	Cursor string

	// Prefetch requests the next page while the loop handles the current one.
	Prefetch bool

	// Encoding and MaxVersion are as in [TransactionOptions]. They apply to
	// [Client.TransactionsForAddress], MaxVersion to signatures too.
	Encoding   Encoding
	MaxVersion tx.Version
}

// A HistoryStatus selects transactions by their result.
type HistoryStatus string

// The statuses.
const (
	HistoryStatusSucceeded HistoryStatus = "succeeded"
	HistoryStatusFailed    HistoryStatus = "failed"
)

// TokenAccountHistory says which transactions of the token accounts of a wallet belong
// to its history. Empty means none.
type TokenAccountHistory string

// The choices of token accounts.
const (
	// TokenAccountHistoryChanged means those that changed a balance.
	TokenAccountHistoryChanged TokenAccountHistory = "balanceChanged"

	// TokenAccountHistoryAll means all of them, including approvals and spam.
	TokenAccountHistoryAll TokenAccountHistory = "all"
)

// A TransferFilter selects transactions with a transfer of tokens. Empty members match
// all.
type TransferFilter struct {
	With      types.Address `json:"with,omitempty"` // the other side
	Direction Direction     `json:"direction,omitempty"`
	Mint      types.Address `json:"mint,omitempty"`
	RawAmount Range         `json:"amount,omitzero"` // in the smallest unit of the token
}

// historyConfig is how HistoryOptions are sent.
type historyConfig struct {
	Details        string     `json:"transactionDetails"`
	Order          string     `json:"sortOrder,omitempty"`
	Limit          int        `json:"limit"`
	Cursor         string     `json:"paginationToken,omitempty"`
	Commitment     Commitment `json:"commitment,omitempty"`
	MinContextSlot uint64     `json:"minContextSlot,omitempty"`
	Encoding       Encoding   `json:"encoding,omitempty"`
	MaxVersion     *uint8     `json:"maxSupportedTransactionVersion,omitempty"`
	Filters        filters    `json:"filters,omitzero"`
}

type filters struct {
	Slots         Range               `json:"slot,omitzero"`
	BlockTime     window              `json:"blockTime,omitzero"`
	Signatures    signatureRange      `json:"signature,omitzero"`
	Status        HistoryStatus       `json:"status,omitempty"`
	TokenAccounts TokenAccountHistory `json:"tokenAccounts,omitempty"`
	Transfer      *TransferFilter     `json:"tokenTransfer,omitempty"`
}

type signatureRange struct {
	After  types.Signature `json:"gt,omitempty"`
	Before types.Signature `json:"lt,omitempty"`
}

// copied returns a copy that later changes by the caller do not affect.
func (o *HistoryOptions) copied() HistoryOptions {
	if o == nil {
		return HistoryOptions{}
	}
	c := *o
	if o.Transfer != nil {
		transfer := *o.Transfer
		c.Transfer = &transfer
	}
	return c
}

func (o *HistoryOptions) config(details string, limit int) (historyConfig, error) {
	base, err := newTransactionConfig(o.Commitment, o.Encoding, o.MaxVersion)
	if details == "signatures" {
		base.Encoding = ""
	}
	return historyConfig{
		Details: details, Order: sortOrder(o.Ascending), Limit: cmp.Or(o.Limit, limit), Cursor: o.Cursor,
		Commitment: base.Commitment, MinContextSlot: o.MinContextSlot, Encoding: base.Encoding, MaxVersion: base.MaxVersion,
		Filters: filters{o.Slots, window{o.Since, o.Until}, signatureRange{o.After, o.Before}, o.Status, o.TokenAccounts, o.Transfer},
	}, cmp.Or(err, o.check())
}

func (o *HistoryOptions) check() error {
	optional := func(name string, s types.Signature) error {
		if s == "" {
			return nil
		}
		return argument.Signature(name, s)
	}
	return cmp.Or(
		argument.NotNegative("Limit", o.Limit), o.Slots.check("Slots"), window{o.Since, o.Until}.check(),
		optional("After", o.After), optional("Before", o.Before), o.Transfer.check(),
	)
}

func (f *TransferFilter) check() error {
	if f == nil {
		return nil
	}
	return cmp.Or(optionalAddress("Transfer.With", f.With), optionalAddress("Transfer.Mint", f.Mint), f.RawAmount.check("Transfer.RawAmount"))
}

func optionalAddress(name string, a types.Address) error {
	if a == "" {
		return nil
	}
	return argument.Address(name, a)
}

// A historyPage is a page of getTransactionsForAddress.
type historyPage[T any] struct {
	Data   []T    `json:"data"`
	Cursor string `json:"paginationToken"`
}

func history[T any](ctx context.Context, c *Client, op transport.Op, address types.Address, config any, credits func(int) uint64, check func([]T) error, invalid error) (*historyPage[T], error) {
	return transport.Result(ctx, c.api, transport.Query[historyPage[T]]{
		Op: op, Invalid: invalid, Params: []any{address, config},
		Credits: func(p *historyPage[T]) uint64 { return credits(len(p.Data)) },
		Check: func(p *historyPage[T]) error {
			return cmp.Or(transport.Require(p.Data != nil, "data"), check(p.Data), paging.CheckCursor(p.Cursor))
		},
	})
}

// creditsPerHundred is the price of a number of transactions.
func creditsPerHundred(n int) uint64 { return 10 * max(1, (uint64(n)+99)/100) }

func tenCredits(int) uint64 { return 10 }

// TransactionsForAddress returns one page of the full transactions of an address;
// loaders, sysvars and other parts of the system have none. It costs 10 credits per
// 100 transactions returned, and at least 10. A page may be short or empty although
// more follow.
//
// JSON-RPC method: getTransactionsForAddress.
func (c *Client) TransactionsForAddress(
	ctx context.Context, address types.Address, opts *HistoryOptions,
) (*types.Page[tx.Transaction], error) {
	o := opts.copied()
	config, err := o.config("full", 100)
	got, err := history(ctx, c, opTransactionsForAddress, address, config, creditsPerHundred, checkTransactions, cmp.Or(argument.Address("address", address), err))
	if err != nil {
		return nil, err
	}
	items := make([]tx.Transaction, len(got.Data))
	for i := range got.Data {
		items[i] = *got.Data[i].public()
	}
	return &types.Page[tx.Transaction]{Items: items, Cursor: got.Cursor, HasMore: got.Cursor != ""}, nil
}

// checkTransactions takes pointers, since large elements are costly to move.
func checkTransactions(list []*transaction) error {
	for i, t := range list {
		switch {
		case t == nil || reflect.ValueOf(t).Elem().IsZero():
			return paging.NullItem(i)
		case t.complete() != nil:
			return transport.Require(false, fmt.Sprintf("transaction in item %d", i))
		}
	}
	return nil
}

// TransactionsForAddressPages iterates over the pages of
// [Client.TransactionsForAddress], at the same price; in ascending order, set Slots
// or Until, or new transactions extend the listing. To resume, set Cursor to that of the last
// handled page, with the same other options. A repeated page, or one out of order,
// ends the listing with [types.ErrIncomplete].
func (c *Client) TransactionsForAddressPages(
	ctx context.Context, address types.Address, opts *HistoryOptions,
) iter.Seq2[*types.Page[tx.Transaction], error] {
	o := opts.copied()
	fetch := func(ctx context.Context, cursor string) (*types.Page[tx.Transaction], error) {
		o := o
		o.Cursor = cursor
		return c.TransactionsForAddress(ctx, address, &o)
	}
	place := func(t *tx.Transaction) (slot, index uint64) { return t.Slot, t.IndexWithinBlock }
	return ordered(ctx, listingOf{opTransactionsForAddress, o.Cursor, o.Prefetch, o.Ascending, false}, fetch, place)
}

// AllTransactionsForAddress iterates over the transactions of all pages of
// [Client.TransactionsForAddressPages], at 10 credits per 100 transactions. It ends
// with the same errors.
func (c *Client) AllTransactionsForAddress(
	ctx context.Context, address types.Address, opts *HistoryOptions,
) iter.Seq2[tx.Transaction, error] {
	return paging.ListItems(c.TransactionsForAddressPages(ctx, address, opts))
}

// TransactionSignaturesForAddress is like [Client.TransactionsForAddress] without the
// contents of the transactions. It costs 10 credits, whatever the limit.
//
// JSON-RPC method: getTransactionsForAddress.
func (c *Client) TransactionSignaturesForAddress(
	ctx context.Context, address types.Address, opts *HistoryOptions,
) (*types.Page[SignatureInfo], error) {
	o := opts.copied()
	config, err := o.config("signatures", 1000)
	got, err := history(ctx, c, opTransactionSignaturesForAddress, address, config, tenCredits, checkSignatures, cmp.Or(argument.Address("address", address), err))
	if err != nil {
		return nil, err
	}
	withoutNull(got.Data)
	return &types.Page[SignatureInfo]{Items: got.Data, Cursor: got.Cursor, HasMore: got.Cursor != ""}, nil
}

// TransactionSignaturesForAddressPages iterates over the pages of
// [Client.TransactionSignaturesForAddress], at 10 credits each. To resume, set Cursor
// to that of the last handled page, with the same other options. A repeated page, or
// one out of order, ends the listing with [types.ErrIncomplete].
func (c *Client) TransactionSignaturesForAddressPages(
	ctx context.Context, address types.Address, opts *HistoryOptions,
) iter.Seq2[*types.Page[SignatureInfo], error] {
	o := opts.copied()
	fetch := func(ctx context.Context, cursor string) (*types.Page[SignatureInfo], error) {
		o := o
		o.Cursor = cursor
		return c.TransactionSignaturesForAddress(ctx, address, &o)
	}
	place := func(s *SignatureInfo) (slot, index uint64) { return s.Slot, s.IndexWithinBlock }
	return ordered(ctx, listingOf{opTransactionSignaturesForAddress, o.Cursor, o.Prefetch, o.Ascending, false}, fetch, place)
}

// AllTransactionSignaturesForAddress iterates over the items of all pages of
// [Client.TransactionSignaturesForAddressPages], at 10 credits per page. It ends with
// the same errors.
func (c *Client) AllTransactionSignaturesForAddress(
	ctx context.Context, address types.Address, opts *HistoryOptions,
) iter.Seq2[SignatureInfo, error] {
	return paging.ListItems(c.TransactionSignaturesForAddressPages(ctx, address, opts))
}
