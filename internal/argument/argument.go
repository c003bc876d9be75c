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
	if err != nil && strings.Contains(string(a), ".") {
		return Invalid(name+" "+Quote(string(a)), "is a domain name; resolve it with wallet.Client.Identity")
	}
	return invalidText(name, string(a), err)
}

// Hash refuses text that is not 32 bytes in base58.
func Hash(name string, h types.Hash) error {
	_, err := h.Bytes()
	return invalidText(name, string(h), err)
}

// Signature refuses text that is not 64 bytes in base58.
func Signature(name string, s types.Signature) error {
	_, err := s.Bytes()
	return invalidText(name, string(s), err)
}

// invalidText names the argument in the error of its text.
func invalidText(name, text string, err error) error {
	switch {
	case err == nil:
		return nil
	case text == "":
		return Invalid(name, "is empty")
	case strings.TrimSpace(text) != text:
		return Invalid(name+" "+Quote(text), "begins or ends with white space; trim it")
	}
	return fmt.Errorf("%s %s: %w", name, Quote(text), err)
}

// Each checks every element of a list.
func Each[T any](name string, list []T, check func(string, T) error) error {
	for i, element := range list {
		if check(name, element) != nil {
			return check(fmt.Sprintf("%s[%d]", name, i), element) // formatted only for the error
		}
	}
	return nil
}

// Quote quotes a value for an error. It omits long values, because only a whole value
// can be searched for the key.
func Quote(value string) string {
	if len(value) > 200 {
		return "of " + strconv.Itoa(len(value)) + " bytes"
	}
	return strconv.Quote(value)
}

// Printable returns text of a caller for the middle of an error: in one line, and cut.
func Printable(text string) string {
	if len(text) > 200 {
		text = strings.ToValidUTF8(text[:200], "") + "…"
	}
	quoted := strconv.Quote(text)
	return quoted[1 : len(quoted)-1]
}

// NotNegative refuses numbers below zero.
func NotNegative(name string, n int) error {
	if n < 0 {
		return Invalid(name, fmt.Sprintf("%d is negative; 0 means the default", n))
	}
	return nil
}
