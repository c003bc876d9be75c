package types

import (
	"encoding/json"
	"fmt"

	"github.com/mr-tron/base58"
)

// A Filter is a condition on an account. Make one with [Memcmp], [MemcmpAddress],
// [DataSize] or [TokenAccountState].
type Filter struct {
	text string // as the service reads it
	err  error  // why it is invalid
}

// Memcmp returns a filter for accounts with these bytes in their data at offset. An account whose
// data ends before offset does not match. Nodes accept up to 128 bytes; for accounts of a token
// program, exactly 32 at offset 0. In a compressed account, offset 0 is the first byte after the
// 8-byte discriminator.
func Memcmp(offset uint64, data []byte) Filter {
	switch {
	case len(data) == 0:
		return Filter{err: fmt.Errorf("compares no bytes; call types.Memcmp with at least one byte: %w", ErrInvalid)}
	case len(data) > maxCompared:
		return Filter{err: fmt.Errorf("compares %d bytes; at most %d are possible: %w", len(data), maxCompared, ErrInvalid)}
	}
	type memcmp struct {
		Offset uint64 `json:"offset"` // required, 0 too
		Bytes  string `json:"bytes"`
	}
	return filterOf(struct {
		Memcmp memcmp `json:"memcmp"`
	}{memcmp{offset, base58.Encode(data)}})
}

func filterOf(condition any) Filter {
	text, err := json.Marshal(condition)
	return Filter{string(text), err}
}

// MemcmpAddress is like [Memcmp] with the 32 bytes of an address. With an invalid address, the call
// fails.
func MemcmpAddress(offset uint64, a Address) Filter {
	b, err := a.Bytes()
	if err != nil {
		return Filter{err: fmt.Errorf("%q: %w", string(a), err)}
	}
	return Memcmp(offset, b)
}

// DataSize returns a filter for accounts with this many bytes of data. The compression API does not
// have it.
func DataSize(size uint64) Filter {
	return filterOf(struct {
		DataSize uint64 `json:"dataSize"` // 0 is a size too
	}{size})
}

// TokenAccountState returns a filter for valid token accounts of any size. The compression API does
// not have it.
func TokenAccountState() Filter { return filterOf("tokenAccountState") }

// maxCompared limits the time of the base58 encoding, which grows with the square of the length.
const maxCompared = 10 << 10

// MarshalJSON encodes the filter as the service reads it, with bytes in base58. It fails
// for an invalid filter, with an error that matches ErrInvalid.
func (f Filter) MarshalJSON() ([]byte, error) {
	if f == (Filter{}) {
		return nil, fmt.Errorf("has no condition; make it with types.Memcmp, MemcmpAddress or DataSize: %w", ErrInvalid)
	}
	return []byte(f.text), f.err
}
