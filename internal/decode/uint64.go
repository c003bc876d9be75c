package decode

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// A Uint64 decodes a whole number of 64 bits in any notation of the service and of gateways. It
// is a number or text, and may have an exponent or a fraction of zero. The maximum may be as
// JavaScript rounds it, 18446744073709552000. Null is 0.
type Uint64 uint64

// UnmarshalJSON fails for anything else, such as a negative number.
func (n *Uint64) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		*n = 0
		return nil
	}
	if len(b) > 1 && b[0] == '"' && b[len(b)-1] == '"' {
		b = b[1 : len(b)-1]
	}
	u, err := strconv.ParseUint(string(b), 10, 64)
	if err != nil {
		u, err = wholeNumber(string(b))
		if err != nil {
			return err
		}
	}
	*n = Uint64(u)
	return nil
}

// wholeNumber reads a number that has a fraction or an exponent, or is the rounded maximum.
func wholeNumber(text string) (uint64, error) {
	if len(text) > 40 || text == "" || strings.Trim(text, "0123456789+-.eE") != "" {
		return 0, errors.New("a value is not a whole number of 64 bits") // it may be anything
	}
	f, _, err := big.ParseFloat(text, 10, 256, big.ToNearestEven)
	if err == nil && f.IsInt() {
		if u, accuracy := f.Uint64(); accuracy == big.Exact {
			return u, nil
		}
		if rounded, _ := f.Float64(); rounded == 1<<64 {
			return math.MaxUint64, nil
		}
	}
	return 0, fmt.Errorf("%s is not a whole number of 64 bits", text)
}
