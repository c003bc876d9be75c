package stream

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/wait"
	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/tx"
)

var opSend = op("stream.Client.Send", "sendTransaction")

// sendInterval is the time between two sends of a transaction.
const sendInterval = 5 * time.Second

// SendOptions are the options of [Client.Send]. The zero value, like nil, means a preflight,
// and a confirmed transaction.
type SendOptions struct {
	Request rpc.SendOptions // of each send; after a successful send, there is no preflight
	Confirm ConfirmOptions  // of the confirmation
}

// Send sends a signed transaction, in its wire format, and waits for it as [Client.Confirm] does.
// It sends the transaction again every 5 seconds, since nodes and validators may drop it. The
// network executes a transaction at most once.
//
// Send returns the status and the errors of Confirm. If the error is a [*rpc.PreflightError], the
// preflight failed, and this call has sent nothing. If the error matches
// [types.ErrMayHaveExecuted], as when the context ends, the outcome is unknown: call Send again
// with the same bytes.
//
// Each send costs 1 credit, or none with Request.Sender, in addition to the credits of Confirm.
//
// JSON-RPC method: sendTransaction.
func (c *Client) Send(ctx context.Context, signed []byte, opts *SendOptions) (*rpc.SignatureStatus, error) {
	o := argument.Options(opts)
	signature, invalid := tx.SignatureOf(signed)
	if invalid != nil {
		invalid = fmt.Errorf("signed: %w", invalid)
	}
	if err := c.check(ctx, opSend, cmp.Or(invalid, argument.Commitment(o.Confirm.Commitment))); err != nil {
		return nil, err
	}
	s := sender{client: c, signed: signed, opts: o.Request}
	confirming, cancel := context.WithCancel(ctx)
	var running sync.WaitGroup
	running.Go(func() {
		defer cancel()
		s.run(confirming)
	})
	status, err := c.Confirm(confirming, signature, &o.Confirm)
	cancel()
	running.Wait()
	switch {
	case err == nil, errors.Is(err, ErrFailed):
		return status, err
	case s.refused != nil:
		return nil, s.refused
	case errors.Is(err, ErrExpired) && s.last != nil:
		return nil, fmt.Errorf("%w (last send: %v)", err, s.last) //nolint:errorlint // it is not the cause
	case !errors.Is(err, ErrExpired) && s.sent:
		return nil, fmt.Errorf("%w: %w", err, types.ErrMayHaveExecuted)
	}
	return nil, err
}

// A sender sends a transaction again and again.
type sender struct {
	client *Client
	signed []byte
	opts   rpc.SendOptions

	sent    bool  // a node may have got it
	refused error // by the first node that got it; this call has sent nothing
	last    error // of the last send
}

// run sends until ctx ends or the transaction is refused.
func (s *sender) run(ctx context.Context) {
	for ctx.Err() == nil {
		_, err := s.client.rpc.SendTransaction(ctx, s.signed, &s.opts)
		s.sent = s.sent || err == nil || errors.Is(err, types.ErrMayHaveExecuted)
		switch {
		case ctx.Err() != nil:
			return
		case err == nil:
			s.opts.SkipPreflight = true // it fails once the transaction is executed
		case !s.sent && isFinal(err):
			s.refused = err
			return
		}
		s.last = err
		_ = wait.For(ctx, sendInterval)
	}
}

// isFinal reports whether sending the transaction again is useless. A node that is behind
// does not know its blockhash yet.
func isFinal(err error) bool {
	var failed *rpc.PreflightError
	if errors.As(err, &failed) {
		reason := string(failed.Simulation.TransactionError)
		return reason != `"BlockhashNotFound"`
	}
	return final(err, true) != nil
}
