// Package decode decodes JSON and compressed content. A body has at most [MaxContent] bytes
// once decompressed; the decoder itself limits the nesting.
package decode

import (
	"bytes"
	stdjson "encoding/json"
	"errors"
	"io"

	"github.com/goccy/go-json"
)

// Errors of malformed JSON.
var (
	ErrEmpty     = errors.New("empty body")
	ErrTruncated = errors.New("body ends early")
	ErrNotJSON   = errors.New("not JSON")
)

// JSON decodes body into v. It fails if a member with the tag required is missing.
func JSON(body []byte, v any) error {
	if err := json.Unmarshal(body, v); err != nil {
		return &Error{shaped(err)}
	}
	if err := checkRequired(body, v); err != nil {
		return &Error{err}
	}
	return nil
}

// An Error is the error of [JSON].
type Error struct{ error }

// Unwrap returns the reason.
func (e *Error) Unwrap() error { return e.error }

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
	var value stdjson.RawMessage
	switch err := stdjson.NewDecoder(bytes.NewReader(body)).Decode(&value); {
	case err == nil:
		return nil
	case errors.Is(err, io.EOF):
		return ErrEmpty
	case errors.Is(err, io.ErrUnexpectedEOF):
		return ErrTruncated
	}
	return ErrNotJSON
}
