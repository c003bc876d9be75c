package transport_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/internal/bench"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/wallet"
)

// A comparison with what skips a part of the page, or all of it, would say
// nothing.
func TestBothSidesOfTheBenchmarksDecodeWholePages(t *testing.T) {
	t.Parallel()
	for _, l := range listings() {
		ours, plain := l.ours(), l.plain()
		require.NoError(t, transport.Decode(l.body, ours), l.name)
		require.NoError(t, json.Unmarshal(l.body, plain), l.name)
		items := itemsOf(t, ours)
		same := reflect.DeepEqual(items.Interface(), itemsOf(t, plain).Interface())
		require.True(t, same, l.name)
		require.Equal(t, l.items, items.Len(), l.name)
		require.Equal(t, l.unset, unset(items), l.name)
	}
}

// itemsOf returns the list in an answer that is decoded.
func itemsOf(t *testing.T, answer any) reflect.Value {
	switch a := answer.(type) {
	case *transport.Envelope[compressed.Page[compressed.Account]]:
		return reflect.ValueOf(a.Result.Value.Items)
	case *transport.Envelope[compressed.Page[compressed.TokenAccount]]:
		return reflect.ValueOf(a.Result.Value.Items)
	case *transport.Envelope[[]rpc.TokenAccount]:
		return reflect.ValueOf(*a.Result.Value)
	case *transport.Envelope[[]plainTokenAccount]:
		return reflect.ValueOf(each(*a.Result.Value, plainTokenAccount.account))
	case *transport.Envelope[[]parsedTokenAccount]:
		return reflect.ValueOf(each(*a.Result.Value, parsedTokenAccount.account))
	case *wallet.BalancePage:
		return reflect.ValueOf(a.Items)
	}
	require.Fail(t, "an answer of another kind", "%T", answer)
	return reflect.Value{}
}

func each[A, B any](list []A, f func(A) B) []B {
	var all []B
	for _, a := range list {
		all = append(all, f(a))
	}
	return all
}

// unset returns the fields that are zero in every item, in order.
func unset(items reflect.Value) []string {
	set := map[string]bool{}
	for i := range items.Len() {
		look(items.Index(i), "", set)
	}
	var paths []string
	for path, is := range set {
		if !is {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	return paths
}

// look notes which fields of a struct are set. What is not set is not looked into.
func look(v reflect.Value, path string, set map[string]bool) {
	for i := range v.NumField() {
		if !v.Type().Field(i).IsExported() {
			continue
		}
		name, field := path+v.Type().Field(i).Name, v.Field(i)
		set[name] = set[name] || !field.IsZero()
		if field.Kind() == reflect.Pointer {
			field = field.Elem()
		}
		if field.Kind() == reflect.Struct && !field.IsZero() {
			look(field, name+".", set)
		}
	}
}

func TestRawClientReadsWhatOursReads(t *testing.T) {
	t.Parallel()
	for _, page := range [][]byte{bench.CompressedAccounts(10), bench.Zipped(bench.CompressedAccounts(10))} {
		ours, raw := clients(t, bench.Serve(t, page))
		want, err := ours.AccountsByOwner(t.Context(), owner, nil)
		require.NoError(t, err)
		require.Len(t, want.Items, 10)
		got, err := raw.accountsByOwner(t.Context(), owner)
		require.NoError(t, err)
		require.Equal(t, want.Items, got.Items)
		require.Equal(t, want.Cursor, got.Cursor)
	}
}
