package rpc

import (
	"encoding/json"
	"fmt"

	"github.com/mr-tron/base58"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/types"
)

// A Filter is a condition on the data of an account. Make one with [DataSize],
// [Memcmp], [MemcmpAddress] or [TokenAccountState].
type Filter struct {
	kind    filterKind
	number  uint64        // the size or the offset
	data    string        // the bytes to compare with
	address types.Address // that MemcmpAddress was called with
}

type filterKind int

const (
	filterNone filterKind = iota
	filterSize
	filterMemcmp
	filterTokenState
)

// DataSize returns a filter that matches accounts with this many bytes of data.
func DataSize(size uint64) Filter { return Filter{kind: filterSize, number: size} }

// Memcmp returns a filter that matches accounts whose data has these bytes at offset.
// Nodes accept up to 128 bytes, and at offset 0 of a token program exactly 32.
func Memcmp(offset uint64, data []byte) Filter {
	return Filter{kind: filterMemcmp, number: offset, data: string(data)}
}

// MemcmpAddress is like [Memcmp] with the 32 bytes of an address. An invalid address
// makes the call that uses the filter fail.
func MemcmpAddress(offset uint64, a types.Address) Filter {
	b, _ := a.Bytes() // the error is that of the call
	return Filter{filterMemcmp, offset, string(b), a}
}

// TokenAccountState returns a filter that matches valid token accounts of any size.
func TokenAccountState() Filter { return Filter{kind: filterTokenState} }

// MarshalJSON encodes the filter as a node reads it.
func (f Filter) MarshalJSON() ([]byte, error) {
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

// maxCompared is the most bytes that nodes compare. The cost of encoding base58 grows
// with the square of the length.
const maxCompared = 128

func checkFilters(filters []Filter) error {
	for i, f := range filters {
		if err := f.check(fmt.Sprintf("Filters[%d]", i)); err != nil {
			return err
		}
	}
	return nil
}

func (f Filter) check(name string) error {
	if f.address != "" {
		if err := argument.Address(name, f.address); err != nil {
			return err
		}
	}
	switch {
	case f.kind == filterNone:
		return argument.Invalid(name, "has no condition; make it with DataSize, Memcmp or MemcmpAddress")
	case f.kind == filterMemcmp && f.data == "":
		return argument.Invalid(name, "compares no bytes; make it with Memcmp and at least one byte")
	case len(f.data) > maxCompared:
		return argument.Invalid(name, fmt.Sprintf("compares %d bytes; nodes accept at most %d", len(f.data), maxCompared))
	}
	return nil
}
