package rpc

import (
	"cmp"
	"context"
	"reflect"
	"time"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/facts"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/tx"
)

var (
	opTransactionsForAddress          = op("rpc.Client.TransactionsForAddress", "getTransactionsForAddress")
	opTransactionSignaturesForAddress = op("rpc.Client.TransactionSignaturesForAddress", "getTransactionsForAddress")
)

// TransactionsForAddressOptions are the options of [Client.TransactionsForAddress] and
// [Client.TransactionSignaturesForAddress]. The zero value, like nil, means all
// transactions that name the address or changed a balance of its token accounts, the newest
// first.
type TransactionsForAddressOptions struct {
	// Limit is at most 1000. 0 means 1000 signatures or 100 transactions.
	types.PageOptions

	Commitment     types.Commitment // empty means CommitmentFinalized; not CommitmentProcessed
	MinContextSlot uint64           // the oldest acceptable slot of the node; 0 means any

	Ascending bool // whether to list the oldest transactions first

	// SinceSlot and UntilSlot select transactions at or after SinceSlot and before
	// UntilSlot; 0 means no bound. A listing that ends at a past slot gives the same
	// result every time.
	SinceSlot, UntilSlot uint64

	Outcome types.Outcome // empty means all. Wire name: status

	// Since and Until select transactions at or after Since and before Until, for
	// example a month; zero means no bound. Block times are estimates of the validators.
	// The service does not document whether transactions without one are listed.
	Since, Until time.Time

	// After and Before select transactions that are newer than After and older than
	// Before, whatever the order of the listing; empty means no bound.
	After, Before types.Signature

	// TokenAccounts selects the transactions that name only a token account of the address, such
	// as incoming transfers of tokens. Empty includes them, as [types.TokenAccountHistoryChanged]
	// does; [types.TokenAccountHistoryNone] leaves them out. A transaction costs the same either way.
	TokenAccounts types.TokenAccountHistory

	Transfer *TransferFilter // selects transactions with such a transfer of tokens; nil means all

	// Encoding and MaxVersion are as in [TransactionOptions]. Encoding is for
	// [Client.TransactionsForAddress] only.
	Encoding   types.Encoding
	MaxVersion tx.Version
}

// A TransferFilter selects transactions with a transfer of tokens. Empty members match
// all.
type TransferFilter struct {
	With      types.Address   // the other side
	Direction types.Direction // empty means both
	Mint      types.Address

	// MinRawAmount and MaxRawAmount, both included, are in the smallest unit of the
	// token; 0 means no bound.
	MinRawAmount, MaxRawAmount uint64
}

// historyConfig is the wire form of TransactionsForAddressOptions.
type historyConfig struct {
	Details        string           `json:"transactionDetails"`
	Order          string           `json:"sortOrder,omitempty"`
	Limit          int              `json:"limit"`
	Cursor         string           `json:"paginationToken,omitempty"`
	Commitment     types.Commitment `json:"commitment,omitempty"`
	MinContextSlot uint64           `json:"minContextSlot,omitempty"`
	Encoding       types.Encoding   `json:"encoding,omitempty"`
	MaxVersion     *uint8           `json:"maxSupportedTransactionVersion,omitempty"`
	Filters        historyFilters   `json:"filters,omitzero"`
}

type historyFilters struct {
	Slots         argument.Slots            `json:"slot,omitzero"`
	BlockTime     argument.Times            `json:"blockTime,omitzero"`
	Signatures    signatureRange            `json:"signature,omitzero"`
	Status        types.Outcome             `json:"status,omitempty"`
	TokenAccounts types.TokenAccountHistory `json:"tokenAccounts,omitempty"`
	Transfer      *transferFilter           `json:"tokenTransfer,omitempty"`
}

type signatureRange struct {
	After  types.Signature `json:"gt,omitempty"`
	Before types.Signature `json:"lt,omitempty"`
}

// transferFilter is the wire form of a TransferFilter.
type transferFilter struct {
	With      types.Address   `json:"with,omitempty"`
	Direction types.Direction `json:"direction,omitempty"`
	Mint      types.Address   `json:"mint,omitempty"`
	RawAmount amountRange     `json:"amount,omitzero"`
}

