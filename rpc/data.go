package rpc

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/mr-tron/base58"

	"github.com/solwire/solwire-go/internal/decode"
	"github.com/solwire/solwire-go/types"
)

// Data is the data of an account: encoded bytes, or JSON if a node parsed them. [Data.Bytes]
// decodes the bytes, methods such as [Data.TokenAccount] the JSON.
type Data struct {
	Encoding types.Encoding // may differ from the requested one
	Encoded  string         // the bytes in that encoding; empty for EncodingJSONParsed

	// The other fields are set for EncodingJSONParsed only.
	Program string          // the parser's name of the owning program, such as spl-token
	Space   uint64          // the length of the data in bytes
	Type    string          // the type of account, such as account or mint. Wire name: parsed.type
	Info    json.RawMessage // as the node sent it; nil for null. Wire name: parsed.info
}

// maxObject limits the JSON of parsed data, in bytes.
const maxObject = 24 << 20

// UnmarshalJSON decodes the three forms of account data: a parsed object, a pair of
// text and encoding, and a plain text, which is base58. Null makes the zero Data.
func (d *Data) UnmarshalJSON(b []byte) error {
	switch b = bytes.Trim(b, " \t\r\n"); {
	case len(b) > maxObject:
		return fmt.Errorf("account data of %d bytes: %w", len(b), types.ErrTooLarge)
	case bytes.HasPrefix(b, []byte(`{`)):
		return d.parse(b)
	case bytes.HasPrefix(b, []byte(`[`)):
		if d.plainPair(b) {
			return nil
		}
		var pair [2]string
		err := decode.Value(b, &pair)
		*d = Data{Encoding: types.Encoding(pair[1]), Encoded: pair[0]}
		return err
	case bytes.HasPrefix(b, []byte(`"`)):
		*d = Data{Encoding: types.EncodingBase58}
		return decode.Value(b, &d.Encoded)
	case string(b) == "null":
		*d = Data{}
		return nil
	}
	return errors.New("account data is not an object, an array or a string")
}

// plainPair reads a pair in UTF-8 without white space or escapes, in a known encoding, as all
// nodes send it. It reports whether b is such a pair.
func (d *Data) plainPair(b []byte) bool {
	b, open := bytes.CutPrefix(b, []byte(`["`))
	text, rest, _ := bytes.Cut(b, []byte(`"`))
	if !open || bytes.IndexByte(text, '\\') >= 0 || !utf8.Valid(text) {
		return false
	}
	switch string(rest) {
	case `,"base64"]`:
		d.Encoding = types.EncodingBase64
	case `,"base64+zstd"]`:
		d.Encoding = types.EncodingBase64Zstd
	case `,"base58"]`:
		d.Encoding = types.EncodingBase58
	default:
		return false
	}
	*d = Data{Encoding: d.Encoding, Encoded: string(text)}
	return true
}

// parsedData is parsed data on the wire. Instances are reused, since a page has
// thousands of them.
type parsedData struct {
	Program string `json:"program"`
	Space   uint64 `json:"space"`
	Parsed  struct {
		Type string          `json:"type"`
		Info json.RawMessage `json:"info"`
	} `json:"parsed"`
}

var parsedPool = sync.Pool{New: func() any { return new(parsedData) }}

func (d *Data) parse(b []byte) error {
	object, _ := parsedPool.Get().(*parsedData)
	defer func() {
		*object = parsedData{}
		parsedPool.Put(object)
	}()
	if err := decode.Value(b, object); err != nil {
		return err
	}
	*d = Data{
		Encoding: types.EncodingJSONParsed,
		Program:  object.Program,
		Space:    object.Space,
		Type:     object.Parsed.Type,
		Info:     object.Parsed.Info,
	}
	d.Info = decode.Present(d.Info)
	return nil
}

// MarshalJSON encodes the data in the form a node sends.
func (d Data) MarshalJSON() ([]byte, error) {
	switch {
	case d.Encoding == "" && d.Encoded == "":
		return []byte("null"), nil
	case d.Encoding != types.EncodingJSONParsed:
		return json.Marshal([]string{d.Encoded, string(d.Encoding)})
	}
	object := parsedData{Program: d.Program, Space: d.Space}
	object.Parsed.Type, object.Parsed.Info = d.Type, d.Info
	return json.Marshal(object)
}

// String returns the JSON of the data, for printing.
func (d Data) String() string {
	text, _ := d.MarshalJSON() // fails for an Info that is not JSON
	return string(text)
}

// view decodes the Info of an account of a program, as one of some types.
func view[T any](d *Data, program string, kinds ...string) (*T, error) {
	switch {
	case d.Encoding != types.EncodingJSONParsed:
		return nil, errors.New("account data: not parsed by the node; request EncodingJSONParsed, or use Bytes")
	case strings.TrimSuffix(d.Program, "-2022") != program || !slices.Contains(kinds, d.Type) || d.Info == nil:
		return nil, fmt.Errorf("account data: not of program %s and type %s", program, strings.Join(kinds, " or "))
	}
	info, err := parsed[T](d.Info)
	if err != nil {
		return nil, fmt.Errorf("account data: %w", err)
	}
	return info, nil
}

// parsed decodes parsed data, also with rounded numbers.
func parsed[T any](raw json.RawMessage) (*T, error) {
	v := new(T)
	err := decode.JSON(raw, v)
	if err != nil {
		_, err = decode.Mended(raw, func(part []byte) error {
			*v = *new(T)
			return decode.JSON(part, v)
		})
	}
	return v, err
}

// maxBase58 is in characters. The time to decode them grows with their square; nodes send at most
// 175.
const maxBase58 = 16 << 10

// Bytes decodes data in base58, base64 or base64+zstd. With a DataSlice, it returns that part only.
// It fails for parsed data, for malformed text, and with [types.ErrTooLarge] above 16 MiB of data
// or 16 KiB of base58 text. For more than 128 bytes in base58, a node sends an error text, which
// Bytes reports.
func (d *Data) Bytes() ([]byte, error) {
	b, err := d.decode()
	if err != nil {
		return nil, fmt.Errorf("account data: %w", err)
	}
	return b, nil
}

func (d *Data) decode() ([]byte, error) {
	switch d.Encoding {
	case types.EncodingBase64:
		return base64.StdEncoding.DecodeString(d.Encoded)
	case types.EncodingBase64Zstd:
		compressed, err := base64.StdEncoding.DecodeString(d.Encoded)
		if err != nil {
			return nil, err
		}
		return decode.Zstd(compressed)
	case types.EncodingBase58:
		switch {
		case d.Encoded == "":
			return []byte{}, nil
		case strings.HasPrefix(d.Encoded, "error: "):
			return nil, errors.New("the node sent an error instead of base58; request EncodingBase64, or at most 128 bytes with a DataSlice")
		case len(d.Encoded) > maxBase58:
			return nil, fmt.Errorf("base58 of %d characters: %w", len(d.Encoded), types.ErrTooLarge)
		}
		return base58.Decode(d.Encoded)
	case types.EncodingJSONParsed:
		return nil, errors.New("parsed by the node; request EncodingBase64")
	}
	return nil, errors.New("encoding is not base58, base64 or base64+zstd")
}
