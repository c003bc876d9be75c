// Package decode decodes JSON and compressed content. A body has at most [MaxContent] bytes
// once decompressed; the decoder itself limits the nesting.
package decode

import (
	"bytes"
	stdjson "encoding/json"
	"errors"
	"io"
	"strings"

	"github.com/goccy/go-json"
)

// Errors of malformed JSON.
var (
	ErrEmpty     = errors.New("empty body")
	ErrTruncated = errors.New("body ends early")
	ErrNotJSON   = errors.New("not JSON")
)

// A MissingError is a value without a member that all of its kind have.
type MissingError struct{ Member string }

// Error names the member.
func (e MissingError) Error() string { return "the response has no " + e.Member }

// JSON decodes body into v.
func JSON(body []byte, v any) error {
	if err := json.Unmarshal(body, v); err != nil {
		return shaped(err)
	}
	return nil
}

// Exact is [JSON] for values of the caller's types: numbers in an any become
// json.Number. It is slower.
func Exact(body []byte, v any) error {
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
