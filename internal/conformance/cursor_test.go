package conformance_test

import (
	"encoding/json"
	"path"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/rpc/das"
	"github.com/solwire/solwire-go/types"
)

// A cursor of another address is refused, since it would skip items in silence. With another
// Limit the listing continues with the next item, or the cursor, a page number, is refused.
func TestCursorsBelongToTheirListing(t *testing.T) {
	t.Parallel()
	c := connect(t, priced(30).Config())
	start := map[string][]any{
		"das.AssetsByGroup":           {das.GroupCollection, collector},
		"das.SearchAssets":            {das.SearchFilter{Owner: collector}},
		"das.TokenAccounts":           {das.TokenAccountsFilter{Mint: heldMint}},
		"das.Editions":                {master},
		"rpc.ProgramAccounts":         {ownProgram},
		"rpc.TokenAccountsByOwner":    {holder, rpc.AnyProgram()},
		"rpc.TokenAccountsByDelegate": {delegated, rpc.AnyProgram()},
		"wallet.Balances":             {holder},
		"compressed.MintTokenHolders": {oneMint},
		"compressed.AccountsByOwner":  {compressor},
	}
	other := map[reflect.Type]any{
		reflect.TypeFor[types.Address](): mint, reflect.TypeFor[das.SearchFilter](): das.SearchFilter{Owner: mint}, reflect.TypeFor[das.TokenAccountsFilter](): das.TokenAccountsFilter{Mint: mint},
	}
	read := 0
	for _, area := range areas {
		for i := range clientTypes[area].NumMethod() {
			m := clientTypes[area].Method(i)
			name := path.Base(area) + "." + m.Name
			if !returnsList(m) || likeOthers[path.Base(area)+".Client."+m.Name] != "" {
				continue
			}
			args := start[name]
			if args == nil { // by the address that has items
				args = []any{map[string]types.Address{"das": collector, "compressed": indexed}[path.Base(area)]}
				if args[0] == types.Address("") {
					args[0] = trader
				}
				if m.Name == "TokenAccountsByDelegate" {
					args[0] = delegated
				}
			}
			items := func(args []any, limit int64, cursor string, pages string) (items []string, next string, err error) {
				in := []reflect.Value{c.of(clientTypes[area]), reflect.ValueOf(t.Context())}
				for j, arg := range args {
					in = append(in, reflect.ValueOf(arg).Convert(m.Type.In(j+2)))
				}
				opts := reflect.New(m.Type.In(m.Type.NumIn() - 1).Elem())
				opts.Elem().FieldByName("Cursor").SetString(cursor)
				if f := opts.Elem().FieldByName("Limit"); f.IsValid() {
					f.SetInt(limit)
				}
				list := m.Func.Call(append(in, opts))[0]
				if pages == "Page" {
					out := list.MethodByName("Page").Call(nil)
					require.True(t, out[1].IsNil(), "%s: %v", name, out[1])
					return encodedAll(out[0].Elem().FieldByName("Items")), out[0].Elem().FieldByName("Cursor").String(), nil
				}
				for item, e := range list.MethodByName("All").Call(nil)[0].Seq2() {
					if err, _ = reflect.TypeAssert[error](e); err == nil {
						items = append(items, encoded(item))
					}
				}
				return items, "", err
			}
			all, _, err := items(args, 12, "", "All")
			require.NoError(t, err, name)
			first, cursor, _ := items(args, 12, "", "Page")
			require.NotEmpty(t, cursor, name)
			rest, _, err := items(args, 7, cursor, "All")
			if err == nil {
				require.Equal(t, all, append(first, rest...), name)
			} else {
				require.ErrorIs(t, err, types.ErrInvalid, name)
			}
			for j, arg := range args {
				if another, ok := other[reflect.TypeOf(arg)]; ok {
					wrong := append([]any{}, args...)
					wrong[j] = another
					_, _, err = items(wrong, 12, cursor, "All")
					require.ErrorIs(t, err, types.ErrInvalid, name)
				}
			}
			read++
		}
	}
	require.Greater(t, read, 20)
}

func encoded(item reflect.Value) string {
	b, _ := json.Marshal(item.Interface()) // results survive encoding/json
	return string(b)
}

func encodedAll(items reflect.Value) (all []string) {
	for i := range items.Len() {
		all = append(all, encoded(items.Index(i)))
	}
	return all
}
