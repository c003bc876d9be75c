package das_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/rpc/das"
	"github.com/solwire/solwire-go/types"
)

// The service takes the cursor of another owner as a position, and skips items silently.
func TestCursorOfAnotherListingIsRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(40)
	c := w.client(t)
	const another types.Address = types.WrappedSOL
	byOwner := func(owner types.Address, o das.AssetsOptions) func(cursor string) (string, error) {
		return func(cursor string) (string, error) {
			o.Cursor, o.Limit = cursor, 10
			return cursorOf(c.AssetsByOwner(t.Context(), owner, &o).List)
		}
	}
	accounts := func(f das.TokenAccountsFilter) func(cursor string) (string, error) {
		return func(cursor string) (string, error) {
			return cursorOf(c.TokenAccounts(t.Context(), f, &das.TokenAccountsOptions{PageOptions: types.PageOptions{Cursor: cursor, Limit: 10}}))
		}
	}
	editions := func(mint types.Address) func(cursor string) (string, error) {
		return func(cursor string) (string, error) {
			return cursorOf(c.Editions(t.Context(), mint, &das.ListingOptions{PageOptions: types.PageOptions{Cursor: cursor, Limit: 10}}).List)
		}
	}
	signatures := func(id types.Address) func(cursor string) (string, error) {
		return func(cursor string) (string, error) {
			return cursorOf(c.Signatures(t.Context(), id, &das.ListingOptions{PageOptions: types.PageOptions{Cursor: cursor, Limit: 10}}))
		}
	}
	for name, lists := range map[string][2]func(cursor string) (string, error){
		"another owner":             {byOwner(owner, das.AssetsOptions{}), byOwner(another, das.AssetsOptions{})},
		"another direction":         {byOwner(owner, das.AssetsOptions{}), byOwner(owner, das.AssetsOptions{SortDirection: das.SortDirectionAscending})},
		"another order":             {byOwner(owner, das.AssetsOptions{SortBy: das.SortByCreated}), byOwner(owner, das.AssetsOptions{SortBy: das.SortByUpdated})},
		"accounts of another mint":  {accounts(das.TokenAccountsFilter{Mint: owner}), accounts(das.TokenAccountsFilter{Mint: another})},
		"accounts of another owner": {accounts(das.TokenAccountsFilter{Owner: owner}), accounts(das.TokenAccountsFilter{Mint: owner})},
		"editions":                  {editions(owner), editions(another)},
		"signatures":                {signatures(owner), signatures(another)},
		"another method":            {editions(owner), signatures(owner)},
	} {
		cursor, err := lists[0]("")
		require.NoError(t, err, name)
		require.NotEmpty(t, cursor, name)
		requests := len(w.requests)
		_, err = lists[1](cursor)
		require.ErrorIs(t, err, types.ErrInvalid, name)
		require.ErrorContains(t, err, "Cursor belongs to another listing", name)
		require.Len(t, w.requests, requests, name)
		// programs may have stored one without a mark
		for _, own := range []string{cursor, strings.Split(cursor, "~")[0]} {
			next, err := lists[0](own)
			require.NoError(t, err, name)
			require.NotEqual(t, cursor, next, name)
		}
	}
}

// cursorOf returns the cursor of the first page.
func cursorOf[T any](list types.List[T]) (string, error) {
	page, err := list.Page()
	if err != nil {
		return "", err
	}
	return page.Cursor, nil
}
