package das_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/rpc/das"
	"github.com/solwire/solwire-go/types"
)

// requireRoundTrip fails unless v survives encoding/json.
func requireRoundTrip[T any](t *testing.T, v *T) {
	t.Helper()
	text, err := json.Marshal(v)
	require.NoError(t, err)
	var got T
	require.NoError(t, json.Unmarshal(text, &got))
	require.Equal(t, *v, got, "%s", text)
}

// fill sets every member that a reader of JSON can set.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[decimal.NullDecimal]() {
			return
		}
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				fill(v.Field(i))
			}
		}
	case reflect.Slice:
		if v.Type() == reflect.TypeFor[json.RawMessage]() {
			v.SetBytes([]byte(`{"a":[1,null]}`))
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fill(v.Index(1))
	case reflect.String:
		v.SetString("7")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(1<<40 + 1)
	case reflect.Uint8, reflect.Uint64:
		v.SetUint(255)
	default:
		panic(v.Type())
	}
}

func roundTrips[T any](t *testing.T) {
	t.Helper()
	var v T
	requireRoundTrip(t, &v)
	fill(reflect.ValueOf(&v).Elem())
	requireRoundTrip(t, &v)
}

func TestValuesSurviveJSON(t *testing.T) {
	t.Parallel()
	roundTrips[das.Asset](t)
	roundTrips[das.TokenAccount](t)
	roundTrips[das.Signature](t)
	roundTrips[das.Edition](t)
	roundTrips[das.Proof](t)
	roundTrips[das.AssetPage](t)
	roundTrips[das.EditionPage](t)
	roundTrips[das.File](t)
	roundTrips[das.Attribute](t)
	roundTrips[das.Plugin](t)
	roundTrips[das.TransferFees](t)
	requireRoundTrip(t, &types.Page[das.TokenAccount]{Items: []das.TokenAccount{{Address: "a", Problem: "why"}}})
}

func TestGrandTotalBeyond64BitsIsUnknown(t *testing.T) {
	t.Parallel()
	for total, want := range map[string]uint64{"18446744073709551615": 18446744073709551615, "18446744073709551616": 0, "-1": 0, "1e3": 0} {
		page, err := replying(t, fmt.Sprintf(`"result":{"items":[],"grand_total":%s}`, total)).AssetsByOwner(t.Context(), owner, &das.AssetsOptions{ShowGrandTotal: true}).Page()
		require.NoError(t, err)
		require.Equal(t, want, page.Total, total)
	}
}

func TestSlotOfAResult(t *testing.T) {
	t.Parallel()
	asset, err := replying(t, fmt.Sprintf(`"result":{"id":%q,"last_indexed_slot":7}`, owner)).Asset(t.Context(), owner, nil)
	require.NoError(t, err)
	require.Equal(t, uint64(7), asset.Slot)
	assets, err := replying(t, `"result":{"items":[],"last_indexed_slot":7}`).AssetsByOwner(t.Context(), owner, nil).Page()
	require.NoError(t, err)
	require.Equal(t, uint64(7), assets.Slot)
	editions, err := replying(t, `"result":{"master_edition_address":"m","last_indexed_slot":7}`).Editions(t.Context(), owner, nil).Page()
	require.NoError(t, err)
	require.Equal(t, uint64(7), editions.Slot)
	signatures, err := replying(t, `"result":{"items":[],"last_indexed_slot":7}`).Signatures(t.Context(), owner, nil).Page()
	require.NoError(t, err)
	require.Equal(t, uint64(7), signatures.Slot)
	for _, cursor := range []string{"", "abc"} {
		accounts, err := replying(t, `"result":{"token_accounts":[],"last_indexed_slot":7}`).
			TokenAccounts(t.Context(), das.TokenAccountsFilter{Mint: owner}, &das.TokenAccountsOptions{PageOptions: types.PageOptions{Cursor: cursor}}).Page()
		require.NoError(t, err)
		require.Equal(t, uint64(7), accounts.Slot)
	}
}
