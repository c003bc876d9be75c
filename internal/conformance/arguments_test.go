package conformance_test

import (
	"context"
	"errors"
	"fmt"
	"path"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types"
)

// A badValue is a value that no method accepts, and what the error says of it.
type badValue struct {
	value reflect.Value
	says  string // with the name of the argument in place of %s
}

// badValues returns what is refused of a type of argument; nothing for types of which it
// depends on the method.
func badValues(typ reflect.Type) []badValue {
	text := func(bad, says string) badValue { return badValue{reflect.ValueOf(bad).Convert(typ), says} }
	switch typ {
	case reflect.TypeFor[types.Address]():
		return []badValue{
			text("", "%s is empty"),
			text("short", `%s "short": address has length 5, not 32 to 44`),
			text("0OIl0OIl0OIl0OIl0OIl0OIl0OIl0OIl", `%s "0OIl0OIl0OIl0OIl0OIl0OIl0OIl0OIl": address is not base58`),
			text("toly.sol", `%s "toly.sol" is a domain name; resolve it with `),
		}
	case reflect.TypeFor[types.Hash]():
		return []badValue{text("", "%s is empty"), text("short", `%s "short": hash has length 5, not 32 to 44`), text("0OIl0OIl0OIl0OIl0OIl0OIl0OIl0OIl", `%s "0OIl0OIl0OIl0OIl0OIl0OIl0OIl0OIl": hash is not base58`)}
	case reflect.TypeFor[types.Signature]():
		return []badValue{text("", "%s is empty"), text("short", `%s "short": signature has length 5, not 64 to 88`)}
	}
	switch {
	case typ.Kind() == reflect.Slice && typ.Elem().Kind() == reflect.String:
		var all []badValue
		for _, bad := range badValues(typ.Elem()) {
			list := reflect.Append(reflect.MakeSlice(typ, 0, 2), valid(typ.Elem(), mint), bad.value)
			all = append(all, badValue{list, strings.Replace(bad.says, "%s", "%s[1]", 1)})
		}
		return all
	case typ.Kind() == reflect.Pointer && strings.HasSuffix(typ.Elem().Name(), "Options"):
		var all []badValue
		set := func(name string, to any, says string) {
			opts := reflect.New(typ.Elem())
			if field := opts.Elem().FieldByName(name); field.IsValid() && reflect.TypeOf(to).AssignableTo(field.Type()) {
				field.Set(reflect.ValueOf(to))
				all = append(all, badValue{opts, says})
			}
		}
		set("Commitment", types.Commitment("final"), `Commitment "final" is not processed, confirmed or finalized`)
		set("Limit", -1, "Limit -1 is negative; 0 means the default")
		for i := range typ.Elem().NumField() {
			name := typ.Elem().Field(i).Name
			set(name, types.Address("x"), name+` "x": address has length 1, not 32 to 44`)
			set(name, types.Signature("x"), name+` "x": signature has length 1, not 64 to 88`)
		}
		return all
	}
	return nil
}

// Addresses, hashes, signatures, commitments and limits that are invalid are refused by
// every method, before anything is sent. Rows have what is special to a method.
func TestInvalidArgumentsOfEveryMethod(t *testing.T) {
	t.Parallel()
	names := map[string][]string{} // of parameters
	for _, area := range areas {
		for method, params := range readArea(t, area).params {
			names[path.Base(area)+".Client."+method] = params
		}
	}
	all := everyRow()
	cancelled, cancel := context.WithCancel(t.Context())
	cancel() // what is not refused sends nothing
	for name, method := range methods() {
		if !slices.ContainsFunc(all, func(r row) bool { return r.method == name }) {
			continue
		}
		for j := 2; j < method.Type.NumIn(); j++ {
			for _, bad := range badValues(method.Type.In(j)) {
				s, c := serve(t, answer{200, "{}"})
				args := valids(method, mint)
				if bad.value.Kind() == reflect.Pointer {
					args[j-2] = reflect.New(method.Type.In(j).Elem()).Interface()
					if _, err := calling(name, args...)(cancelled, c); errors.Is(err, types.ErrInvalid) {
						continue // some options are required; the row has the others
					}
				}
				args[j-2] = bad.value.Interface()
				says := bad.says
				if strings.Contains(says, "%s") {
					says = fmt.Sprintf(says, names[name][j-1])
				}
				_, err := calling(name, args...)(cancelled, c)
				require.ErrorIs(t, err, types.ErrInvalid, "%s does not refuse: %s", name, says)
				require.True(t, strings.HasPrefix(err.Error(), name+": "+says), "%s should say %q, but says: %v", name, says, err)
				require.Zero(t, s.count(), name)
			}
		}
	}
}
