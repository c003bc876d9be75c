package compressed

import (
	"slices"
	"strings"

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

// textOf returns what tells filters from others in the cursors of a listing. Their order does
// not matter: all of them have to match.
func textOf(filters []types.Filter) string {
	texts := make([]string, len(filters))
	for i, f := range filters {
		text, _ := f.MarshalJSON() // an invalid filter is refused
		texts[i] = string(text)
	}
	slices.Sort(texts)
	return strings.Join(texts, ",")
}
