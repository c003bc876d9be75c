package webhooks

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/solwire/solwire-go/internal/decode"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/enhanced"
	"github.com/solwire/solwire-go/types/tx"
)

// maxEvents is how many events a delivery may have. Real deliveries have a few.
const maxEvents = 1000

// An Event is a transaction that a webhook delivered. Kind tells whether Enhanced or
// Raw has it. The other field is zero.
type Event struct {
	Kind Kind // of the webhook that delivered the event
	// Signature is empty if the delivery lacks it; then Err is set.
	Signature types.Signature
	Slot      uint64               // of the transaction; 0 when unknown
	BlockTime types.Time           // zero when unknown
	Enhanced  enhanced.Transaction // zero unless Kind is KindEnhanced
	Raw       tx.Transaction       // zero unless Kind is KindRaw
	Err       error                // a [types.ItemError] if it cannot be decoded; both are zero then

	// JSON is the event as the service sent it. [ParseEvents] decodes it again. Store it as text
	// or bytes: jsonb of PostgreSQL refuses \u0000, which anybody can put into the name of a token.
	JSON json.RawMessage
}

// A Kind is the form of an [Event].
type Kind string

// The kinds of events.
const (
	KindEnhanced Kind = "enhanced" // of a webhook of TypeEnhanced or TypeEnhancedDevnet
	KindRaw      Kind = "raw"      // of a webhook of TypeRaw or TypeRawDevnet
)

// ParseEvents decodes the body of a delivery, or a stored [Event.JSON]: a list of
// events, or one event. An event that cannot be decoded, or has no signature, has its Err
// set. A [Receiver] calls it for you.
//
// The error matches [types.ErrInvalid] if body is not JSON, and [types.ErrTooLarge] for more
// than 1000 events.
func ParseEvents(body []byte) ([]*Event, error) {
	list := make([]json.RawMessage, 1)
	var into any = &list[0]
	switch start := bytes.TrimLeft(body, " \t\r\n"); {
	case bytes.HasPrefix(start, []byte("[")):
		into = &list
	case len(start) > 0 && start[0] != '{':
		return nil, malformed("body", errors.New("neither a list nor an object"))
	}
	if err := json.Unmarshal(body, into); err != nil {
		return nil, malformed("body", err)
	}
	if len(list) > maxEvents {
		return nil, fmt.Errorf("more than %d events: %w", maxEvents, types.ErrTooLarge)
	}
	var events []*Event
	for _, raw := range list {
		events = append(events, parseEvent(raw))
	}
	return events, nil
}

// parseEvent tells the kinds apart by the members transaction and meta, which only raw events
// have. The service is known to deliver raw ones without a transaction.
func parseEvent(raw json.RawMessage) *Event {
	var in struct {
		Signature   types.Signature `json:"signature"`
		Slot        json.RawMessage `json:"slot"`
		Meta        json.RawMessage `json:"meta"`
		Transaction *struct {
			Signatures []types.Signature `json:"signatures"`
		} `json:"transaction"`
	}
	e := &Event{Kind: KindEnhanced, JSON: raw}
	err := decode.JSON(raw, &in)
	switch {
	case in.Transaction != nil:
		e.Kind, in.Signature = KindRaw, append(in.Transaction.Signatures, "")[0]
	case in.Meta != nil:
		e.Kind, err = KindRaw, cmp.Or(err, errors.New("the event has no transaction"))
	}
	if _, invalid := in.Signature.Bytes(); invalid == nil {
		e.Signature = in.Signature
	} else {
		err = cmp.Or(err, fmt.Errorf("signature: %w", invalid))
	}
	whole := *e
	read := func(part []byte) error {
		whole.Raw, whole.Enhanced = tx.Transaction{}, enhanced.Transaction{}
		if e.Kind == KindRaw {
			return decode.JSON(part, &whole.Raw)
		}
		return decode.JSON(part, &whole.Enhanced)
	}
	path := ""
	if err == nil {
		if _, err = decode.Mended(raw, read); err != nil {
			path, err = decode.Blame(raw, err, read)
		}
	}
	if err != nil {
		_ = json.Unmarshal(in.Slot, &e.Slot) // 0 if that is not possible either
		e.Err = &types.ItemError{Op: "event", ID: string(e.Signature), Path: path, JSON: raw, Err: fmt.Errorf("%.100s: %w", err.Error(), types.ErrInvalid)}
		return e
	}
	whole.Slot, whole.BlockTime = whole.Raw.Slot, whole.Raw.BlockTime
	if e.Kind == KindEnhanced {
		whole.Slot, whole.BlockTime = whole.Enhanced.Slot, whole.Enhanced.BlockTime
	}
	return &whole
}

// malformed is the error of a body, or of an event in it. The cause is cut, since it may quote
// the body.
func malformed(what string, cause error) error {
	return fmt.Errorf("%s: %.100s: %w", what, cause.Error(), types.ErrInvalid)
}
