package argument

import (
	"fmt"
	"time"
)

// Slots selects slots at or after Since and before Until; 0 means unbounded.
type Slots struct {
	Since uint64 `json:"gte,omitempty"`
	Until uint64 `json:"lt,omitempty"`
}

// Check refuses bounds that select nothing.
func (s Slots) Check() error {
	if s.Until != 0 && s.Since >= s.Until {
		return Invalid(fmt.Sprint("SinceSlot ", s.Since), fmt.Sprint("is not before UntilSlot ", s.Until))
	}
	return nil
}

// Times selects Unix seconds at or after Since and before Until; nil means unbounded.
type Times struct {
	Since *int64 `json:"gte,omitempty"`
	Until *int64 `json:"lt,omitempty"`
}

// NewTimes moves a bound within a second to the next one, so that ranges that meet share no
// transaction.
func NewTimes(since, until time.Time) Times {
	seconds := func(t time.Time) *int64 {
		if t.IsZero() {
			return nil
		}
		s := t.Add(time.Second - 1).Unix()
		return &s
	}
	return Times{seconds(since), seconds(until)}
}

// checkTimes refuses bounds that select nothing.
func checkTimes(since, until time.Time) error {
	if !since.IsZero() && !until.IsZero() && !since.Before(until) {
		return Invalid("Since "+since.Format(time.RFC3339), "is not before Until "+until.Format(time.RFC3339))
	}
	return nil
}
