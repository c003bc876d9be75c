// Package decode decodes JSON and compressed content from untrusted sources. It
// refuses input that would take far more memory or time than its size suggests.
//
// The limit on memory depends on the type that a body is decoded into. A limit on the commas
// of a body alone would have to allow two million, which large blocks have, and as many
// nulls in a list of accounts would take 700 MB.
package decode

import (
	"bytes"
	stdjson "encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/goccy/go-json"

	"github.com/solwire/solwire-go/types"
)

// Errors of malformed JSON.
var (
	ErrEmpty     = errors.New("empty body")
	ErrTruncated = errors.New("body ends early")
	ErrNotJSON   = errors.New("not JSON")
)

// JSON decodes body into v. It fails with [types.ErrTooLarge] when the decoded values
// would take many times the size of body.
func JSON(body []byte, v any) error {
	err := costOf(v).check(body)
	switch {
	case err != nil:
		return err
	case len(body) > large:
		err = stdjson.Unmarshal(body, v) // slower, but without the copy of body that json makes
	default:
		err = json.Unmarshal(body, v)
	}
	if err != nil {
		return shaped(err)
	}
	return nil
}

const (
	large  = 16 << 20 // bytes above which memory counts more than time
	maxAny = 24 << 20 // bytes that are decoded into an any; the service sends at most 10 MiB
)

// Exact is [JSON] for values of the caller's types: numbers in an any become
// json.Number. It is slower.
func Exact(body []byte, v any) error {
	cost := costOf(v)
	if err := cost.check(body); err != nil {
		return err
	}
	switch {
	case !cost.anys:
		return stdjson.Unmarshal(body, v) // without the copy of body that a Decoder makes
	case len(body) > maxAny:
		return fmt.Errorf("more than %d MiB for an any; use a struct or json.RawMessage: %w", maxAny>>20, types.ErrTooLarge)
	}
	dec := stdjson.NewDecoder(bytes.NewReader(body))
	dec.UseNumber()
	if err := dec.Decode(v); err != nil {
		return err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return ErrNotJSON
	}
	return nil
}

// Present returns raw, or nil if it is null.
func Present(raw stdjson.RawMessage) stdjson.RawMessage {
	if string(raw) == "null" {
		return nil
	}
	return raw
}

// Value decodes a part of a body that [JSON] is decoding, for UnmarshalJSON methods.
func Value(data []byte, v any) error { return json.Unmarshal(data, v) }

// Short is [Value], but refuses long numbers, quoted or not. A type with decimals whose
// UnmarshalJSON calls it allows [JSON] to accept long digits in the strings around it,
// which strangers may have written.
func Short(data []byte, v any) error {
	if longNumber(data) {
		return errLongNumber
	}
	return Value(data, v)
}

// Check returns one of the errors above for malformed JSON, and nil for JSON, also
// with text after it.
func Check(body []byte) error {
	body = bytes.TrimSpace(body)
	if len(body) == 0 {
		return ErrEmpty
	}
	end := len(body)
	if strings.IndexByte(`{["`, body[0]) >= 0 {
		if end = endOfValue(body); end < 0 {
			return ErrTruncated
		}
	}
	if stdjson.Valid(body[:end]) {
		return nil
	}
	return ErrNotJSON
}

// endOfValue returns the index after the object, array or string at the start of
// body, or -1 if it does not end.
func endOfValue(body []byte) int {
	depth := 0
	for i := 0; i < len(body); i++ {
		switch body[i] {
		case '"':
			if i = endOfText(body, i); i == len(body) {
				return -1
			}
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		if depth <= 0 {
			return i + 1
		}
	}
	return -1
}

// endOfText returns the index of the closing quote of the string that starts at i, or
// len(body) without one.
func endOfText(body []byte, i int) int {
	for start := i + 1; ; {
		n := bytes.IndexByte(body[start:], '"')
		if n < 0 {
			return len(body)
		}
		end := start + n
		escapes := 0
		for body[end-1-escapes] == '\\' { // ends at the opening quote
			escapes++
		}
		if escapes%2 == 0 {
			return end
		}
		start = end + 1
	}
}
