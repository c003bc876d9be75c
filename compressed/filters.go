package compressed

import (
	"encoding/json"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/types"
)

// checkFilter refuses filters that the compression API does not have.
func checkFilter(name string, f types.Filter) error {
	if err := argument.Filter(name, f); err != nil {
		return err
	}
	var wire struct {
		Memcmp *struct {
			Offset uint64 `json:"offset"`
		} `json:"memcmp"`
	}
	text, _ := f.MarshalJSON()
	_ = json.Unmarshal(text, &wire) // tokenAccountState is a text
	switch {
	case wire.Memcmp == nil:
		return argument.Invalid(name, "is not made with types.Memcmp or MemcmpAddress, the filters of the compression API")
	case wire.Memcmp.Offset > maxOffset:
		return argument.Invalid(name, "has an offset beyond 2147483646")
	}
	return nil
}