// transactionHistory returns a history of transactions.
func transactionHistory[W, T any](
	c *Client, op transport.Op, address types.Address, opts *TransactionsForAddressOptions, details string, limit int,
	credits func(int) uint64, check func(*[]W) error, item func(*W) T, at func(*T) paging.Place,
) history[W, T] {
	o := argument.Options(opts)
	base, invalid := TransactionOptions{Commitment: o.Commitment, Encoding: o.Encoding, MaxVersion: o.MaxVersion}.config()
	if details == "signatures" {
		base.Encoding = ""
	}
	sent := historyConfig{
		Details: details, Order: sortOrder(o.Ascending), Limit: cmp.Or(o.Limit, limit),
		Commitment: base.Commitment, MinContextSlot: o.MinContextSlot, Encoding: base.Encoding, MaxVersion: base.MaxVersion,
		Filters: historyFilters{
			argument.Slots{Since: o.SinceSlot, Until: o.UntilSlot},
			argument.NewTimes(o.Since, o.Until),
			signatureRange{o.After, o.Before},
			status(o.Outcome), cmp.Or(o.TokenAccounts, types.TokenAccountHistoryChanged), nil,
		},
	}
	if f := o.Transfer; f != nil {
		sent.Filters.Transfer = &transferFilter{f.With, f.Direction, f.Mint, amountRange{f.MinRawAmount, f.MaxRawAmount}}
	}
	config := func(token string) any {
		sent := sent
		sent.Cursor = token
		return sent
	}
	invalid = cmp.Or(argument.Address("address", address), invalid, argument.Fields(&o))
	return history[W, T]{
		Listing: paging.ListingOf(c.api, op, address, "", o.PageOptions), ascending: o.Ascending,
		fetch: fetcher(c, op, address, config, credits, check, invalid), item: item, at: at,
	}
}

// status is the wire form of an outcome.
func status(o types.Outcome) types.Outcome {
	switch o {
	case types.OutcomeAll:
		return ""
	case types.OutcomeSucceeded:
		return "succeeded"
	}
	return o
}

// TransactionsForAddress lists the full transactions of an address and of its token accounts: a
// transfer of tokens to a wallet names only these. For loaders, sysvars and other reserved
// addresses, the service lists none. Read the list with All, Pages, Page or Collect. Each page
// costs 10 credits per 100 transactions in it, and at least 10. A page may be short or empty
// although more follow. In ascending order, set UntilSlot or Until, or new transactions extend the
// listing. The Free plan may not include it: the documentation of the service contradicts itself.
// [Client.SignaturesForAddress] with [Client.Transaction] works on every plan.
//
// JSON-RPC method: getTransactionsForAddress.
func (c *Client) TransactionsForAddress(
	ctx context.Context, address types.Address, opts *TransactionsForAddressOptions,
) types.List[tx.Transaction] {
	return transactionHistory(c, opTransactionsForAddress, address, opts, "full", facts.FullTransactions, perHundred, checkTransactions,
		func(t **transaction) tx.Transaction { return *(*t).public() },
		func(t *tx.Transaction) paging.Place { return paging.Place{Slot: t.Slot, Index: t.IndexWithinBlock} }).list(ctx)
}

// checkTransactions takes pointers, since large elements are costly to move.
func checkTransactions(list *[]*transaction) error {
	for i, t := range *list {
		switch {
		case t == nil || reflect.ValueOf(t).Elem().IsZero():
			return transport.NullItem(i)
		case t.complete() != nil:
			return transport.Require(false, "transaction")
		}
	}
	return nil
}

// TransactionSignaturesForAddress is like [Client.TransactionsForAddress] without the
// contents of the transactions. Read the list with All, Pages, Page or Collect; each page
// costs 10 credits, whatever the limit.
//
// JSON-RPC method: getTransactionsForAddress.
func (c *Client) TransactionSignaturesForAddress(
	ctx context.Context, address types.Address, opts *TransactionsForAddressOptions,
) types.List[SignatureInfo] {
	return transactionHistory(c, opTransactionSignaturesForAddress, address, opts, "signatures", opTransactionSignaturesForAddress.Facts().Items, perPage,
		paging.CheckItems[sentSignature], (*sentSignature).public, (*SignatureInfo).place).list(ctx)
}
