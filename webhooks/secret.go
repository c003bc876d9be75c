package webhooks

import (
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"io"
	"strings"

	"github.com/solwire/solwire-go/internal/argument"
)

// A Secret is the value of the Authorization header of deliveries. Anyone with the secret can
// post events: use 32 random bytes, encoded as text such as hex. Only printable ASCII without
// white space at either end is accepted. Trim the newline of a file that holds the secret.
//
// fmt, slog and encoding/json print a Secret as ***; convert it to a string for its value. They
// print the value if it is in an unexported field of another struct, or the key of a map in JSON.
// fmt also prints it with wrong verbs such as %p, which vet reports.
type Secret string

// mask replaces a Secret in output.
const mask = "***"

// Format prints s masked, whatever the verb. An empty Secret prints nothing.
func (s Secret) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, s.masked()) }

// MarshalText encodes s masked, for encoding/json, encoding/xml and slog. [Settings]
// that were stored as JSON are therefore refused until AuthHeader is set again.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.masked()), nil }

func (s Secret) masked() string {
	if s == "" {
		return ""
	}
	return mask
}

// Matches reports whether the value of an Authorization header is s, in constant time.
// An empty Secret matches nothing. It is for your own handlers: a [Receiver] checks the
// header itself.
func (s Secret) Matches(header string) bool {
	want, got := sha256.Sum256([]byte(s)), sha256.Sum256([]byte(header)) // of equal lengths
	return subtle.ConstantTimeCompare(want[:], got[:]) == 1 && s != ""
}

// check refuses a secret that a header would not carry unchanged.
func (s Secret) check(name string) error {
	switch {
	case s == mask:
		return argument.Invalid(name, "is masked; set the secret")
	case strings.TrimSpace(string(s)) != string(s):
		return argument.Invalid(name, "starts or ends with white space; trim it")
	}
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return argument.Invalid(name, "has a character that a header cannot carry")
		}
	}
	return nil
}
