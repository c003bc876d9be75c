package webhooks

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"

	"github.com/solwire/solwire-go/internal/decode"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/enhanced"
	"github.com/solwire/solwire-go/types/tx"
)

// Limits of a delivery. Real deliveries hold a few transactions of some kilobytes.
// Without these limits, a body of the permitted size could take many times its size in
// memory: as events or objects of two bytes, or as lists of one-digit numbers.
const (
	maxEvents  = 1000
	maxObjects = 1 << 17 // in all events together
	maxValues  = 1 << 19 // in all events together
)

// An Event is a transaction that a webhook delivered. Kind tells whether Enhanced or
// Raw holds it. The other one is the zero value, so that reading it is safe.
type Event struct {
	Kind      Kind                 // which of the two forms was delivered
	Signature types.Signature      // of the transaction; identifies the event
	Slot      uint64               // of the transaction; 0 when unknown
	BlockTime types.Time           // zero when unknown
	Enhanced  enhanced.Transaction // zero unless Kind is KindEnhanced
	Raw       tx.Transaction       // zero unless Kind is KindRaw
	Err       error                // why it could not be decoded; both forms are zero then

	// Address is the watched address that the transaction is about, the first one of several.
	// A Keeper and a backfill set it; it is empty when unknown.
	Address types.Address

	// JSON is the event as delivered or backfilled, for [ParseEvents] and unknown members.
	// Store it as text or bytes: type jsonb of PostgreSQL refuses the \u0000 that
	// strangers can put into names.
	JSON json.RawMessage
}

// about returns the first wanted address that the transaction is about, empty if there is none.
func (e *Event) about(wanted map[types.Address]bool) types.Address {
	all := e.Raw.Accounts()
	for _, d := range e.Enhanced.AccountData {
		all = append(all, d.Account)
	}
	for _, a := range all {
		if wanted[a] {
			return a
		}
	}
	return ""
}

// A Kind is the form of an [Event].
type Kind string

// The kinds of events.
const (
	KindEnhanced Kind = "enhanced" // of a webhook of TypeEnhanced or TypeEnhancedDevnet
	KindRaw      Kind = "raw"      // of a webhook of TypeRaw or TypeRawDevnet
)

// ParseEvents decodes the body of a delivery, or a stored [Event.JSON]: a list of
// events, or one event. An event that has a signature but cannot be decoded otherwise
// has its Err set. [Receiver] calls it for you.
//
// The error matches [types.ErrInvalid] if body is not JSON, or an event has no
// signature. It matches [types.ErrTooLarge] for more than 1000 events, or about 131072
// objects or 524288 values in them.
func ParseEvents(body []byte) ([]*Event, error) {
	events, bad, err := parse(body)
	if err := cmp.Or(err, bad); err != nil {
		return nil, err
	}
	return events, nil
}

// parse decodes a body. Bad is the error of the first event that cannot be identified,
// which is left out; err refuses all events.
func parse(body []byte) (events []*Event, bad, err error) {
	list := make([]json.RawMessage, 1)
	var into any = &list[0]
	if bytes.HasPrefix(bytes.TrimLeft(body, " \t\r\n"), []byte("[")) {
		into = &list
	}
	objects := bytes.Count(body, []byte("{"))
	switch { // before they take memory; signs in a text count, too
	case objects+bytes.Count(body, []byte("null")) > maxObjects:
		return nil, nil, fmt.Errorf("more than %d objects: %w", maxObjects, types.ErrTooLarge)
	case objects+bytes.Count(body, []byte("["))+bytes.Count(body, []byte(",")) > maxValues:
		return nil, nil, fmt.Errorf("more than %d values: %w", maxValues, types.ErrTooLarge)
	}
	if err := json.Unmarshal(body, into); err != nil {
		return nil, nil, malformed("body", err)
	}
	if len(list) > maxEvents {
		return nil, nil, fmt.Errorf("more than %d events: %w", maxEvents, types.ErrTooLarge)
	}
	for i, raw := range list {
		e, err := parseEvent(raw)
		switch {
		case err == nil:
			events = append(events, e)
		case bad == nil:
			bad = malformed(fmt.Sprintf("event %d", i), err)
		}
	}
	return events, bad, nil
}

// parseEvent tells the kinds apart by the member transaction, which only raw events have.
func parseEvent(raw json.RawMessage) (*Event, error) {
	var in struct {
		Signature   types.Signature `json:"signature"`
		Transaction *struct {
			Signatures []types.Signature `json:"signatures"`
		} `json:"transaction"`
	}
	if err := decode.JSON(raw, &in); err != nil {
		return nil, err
	}
	e := Event{Kind: KindEnhanced, Signature: in.Signature, JSON: raw}
	if in.Transaction != nil {
		e.Kind, e.Signature = KindRaw, append(in.Transaction.Signatures, "")[0]
	}
	if _, err := e.Signature.Bytes(); err != nil {
		return nil, err
	}
	whole := e
	var err error
	if e.Kind == KindRaw {
		err = decode.JSON(raw, &whole.Raw)
		whole.Slot, whole.BlockTime = whole.Raw.Slot, whole.Raw.BlockTime
	} else {
		err = decode.JSON(raw, &whole.Enhanced)
		whole.Slot, whole.BlockTime = whole.Enhanced.Slot, whole.Enhanced.BlockTime
	}
	if err == nil {
		return &whole, nil
	}
	e.Slot, e.Err = slotOf(raw), malformed("transaction", err)
	return &e, nil
}

// slotOf returns the slot of an event that cannot be decoded, 0 if that is not possible
// either.
func slotOf(raw json.RawMessage) uint64 {
	var in struct {
		Slot uint64 `json:"slot"`
	}
	_ = decode.JSON(raw, &in)
	return in.Slot
}

// malformed says what is wrong with a body, or with an event in it. The cause is cut, since
// it may quote the body.
func malformed(what string, cause error) error {
	return fmt.Errorf("%s: %.100s: %w", what, cause.Error(), types.ErrInvalid)
}
