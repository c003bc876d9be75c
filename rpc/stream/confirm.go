package stream

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/decode"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/types"
)

var (
	opConfirm  = op("stream.Client.Confirm", "signatureSubscribe")
	opStatuses = op("stream.Client.Confirm", "getSignatureStatuses")
)

// Errors of [Client.Confirm] and [Client.Send].
var (
	// ErrFailed says that the transaction is in the chain and failed. It paid its fee and
	// advanced its durable nonce, if it has one, and changed nothing else.
	ErrFailed = errors.New("the transaction failed")

	// ErrExpired says that the transaction is not in the chain and can no longer be executed.
	// You may sign and send it again with a new blockhash. Do not rely on ErrExpired for a
	// transaction with a durable nonce, which does not expire.
	ErrExpired = errors.New("the transaction expired")
)

const (
	pollInterval = 15 * time.Second
	slotTime     = 400 * time.Millisecond // of a block, at least

	// validBlocks is the number of blocks for which a blockhash is valid.
	validBlocks = 150

	// The heights of healthy nodes differ by less than heightSpread blocks. An estimated last valid
	// height has the estimateMargin, since a node may have been behind by as much unnoticed.
	heightSpread   = 16
	estimateMargin = 72
)

// ConfirmOptions are the options of [Client.Confirm]. The zero value, like nil, means
// confirmed.
type ConfirmOptions struct {
	Commitment types.Commitment // empty means types.CommitmentConfirmed

	// LastValidBlockHeight is the last height at which the transaction can be executed.
	// rpc.Client.LatestBlockhash returns it with a blockhash. 0 means an estimate: 150 blocks
	// after the call, and a margin.
	LastValidBlockHeight uint64
}

// Confirm waits until a transaction has reached a commitment, and returns its status. It returns at
// once for a transaction that has already reached it. If the transaction failed, the error matches
// [ErrFailed], and the status says why. If it can no longer be executed, the error matches
// [ErrExpired], by default about 95 seconds after the call. Other errors are the errors of a loop:
// see Errors in the package comment.
//
// Other nodes may have the transaction seconds later. To read it, set Commitment and Wait of
// [rpc.TransactionOptions]: the default commitment there is finalized.
//
// It costs 2 to 3 credits per 15 seconds.
//
// WebSocket method: signatureSubscribe.
func (c *Client) Confirm(ctx context.Context, signature types.Signature, opts *ConfirmOptions) (*rpc.SignatureStatus, error) {
	o := argument.Options(opts)
	invalid := cmp.Or(argument.Signature("signature", signature), argument.Commitment(o.Commitment))
	w := confirmation{
		client: c, signature: signature, commitment: cmp.Or(o.Commitment, types.CommitmentConfirmed),
		expiry:   expiry{lastValid: o.LastValidBlockHeight, known: o.LastValidBlockHeight != 0},
		notified: make(chan *rpc.SignatureStatus, 1), ended: make(chan error, 1), connected: make(chan struct{}, 1),
	}
	err := c.run(ctx, subscription{op: opConfirm, invalid: invalid, params: []any{signature, config{Commitment: w.commitment}}}, &w, w.wait)
	if err == nil && w.status.TransactionError != nil {
		err = fmt.Errorf("%s: %w: %s", opConfirm, ErrFailed, w.status.TransactionError)
	}
	return w.status, err
}

// A confirmation waits for the notification, and polls the status too. It polls after every
// connect, since a node may not notify a transaction that was confirmed before. It polls at
// intervals, since connections fall silent.
type confirmation struct {
	client     *Client
	signature  types.Signature
	commitment types.Commitment

	notified  chan *rpc.SignatureStatus
	ended     chan error
	connected chan struct{}
	polled    bool // since the connection began

	status  *rpc.SignatureStatus // nil below the commitment
	expiry  expiry
	expired int // polls in a row that found the transaction expired
}

func (w *confirmation) Notify(result json.RawMessage) {
	var in notification[struct {
		Err json.RawMessage `json:"err"`
	}]
	if decode.JSON(result, &in) != nil || in.Context.Slot == 0 {
		w.polled = false
		return
	}
	select {
	case w.notified <- &rpc.SignatureStatus{Slot: in.Context.Slot, TransactionError: decode.Present(in.Value.Err), ConfirmationStatus: w.commitment}:
	default: // notified before
	}
}

func (w *confirmation) Pulse(uint64) {
	if w.polled {
		return
	}
	w.polled = true
	select {
	case w.connected <- struct{}{}:
	default:
	}
}

func (w *confirmation) Break(error) { w.polled = false }

func (w *confirmation) Fail(err error) { w.ended <- err }

func (w *confirmation) wait(ctx context.Context, l *loop) error {
	for next := pollInterval; ; {
		select {
		case w.status = <-w.notified:
			return nil
		case err := <-w.ended:
			return err
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-w.connected:
		case <-time.After(next):
		}
		next = pollInterval
		expired, err := w.poll(ctx)
		l.filling(nil, err)
		switch {
		case w.status != nil:
			return nil
		case err != nil && (ctx.Err() != nil || final(err, true) != nil):
			return err
		case err != nil: // polled again
		case !expired:
			w.expired = 0
		default:
			w.expired++
			if w.expired == 2 {
				return ErrExpired
			}
			next = pollInterval / 3
		}
	}
}

// poll reads the height of the chain, and then the status. A transaction has expired if the chain
// is past its last valid height, and a node at this height has no status of it.
func (w *confirmation) poll(ctx context.Context) (expired bool, err error) {
	var lastSlot uint64 // of the last valid block, at most
	chain, unread := w.client.rpc.EpochInfo(ctx, &rpc.ReadOptions{Commitment: types.CommitmentConfirmed})
	first := w.expiry.read.IsZero()
	if unread == nil {
		if past := w.expiry.past(chain.BlockHeight, time.Now()); past > 0 {
			lastSlot = chain.AbsoluteSlot - past
		}
	}
	all, slot, err := transport.Value(ctx, w.client.api, transport.Query[[]*rpc.SignatureStatus]{
		Op:     opStatuses,
		Params: []any{[]types.Signature{w.signature}, rpc.SignatureStatusesOptions{WholeHistory: first || lastSlot > 0}},
		Check:  func(list *[]*rpc.SignatureStatus) error { return transport.OnePer(1, len(*list)) },
	})
	if err != nil {
		return false, err
	}
	levels := []types.Commitment{types.CommitmentProcessed, types.CommitmentConfirmed, types.CommitmentFinalized}
	switch status := (*all)[0]; {
	case status == nil:
		return lastSlot > 0 && slot >= lastSlot, unread
	case slices.Index(levels, status.ConfirmationStatus) >= slices.Index(levels, w.commitment):
		w.status = status
	}
	return false, unread
}

// An expiry knows the last block height at which a transaction can be executed, or estimates it
// from the first height. The first node may have been behind: a height that rose faster than blocks
// are made shows that, and counts as the first.
type expiry struct {
	lastValid uint64
	known     bool      // whether lastValid is exact
	highest   uint64    // of all heights
	at        time.Time // of the highest one
	read      time.Time // the time of the last height
}

// past returns by how many blocks a height is past the last valid one.
func (e *expiry) past(height uint64, now time.Time) uint64 {
	fastest := e.highest + uint64(now.Sub(e.at)/slotTime) + heightSpread
	begins := height > fastest || now.Sub(e.read) > 2*pollInterval
	if begins && !e.known {
		e.lastValid = height + validBlocks + estimateMargin
	}
	if begins || height > e.highest {
		e.highest, e.at = height, now
	}
	e.read = now
	return height - min(height, e.lastValid)
}
