package rpc

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// An Epoch is the number of an epoch; 0 also where the service does not say.
type Epoch uint64

// NoRent is the rent epoch of an account that is exempt from rent for good.
const NoRent Epoch = math.MaxUint64

// UnmarshalJSON reads a whole number. One beyond 64 bits becomes [NoRent]: some
// proxies round that one up, to 18446744073709552000 or 1.8446744073709552e19.
// Null becomes 0.
func (e *Epoch) UnmarshalJSON(b []byte) error {
	text := string(b)
	if text == "null" {
		*e = 0
		return nil
	}
	if n, err := strconv.ParseUint(text, 10, 64); err == nil {
		*e = Epoch(n)
		return nil
	}
	// What is left is beyond 64 bits, or written with a point or an exponent,
	// as where numbers are float64 already: reading it as one loses nothing more.
	f, err := strconv.ParseFloat(text, 64)
	digits := strings.Trim(text, "+-.0123456789eE") == "" // and not hex or "inf"
	switch {
	case !digits || err != nil && !errors.Is(err, strconv.ErrRange) || f < 0 || f != math.Trunc(f):
		return fmt.Errorf("epoch: %.40q is no whole number", b)
	case f >= 1<<64:
		*e = NoRent
	default:
		*e = Epoch(f)
	}
	return nil
}
