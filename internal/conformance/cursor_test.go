package conformance_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/rpc/das"
	"github.com/solwire/solwire-go/types"
)

// A cursor of another address is refused, since it would skip items in silence. With another
// Limit the listing continues with the next item, or the cursor, a page number, is refused.
func TestCursorsBelongToTheirListing(t *testing.T) {
	t.Parallel()
	c := connect(t, priced(30).Config())
	other := map[reflect.Type]any{
		reflect.TypeFor[types.Address](): mint, reflect.TypeFor[das.SearchFilter](): das.SearchFilter{Owner: mint}, reflect.TypeFor[das.TokenAccountsFilter](): das.TokenAccountsFilter{Mint: mint},
	}
	for name, args := range pricedListings {
		all := func(args []any, limit int64, cursor string) (items []string, err error) {
			for item, e := range c.pricedList(t.Context(), name, args, limit, cursor).MethodByName("All").Call(nil)[0].Seq2() {
				if err, _ = reflect.TypeAssert[error](e); err == nil {
					items = append(items, encoded(item))
				}
			}
			return items, err
		}
		whole, err := all(args, 12, "")
		require.NoError(t, err, name)
		out := c.pricedList(t.Context(), name, args, 12, "").MethodByName("Page").Call(nil)
		require.True(t, out[1].IsNil(), "%s: %v", name, out[1])
		first, cursor := encodedAll(out[0].Elem().FieldByName("Items")), out[0].Elem().FieldByName("Cursor").String()
		require.NotEmpty(t, cursor, name)
		rest, err := all(args, 7, cursor)
		if err == nil {
			require.Equal(t, whole, append(first, rest...), name)
		} else {
			require.ErrorIs(t, err, types.ErrInvalid, name)
		}
		for j, arg := range args {
			if another, ok := other[reflect.TypeOf(arg)]; ok {
				wrong := slices.Clone(args)
				wrong[j] = another
				_, err = all(wrong, 12, cursor)
				require.ErrorIs(t, err, types.ErrInvalid, name)
			}
		}
	}
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
