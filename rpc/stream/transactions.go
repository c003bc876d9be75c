package stream

import (
	"cmp"
	"context"
	"iter"
	"slices"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/decode"
	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/rpc/stream/internal/merge"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/tx"
)

var opTransactions = op("stream.Client.Transactions", "transactionSubscribe")

// maxAccounts limits the histories that are read after a gap.
const maxAccounts = 1000

// TransactionsOptions are the options of [Client.Transactions]. The zero value, like nil, means
// confirmed transactions from now on, with parsed data.
type TransactionsOptions struct {
	// A transaction has to name all of Required and none of Excluded. Both need
	// types.EncodingJSONParsed. Wire names: accountRequired, accountExclude.
	Required, Excluded []types.Address

	// TokenAccounts adds transactions that name only a token account of a wallet, such as
	// incoming transfers of tokens. Empty means [types.TokenAccountHistoryChanged];
	// [types.TokenAccountHistoryNone] adds none.
	TokenAccounts types.TokenAccountHistory

	Outcome types.Outcome // empty means types.OutcomeAll. Wire name: failed

	// Commitment is types.CommitmentConfirmed or types.CommitmentFinalized; empty means
	// types.CommitmentConfirmed.
	Commitment types.Commitment

	// Encoding is types.EncodingJSONParsed or types.EncodingBase64; empty means
	// types.EncodingJSONParsed.
	Encoding types.Encoding

	// SinceSlot continues after a restart: see Resume in the package comment. 0 means from now
	// on.
	SinceSlot uint64
}

// A TransactionEvent is a transaction of a stream.
type TransactionEvent struct {
	// Transaction has a BlockTime only if it comes from the history.
	Transaction tx.Transaction `json:"transaction"`

	Position
}

// Transactions iterates over the new transactions of 1 to 1000 accounts: wallets or any other
// addresses. It includes the transactions of the token accounts of a wallet, but no votes.
//
// It requires a paid plan. After a gap, the price of each account's history is 10 credits per 100
// transactions, and at least 20.
//
// WebSocket method: transactionSubscribe.
func (c *Client) Transactions(ctx context.Context, accounts []types.Address, opts *TransactionsOptions) iter.Seq2[TransactionEvent, error] {
	o := argument.Options(opts)
	o.Commitment = cmp.Or(o.Commitment, types.CommitmentConfirmed)
	o.Encoding = cmp.Or(o.Encoding, types.EncodingJSONParsed)
	o.TokenAccounts = cmp.Or(o.TokenAccounts, types.TokenAccountHistoryChanged)
	s := subscription{op: opTransactions, invalid: o.check(accounts), params: o.params(accounts)}
	return follow(ctx, c, s, notified(opTransactions, transactionItem), func(e *TransactionEvent, id string) {
		e.Transaction = tx.Transaction{Signature: types.Signature(id), Slot: e.Slot}
	}, merge.Merge[TransactionEvent]{
		History: transactionHistory(c, accounts, o, itemOf), Wants: o.wants, Since: o.SinceSlot, Finalized: o.Commitment == types.CommitmentFinalized,
	})
}

func (o *TransactionsOptions) check(accounts []types.Address) error {
	switch {
	case len(accounts) == 0:
		return argument.Invalid("accounts", "is empty, which would be all transactions of the chain")
	case len(accounts) > maxAccounts:
		return argument.Invalid("accounts", "has more than 1000 addresses")
	case o.Encoding != types.EncodingJSONParsed && len(o.Required)+len(o.Excluded) > 0:
		return argument.Invalid("Encoding "+argument.Quote(string(o.Encoding)), "does not show the accounts that Required and Excluded need; use jsonParsed")
	}
	return cmp.Or(
		argument.Each("accounts", accounts, argument.Address),
		argument.OneOf("Encoding", o.Encoding, types.EncodingJSONParsed, types.EncodingBase64),
		argument.OneOf("Outcome", o.Outcome, "", types.OutcomeAll, types.OutcomeSucceeded, types.OutcomeFailed),
		argument.Fields(o), argument.FinalCommitment(o.Commitment),
	)
}

func (o *TransactionsOptions) params(accounts []types.Address) []any {
	type filter struct {
		Vote          bool                      `json:"vote"`
		Failed        *bool                     `json:"failed,omitempty"`
		Accounts      []types.Address           `json:"accountInclude"`
		Excluded      []types.Address           `json:"accountExclude,omitempty"`
		Required      []types.Address           `json:"accountRequired,omitempty"`
		TokenAccounts types.TokenAccountHistory `json:"tokenAccounts,omitempty"`
	}
	f := filter{Accounts: accounts, Excluded: o.Excluded, Required: o.Required, TokenAccounts: o.TokenAccounts}
	if o.Outcome == types.OutcomeSucceeded || o.Outcome == types.OutcomeFailed {
		failed := o.Outcome == types.OutcomeFailed
		f.Failed = &failed
	}
	return []any{f, config{Commitment: o.Commitment, Encoding: o.Encoding, Details: "full", MaxVersion: 1}}
}

// transactionHistory reads the histories of all accounts.
func transactionHistory[E any](c *Client, accounts []types.Address, o TransactionsOptions, item func(tx.Transaction) merge.Item[E]) merge.History[E] {
	return historyOf(c, pagePrice(), accounts, func(ctx context.Context, account types.Address, since, until uint64, cursor string) types.List[tx.Transaction] {
		return c.rpc.TransactionsForAddress(ctx, account, &rpc.TransactionsForAddressOptions{
			Commitment: o.Commitment, Encoding: o.Encoding, TokenAccounts: o.TokenAccounts, Outcome: o.Outcome,
			Ascending: true, SinceSlot: since, UntilSlot: until + merge.Margin + 1, MinContextSlot: until, PageOptions: types.PageOptions{Cursor: cursor},
		})
	}, item)
}

// wants applies the filters that histories do not have.
func (o *TransactionsOptions) wants(e *TransactionEvent) bool {
	t := &e.Transaction
	accounts := t.Accounts()
	named := func(a types.Address) bool { return slices.Contains(accounts, a) }
	return !isVote(t) && !slices.ContainsFunc(o.Excluded, named) &&
		!slices.ContainsFunc(o.Required, func(a types.Address) bool { return !named(a) })
}

func itemOf(t tx.Transaction) merge.Item[TransactionEvent] {
	return merge.Item[TransactionEvent]{ID: string(t.Signature), Slot: t.Slot, Index: t.IndexWithinBlock, Value: TransactionEvent{Transaction: t}}
}

// A meta has no UnmarshalJSON, so that it is read once.
type meta tx.Meta

// A transaction is the value of a transactionSubscribe notification.
type transaction struct {
	Signature   types.Signature `json:"signature"`
	Slot        uint64          `json:"slot"`
	Index       uint64          `json:"transactionIndex"`
	Transaction struct {
		Signed  tx.Signed  `json:"transaction"`
		Meta    meta       `json:"meta"`
		Version tx.Version `json:"version"`
	} `json:"transaction"`
}

func transactionItem(in *transaction) merge.Item[TransactionEvent] {
	t := tx.Transaction{
		Slot: in.Slot, IndexWithinBlock: in.Index,
		Signature: in.Signature, Signed: in.Transaction.Signed, Meta: tx.Meta(in.Transaction.Meta), Version: in.Transaction.Version,
	}
	t.Meta.TransactionError = decode.Present(t.Meta.TransactionError)
	return itemOf(t)
}
