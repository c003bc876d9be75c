package wire

import (
	"bytes"
	"encoding/base64"
	"encoding/json"

	"github.com/solwire/solwire-go/internal/fakeapi/world"
)

// A Filter selects accounts by one condition: a size, some bytes, or the state of token accounts.
type Filter struct {
	Size   *uint64 `json:"dataSize"`
	Memcmp *struct {
		Offset   uint64 `json:"offset"`
		Bytes    string `json:"bytes"`
		Encoding string `json:"encoding"`
	} `json:"memcmp"`

	bytes []byte // of Memcmp
}

// Filters reads filters.
func (c *Call) Filters(all []json.RawMessage, most int) (filters []Filter) {
	if len(all) > most {
		c.Invalid("Invalid params: Too many filters provided; max %d", most)
	}
	for _, raw := range all {
		var f Filter
		var err error
		if string(raw) != `"tokenAccountState"` && (json.Unmarshal(raw, &f) != nil || (f.Size == nil) == (f.Memcmp == nil)) {
			c.Invalid("Invalid params: invalid filter %s, expected one of `dataSize`, `memcmp`, `tokenAccountState`.", raw)
		} else if m := f.Memcmp; m != nil {
			if f.bytes, err = world.Unbase58(m.Bytes); m.Encoding == "base64" {
				f.bytes, err = base64.StdEncoding.DecodeString(m.Bytes)
			}
		}
		if err != nil {
			c.Invalid("Invalid param: %v", err)
		}
		filters = append(filters, f)
	}
	return filters
}

// Matches reports whether data has the size or the bytes of f. Any data matches the state of token
// accounts.
func (f *Filter) Matches(data []byte) bool {
	if f.Memcmp == nil {
		return f.Size == nil || *f.Size == uint64(len(data))
	}
	part := Slice{f.Memcmp.Offset, uint64(len(f.bytes))}
	return bytes.Equal(part.Of(data), f.bytes)
}
