package types

import (
	"fmt"
	"strconv"
	"time"
)

// A Time is a moment that the service gives in whole Unix seconds. The zero
// Time, for which IsZero is true, means that it gave none: null or no member.
type Time struct{ time.Time }

// UnmarshalJSON reads Unix seconds; null makes the zero Time.
func (t *Time) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		*t = Time{}
		return nil
	}
	seconds, err := strconv.ParseInt(string(b), 10, 64)
	if err != nil {
		return fmt.Errorf("time: %.40q is no number of Unix seconds", b)
	}
	t.Time = time.Unix(seconds, 0).UTC()
	return nil
}

// MarshalJSON writes Unix seconds; the zero Time is null.
func (t Time) MarshalJSON() ([]byte, error) {
	if t.IsZero() {
		return []byte("null"), nil
	}
	return strconv.AppendInt(nil, t.Unix(), 10), nil
}
