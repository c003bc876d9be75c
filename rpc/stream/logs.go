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
	opLogs    = transport.Op{Method: "stream.Client.Logs", Wire: "logsSubscribe"}
	opAllLogs = transport.Op{Method: "stream.Client.AllLogs", Wire: "logsSubscribe"}
)

// LogsOptions are the options of [Client.Logs]. The zero value, like nil, means confirmed
// transactions from now on.
type LogsOptions struct {
	// Commitment is types.CommitmentConfirmed or types.CommitmentFinalized; empty means
	// types.CommitmentConfirmed. Histories have no processed transactions.
	Commitment types.Commitment

	// SinceSlot resumes after an event: set it to the Resume of the last event that you
	// handled. 0 means from now on.
	SinceSlot uint64
}

// AllLogsOptions are the options of [Client.AllLogs]. The zero value, like nil, means
// confirmed transactions from now on, with gaps.
type AllLogsOptions struct {
	// Commitment is types.CommitmentConfirmed or types.CommitmentFinalized; empty means
	// types.CommitmentConfirmed.
	Commitment types.Commitment

	// FillFromBlocks reads the blocks that were missed, each of which costs 1 credit, and
	// their list. Blocks are large, and there are 216 000 of them a day.
	FillFromBlocks bool

	// SinceSlot resumes after an event: set it to the Resume of the last event that you
	// handled. It needs FillFromBlocks. 0 means from now on.
	SinceSlot uint64
}

// A LogsEvent is a transaction with its logs.
type LogsEvent struct {
	Signature types.Signature `json:"signature"`

	// Err is the error as sent, an object or a string; nil when the transaction succeeded.
	Err json.RawMessage `json:"err"`

	// Logs are the messages of the programs. Validators cut them at 10 000 bytes; the last
	// one is then "Log truncated".
	Logs []string `json:"logs"`

	Position
}

// logs are the contents of a LogsEvent.
type logs struct {
	Signature types.Signature `json:"signature"`
	Err       json.RawMessage `json:"err"`
	Logs      []string        `json:"logs"`
}

// Logs iterates over the new transactions that name an address, failed ones included, in
// the order of their slots, each once. Nodes do not notify transactions that failed before
// their execution and only paid the fee; Transactions does, and so does what is filled. It works on every plan. Transactions that name only
// a token account of a wallet are not among them. What is missed while the connection is
// down or the loop is slow is read from the history. An error is the last element.
//
// It costs 1 credit per connection and 2 credits per 100 000 bytes; each interruption costs
// twice 10 credits per 100 transactions, or twice 1 per transaction where the service
// refuses getTransactionsForAddress.
//
// WebSocket method: logsSubscribe.
func (c *Client) Logs(ctx context.Context, address types.Address, opts *LogsOptions) iter.Seq2[LogsEvent, error] {
	o := *cmp.Or(opts, new(LogsOptions))
	o.Commitment = cmp.Or(o.Commitment, types.CommitmentConfirmed)
	if err := c.check(ctx, opLogs, cmp.Or(argument.Address("address", address), argument.FinalCommitment(o.Commitment))); err != nil {
		return failed[LogsEvent](err)
	}
	mentions := struct {
		Addresses []types.Address `json:"mentions"`
	}{[]types.Address{address}}
	past := TransactionsOptions{Accounts: []types.Address{address}, Commitment: o.Commitment, Encoding: types.EncodingBase64}
	f := c.logs(opLogs, mentions, o.Commitment, o.SinceSlot)
	f.history = each(orElse(past.history(c), c.bySignature(address, o.Commitment)), logsOf)
	return follow(ctx, c, f, logsEvent)
}

// AllLogs iterates over the new transactions of the whole chain without votes, about a
// thousand per second, in the order in which they arrive. It works on every plan. Without
// FillFromBlocks, what is missed while the connection is down or the loop is slow is lost,
// and the next event has a [Gap] that is not Filled. An error is the last element.
//
// It costs 1 credit per connection and 2 credits per 100 000 bytes, which is millions of
// credits per day.
//
// WebSocket method: logsSubscribe.
func (c *Client) AllLogs(ctx context.Context, opts *AllLogsOptions) iter.Seq2[LogsEvent, error] {
	o := *cmp.Or(opts, new(AllLogsOptions))
	o.Commitment = cmp.Or(o.Commitment, types.CommitmentConfirmed)
	var invalid error
	if o.SinceSlot != 0 && !o.FillFromBlocks {
		invalid = argument.Invalid("SinceSlot", "needs FillFromBlocks")
	}
	if err := c.check(ctx, opAllLogs, cmp.Or(invalid, argument.FinalCommitment(o.Commitment))); err != nil {
		return failed[LogsEvent](err)
	}
	f := c.logs(opAllLogs, "all", o.Commitment, o.SinceSlot)
	if o.FillFromBlocks {
		f.history = each(c.blocks(o.Commitment), logsOf)
	}
	return follow(ctx, c, f, logsEvent)
}

func (c *Client) logs(op transport.Op, filter any, commitment types.Commitment, since uint64) feed[logs] {
	return feed[logs]{
		op: op, subs: c.subs, method: "logsSubscribe", item: logsItem, since: since, behind: behind(commitment),
		params: []any{filter, config{Commitment: commitment}},
	}
}

func logsEvent(e *merge.Event[logs]) LogsEvent {
	return LogsEvent{e.Value.Signature, e.Value.Err, e.Value.Logs, positionOf(e)}
}

func logsItem(result json.RawMessage) (merge.Item[logs], error) {
	var in struct {
		Context slotContext `json:"context"`
		Value   logs        `json:"value"`
	}
	if err := decode.JSON(result, &in); err != nil {
		return merge.Item[logs]{}, err
	}
	if !isSignature(in.Value.Signature) || in.Context.Slot == 0 {
		return merge.Item[logs]{}, errIncomplete
	}
	if string(in.Value.Err) == "null" {
		in.Value.Err = nil
	}
	return merge.Item[logs]{ID: string(in.Value.Signature), Slot: in.Context.Slot, Value: in.Value}, nil
}

// logsOf reduces a transaction to its logs.
func logsOf(t *merge.Item[tx.Transaction]) (logs, bool) {
	return logs{types.Signature(t.ID), t.Value.Meta.Err, t.Value.Meta.LogMessages}, true
}

// blocks is the history of the whole chain.
func (c *Client) blocks(commitment types.Commitment) history[tx.Transaction] {
	return func(ctx context.Context, r merge.Reading[tx.Transaction]) error {
		slots, err := c.slotsOfBlocks(ctx, r.Since, r.Until, commitment)
		if err != nil {
			return err
		}
		for _, slot := range slots {
			block, err := c.reads.Block(ctx, slot, &rpc.BlockOptions{Commitment: commitment, Encoding: types.EncodingBase64, HideRewards: true})
			if err != nil {
				return err
			}
			for i := range block.Transactions {
				t := &block.Transactions[i]
				t.Slot = slot
				if isVote(t) {
					continue
				}
				if err := r.Emit(itemOf(*t)); err != nil {
					return err
				}
			}
		}
		return nil
	}
}

// slotsOfBlocks asks a node that has reached until.
func (c *Client) slotsOfBlocks(ctx context.Context, since, until uint64, commitment types.Commitment) ([]uint64, error) {
	reached, err := c.reads.Slot(ctx, &rpc.ReadOptions{Commitment: commitment, MinContextSlot: until})
	if err != nil {
		return nil, err
	}
	return c.reads.Blocks(ctx, since, min(until+merge.Margin, reached)+1, &rpc.CommitmentOptions{Commitment: commitment})
}
