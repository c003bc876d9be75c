package rpc

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/decode"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/tx"
)

var opSendTransaction = op("rpc.Client.SendTransaction", "sendTransaction")

// SendOptions are the options of [Client.SendTransaction]. The zero value, like nil, means
// a preflight, and that the node sends the transaction again until its blockhash expires.
type SendOptions struct {
	// Commitment selects the state for the preflight. Set the commitment with which the blockhash
	// was read, or a lower one: an older state does not know the blockhash. Empty means
	// CommitmentConfirmed, which is right for finalized blockhashes too. Wire name:
	// preflightCommitment.
	Commitment types.Commitment `json:"preflightCommitment"`

	// SkipPreflight sends the transaction without checking its signatures and simulating it.
	SkipPreflight bool `json:"skipPreflight,omitempty"`

	// MaxRetries limits how often the node sends the transaction again. 0 means until its
	// blockhash expires.
	MaxRetries uint64 `json:"-"`

	// NoRetries makes the node send the transaction once. Wire name: maxRetries, which is 0
	// then.
	NoRetries bool `json:"-"`

	// MinContextSlot is the oldest acceptable slot of the node; 0 means any.
	MinContextSlot uint64 `json:"minContextSlot,omitempty"`

	// MEVProtect keeps the transaction away from validators known to front-run. URL
	// parameter: mev-protect.
	MEVProtect bool `json:"-"`

	// RebateAddress is the wallet that receives a share of the searchers' profit from the
	// transaction; empty means none. URL parameter: rebate-address.
	RebateAddress types.Address `json:"-"`

	// Sender sends to [types.Config.SenderURL], which costs no credits. The transaction has to
	// pay a tip. Nothing is preflighted, and the node sends once, as with NoRetries.
	Sender bool `json:"-"`

	// SWQoSOnly uses the cheaper route of Sender: staked connections only. It requires Sender. URL
	// parameter: swqos_only.
	SWQoSOnly bool `json:"-"`
}

func (o *SendOptions) check() error {
	switch {
	case o.NoRetries && o.MaxRetries > 0:
		return argument.Invalid("MaxRetries", "does not go with NoRetries")
	case o.Sender && (o.MaxRetries > 0 || o.MinContextSlot > 0 || o.MEVProtect || o.RebateAddress != ""):
		return argument.Invalid("Sender", "does not go with MaxRetries, MinContextSlot, MEVProtect or RebateAddress")
	case o.SWQoSOnly && !o.Sender:
		return argument.Invalid("SWQoSOnly", "requires Sender")
	}
	return argument.Fields(o)
}

// parameters returns the options that are part of the URL.
func (o *SendOptions) parameters() url.Values {
	q := url.Values{}
	if o.MEVProtect {
		q.Set("mev-protect", "true")
	}
	if o.RebateAddress != "" {
		q.Set("rebate-address", string(o.RebateAddress))
	}
	if o.SWQoSOnly {
		q.Set("swqos_only", "true")
	}
	return q
}

// A sendConfig is the wire form of SendOptions.
type sendConfig struct {
	Encoding types.Encoding `json:"encoding"` // without it, nodes expect base58
	SendOptions
	MaxRetries *uint64 `json:"maxRetries,omitempty"`
}

// SendTransaction sends a signed transaction, in its wire format, and returns its signature. It
// costs 1 credit. An accepted transaction may still not be executed: wait with
// [stream.Client.Confirm], or use [stream.Client.Send].
//
// A failed preflight is a [*PreflightError]. If an error also matches [types.ErrMayHaveExecuted],
// this call may have sent the transaction, for example in an attempt whose response was lost.
// [tx.SignatureOf] returns its signature. A transaction that the node has processed already counts
// as sent. The network executes a transaction at most once: lost attempts are repeated, and you may
// repeat the call.
//
// JSON-RPC method: sendTransaction.
//
// [stream.Client.Confirm]: https://pkg.go.dev/github.com/solwire/solwire-go/rpc/stream#Client.Confirm
// [stream.Client.Send]: https://pkg.go.dev/github.com/solwire/solwire-go/rpc/stream#Client.Send
func (c *Client) SendTransaction(ctx context.Context, signed []byte, opts *SendOptions) (types.Signature, error) {
	o := argument.Options(opts)
	signature, unsigned := tx.SignatureOf(signed)
	if unsigned != nil {
		unsigned = fmt.Errorf("signed: %w", unsigned)
	}
	invalid := cmp.Or(unsigned, o.check())
	api := c.api
	if o.Sender && c.api != nil {
		api, invalid = c.sender, cmp.Or(invalid, c.noSender)
		o.SkipPreflight, o.NoRetries = true, true
	}
	if err := c.api.Check(opSendTransaction, invalid); err != nil {
		return "", err
	}
	o.Commitment = cmp.Or(o.Commitment, types.CommitmentConfirmed)
	config := sendConfig{Encoding: types.EncodingBase64, SendOptions: o}
	if o.MaxRetries > 0 || o.NoRetries {
		config.MaxRetries = &o.MaxRetries
	}
	var data []byte
	var credits func(*types.Signature) uint64
	if o.Sender {
		credits = func(*types.Signature) uint64 { return 0 }
	}
	_, err := transport.Result(ctx, api, transport.Query[types.Signature]{
		Op: opSendTransaction, Params: []any{signed, config}, Changes: true, Repeats: true, URL: o.parameters(), Credits: credits,
		Data: func(b []byte) { data = b },
		Check: func(got *types.Signature) error {
			if *got != signature {
				return fmt.Errorf("the response is signature %q, not %q", *got, signature)
			}
			return nil
		},
	})
	if failed := preflightError(err, data); failed != nil {
		err = failed
		if string(failed.Simulation.TransactionError) == `"AlreadyProcessed"` {
			err = nil // such as by an attempt whose response was lost
		}
	}
	if err != nil {
		return "", err
	}
	return signature, nil
}

// A PreflightError means that a node did not send a transaction, because its simulation failed. If
// the error also matches [types.ErrMayHaveExecuted], an earlier attempt may have sent it. Get it
// with errors.As.
type PreflightError struct {
	// Simulation has the TransactionError, the Logs and the UnitsConsumed. Nodes leave out
	// the accounts, the balances and the inner instructions.
	Simulation Simulation

	err error // an APIError, of an attempt before which others may have been executed
}

// preflightError makes a PreflightError of err and the data of the response; nil for another
// error.
func preflightError(err error, data []byte) *PreflightError {
	var refusal *types.APIError
	if !errors.As(err, &refusal) || refusal.Code != -32002 || refusal.StatusCode != http.StatusOK {
		return nil // the gateway has another meaning of the code, with another status
	}
	p := &PreflightError{err: err}
	if decode.JSON(data, &p.Simulation) != nil { // the reason is enough
		var reason struct {
			Err json.RawMessage `json:"err"`
		}
		_ = decode.JSON(data, &reason)
		p.Simulation = Simulation{TransactionError: decode.Present(reason.Err)}
	}
	if p.Simulation.TransactionError == nil {
		return nil
	}
	return p
}

// Error returns the message of the node and, for an unknown blockhash, advice.
func (e *PreflightError) Error() string {
	if e.err == nil {
		return "preflight failed"
	}
	text := e.err.Error()
	if string(e.Simulation.TransactionError) == `"BlockhashNotFound"` {
		text += " (it has expired, or is of a lower commitment than Commitment)"
	}
	return text
}

// Unwrap returns the [types.APIError].
func (e *PreflightError) Unwrap() error { return e.err }
