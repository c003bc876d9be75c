package compressed_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/internal/fakeapi"
	"github.com/solwire/solwire-go/internal/golden"
	"github.com/solwire/solwire-go/types"
)

const usdc = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"

// client returns a Client of a fake service.
func client(t *testing.T, s *fakeapi.Service) *compressed.Client {
	t.Helper()
	c, err := compressed.New(s.Config())
	require.NoError(t, err)
	return c
}

// captured makes the next answer of s a golden one.
func captured(t *testing.T, s *fakeapi.Service, name string) *fakeapi.Service {
	t.Helper()
	body, found := golden.Answer("compressed/" + name)
	require.True(t, found, name)
	s.Answer(200, strings.Replace(string(body), `"id":"1"`, `"id":null`, 1))
	return s
}

// bodies returns the bodies of the requests that a fake service received.
func bodies(s *fakeapi.Service) (all []string) {
	for _, r := range s.Requests() {
		all = append(all, r.Body)
	}
	return all
}

func TestPageHasItsSlotAndCursor(t *testing.T) {
	t.Parallel()
	for member, cursor := range map[string]string{
		`,"cursor":"b"`:  "b",
		`,"cursor":""`:   "",
		`,"cursor":null`: "",
		``:               "",
	} {
		s := fakeapi.New()
		for range 2 {
			s.Answer(200, `{"context":{"slot":18446744073709551615},"value":{"items":[{"hash":"a","account":{"hash":"a"}}]`+member+`}}`)
		}
		accounts, err := client(t, s).AccountsByOwner(t.Context(), fakeapi.Owner, nil).Page()
		require.NoError(t, err)
		require.Equal(t, &types.Page[compressed.Account]{
			Items: []compressed.Account{{Hash: "a"}}, Cursor: accounts.Cursor, HasMore: cursor != "", Slot: 18446744073709551615,
		}, accounts)
		require.Equal(t, cursor, position(accounts.Cursor))
		tokens, err := client(t, s).TokenAccountsByDelegate(t.Context(), fakeapi.Delegate, nil).Page()
		require.NoError(t, err)
		require.Equal(t, cursor, position(tokens.Cursor))
		require.Equal(t, cursor != "", tokens.HasMore)
		require.Equal(t, accounts.Slot, tokens.Slot)
	}
}

func TestOptionsAreCopiedAndSentWithEveryPage(t *testing.T) {
	t.Parallel()
	s := fakeapi.NewSized(700)
	data := []byte{3}
	part := &types.DataSlice{Offset: 1, Length: 8}
	filters := []types.Filter{types.Memcmp(0, data)}
	accounts := &compressed.AccountsByOwnerOptions{PageOptions: types.PageOptions{Limit: 20}, DataSlice: part, Filters: filters}
	pages := client(t, s).AccountsByOwner(t.Context(), fakeapi.Owner, accounts).Pages()
	data[0] = 9
	*part = types.DataSlice{}
	*accounts = compressed.AccountsByOwnerOptions{PageOptions: types.PageOptions{Limit: -1}}
	for _, err := range pages {
		require.NoError(t, err)
		filters[0] = types.Memcmp(7, []byte{7})
	}
	require.Greater(t, len(s.Requests()), 5)
	for _, body := range bodies(s) {
		require.Contains(t, body, `"limit":20,"dataSlice":{"offset":1,"length":8},"filters":[{"memcmp":{"offset":0,"bytes":"4"}}]}}`)
	}

	s = fakeapi.New()
	tokens := &compressed.TokenListingOptions{Mint: usdc, PageOptions: types.PageOptions{Limit: 30}}
	walk := client(t, s).TokenAccountsByDelegate(t.Context(), fakeapi.Delegate, tokens).Pages()
	*tokens = compressed.TokenListingOptions{Mint: types.WrappedSOL, PageOptions: types.PageOptions{Limit: -1}}
	for _, err := range walk {
		require.NoError(t, err)
	}
	require.Greater(t, len(s.Requests()), 2)
	for _, body := range bodies(s) {
		require.Contains(t, body, `"mint":"`+usdc+`"`)
		require.Contains(t, body, `"limit":30}}`)
	}
}

// The service may raise its limits, so the client does not check them.
func TestLimitsOfTheServiceAreNotChecked(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	_, err := client(t, s).AccountsByOwner(t.Context(), fakeapi.Owner, &compressed.AccountsByOwnerOptions{
		Filters: slices.Repeat([]types.Filter{types.Memcmp(0, []byte{1})}, 6),
	}).Page()
	require.ErrorContains(t, err, "Too many filters")
	_, err = client(t, s).AccountsByOwner(t.Context(), fakeapi.Owner, &compressed.AccountsByOwnerOptions{PageOptions: types.PageOptions{Limit: 1001}}).Page()
	require.ErrorContains(t, err, "invalid value: integer `1001`, expected a value less than or equal to 1000")
}

// A number that is null or absent is not 0.
func TestMissingAmountsMakeTheirItemUnreadable(t *testing.T) {
	t.Parallel()
	for path, row := range map[string]struct {
		items string
		call  func(c *compressed.Client) (int, error)
	}{
		"balance": {`[{"mint":"a","balance":0},{"mint":"b"}]`, func(c *compressed.Client) (int, error) {
			page, err := c.TokenBalancesByOwner(t.Context(), fakeapi.Owner, nil).Page()
			return len(page.Items), err
		}},
		"tokenData.amount": {`[{"account":{"hash":"a"},"tokenData":{"mint":"m","amount":0}},{"account":{"hash":"b"},"tokenData":{"mint":"m","amount":null}}]`, func(c *compressed.Client) (int, error) {
			page, err := c.TokenAccountsByOwner(t.Context(), fakeapi.Owner, nil).Page()
			return len(page.Items), err
		}},
		"lamports": {`[{"hash":"` + anAccount + `","lamports":0},{"hash":"` + usdc + `"}]`, func(c *compressed.Client) (int, error) {
			list, err := c.Accounts(t.Context(), []types.Hash{anAccount, usdc})
			return len(slices.DeleteFunc(list, func(a *compressed.Account) bool { return a == nil })), err
		}},
	} {
		s := fakeapi.New()
		s.Answer(200, `{"jsonrpc":"2.0","id":null,"result":{"context":{"slot":1},"value":{"items":`+row.items+`}}}`)
		c, err := compressed.New(s.Config())
		require.NoError(t, err)
		read, err := row.call(c)
		var item *types.ItemError
		require.ErrorAs(t, err, &item, path)
		require.Equal(t, path, item.Path)
		require.Equal(t, 1, read, path)
	}
}
