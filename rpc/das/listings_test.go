package das_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/rpc/das"
	"github.com/solwire/solwire-go/types"
)

func TestListsOfStubs(t *testing.T) {
	t.Parallel()
	assets := &das.AssetPage{Items: []das.Asset{{ID: "a"}, {ID: "b"}}}
	list := das.NewAssetList(
		func() (*das.AssetPage, error) { return assets, nil },
		func(yield func(*das.AssetPage, error) bool) {
			_ = yield(assets, nil) && yield(nil, types.ErrIncomplete)
		},
	)
	page, err := list.Page()
	require.NoError(t, err)
	require.Same(t, assets, page)
	first, err := list.Collect(2)
	require.NoError(t, err)
	require.Equal(t, assets.Items, first)
	_, err = list.Collect(3)
	require.ErrorIs(t, err, types.ErrIncomplete)

	editions := &das.EditionPage{Items: []das.Edition{{Number: 1}}}
	printed, err := das.NewEditionList(
		func() (*das.EditionPage, error) { return editions, nil },
		func(yield func(*das.EditionPage, error) bool) { yield(editions, nil) },
	).Collect(10)
	require.NoError(t, err)
	require.Equal(t, editions.Items, printed)
}

func TestZeroListsAreEmpty(t *testing.T) {
	t.Parallel()
	assets, err := das.AssetList{}.Page()
	require.NoError(t, err)
	require.Empty(t, assets.Items)
	all, err := das.AssetList{}.Collect(1)
	require.NoError(t, err)
	require.Empty(t, all)
	editions, err := das.EditionList{}.Page()
	require.NoError(t, err)
	require.Empty(t, editions.Items)
	printed, err := das.EditionList{}.Collect(1)
	require.NoError(t, err)
	require.Empty(t, printed)
}
