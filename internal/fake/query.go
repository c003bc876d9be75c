package fake

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
)

// A query reads the parameters of a URL and keeps the first mistake. Parameters
// that are still unread at [query.refused] are a mistake, unless it is lenient: the
// service may ignore them.
type query struct {
	values  url.Values
	lenient bool
	mistake string
}

func (q *query) text(name string) string {
	values := q.values[name]
	delete(q.values, name)
	switch {
	case len(values) == 0:
		return ""
	case len(values) > 1:
		q.failf("%s is given %d times", name, len(values))
	case values[0] == "":
		q.failf("%s is empty", name)
	}
	return values[0]
}

// integer returns a number between 1 and highest.
func (q *query) integer(name string, absent, highest int) int {
	if !q.values.Has(name) {
		return absent
	}
	return int(q.long(name, 1, int64(highest)))
}

// long returns a required parameter.
func (q *query) long(name string, lowest, highest int64) int64 {
	text := q.text(name)
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < lowest || n > highest || text != strconv.FormatInt(n, 10) {
		q.failf("%s must be an integer between %d and %d", name, lowest, highest)
	}
	return n
}

func (q *query) flag(name string, absent bool) bool {
	switch q.text(name) {
	case "":
		return absent
	case "true":
		return true
	case "false":
	default:
		q.failf("%s must be true or false", name)
	}
	return false
}

func (q *query) failf(format string, args ...any) {
	if q.mistake == "" {
		q.mistake = fmt.Sprintf(format, args...)
	}
}

// refused returns the refusal for the first mistake, or nil.
func (q *query) refused() *refusal {
	for _, name := range slices.Sorted(maps.Keys(q.values)) {
		if q.lenient {
			break
		}
		q.failf("unknown parameter %s", name)
	}
	if q.mistake == "" {
		return nil
	}
	return badRequest(q.mistake)
}

// wallet returns the wallet in the path of c. The query must have been read.
func (c *call) wallet() (string, *refusal) {
	wallet := c.path["wallet"]
	if refused := c.query.refused(); refused != nil {
		return "", refused
	}
	if !isAddress(wallet) {
		return "", badAddress(wallet)
	}
	return wallet, nil
}
