package compressed

import (
	"encoding/json"
	"fmt"

	"github.com/mr-tron/base58"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/types"
)

// maxCompared is the largest size of account data in bytes. The cost of encoding
// base58 grows with the square of the length.
const maxCompared = 10 << 10

// A Filter is a condition on the data of an account. Make one with [Memcmp] or
// [MemcmpAddress].
type Filter struct {
	offset  uint64
	data    string        // the bytes to compare with
	address types.Address // that MemcmpAddress was called with
}

// Memcmp returns a filter that matches accounts whose data has these bytes at
// offset. Offset 0 is the first byte after the 8-byte discriminator, whatever the
// DataSlice of the options. An account without data does not match.
func Memcmp(offset uint64, data []byte) Filter { return Filter{offset: offset, data: string(data)} }

// MemcmpAddress is like [Memcmp] with the 32 bytes of an address. An invalid
// address makes the call that uses the filter fail.
func MemcmpAddress(offset uint64, a types.Address) Filter {
	b, _ := a.Bytes() // the error is that of the call
	return Filter{offset, string(b), a}
}

// MarshalJSON encodes the bytes in base58, the only encoding that the service
// reads here.
func (f Filter) MarshalJSON() ([]byte, error) {
	type memcmp struct {
		Offset uint64 `json:"offset"` // required, 0 too
		Bytes  string `json:"bytes"`
	}
	return json.Marshal(struct {
		Memcmp memcmp `json:"memcmp"`
	}{memcmp{f.offset, base58.Encode([]byte(f.data))}})
}

func (f Filter) check(name string) error {
	if f.address != "" {
		if _, err := f.address.Bytes(); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	switch {
	case f.data == "":
		return argument.Invalid(name, "compares no bytes; make it with Memcmp and at least one byte")
	case len(f.data) > maxCompared:
		return argument.Invalid(name, fmt.Sprintf("compares %d bytes; an account has at most %d", len(f.data), maxCompared))
	case f.offset > maxOffset:
		return argument.Invalid(name, "has an offset beyond 2147483646")
	}
	return nil
}
