package types

import "unique"

// An APIKey is an API key of the service, made by [Key]. It prints as ***, and fmt and log/slog
// cannot print its text even if it is in an unexported field of another struct. Keys with the same
// text are equal by ==. The zero value is no key, and prints as nothing.
//
// It implements encoding.TextUnmarshaler, so that a program can read it from its
// configuration. Encoding it again writes ***.
type APIKey struct {
	text unique.Handle[string] // a pointer, of which fmt prints the address
}

// Key returns the APIKey of a text: types.Key(os.Getenv("HELIUS_API_KEY")).
func Key(text string) APIKey {
	if text == "" {
		return APIKey{}
	}
	return APIKey{unique.Make(text)}
}

// Reveal returns the text of k. Do not print it.
func (k APIKey) Reveal() string {
	if k == (APIKey{}) {
		return ""
	}
	return k.text.Value()
}

// String returns *** for every key, and nothing for the zero value.
func (k APIKey) String() string {
	if k == (APIKey{}) {
		return ""
	}
	return "***"
}

// GoString returns the same as [APIKey.String], for %#v.
func (k APIKey) GoString() string { return k.String() }

// MarshalText returns the same as [APIKey.String], for encodings.
func (k APIKey) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText sets k to the [Key] of text.
func (k *APIKey) UnmarshalText(text []byte) error {
	*k = Key(string(text))
	return nil
}
