package conformance_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"path"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/rpc/das"
	"github.com/solwire/solwire-go/rpc/parsedapi"
	"github.com/solwire/solwire-go/types"
)

// A badValue is a value that no method accepts, with the text of its error.
type badValue struct {
	value reflect.Value
	says  string // with the name of the argument in place of %s
}

// badValues returns invalid values of a type of argument; none for types whose validity
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
// every method, before anything is sent. Rows have the refusals of a single method.
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
	cancel() // a call that is not refused sends nothing
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
					if _, err := unnoted(name, args...)(cancelled, c); errors.Is(err, types.ErrInvalid) {
						continue // some options are required; the row has the others
					}
				}
				args[j-2] = bad.value.Interface()
				says := bad.says
				if strings.Contains(says, "%s") {
					says = fmt.Sprintf(says, names[name][j-1])
				}
				got, err := unnoted(name, args...)(cancelled, c)
				require.Nil(t, got, name)
				require.ErrorIs(t, err, types.ErrInvalid, "%s does not refuse: %s", name, says)
				require.True(t, strings.HasPrefix(err.Error(), name+": "+says), "%s should say %q, but says: %v", name, says, err)
				require.Zero(t, s.count(), name)
			}
		}
	}
}

// of returns the client of a type.
func (c *clients) of(typ reflect.Type) reflect.Value {
	all := []any{c.compressed, c.das, c.parsed, c.rpc, c.stream, c.wallet, c.webhooks, c.enhanced}
	i := slices.IndexFunc(all, func(client any) bool { return reflect.TypeOf(client) == typ })
	return reflect.ValueOf(all[i])
}

// returnsList reports whether a method returns a list: a struct with a method Pages.
func returnsList(method reflect.Method) bool {
	if method.Type.NumOut() != 1 {
		return false
	}
	_, ok := method.Type.Out(0).MethodByName("Pages")
	return ok
}

// isPaged reports whether the service pages a listing: its options have a Limit. The pages of
// TokenAccountsByDelegate are token programs.
func isPaged(method reflect.Method) bool {
	_, ok := method.Type.In(method.Type.NumIn() - 1).Elem().FieldByName("Limit")
	return ok
}

// methods are the methods of all clients, by names such as rpc.Client.Slot.
func methods() iter.Seq2[string, reflect.Method] {
	return func(yield func(string, reflect.Method) bool) {
		for _, area := range areas {
			for i := range clientTypes[area].NumMethod() {
				if m := clientTypes[area].Method(i); !yield(path.Base(area)+".Client."+m.Name, m) {
					return
				}
			}
		}
	}
}

// valids returns valid arguments of a method after the context, with nil options; its
// addresses are a.
func valids(method reflect.Method, a types.Address) (args []any) {
	for i := 2; i < method.Type.NumIn(); i++ {
		args = append(args, valid(method.Type.In(i), a).Interface())
	}
	return args
}

// valid returns an argument of a type, with the address a.
func valid(typ reflect.Type, a types.Address) reflect.Value {
	arg := reflect.New(typ).Elem()
	switch value := arg.Addr().Interface().(type) {
	case *types.Address:
		*value = a
	case *[]types.Address:
		*value = []types.Address{a}
	case *types.Hash:
		*value = mint
	case *[]types.Hash:
		*value = []types.Hash{mint}
	case *types.Signature:
		*value = sig1
	case *[]types.Signature:
		*value = []types.Signature{sig1}
	case *parsedapi.Match:
		*value = parsedapi.Match{Mints: []parsedapi.MintMatch{{Mint: mint}}}
	case *das.TokenAccountsFilter:
		*value = das.TokenAccountsFilter{Mint: mint}
	case *rpc.TokenFilter:
		*value = rpc.ByMint(mint)
	case *[]byte:
		*value = []byte{1}
	case *int:
		*value = 1
	case *string:
		*value = das.GroupCollection
	}
	return arg
}
