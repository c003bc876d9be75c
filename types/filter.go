package types

import (
	"encoding/json"
	"fmt"

	"github.com/mr-tron/base58"
)

// A Filter is a condition on an account. Make one with [Memcmp], [MemcmpAddress],
// [DataSize] or [TokenAccountState].
type Filter struct {
	kind    filterKind
	number  uint64  // the size or the offset
	data    string  // the bytes to compare with
	address Address // the argument of MemcmpAddress
}

type filterKind int

const (
	filterNone filterKind = iota
	filterSize
	filterMemcmp
	filterTokenState
)

// Memcmp returns a filter that matches accounts whose data has these bytes at offset. An
// account whose data ends before offset does not match. Nodes accept up to 128 bytes,
// and at offset 0 of a token program exactly 32. In a compressed account, offset 0 is
// the first byte after the 8-byte discriminator.
func Memcmp(offset uint64, data []byte) Filter {
	return Filter{kind: filterMemcmp, number: offset, data: string(data)}
}

// MemcmpAddress is like [Memcmp] with the 32 bytes of an address. An invalid address
// makes the call that uses the filter fail.
func MemcmpAddress(offset uint64, a Address) Filter {
	b, _ := a.Bytes() // check reports the error
	return Filter{filterMemcmp, offset, string(b), a}
}

// DataSize returns a filter that matches accounts with this many bytes of data. The
// compression API does not have it.
func DataSize(size uint64) Filter { return Filter{kind: filterSize, number: size} }

// TokenAccountState returns a filter that matches valid token accounts of any size. The
// compression API does not have it.
func TokenAccountState() Filter { return Filter{kind: filterTokenState} }

// maxCompared bounds the time that base58 takes, which grows with the square of the length.
const maxCompared = 10 << 10

// check returns the reason why f is invalid, or nil.
func (f Filter) check() error {
	if f.address != "" {
		if _, err := f.address.Bytes(); err != nil {
			return fmt.Errorf("%q: %w", string(f.address), err)
		}
	}
	switch {
	case f.kind == filterNone:
		return fmt.Errorf("has no condition; make it with types.Memcmp, MemcmpAddress or DataSize: %w", ErrInvalid)
	case f.kind == filterMemcmp && f.data == "":
		return fmt.Errorf("compares no bytes; call types.Memcmp with at least one byte: %w", ErrInvalid)
	case len(f.data) > maxCompared:
		return fmt.Errorf("compares %d bytes; an account has at most %d: %w", len(f.data), maxCompared, ErrInvalid)
	}
	return nil
}

// MarshalJSON encodes the filter as the service reads it, with bytes in base58. It fails
// for an invalid filter, with an error that matches ErrInvalid.
func (f Filter) MarshalJSON() ([]byte, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	switch f.kind {
	case filterSize:
		return json.Marshal(struct {
			DataSize uint64 `json:"dataSize"` // 0 is a size too
		}{f.number})
	case filterTokenState:
		return []byte(`"tokenAccountState"`), nil
	}
	type memcmp struct {
		Offset uint64 `json:"offset"` // required, 0 too
		Bytes  string `json:"bytes"`
	}
	return json.Marshal(struct {
		Memcmp memcmp `json:"memcmp"`
	}{memcmp{f.number, base58.Encode([]byte(f.data))}})
}
