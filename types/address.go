package types

import (
	"fmt"

	"github.com/mr-tron/base58"
)

// An Address is a Solana address: 32 bytes in base58. Values from the service
// are carried as they came, also where they are no address: balance changes
// name native SOL "SOL". Use [ParseAddress] for input from outside.
type Address string

// A Hash is 32 bytes in base58 that are no public key, such as that of a
// compressed account.
type Hash string

// A Signature is 64 bytes in base58. The first one of a transaction identifies it.
type Signature string

// A DataSlice asks for a part of each account's data. Both members are in
// bytes; a Length of 0 asks for no data at all. A part beyond the end comes
// back shortened or empty.
type DataSlice struct {
	Offset uint64 `json:"offset"` // bytes to leave out at the start
	Length uint64 `json:"length"` // bytes to send; 0 sends none
}

// Native SOL has no mint. The service names it in three ways, and the second
// of them may also be what it says: a holding or movement of wrapped SOL. The
// comment of each field that holds a mint says what it means there.
const (
	SOL           Address = "SOL"                                         // native SOL in balance changes
	WrappedSOL    Address = "So11111111111111111111111111111111111111112" // the mint of wrapped SOL; native SOL in balances
	NativeSOLMint Address = "So11111111111111111111111111111111111111111" // native SOL as the mint of a request; no real mint
)

// Well-known programs.
const (
	TokenProgram           Address = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA"
	Token2022Program       Address = "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb"
	CompressedTokenProgram Address = "cTokenmWW8bLPjZEBAUgYy3zKxQZW6VKi7bqNFEVv3m"
)

// Lengths of base58 texts: a shorter or longer one cannot be 32 or 64 bytes.
// They are checked before decoding, whose cost grows with the square of the length.
const (
	minAddress, maxAddress     = 32, 44
	minSignature, maxSignature = 64, 88
)

// ParseAddress returns s as an [Address] if it is base58 of 32 bytes, and
// otherwise an error that matches [ErrInvalid]. An address has no checksum:
// one with a wrong letter may well be another address.
func ParseAddress(s string) (Address, error) {
	if _, err := Address(s).Bytes(); err != nil {
		return "", err
	}
	return Address(s), nil
}

// AddressFromBytes returns the address of a 32-byte public key. Another length
// is an error that matches [ErrInvalid].
func AddressFromBytes(key []byte) (Address, error) {
	if len(key) != 32 {
		return "", fmt.Errorf("address: %d bytes instead of 32: %w", len(key), ErrInvalid)
	}
	return Address(base58.Encode(key)), nil
}

// Bytes returns the 32 bytes of a. If it is not base58 of 32 bytes, the error
// matches [ErrInvalid].
func (a Address) Bytes() ([]byte, error) {
	return decode("address", string(a), minAddress, maxAddress, 32)
}

// IsNativeSOL reports whether a stands for native SOL wherever it occurs. That
// is so for [SOL] and [NativeSOLMint], but not for [WrappedSOL], which means
// native SOL in some fields only.
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
	if len(text) < shortest || len(text) > longest {
		return nil, fmt.Errorf("%s: %d characters instead of %d to %d: %w", what, len(text), shortest, longest, ErrInvalid)
	}
	b, err := base58.Decode(text)
	if err != nil {
		return nil, fmt.Errorf("%s: not base58: %w", what, ErrInvalid)
	}
	if len(b) != size {
		return nil, fmt.Errorf("%s: %d bytes instead of %d: %w", what, len(b), size, ErrInvalid)
	}
	return b, nil
}
