package wire

import (
	"net/url"
	"strconv"
)

// A Query reads the parameters of a URL.
type Query struct {
	*Call
	Values url.Values
}

// Text returns a parameter, empty if it is absent.
func (q *Query) Text(name string) string { return q.Values.Get(name) }

// Integer returns a number between 1 and highest.
func (q *Query) Integer(name string, absent, highest int) int {
	if !q.Values.Has(name) {
		return absent
	}
	return int(q.Long(name, 1, int64(highest)))
}

// Long returns a required parameter.
func (q *Query) Long(name string, lowest, highest int64) int64 {
	n, err := strconv.ParseInt(q.Text(name), 10, 64)
	if err != nil || n < lowest || n > highest {
		q.Invalid("%s must be an integer between %d and %d", name, lowest, highest)
	}
	return n
}

// Flag returns a parameter that is true or false, absent if it is not given.
func (q *Query) Flag(name string, absent bool) bool {
	text := q.Text(name)
	if text == "" {
		return absent
	}
	flag, err := strconv.ParseBool(text)
	if err != nil {
		q.Invalid("%s must be true or false", name)
	}
	return flag
}
