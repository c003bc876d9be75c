package conformance_test

import (
	"iter"
	"path"
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/rpc/das"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
)

// Every listing of every client ends with the error that fake.Incomplete promises,
// whether one request or all of them meet it.
func TestIncompleteFaultEndsEveryListing(t *testing.T) {
	t.Parallel()
	for name, method := range methods() {
		if !returnsList(method) || !isPaged(method) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := fake.New(&fake.Options{Strict: true})
			c := connect(t, s.Config())
			last := func() (last error) {
				args := valids(method, mint)
				for _, err := range pagesOf(c.open(t.Context(), name, args[:len(args)-1], func(reflect.Value) {})) {
					last = err
				}
				return last
			}
			s.Fail("", 1, fake.Incomplete())
			require.ErrorIs(t, last(), types.ErrIncomplete)
			s.FailShare(s.Requests()[0].Operation, 1, fake.Incomplete())
			require.ErrorIs(t, last(), types.ErrIncomplete)
		})
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
