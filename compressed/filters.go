package compressed

import (
	"fmt"
	"strings"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/types"
)

// maxCompared is the largest size of account data in bytes. The cost of encoding
// base58 grows with the square of the length.
const maxCompared = 10 << 10

// checkFilter refuses filters that the compression API does not have.
func checkFilter(name string, f types.Filter) error {
	if err := f.Check(); err != nil {
		return fmt.Errorf("%s %w", name, err)
	}
	offset, data, ok := f.Compared()
	switch {
	case !ok:
		return argument.Invalid(name, "is not made with types.Memcmp or MemcmpAddress, the filters of the compression API")
	case len(data) > maxCompared:
		return argument.Invalid(name, fmt.Sprintf("compares %d bytes; an account has at most %d", len(data), maxCompared))
	case offset > maxOffset:
		return argument.Invalid(name, "has an offset beyond 2147483646")
	}
	return nil
}

// textOf returns what tells filters from others in the cursors of a listing.
func textOf(filters []types.Filter) string {
	var text strings.Builder
	for _, f := range filters {
		offset, data, _ := f.Compared()
		_, _ = fmt.Fprintf(&text, "%d:%x,", offset, data)
	}
	return text.String()
}
