package rpc

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/klauspost/compress/zstd"
	"github.com/mr-tron/base58"

	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

// Data is the data of an account: read by the service, or as bytes in one of
// the other encodings.
type Data struct {
	Program  string     // that the service read the data for: spl-token or spl-token-2022; empty for bytes
	Space    uint64     // the length of the data that was read; 0 for bytes
	Parsed   *TokenInfo // what the service read; nil for bytes, and where it read nothing
	Encoding Encoding   // in which the data came, whatever was asked for
	Encoded  string     // the bytes in that encoding; [Data.Bytes] decodes them
}

// UnmarshalJSON reads the three forms of account data: an object that the
// service made of it, a text with its encoding, and a text alone, which is
// base58. Null makes the zero Data.
func (d *Data) UnmarshalJSON(b []byte) error {
	switch b = bytes.Trim(b, " \t\r\n"); {
	case bytes.HasPrefix(b, []byte(`{`)):
		return d.read(b)
	case bytes.HasPrefix(b, []byte(`[`)):
		var pair [2]string
		err := transport.Unmarshal(b, &pair)
		*d = Data{Encoding: Encoding(pair[1]), Encoded: pair[0]}
		return err
	case bytes.HasPrefix(b, []byte(`"`)):
		*d = Data{Encoding: Base58}
		return transport.Unmarshal(b, &d.Encoded)
	case string(b) == "null":
		*d = Data{}
		return nil
	}
	return errors.New("account data is neither an object nor text")
}

// object is account data as an object, whose info is a T.
type object[T any] struct {
	Program string `json:"program"`
	Space   uint64 `json:"space"`
	Parsed  struct {
		Type string `json:"type"`
		Info T      `json:"info"`
	} `json:"parsed"`
}

// bareInfo is a TokenInfo whose delegated amount is a number, as some services
// send it. (A type of its own for that field would cost every account one more
// allocation.)
type bareInfo struct {
	TokenInfo
	DelegatedAmount uint64 `json:"delegatedAmount"` // hides that of TokenInfo
}

// read takes what the service has read of the data.
func (d *Data) read(b []byte) error {
	o := new(object[TokenInfo])
	info := &o.Parsed.Info
	if err := transport.Unmarshal(b, o); err != nil {
		var bare object[bareInfo]
		if transport.Unmarshal(b, &bare) != nil {
			return err
		}
		// Decoding goes on after a value of the wrong type, so the rest is there.
		info.DelegatedAmount = Amount{Amount: bare.Parsed.Info.DelegatedAmount, Decimals: info.TokenAmount.Decimals}
	}
	info.Type = o.Parsed.Type
	for i := range info.Extensions {
		if e := &info.Extensions[i]; string(e.State) == "null" {
			e.State = nil
		}
	}
	if info.Type == "" && reflect.ValueOf(info).Elem().IsZero() { // parsed is missing, null or empty
		info = nil
	}
	*d = Data{Program: o.Program, Space: o.Space, Parsed: info, Encoding: JSONParsed}
	return nil
}

const (
	maxBase58   = 16 << 10 // characters; decoding takes time with their square, and nodes send at most 175
	maxExpanded = 16 << 20 // bytes; an account has at most 10 MiB
)

// expander is made with the program, not when it is first needed: one made
// inside a testing/synctest bubble could not be used outside. Its only error is
// that of options that cannot work.
var expander, _ = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxExpanded))

// Bytes returns the data as bytes, whether it came as base58, base64 or
// base64+zstd. With a data slice they are that part of it.
//
// It fails for data that the service has read, for text that is not of its
// encoding, and with [types.ErrTooLarge] above 16 MiB, and for base58 above 16
// KiB of text. What nodes send in place of base58 for more than 128 bytes is an
// error too.
func (d *Data) Bytes() ([]byte, error) {
	b, err := d.decode()
	if err != nil {
		return nil, fmt.Errorf("account data: %w", err)
	}
	return b, nil
}

func (d *Data) decode() ([]byte, error) {
	switch d.Encoding {
	case Base64:
		return base64.StdEncoding.DecodeString(d.Encoded)
	case Base64Zstd:
		compressed, err := base64.StdEncoding.DecodeString(d.Encoded)
		if err != nil {
			return nil, err
		}
		b, err := expander.DecodeAll(compressed, []byte{})
		if errors.Is(err, zstd.ErrDecoderSizeExceeded) || errors.Is(err, zstd.ErrWindowSizeExceeded) {
			return nil, fmt.Errorf("expands to more than 16 MiB: %w", types.ErrTooLarge)
		}
		return b, err
	case Base58:
		switch {
		case d.Encoded == "":
			return []byte{}, nil
		case strings.HasPrefix(d.Encoded, "error: "):
			return nil, fmt.Errorf("%.80q in place of base58: ask for base64, or for at most 128 bytes with a data slice", d.Encoded)
		case len(d.Encoded) > maxBase58:
			return nil, fmt.Errorf("base58 of %d characters: %w", len(d.Encoded), types.ErrTooLarge)
		}
		return base58.Decode(d.Encoded)
	case JSONParsed:
		return nil, errors.New("the service has read it; ask for base64 to get bytes")
	}
	return nil, fmt.Errorf("encoding %.40q is unknown", d.Encoding)
}
