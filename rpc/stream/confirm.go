package stream

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
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
	slotTime     = 400 * time.Millisecond // of a block, at least

	// validBlocks is the number of blocks for which a blockhash is valid. Nodes differ by
	// agreement blocks.
	validBlocks = 150
	agreement   = 48
)

// ConfirmOptions are the options of [Client.Confirm]. The zero value, like nil, means
// confirmed.
type ConfirmOptions struct {
	Commitment types.Commitment // empty means types.CommitmentConfirmed
}

// Confirm waits until a transaction has reached a commitment, and returns its status; at
// once if it has already reached it. A transaction that failed is an error that matches
// [ErrFailed], with its status. One that can no longer be executed matches [ErrExpired],
// about 95 seconds after the call. To read the transaction then, set the same commitment:
// the default of package rpc is finalized.
//
// It costs 1 credit per connection, and 2 to 3 credits per 15 seconds.
//
// WebSocket method: signatureSubscribe.
func (c *Client) Confirm(ctx context.Context, signature types.Signature, opts *ConfirmOptions) (*rpc.SignatureStatus, error) {
	o := *cmp.Or(opts, new(ConfirmOptions))
	invalid := cmp.Or(argument.Signature("signature", signature), argument.Commitment(o.Commitment))
	w := confirmation{
		client: c, signature: signature, commitment: cmp.Or(o.Commitment, types.CommitmentConfirmed),
		expiry: expiry{began: time.Now()},
		told:   make(chan *rpc.SignatureStatus, 1), failed: make(chan error, 1), ask: make(chan struct{}, 1),
	}
	ctx, loop, end, err := c.begin(ctx, opConfirm, c.subs, invalid, []any{signature, config{Commitment: w.commitment}}, &w)
	if err != nil {
		return nil, err
	}
	defer end()
	status, err := w.wait(ctx, loop)
	switch {
	case err != nil:
		return nil, loop.explain(err)
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

	told   chan *rpc.SignatureStatus
	failed chan error
	ask    chan struct{}
	asked  bool // since the last break

	expiry  expiry
	expired int // polls in a row that found the transaction expired
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
	select {
	case w.told <- &rpc.SignatureStatus{Slot: in.Context.Slot, Err: decode.Present(in.Value.Err), ConfirmationStatus: w.commitment}:
	default: // told before
	}
}

func (w *confirmation) Pulse(uint64) {
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

func (w *confirmation) Fail(err error) { w.failed <- err }

func (w *confirmation) wait(ctx context.Context, loop *loop) (*rpc.SignatureStatus, error) {
	for next := pollInterval; ; {
		select {
		case status := <-w.told:
			return status, nil
		case err := <-w.failed:
			return nil, err
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-w.ask:
		case <-time.After(next):
		}
		next = pollInterval
		status, expired, err := w.poll(ctx)
		loop.filling(nil, err)
		switch {
		case err != nil && (ctx.Err() != nil || final(err, true) != nil):
			return nil, err
		case err != nil: // asked again
		case status != nil:
			return status, nil
		case !expired:
			w.expired = 0
		default:
			w.expired++
			if w.expired == 2 {
				return nil, ErrExpired
			}
			next = pollInterval / 3
		}
	}
}

// poll asks for the status; nil if it has not reached the commitment.
func (w *confirmation) poll(ctx context.Context) (status *rpc.SignatureStatus, expired bool, err error) {
	chain, err := w.client.rpc.EpochInfo(ctx, &rpc.ReadOptions{Commitment: types.CommitmentConfirmed})
	if err != nil {
		return nil, false, err
	}
	first := w.expiry.at.IsZero()
	beyond := w.expiry.read(chain.BlockHeight, time.Now())
	all, slot, err := transport.Value(ctx, w.client.api, transport.Query[[]*rpc.SignatureStatus]{
		Op:     opStatuses,
		Params: []any{[]types.Signature{w.signature}, rpc.SignatureStatusesOptions{WholeHistory: first || beyond > 0}},
		Check:  func(list *[]*rpc.SignatureStatus) error { return transport.OnePer(1, len(*list)) },
	})
	if err != nil {
		return nil, false, err
	}
	switch status = (*all)[0]; {
	case status == nil: // a node behind the last block of the transaction may lack it
		return nil, beyond > 0 && slot+beyond > chain.AbsoluteSlot, nil
	case level(status.ConfirmationStatus) < level(w.commitment):
		return nil, false, nil
	}
	return status, false, nil
}

// An expiry finds the block height at which a transaction can no longer be executed. No
// height is believed alone, since nodes are behind, ahead or of another cluster: one that
// does not continue the reading before is a jump, with which the end moves as soon as a
// further reading continues it. A height that is far off is left out, unless the next one
// continues it: then all begins anew.
type expiry struct {
	began, at     time.Time
	odd           int64 // the last reading that was left out
	first, height int64 // as if all nodes had the height of the last reading
	last          int64 // height at which the transaction may be executed; 0 if unknown
}

// read returns by how many blocks the chain is beyond the last height; 0 if it is not, or
// if this is not known.
func (e *expiry) read(blockHeight uint64, now time.Time) (beyond uint64) {
	const farOff = 2000
	height := int64(blockHeight)
	most := int64(now.Sub(e.at) / slotTime)
	grown := height - e.height
	switch {
	case e.at.IsZero() || abs(grown) > most+farOff && e.odd != 0 && abs(height-e.odd) <= most+farOff:
		*e = expiry{began: e.began, first: height, height: height, at: now}
		return 0
	case abs(grown) > most+farOff:
		e.odd = height
		return 0
	}
	e.height, e.at, e.odd = height, now, 0
	if grown < -agreement || grown > most+agreement {
		e.first += grown
		return 0
	}
	e.last = max(e.last, e.first+validBlocks+agreement)
	if height <= e.last || now.Sub(e.began) < validBlocks*slotTime {
		return 0
	}
	return uint64(height - e.last)
}

func abs(n int64) int64 { return max(n, -n) }

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
