package stream

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/decode"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/types"
)

var (
	opConfirm  = transport.Op{Method: "stream.Client.Confirm", Wire: "signatureSubscribe"}
	opStatuses = transport.Op{Method: "stream.Client.Confirm", Wire: "getSignatureStatuses"}
)

// Errors of [Client.Confirm].
var (
	// ErrFailed says that the transaction is in the chain and failed: it changed nothing
	// but the balance of its fee payer.
	ErrFailed = errors.New("the transaction failed")

	// ErrExpired says that the transaction is not in the chain and can no longer come
	// into it, so that it may be sent again with a new blockhash. It does not hold for
	// transactions with a durable nonce.
	ErrExpired = errors.New("the transaction expired")
)

const (
	pollInterval = 15 * time.Second

	// validBlocks is the number of blocks for which a blockhash is valid, and some more,
	// since nodes differ.
	validBlocks = 150 + 32
)

// ConfirmOptions are the options of [Client.Confirm]. The zero value, like nil, means
// confirmed.
type ConfirmOptions struct {
	Commitment types.Commitment // empty means types.CommitmentConfirmed
}

// Confirm waits until a transaction has reached a commitment, and returns its status; at
// once if it has already reached it. A transaction that failed is an error that matches
// [ErrFailed], with its status. One that can no longer be executed matches [ErrExpired],
// about 80 seconds after the call. To read the transaction then, set the same commitment:
// the default of package rpc is finalized.
//
// It costs 1 credit per connection, and 2 to 3 credits per 15 seconds.
//
// WebSocket method: signatureSubscribe.
func (c *Client) Confirm(ctx context.Context, signature types.Signature, opts *ConfirmOptions) (*rpc.SignatureStatus, error) {
	var o ConfirmOptions
	if opts != nil {
		o = *opts
	}
	if err := c.check(ctx, opConfirm, cmp.Or(argument.Signature("signature", signature), argument.Commitment(o.Commitment))); err != nil {
		return nil, err
	}
	if err := cancelled(ctx); err != nil {
		return nil, named(opConfirm, err)
	}
	w := confirmation{
		client: c, signature: signature, commitment: cmp.Or(o.Commitment, types.CommitmentConfirmed),
		done: make(chan *rpc.SignatureStatus, 1), failed: make(chan error, 1), ask: make(chan struct{}, 1),
	}
	defer c.subs.Subscribe("signatureSubscribe", []any{signature, config{Commitment: w.commitment}}, &w)()
	status, err := w.wait(ctx)
	switch {
	case err != nil:
		return nil, named(opConfirm, err)
	case status.Err != nil:
		return status, fmt.Errorf("%s: %w: %s", opConfirm, ErrFailed, status.Err)
	}
	return status, nil
}

// A confirmation waits for the notification, and asks for the status too: after every
// connect, since a node may not notify what was confirmed before, and in between, since
// connections fall silent.
type confirmation struct {
	client     *Client
	signature  types.Signature
	commitment types.Commitment

	done   chan *rpc.SignatureStatus
	failed chan error
	ask    chan struct{}
	asked  bool // since the last break

	slot atomic.Uint64 // the last that a node has told
	last uint64        // the last block height at which the transaction may be executed
}

func (w *confirmation) Notify(result json.RawMessage) {
	var in struct {
		Context slotContext `json:"context"`
		Value   struct {
			Err json.RawMessage `json:"err"`
		} `json:"value"`
	}
	if decode.JSON(result, &in) != nil || in.Context.Slot == 0 {
		w.asked = false
		return
	}
	if string(in.Value.Err) == "null" {
		in.Value.Err = nil
	}
	select {
	case w.done <- &rpc.SignatureStatus{Slot: in.Context.Slot, Err: in.Value.Err, ConfirmationStatus: w.commitment}:
	default:
	}
}

func (w *confirmation) Pulse(slot uint64) {
	w.slot.Store(max(slot, w.slot.Load()))
	if w.asked {
		return
	}
	w.asked = true
	select {
	case w.ask <- struct{}{}:
	default:
	}
}

func (w *confirmation) Break(error) { w.asked = false }

func (w *confirmation) Fail(err error) {
	select {
	case w.failed <- err:
	default:
	}
}

func (w *confirmation) wait(ctx context.Context) (*rpc.SignatureStatus, error) {
	ticker := time.NewTicker(pollInterval)
	defer ticker.Stop()
	for {
		select {
		case status := <-w.done:
			return status, nil
		case err := <-w.failed:
			return nil, err
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-w.ask:
		case <-ticker.C:
		}
		status, expired, err := w.poll(ctx)
		switch {
		case err != nil && (ctx.Err() != nil || permanent(err)):
			return nil, err
		case err != nil: // asked again
		case status != nil:
			return status, nil
		case expired:
			return nil, ErrExpired
		}
	}
}

// poll asks for the status; nil if it has not reached the commitment.
func (w *confirmation) poll(ctx context.Context) (status *rpc.SignatureStatus, expired bool, err error) {
	chain, err := w.client.rpc.EpochInfo(ctx, &rpc.ReadOptions{Commitment: types.CommitmentConfirmed})
	if err != nil {
		return nil, false, err
	}
	expired = w.last != 0 && chain.BlockHeight > w.last
	search := w.last == 0 || expired // in the history, which takes longer
	all, slot, err := transport.Value(ctx, w.client.api, transport.Query[[]*rpc.SignatureStatus]{
		Op: opStatuses, Params: []any{[]types.Signature{w.signature}, rpc.SignatureStatusesOptions{WholeHistory: search}},
		Check: func(list *[]*rpc.SignatureStatus) error { return transport.OnePer(1, len(*list)) },
	})
	if err != nil {
		return nil, false, err
	}
	if w.last == 0 { // this node may be behind, by at most a block per slot
		latest := max(chain.AbsoluteSlot, slot, w.slot.Load())
		w.last = chain.BlockHeight + latest - chain.AbsoluteSlot + validBlocks
	}
	switch status = (*all)[0]; {
	case status == nil:
		return nil, expired && slot >= chain.AbsoluteSlot, nil // a node that is behind may lack it
	case level(status.ConfirmationStatus) < level(w.commitment):
		return nil, false, nil
	}
	return status, false, nil
}

// level orders commitments. A status without one is of a node that is too old to send it,
// for a finalized transaction.
func level(c types.Commitment) int {
	switch c {
	case types.CommitmentProcessed:
		return 0
	case types.CommitmentConfirmed:
		return 1
	}
	return 2
}
