package types

import (
	"fmt"
	"strings"

	"github.com/mr-tron/base58"
)

// An Address is a Solana address: 32 bytes in base58. Values from the service are not
// checked, and a few are not addresses, such as [SOL]. Check user input with
// [ParseAddress].
type Address string

// A Hash is 32 bytes in base58 that are not a public key.
type Hash string

// A Signature is 64 bytes in base58. The first signature of a transaction identifies
// it.
type Signature string

// A DataSlice requests a part of account data. A part beyond the end of the data is
// truncated or empty.
type DataSlice struct {
	Offset uint64 `json:"offset"` // bytes to skip
	Length uint64 `json:"length"` // bytes to return; 0 returns none
}

// The lengths of 32 and 64 bytes in base58. They are checked before decoding, which
// takes quadratic time.
const (
	minAddress, maxAddress     = 32, 44
	minSignature, maxSignature = 64, 88
)

// ParseAddress returns s as an [Address]. If it is not base58 of 32 bytes, the error matches
// [ErrInvalid]. Addresses have no checksum: a typo can result in another valid address.
func ParseAddress(s string) (Address, error) {
	if _, err := Address(s).Bytes(); err != nil {
		return "", err
	}
	return Address(s), nil
}

// AddressOf returns the address of a public key. It accepts any named array of 32
// bytes, such as the PublicKey of other libraries.
func AddressOf(key [32]byte) Address { return Address(base58.Encode(key[:])) }

// AddressFromBytes returns the address of a public key of 32 bytes, such as an
// ed25519.PublicKey. For another length, the error matches [ErrInvalid].
func AddressFromBytes(key []byte) (Address, error) {
	if len(key) != 32 {
		return "", fmt.Errorf("public key has %d bytes, not 32: %w", len(key), ErrInvalid)
	}
	return Address(base58.Encode(key)), nil
}

// Bytes returns the 32 bytes of a. If it is not base58 of 32 bytes, the error
// matches [ErrInvalid].
func (a Address) Bytes() ([]byte, error) {
	return decode("address", string(a), minAddress, maxAddress, 32)
}

// Key returns the public key of a as an array, which converts to the PublicKey of other
// libraries. If a is not base58 of 32 bytes, the error matches [ErrInvalid].
func (a Address) Key() ([32]byte, error) {
	b, err := a.Bytes()
	if err != nil {
		return [32]byte{}, err
	}
	return [32]byte(b), nil
}

// IsNativeSOL reports whether a is [SOL] or [NativeSOLMint], which always mean native
// SOL. It is false for [WrappedSOL], which means native SOL in some fields only.
func (a Address) IsNativeSOL() bool { return a == SOL || a == NativeSOLMint }

// Bytes returns the 32 bytes of h. If it is not base58 of 32 bytes, the error
// matches [ErrInvalid].
func (h Hash) Bytes() ([]byte, error) {
	return decode("hash", string(h), minAddress, maxAddress, 32)
}

// Bytes returns the 64 bytes of s. If it is not base58 of 64 bytes, the error
// matches [ErrInvalid].
func (s Signature) Bytes() ([]byte, error) {
	return decode("signature", string(s), minSignature, maxSignature, 64)
}

func decode(what, text string, shortest, longest, size int) ([]byte, error) {
	if text != strings.TrimSpace(text) {
		return nil, fmt.Errorf("%s begins or ends with white space; trim it: %w", what, ErrInvalid)
	}
	if len(text) < shortest || len(text) > longest {
		return nil, fmt.Errorf("%s has length %d, not %d to %d: %w", what, len(text), shortest, longest, ErrInvalid)
	}
	b, err := base58.Decode(text)
	if err != nil {
		return nil, fmt.Errorf("%s is not base58: %w", what, ErrInvalid)
	}
	if len(b) != size {
		return nil, fmt.Errorf("%s has %d bytes, not %d: %w", what, len(b), size, ErrInvalid)
	}
	return b, nil
}
