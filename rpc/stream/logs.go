package stream

import (
	"cmp"
	"context"
	"encoding/json"
	"iter"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/decode"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/rpc/stream/internal/merge"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/tx"
)

var (
	opLogs    = op("stream.Client.Logs", "logsSubscribe")
	opAllLogs = op("stream.Client.AllLogs", "logsSubscribe")
)

// LogsOptions are the options of [Client.Logs]. The zero value, like nil, means confirmed
// transactions from now on.
type LogsOptions struct {
	// Commitment is types.CommitmentConfirmed or types.CommitmentFinalized; empty means
	// types.CommitmentConfirmed.
	Commitment types.Commitment

	// SinceSlot continues after a restart: see Resume in the package comment. 0 means from now
	// on.
	SinceSlot uint64
}

// AllLogsOptions are the options of [Client.AllLogs]. The zero value, like nil, means
// confirmed transactions from now on, with gaps.
type AllLogsOptions struct {
	// Commitment is types.CommitmentConfirmed or types.CommitmentFinalized; empty means
	// types.CommitmentConfirmed.
	Commitment types.Commitment

	// FillFromBlocks makes the stream complete: the blocks of a gap are read, and up to 32 blocks
	// on each side. A block costs 1 credit. Blocks of the last two minutes of a gap are read twice.
	// Blocks are large, and a day has 216 000.
	FillFromBlocks bool

	// SinceSlot continues after a restart: see Resume in the package comment. It needs
	// FillFromBlocks. 0 means from now on.
	SinceSlot uint64
}

// A LogsEvent is a transaction with its logs.
type LogsEvent struct {
	Signature types.Signature `json:"signature"`

	// TransactionError is the error as sent, an object or a string; nil if the transaction
	// succeeded. Wire name: err.
	TransactionError json.RawMessage `json:"err"`

	// Logs are the messages of the programs. Validators leave out messages after about 10 000
	// bytes, and add "Log truncated".
	Logs []string `json:"logs"`

	Position
}

// Logs iterates over the new transactions that name an address, including failed transactions and
// votes. A transfer of tokens to a wallet may name only its token account: [Client.Transactions]
// has such transactions too.
//
// Nodes send no notifications of transactions that failed before their execution and only paid the
// fee. Logs lacks them, without a Gap, unless it reads the history of their slots.
// [Client.Transactions] has all of them.
//
// It works on every plan. After a gap, the price of the history is 10 credits per 100 transactions,
// and at least 20. Where the service refuses getTransactionsForAddress, it costs 1 credit per
// transaction.
//
// WebSocket method: logsSubscribe.
func (c *Client) Logs(ctx context.Context, address types.Address, opts *LogsOptions) iter.Seq2[LogsEvent, error] {
	o := argument.Options(opts)
	o.Commitment = cmp.Or(o.Commitment, types.CommitmentConfirmed)
	type filter struct {
		Mentions []types.Address `json:"mentions"`
	}
	return c.logs(ctx, opLogs, argument.Address("address", address), filter{[]types.Address{address}}, o, c.addressHistory(address, o.Commitment))
}

// AllLogs iterates over the new transactions of the whole chain, about a thousand per second. It
// lacks votes, and the same failed transactions as [Client.Logs]. Without FillFromBlocks, the
// transactions of a gap are lost.
//
// It works on every plan. Its notifications cost millions of credits per day.
//
// WebSocket method: logsSubscribe.
func (c *Client) AllLogs(ctx context.Context, opts *AllLogsOptions) iter.Seq2[LogsEvent, error] {
	o := argument.Options(opts)
	o.Commitment = cmp.Or(o.Commitment, types.CommitmentConfirmed)
	var invalid error
	var history merge.History[LogsEvent]
	switch {
	case o.FillFromBlocks:
		history = c.blockHistory(o.Commitment)
	case o.SinceSlot != 0:
		invalid = argument.Invalid("SinceSlot", "needs FillFromBlocks")
	}
	return c.logs(ctx, opAllLogs, invalid, "all", LogsOptions{o.Commitment, o.SinceSlot}, history)
}

// logs follows the transactions that a filter selects.
func (c *Client) logs(ctx context.Context, op transport.Op, invalid error, filter any, o LogsOptions, history merge.History[LogsEvent]) iter.Seq2[LogsEvent, error] {
	return follow(ctx, c, subscription{
		op: op, invalid: cmp.Or(invalid, argument.FinalCommitment(o.Commitment)), params: []any{filter, config{Commitment: o.Commitment}},
	}, notified(op, logsItem), func(e *LogsEvent, id string) {
		e.Signature = types.Signature(id)
	}, merge.Merge[LogsEvent]{History: history, Since: o.SinceSlot, Finalized: o.Commitment == types.CommitmentFinalized})
}

type (
	logItem  = merge.Item[LogsEvent]
	logRange = merge.Range[LogsEvent]
)

func logsItem(in *notification[LogsEvent]) logItem {
	in.Value.TransactionError = decode.Present(in.Value.TransactionError)
	return logItem{ID: string(in.Value.Signature), Slot: in.Context.Slot, Value: in.Value}
}

// logsOf returns the logs of a transaction of a history.
func logsOf(t tx.Transaction) logItem {
	return logItem{
		ID: string(t.Signature), Slot: t.Slot, Index: t.IndexWithinBlock,
		Value: LogsEvent{Signature: t.Signature, TransactionError: t.Meta.TransactionError, Logs: t.Meta.LogMessages},
	}
}

// blockHistory is the history of the whole chain, by a node that has reached its end.
func (c *Client) blockHistory(commitment types.Commitment) merge.History[LogsEvent] {
	return func(ctx context.Context, r logRange) error {
		if err := c.budget.take(ctx, 2*readPrice()); err != nil {
			return err
		}
		if _, err := c.rpc.Slot(ctx, &rpc.ReadOptions{Commitment: commitment, MinContextSlot: r.Until}); err != nil {
			return err
		}
		slots, err := c.rpc.Blocks(ctx, r.Since, r.Until+merge.Margin+1, &rpc.CommitmentOptions{Commitment: commitment})
		if err != nil {
			return err
		}
		for _, slot := range slots {
			if err := c.block(ctx, slot, commitment, r); err != nil {
				return err
			}
		}
		return nil
	}
}

// block emits the transactions of a block.
func (c *Client) block(ctx context.Context, slot uint64, commitment types.Commitment, r logRange) error {
	if err := c.budget.take(ctx, readPrice()); err != nil {
		return err
	}
	block, err := c.rpc.Block(ctx, slot, &rpc.BlockOptions{Commitment: commitment, Encoding: types.EncodingBase64, HideRewards: true})
	all, err := unreadableItems[LogsEvent](err)
	if err != nil {
		return err
	}
	for _, t := range block.Transactions {
		if !isVote(&t) {
			all = append(all, logsOf(t))
		}
	}
	for _, item := range all {
		item.Slot = slot
		if err := r.Emit(item); err != nil {
			return err
		}
	}
	return nil
}
