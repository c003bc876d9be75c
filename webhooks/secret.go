package webhooks

import (
	"fmt"
	"io"
	"strings"

	"github.com/solwire/solwire-go/internal/argument"
)

// A Secret is what the Authorization header of deliveries holds. Fmt, slog and
// encoding/json print it as ***, alone and as part of other values. In three
// cases they do not ask the Secret: where it is inside an unexported field of
// another struct, under verbs that do not fit the whole value, such as %p, which
// vet reports, and as the key of a map in JSON. Convert it to a string for the
// text itself.
//
// Whoever knows the secret can post events. Use 32 random bytes, written as
// text that a header can carry, such as hex: printable ASCII without white space
// at either end. Others are refused with [types.ErrInvalid], since no delivery
// could match them; mind the line end of a file that holds the secret.
type Secret string

// mask is what a Secret prints as.
const mask = "***"

// Format prints s masked, whatever the verb; an unset one prints nothing.
func (s Secret) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, s.masked()) }

// MarshalText encodes s masked. JSON, XML and slog use it, and so does
// [Settings] everywhere but in a request: settings that were kept as JSON lack
// the secret, and are refused until it is set again.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.masked()), nil }

func (s Secret) masked() string {
	if s == "" {
		return ""
	}
	return mask
}

// check refuses what does not come back in a header as it was sent.
func (s Secret) check(name string) error {
	switch {
	case s == mask:
		return argument.Invalid(name, "is masked; set the secret itself")
	case strings.TrimSpace(string(s)) != string(s):
		return argument.Invalid(name, "has white space at its end or start")
	}
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return argument.Invalid(name, "has a character that a header cannot carry")
		}
	}
	return nil
}
