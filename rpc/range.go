package rpc

import (
	"encoding/json"
	"time"

	"github.com/solwire/solwire-go/internal/argument"
)

// A Range is a range of slots or amounts. Make it with [From], [To] or [FromTo]; the
// zero Range has no bounds.
type Range struct{ from, to *uint64 }

// From returns the range of first and everything above.
func From(first uint64) Range { return Range{from: &first} }

// To returns the range of last and everything below.
func To(last uint64) Range { return Range{to: &last} }

// FromTo returns the range from first to last, both included.
func FromTo(first, last uint64) Range { return Range{&first, &last} }

// IsZero reports whether r has no bounds.
func (r Range) IsZero() bool { return r.from == nil && r.to == nil }

// MarshalJSON encodes the bounds as exact numbers.
func (r Range) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		From *uint64 `json:"gte,omitempty"`
		To   *uint64 `json:"lte,omitempty"`
	}{r.from, r.to})
}

func (r Range) check(name string) error {
	if r.from != nil && r.to != nil && *r.from > *r.to {
		return argument.Invalid(name, "ends before it starts")
	}
	return nil
}

// A window is a range of times, sent in whole seconds.
type window struct{ since, until time.Time }

func (w window) IsZero() bool { return w.since.IsZero() && w.until.IsZero() }

// MarshalJSON encodes the window. A bound within a second moves to the next one, so
// that windows that meet share no transaction.
func (w window) MarshalJSON() ([]byte, error) {
	seconds := func(t time.Time) *int64 {
		if t.IsZero() {
			return nil
		}
		s := t.Add(time.Second - 1).Unix()
		return &s
	}
	return json.Marshal(struct {
		Since *int64 `json:"gte,omitempty"`
		Until *int64 `json:"lt,omitempty"`
	}{seconds(w.since), seconds(w.until)})
}

func (w window) check() error {
	if !w.since.IsZero() && !w.until.IsZero() && w.until.Before(w.since) {
		return argument.Invalid("Until", "is before Since")
	}
	return nil
}

// A Direction is the direction of a transfer, seen from the address of the request.
type Direction string

// The directions.
const (
	DirectionIn  Direction = "in"
	DirectionOut Direction = "out"
)

// sortOrder is the wire form of an order; empty means newest first.
func sortOrder(ascending bool) string {
	if ascending {
		return "asc"
	}
	return ""
}
