package compressed_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/internal/fakeapi"
	"github.com/solwire/solwire-go/types"
)

// The service takes the cursor of another listing as a position, and skips items silently.
func TestCursorOfAnotherListingIsRefused(t *testing.T) {
	t.Parallel()
	type page func(t *testing.T, c *compressed.Client, cursor string) (next string, err error)
	accounts := func(owner types.Address, filters ...types.Filter) page {
		return func(t *testing.T, c *compressed.Client, cursor string) (string, error) {
			t.Helper()
			return cursorOf(c.AccountsByOwner(t.Context(), owner, &compressed.AccountsByOwnerOptions{PageOptions: types.PageOptions{Cursor: cursor}, Filters: filters}).Page())
		}
	}
	tokens := func(owner, mint types.Address) page {
		return func(t *testing.T, c *compressed.Client, cursor string) (string, error) {
			t.Helper()
			return cursorOf(c.TokenAccountsByOwner(t.Context(), owner, &compressed.TokenListingOptions{PageOptions: types.PageOptions{Cursor: cursor}, Mint: mint}).Page())
		}
	}
	balances := func(owner types.Address) page {
		return func(t *testing.T, c *compressed.Client, cursor string) (string, error) {
			t.Helper()
			return cursorOf(c.TokenBalancesByOwner(t.Context(), owner, &compressed.TokenListingOptions{PageOptions: types.PageOptions{Cursor: cursor}}).Page())
		}
	}
	holders := func(mint types.Address) page {
		return func(t *testing.T, c *compressed.Client, cursor string) (string, error) {
			t.Helper()
			return cursorOf(c.MintTokenHolders(t.Context(), mint, &compressed.ListingOptions{PageOptions: types.PageOptions{Cursor: cursor}}).Page())
		}
	}
	signatures := func(owner types.Address) page {
		return func(t *testing.T, c *compressed.Client, cursor string) (string, error) {
			t.Helper()
			return cursorOf(c.SignaturesForOwner(t.Context(), owner, &compressed.ListingOptions{PageOptions: types.PageOptions{Cursor: cursor}}).Page())
		}
	}
	for name, row := range map[string][2]page{
		"accounts of another owner":       {accounts(fakeapi.Owner), accounts(fakeapi.Delegate)},
		"accounts with another filter":    {accounts(fakeapi.Owner), accounts(fakeapi.Owner, types.Memcmp(0, []byte{1}))},
		"token accounts of another owner": {tokens(fakeapi.Owner, ""), tokens(fakeapi.Delegate, "")},
		"token accounts of another mint":  {tokens(fakeapi.Owner, usdc), tokens(fakeapi.Owner, types.WrappedSOL)},
		"balances of another owner":       {balances(fakeapi.Owner), balances(fakeapi.Delegate)},
		"holders of another mint":         {holders(usdc), holders(types.WrappedSOL)},
		"signatures of another owner":     {signatures(fakeapi.Owner), signatures(fakeapi.Delegate)},
		"another method":                  {signatures(fakeapi.Owner), holders(usdc)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := fakeapi.New()
			for range 3 {
				s.Answer(200, fmt.Sprintf(`{"context":{"slot":1},"value":{"items":[],"cursor":%q}}`, anAccount))
			}
			c := client(t, s)
			cursor, err := row[0](t, c, "")
			require.NoError(t, err)
			_, err = row[1](t, c, cursor)
			require.ErrorIs(t, err, types.ErrInvalid)
			require.ErrorContains(t, err, "Cursor belongs to another listing")
			require.Len(t, s.Requests(), 1)
			// programs may have stored one without a mark
			for i, own := range []string{cursor, position(cursor)} {
				_, err = row[0](t, c, own)
				require.NoError(t, err)
				require.Contains(t, s.Requests()[i+1].Body, `"cursor":"`+anAccount+`"`)
			}
		})
	}
}

// The service wants all filters to match, so their order has no meaning: a program may
// build them from a map.
func TestCursorDoesNotDependOnTheOrderOfFilters(t *testing.T) {
	t.Parallel()
	a, b := types.Memcmp(0, []byte{1}), types.Memcmp(1, []byte{2})
	s := fakeapi.New()
	s.Answer(200, fmt.Sprintf(`{"context":{"slot":1},"value":{"items":[{"hash":%q}],"cursor":%q}}`, anAccount, anAccount))
	c := client(t, s)
	page, err := c.AccountsByOwner(t.Context(), fakeapi.Owner, &compressed.AccountsByOwnerOptions{Filters: []types.Filter{a, b}}).Page()
	require.NoError(t, err)
	_, err = c.AccountsByOwner(t.Context(), fakeapi.Owner, &compressed.AccountsByOwnerOptions{Filters: []types.Filter{b, a}, PageOptions: types.PageOptions{Cursor: page.Cursor}}).Page()
	require.NoError(t, err)
}

func cursorOf[T any](p *types.Page[T], err error) (string, error) {
	if err != nil {
		return "", err
	}
	return p.Cursor, nil
}

// position returns a cursor as the service sent it.
func position(cursor string) string { return strings.Split(cursor, "~")[0] }
