package rpc

import (
	"fmt"
	"time"

	"github.com/solwire/solwire-go/internal/argument"
)

// A slotRange selects slots at or after Since and before Until; 0 is no bound.
type slotRange struct {
	Since uint64 `json:"gte,omitempty"`
	Until uint64 `json:"lt,omitempty"`
}

func (r slotRange) check() error {
	if r.Until != 0 && r.Since >= r.Until {
		return argument.Invalid(fmt.Sprint("SinceSlot ", r.Since), fmt.Sprint("is not before UntilSlot ", r.Until))
	}
	return nil
}

// An amountRange selects amounts from Min to Max, both included; 0 is no bound.
type amountRange struct {
	Min uint64 `json:"gte,omitempty"`
	Max uint64 `json:"lte,omitempty"`
}

func (r amountRange) check(option string) error {
	if r.Max != 0 && r.Min > r.Max {
		return argument.Invalid(fmt.Sprint(option, "MinRawAmount ", r.Min), fmt.Sprint("is above MaxRawAmount ", r.Max))
	}
	return nil
}

// A timeRange selects Unix seconds at or after Since and before Until; nil is no bound.
type timeRange struct {
	Since *int64 `json:"gte,omitempty"`
	Until *int64 `json:"lt,omitempty"`
}

// newTimeRange moves a bound within a second to the next one, so that ranges that meet
// share no transaction.
func newTimeRange(since, until time.Time) timeRange {
	seconds := func(t time.Time) *int64 {
		if t.IsZero() {
			return nil
		}
		s := t.Add(time.Second - 1).Unix()
		return &s
	}
	return timeRange{seconds(since), seconds(until)}
}

func checkTimes(since, until time.Time) error {
	if !since.IsZero() && !until.IsZero() && !since.Before(until) {
		return argument.Invalid("Since "+since.Format(time.RFC3339), "is not before Until "+until.Format(time.RFC3339))
	}
	return nil
}

// sortOrder is the wire form of an order; empty means newest first.
func sortOrder(ascending bool) string {
	if ascending {
		return "asc"
	}
	return ""
}
