package compressed

import (
	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/types"
)

// checkFilter refuses filters that the compression API does not have.
func checkFilter(name string, f types.Filter) error {
	offset, _, ok, err := argument.Memcmp(name, f)
	switch {
	case err != nil:
		return err
	case !ok:
		return argument.Invalid(name, "is not made with types.Memcmp or MemcmpAddress, the filters of the compression API")
	case offset > maxOffset:
		return argument.Invalid(name, "has an offset beyond 2147483646")
	}
	return nil
}
