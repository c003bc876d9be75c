package das_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/rpc/das"
	"github.com/solwire/solwire-go/types"
)

func TestAnotherAssetIsRefused(t *testing.T) {
	t.Parallel()
	_, err := replying(t, `"result":{"id":"E21SDWegRqQE8mt24jq62GZAh4hNaMbgcQhQM36uf5zT"}`).Asset(t.Context(), owner, nil)
	require.EqualError(t, err, "getAsset: the response is for another asset: \"E21SDWegRqQE8mt24jq62GZAh4hNaMbgcQhQM36uf5zT\"")
}

func TestGrandTotalBeyond64BitsIsUnknown(t *testing.T) {
	t.Parallel()
	for total, want := range map[string]uint64{"18446744073709551615": 18446744073709551615, "18446744073709551616": 0, "-1": 0, "1e3": 0} {
		page, err := replying(t, fmt.Sprintf(`"result":{"items":[],"grand_total":%s}`, total)).AssetsByOwner(t.Context(), owner, nil).Page()
		require.NoError(t, err)
		require.Equal(t, want, page.GrandTotal, total)
	}
}

func TestShowOfListingsIsRefusedForAnAsset(t *testing.T) {
	t.Parallel()
	w := newWorld(1)
	c := w.client(t)
	for _, show := range []das.Show{{ZeroBalance: true}, {NativeBalance: true}, {GrandTotal: true}} {
		_, err := c.Asset(t.Context(), owner, &das.AssetOptions{Show: show})
		require.ErrorIs(t, err, types.ErrInvalid)
		require.ErrorContains(t, err, "is for listings only")
		_, err = c.Assets(t.Context(), w.ids(), &das.AssetOptions{Show: show})
		require.ErrorIs(t, err, types.ErrInvalid)
	}
	require.Empty(t, w.requests)
}
