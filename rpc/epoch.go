package rpc

import (
	"errors"
	"math"
	"strconv"
)

// An Epoch is the epoch in which the rent of an account is due; 0 also when the service
// omits it.
type Epoch uint64

// NoRent is the rent epoch of a rent-exempt account.
const NoRent Epoch = math.MaxUint64

// UnmarshalJSON decodes a whole number. Numbers beyond 64 bits become [NoRent], since
// some proxies round it up to 18446744073709552000 or 1.8446744073709552e19. Null
// becomes 0.
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
	// A number with a point or an exponent was a float64 before, so reading it as
	// one loses nothing more.
	f, err := strconv.ParseFloat(text, 64)
	switch {
	case f >= 1<<64:
		*e = NoRent
	case err != nil || f < 0 || f != math.Trunc(f):
		return errors.New("epoch is not a whole number")
	default:
		*e = Epoch(f)
	}
	return nil
}
