// Package argument checks arguments before anything is sent. Its errors name the
// argument and match [types.ErrInvalid]; transport.Client.Check adds the Go method.
package argument

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/solwire/solwire-go/types"
)

// Invalid returns the error for an invalid argument or option. The problem is a
// predicate, with the remedy where it is not obvious: "is negative; 0 means all".
func Invalid(name, problem string) error {
	return fmt.Errorf("%s %s: %w", name, problem, types.ErrInvalid)
}

// Address refuses text that is not 32 bytes in base58.
func Address(name string, a types.Address) error {
	_, err := a.Bytes()
	switch {
	case err == nil:
		return nil
	case a == "":
		return Invalid(name, "is empty")
	case strings.Contains(string(a), "."):
		return Invalid(name+" "+Quote(string(a)), "is a domain name; resolve it with wallet.Client.Identity")
	}
	return fmt.Errorf("%s %s: %w", name, Quote(string(a)), err)
}

// Quote quotes a value for an error. It omits long values, because only a whole value
// can be searched for the key.
func Quote(value string) string {
	if len(value) > 200 {
		return "of " + strconv.Itoa(len(value)) + " bytes"
	}
	return strconv.Quote(value)
}

// NotNegative refuses numbers below zero.
func NotNegative(name string, n int) error {
	if n < 0 {
		return Invalid(name, fmt.Sprintf("%d is negative; 0 means the default", n))
	}
	return nil
}
