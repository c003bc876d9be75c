package webhooks

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

// What a delivery may hold. Real ones stay far below: the service sends a
// transaction or a few, each of some kilobytes.
const (
	maxEvents  = 1000    // of two bytes each, a body of the permitted size would fill the memory
	maxObjects = 1 << 17 // in all events together, for the same reason
	maxValues  = 1 << 19 // likewise: in lists, a body of two bytes each would take thirty times its size
	maxDepth   = 64      // of an event
)

// An Event is a transaction that a webhook delivered. Either Enhanced, Raw or
// Err is set.
type Event struct {
	Signature types.Signature      // of the transaction; identifies the event
	Slot      uint64               // of the transaction; events come in no certain order
	Time      types.Time           // of the block; zero when the service did not say
	Enhanced  *EnhancedTransaction // what an enhanced webhook delivers
	Raw       *RawTransaction      // what a raw webhook delivers
	Err       error                // why there is neither: the details are not what they should be
	JSON      json.RawMessage      // the event as it came, for what the types here do not know
}

// ParseEvents reads the body of a delivery, or an [Event.JSON] that was kept: a
// list of events, or a single one. [Receiver] does so by itself. An event with a
// signature whose details cannot be read says so in its Err.
//
// The error matches [types.ErrInvalid]: body is no such JSON, an event has no
// signature, or is nested more than 64 deep. It matches [types.ErrTooLarge]
// when there are more than 1000 events, or more than 131072 objects or 524288
// values in them.
func ParseEvents(body []byte) ([]*Event, error) {
	events, err := parse(body)
	switch {
	case err == nil:
		return events, nil
	case errors.Is(err, types.ErrTooLarge):
		return nil, err
	default:
		return nil, &malformed{fmt.Sprintf("event %d", len(events)), err}
	}
}

// parse reads one event after another, so that a body of very many small ones
// is refused before they take memory. With an error it returns the events
// before it.
func parse(body []byte) (events []*Event, err error) {
	body = bytes.Trim(body, " \t\r\n")
	if len(body) == 0 {
		return nil, errors.New("nothing there")
	}
	dec := json.NewDecoder(bytes.NewReader(body))
	list := body[0] == '['
	if list {
		if _, err := dec.Token(); err != nil {
			return nil, err
		}
	}
	var objects, values int
	for list && dec.More() || len(events) == 0 && !list {
		var raw json.RawMessage
		if err := dec.Decode(&raw); err != nil {
			return events, err
		}
		depth, o, v := extent(raw)
		objects, values = objects+o, values+v
		switch {
		case len(events) == maxEvents:
			return nil, fmt.Errorf("more than %d events: %w", maxEvents, types.ErrTooLarge)
		case objects > maxObjects:
			return nil, fmt.Errorf("more than %d objects: %w", maxObjects, types.ErrTooLarge)
		case values > maxValues:
			return nil, fmt.Errorf("more than %d values: %w", maxValues, types.ErrTooLarge)
		case depth > maxDepth:
			return events, fmt.Errorf("nested more than %d deep", maxDepth)
		}
		e, err := parseEvent(raw)
		if err != nil {
			return events, err
		}
		events = append(events, e)
	}
	if list {
		if _, err := dec.Token(); err != nil {
			return events, err
		}
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return events, cmp.Or(err, errors.New("text after the JSON"))
	}
	return events, nil
}

// parseEvent tells the two kinds apart by the member that only one of them has.
func parseEvent(raw json.RawMessage) (*Event, error) {
	var kind struct {
		Signature   types.Signature `json:"signature"`
		Transaction json.RawMessage `json:"transaction"`
	}
	if err := transport.Decode(raw, &kind); err != nil {
		return nil, err
	}
	e := &Event{Signature: kind.Signature, JSON: raw}
	read := e.readEnhanced
	if bytes.HasPrefix(kind.Transaction, []byte("{")) {
		var signed struct {
			Signatures []types.Signature `json:"signatures"`
		}
		if err := transport.Decode(kind.Transaction, &signed); err != nil {
			return nil, err
		}
		e.Signature = ""
		if len(signed.Signatures) > 0 {
			e.Signature = signed.Signatures[0]
		}
		read = e.readRaw
	}
	if _, err := e.Signature.Bytes(); err != nil {
		return nil, err
	}
	if err := read(); err != nil {
		e.Err = &malformed{"details", err}
	}
	return e, nil
}

func (e *Event) readRaw() error {
	t := new(RawTransaction)
	if err := transport.Decode(e.JSON, t); err != nil {
		return err
	}
	t.Meta.Err = orNil(t.Meta.Err)
	e.Slot, e.Time, e.Raw = t.Slot, t.BlockTime, t
	return nil
}

func (e *Event) readEnhanced() error {
	t := new(EnhancedTransaction)
	if err := transport.Decode(e.JSON, t); err != nil {
		return err
	}
	t.TransactionError = orNil(t.TransactionError)
	for i := range t.Events.Compressed {
		c := &t.Events.Compressed[i]
		c.Metadata, c.UpdateArgs = orNil(c.Metadata), orNil(c.UpdateArgs)
	}
	e.Slot, e.Time, e.Enhanced = t.Slot, t.Timestamp, t
	return nil
}

// orNil returns nil for the null of a member that may hold any JSON.
func orNil(raw json.RawMessage) json.RawMessage {
	if string(raw) == "null" {
		return nil
	}
	return raw
}

// extent returns how deep a JSON text is nested, how many objects it may become,
// where a null in a list of objects is one too, and about how many values.
func extent(raw []byte) (deepest, objects, values int) {
	var depth int
	for i := 0; i < len(raw); i++ {
		switch raw[i] {
		case '"':
			for i++; i < len(raw) && raw[i] != '"'; i++ {
				if raw[i] == '\\' {
					i++
				}
			}
		case ',':
			values++
		case '{', '[':
			values++
			depth++
			deepest = max(deepest, depth)
			if raw[i] == '{' {
				objects++
			}
		case '}', ']':
			depth--
		case 'n':
			objects++
		}
	}
	return deepest, objects, values
}

// malformed is why a body is none of a delivery, or what is wrong with the
// details of an event. The text of its cause may quote the body, so it is cut.
type malformed struct {
	what  string
	cause error
}

func (m *malformed) Error() string {
	text := m.cause.Error()
	if len(text) > 100 {
		text = strings.ToValidUTF8(text[:100], "") // without half a character at the end
	}
	return m.what + ": " + text
}

func (m *malformed) Unwrap() []error { return []error{types.ErrInvalid, m.cause} }
