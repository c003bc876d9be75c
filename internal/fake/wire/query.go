package wire

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
)

// A Query reads the parameters of a URL and keeps the first mistake. Parameters
// that are still unread at [Query.Refused] are a mistake, unless it is lenient: the
// service may ignore them.
type Query struct {
	Values  url.Values
	Lenient bool
	mistake string
}

// Text returns a parameter, empty if it is absent.
func (q *Query) Text(name string) string {
	values := q.Values[name]
	delete(q.Values, name)
	switch {
	case len(values) == 0:
		return ""
	case len(values) > 1:
		q.Failf("%s is given %d times", name, len(values))
	case values[0] == "":
		q.Failf("%s is empty", name)
	}
	return values[0]
}

// Integer returns a number between 1 and highest.
func (q *Query) Integer(name string, absent, highest int) int {
	if !q.Values.Has(name) {
		return absent
	}
	return int(q.Long(name, 1, int64(highest)))
}

// Long returns a required parameter.
func (q *Query) Long(name string, lowest, highest int64) int64 {
	text := q.Text(name)
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < lowest || n > highest || text != strconv.FormatInt(n, 10) {
		q.Failf("%s must be an integer between %d and %d", name, lowest, highest)
	}
	return n
}

// Flag returns a parameter that is true or false, absent if it is not given.
func (q *Query) Flag(name string, absent bool) bool {
	switch q.Text(name) {
	case "":
		return absent
	case "true":
		return true
	case "false":
	default:
		q.Failf("%s must be true or false", name)
	}
	return false
}

// Failf keeps the first mistake.
func (q *Query) Failf(format string, args ...any) {
	if q.mistake == "" {
		q.mistake = fmt.Sprintf(format, args...)
	}
}

// Refused returns the refusal for the first mistake, or nil.
func (q *Query) Refused() *Refusal {
	for _, name := range slices.Sorted(maps.Keys(q.Values)) {
		if q.Lenient {
			break
		}
		q.Failf("unknown parameter %s", name)
	}
	if q.mistake == "" {
		return nil
	}
	return BadRequest(q.mistake)
}
