// Package argument checks arguments before anything is sent. Its errors name the
// argument and match [types.ErrInvalid]; transport.Client.Check adds the Go method.
package argument

import (
	"cmp"
	"fmt"
	"slices"
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
	case strings.Contains(string(a), "."):
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

// OneOf refuses a value that is not among some. An empty one of these is not named in the error.
func OneOf[T ~string](name string, value T, some ...T) error {
	if slices.Contains(some, value) {
		return nil
	}
	var texts []string
	for _, s := range some {
		if s != "" {
			texts = append(texts, string(s))
		}
	}
	last := len(texts) - 1
	return Invalid(name+" "+Quote(string(value)), "is not "+strings.Join(texts[:last], ", ")+" or "+texts[last])
}

// Commitment refuses a misspelled commitment, which some nodes treat as finalized.
func Commitment(c types.Commitment) error {
	return OneOf("Commitment", c, "", types.CommitmentProcessed, types.CommitmentConfirmed, types.CommitmentFinalized)
}

// FinalCommitment is Commitment for methods that read only confirmed or finalized state.
func FinalCommitment(c types.Commitment) error {
	if c == types.CommitmentProcessed {
		return Invalid("Commitment "+Quote(string(c)), "is not confirmed or finalized, the levels of this method")
	}
	return Commitment(c)
}

// Filter refuses an invalid filter.
func Filter(name string, f types.Filter) error {
	if _, err := f.MarshalJSON(); err != nil {
		return fmt.Errorf("%s %w", name, err)
	}
	return nil
}

// FilterText returns text that identifies filters in the cursors of a listing. Their order does
// not matter: all of them have to match.
func FilterText(filters []types.Filter) string {
	texts := make([]string, len(filters))
	for i, f := range filters {
		text, _ := f.MarshalJSON() // an invalid filter is refused
		texts[i] = string(text)
	}
	slices.Sort(texts)
	return strings.Join(texts, ",")
}

// CompareBase58 compares two base58 texts of equally many bytes by their bytes. The letters
// of base58 are in the order of their values, and 1 is zero.
func CompareBase58[A, B ~string](a A, b B) int {
	x, y := strings.TrimLeft(string(a), "1"), strings.TrimLeft(string(b), "1")
	return cmp.Or(cmp.Compare(len(x), len(y)), strings.Compare(x, y))
}

// Optional checks a value unless it is empty.
func Optional[T ~string](name string, value T, check func(string, T) error) error {
	if value == "" {
		return nil
	}
	return check(name, value)
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
