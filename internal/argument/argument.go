// Package argument refuses what cannot work before anything is sent. Its
// errors name the argument and match [types.ErrInvalid].
package argument

import (
	"fmt"

	"github.com/solwire/solwire-go/types"
)

// Invalid returns the error of an argument, or of a field of the options, that
// cannot work. The problem says what to do instead where that is not plain.
func Invalid(name, problem string) error {
	return fmt.Errorf("%s: %s: %w", name, problem, types.ErrInvalid)
}

// Address refuses what is not base58 of 32 bytes.
func Address(name string, a types.Address) error {
	if _, err := a.Bytes(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// NotNegative refuses numbers below zero.
func NotNegative(name string, n int) error {
	if n < 0 {
		return Invalid(name, fmt.Sprintf("%d is negative", n))
	}
	return nil
}
