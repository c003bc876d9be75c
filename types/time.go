package types

import (
	"database/sql/driver"
	"errors"
	"fmt"
	"strconv"
	"time"
)

// A Time is a time that the service sends in whole Unix seconds. The zero Time, for
// which IsZero is true, is an unknown time: null on the wire and in databases.
//
// A Time can be a column of database/sql.
type Time struct{ time.Time }

// UnmarshalJSON decodes Unix seconds; null is the zero Time.
func (t *Time) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		*t = Time{}
		return nil
	}
	seconds, err := strconv.ParseInt(string(b), 10, 64)
	if err != nil {
		return errors.New("time is not a number of Unix seconds")
	}
	t.Time = time.Unix(seconds, 0).UTC()
	return nil
}

// MarshalJSON encodes t as Unix seconds; the zero Time is null.
func (t Time) MarshalJSON() ([]byte, error) {
	if t.IsZero() {
		return []byte("null"), nil
	}
	return strconv.AppendInt(nil, t.Unix(), 10), nil
}

// Value returns t as a timestamp in UTC for database/sql; the zero Time is NULL.
func (t Time) Value() (driver.Value, error) {
	if t.IsZero() {
		return nil, nil //nolint:nilnil // NULL
	}
	return t.UTC(), nil
}

// Scan reads a column of database/sql: a timestamp, or Unix seconds as a number or
// text. NULL is the zero Time.
func (t *Time) Scan(src any) error {
	switch v := src.(type) {
	case nil:
		*t = Time{}
	case time.Time:
		t.Time = v.UTC()
	case int64:
		t.Time = time.Unix(v, 0).UTC()
	case []byte:
		return t.scanText(string(v))
	case string:
		return t.scanText(v)
	default:
		return fmt.Errorf("types.Time cannot hold a column of type %T", src)
	}
	return nil
}

func (t *Time) scanText(text string) error {
	if seconds, err := strconv.ParseInt(text, 10, 64); err == nil {
		t.Time = time.Unix(seconds, 0).UTC()
		return nil
	}
	for _, layout := range []string{ // of drivers; each accepts fractions of a second
		time.RFC3339, "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05Z07", time.DateTime, time.DateOnly,
		"2006-01-02 15:04:05 -0700 MST", // of Time.String
	} {
		if v, err := time.Parse(layout, text); err == nil {
			t.Time = v.UTC()
			return nil
		}
	}
	return fmt.Errorf("types.Time cannot hold the column %.40q: it is neither a timestamp nor Unix seconds", text)
}
