package wallet_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fakeapi"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/wallet"
)

const (
	exchange = "HXsKP7wrBWaQ8T2Vtjry3Nj3oUgwYcqq9vrHDM12G664"
	stranger = "4k3Dyjzvzp8eMZWUXbBCjEvwSkkk59S5iCNLY3QrkX6R"
)

// client returns a Client of s.
func client(t *testing.T, s *fakeapi.Service) *wallet.Client {
	t.Helper()
	c, err := wallet.New(s.Config())
	require.NoError(t, err)
	return c
}

// answering returns a Client of a service that sends these bodies.
func answering(t *testing.T, bodies ...string) *wallet.Client {
	t.Helper()
	s := fakeapi.New()
	for _, body := range bodies {
		s.Answer(200, body)
	}
	return client(t, s)
}

func TestNewRefusesInvalidConfig(t *testing.T) {
	t.Parallel()
	for problem, cfg := range map[string]types.Config{
		"APIKey is empty": {},
		"Network devnet has no Wallet API; set Network to mainnet, or WalletURL to a host that has it": {APIKey: types.Key("key"), Network: types.NetworkDevnet},
		`Network "mainet" is neither mainnet nor devnet`:                                               {APIKey: types.Key("key"), Network: "mainet"},
		`Network "***" is neither mainnet nor devnet`:                                                  {APIKey: types.Key("0b7f6a52-3c1d"), Network: "0b7f6a52-3c1d"},
		"MaxAttempts -1 is negative; 0 means 4 and 1 turns retries off":                                {APIKey: types.Key("key"), MaxAttempts: -1},
		"WalletURL uses http for a host that is not loopback; use https":                               {APIKey: types.Key("key"), WalletURL: "http://example.com"},
	} {
		c, err := wallet.New(cfg)
		require.Nil(t, c)
		require.ErrorIs(t, err, types.ErrInvalid)
		require.EqualError(t, err, "types.Config: "+problem+": invalid argument")
	}
}

func TestCursorOfAPage(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		pagination, cursor string
		more               bool
	}{
		{`{"hasMore":true,"nextCursor":"x"}`, "x", true},
		{`{"hasMore":null,"nextCursor":"x"}`, "x", true},
		{`{"nextCursor":"x"}`, "x", true},
		{`{"hasMore":false,"nextCursor":"x"}`, "", false},
		{`{"hasMore":false,"nextCursor":null}`, "", false},
		{`{"hasMore":false,"nextCursor":""}`, "", false},
		{`{"hasMore":false}`, "", false},
	} {
		body := `{"data":[{"signature":"a","fee":0,"amount":0}],"pagination":` + row.pagination + `}`
		c := answering(t, body, body)
		history, err := c.History(t.Context(), fakeapi.Wallet, nil).Page()
		require.NoError(t, err)
		history.Cursor, _, _ = strings.Cut(history.Cursor, "~")
		require.Equal(t, &types.Page[wallet.Transaction]{Items: history.Items, Cursor: row.cursor, HasMore: row.more}, history)
		transfers, err := c.Transfers(t.Context(), fakeapi.Wallet, nil).Page()
		require.NoError(t, err)
		transfers.Cursor, _, _ = strings.Cut(transfers.Cursor, "~")
		require.Equal(t, &types.Page[wallet.Transfer]{Items: transfers.Items, Cursor: row.cursor, HasMore: row.more}, transfers)
	}
}

// Without hasMore and a cursor, a truncated listing would look complete.
func TestPageWithoutPaginationIsAnError(t *testing.T) {
	t.Parallel()
	for _, pagination := range []string{`{}`, `{"page":1}`, `{"hasMore":null}`, `{"hasMore":null,"nextCursor":null}`, `{"nextCursor":""}`} {
		c := answering(t, `{"data":[],"pagination":`+pagination+`}`)
		page, err := c.History(t.Context(), fakeapi.Wallet, nil).Page()
		require.EqualError(t, err, "GET /v1/wallet/{wallet}/history of 86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY: the response has no hasMore", pagination)
		require.Nil(t, page)
	}
}

// A single page is usable although the next one cannot be requested.
func TestMissingCursorEndsAWalkAfterThePage(t *testing.T) {
	t.Parallel()
	const want = "GET /v1/wallet/{wallet}/transfers of 86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY: hasMore is true but there is no cursor: incomplete listing"
	for _, pagination := range []string{`{"hasMore":true}`, `{"hasMore":true,"nextCursor":null}`, `{"hasMore":true,"nextCursor":""}`} {
		body := `{"data":[{"signature":"a","fee":0,"amount":0}],"pagination":` + pagination + `}`
		c := answering(t, body, body)
		page, err := c.Transfers(t.Context(), fakeapi.Wallet, nil).Page()
		require.NoError(t, err)
		require.Len(t, page.Items, 1)
		require.True(t, page.HasMore)
		require.NotEmpty(t, page.Cursor)

		next, err := c.Transfers(t.Context(), fakeapi.Wallet, &wallet.TransfersOptions{PageOptions: types.PageOptions{Cursor: page.Cursor}}).Page()
		require.Nil(t, next)
		require.EqualError(t, err, want, "a program that goes on by the cursor of the page ends too")

		items := 0
		var last error
		for item, err := range c.Transfers(t.Context(), fakeapi.Wallet, nil).All() {
			if last = err; err == nil {
				items++
				require.Equal(t, types.Signature("a"), item.Signature)
			}
		}
		require.Equal(t, 1, items)
		require.ErrorIs(t, last, types.ErrIncomplete)
		require.EqualError(t, last, want)
	}
}

func TestWalksCopyTheirOptions(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	c := client(t, s)
	balances, history, transfers := &wallet.BalancesOptions{PageOptions: types.PageOptions{Limit: 7}}, &wallet.HistoryOptions{PageOptions: types.PageOptions{Limit: 7}}, &wallet.TransfersOptions{PageOptions: types.PageOptions{Limit: 7}}
	allBalances := c.Balances(t.Context(), fakeapi.Wallet, balances)
	allHistory := c.History(t.Context(), fakeapi.Wallet, history)
	allTransfers := c.Transfers(t.Context(), fakeapi.Wallet, transfers)
	*balances, *history, *transfers = wallet.BalancesOptions{PageOptions: types.PageOptions{Limit: -1}}, wallet.HistoryOptions{PageOptions: types.PageOptions{Limit: -1}}, wallet.TransfersOptions{PageOptions: types.PageOptions{Limit: -1}}
	_, err := allBalances.Collect(10)
	require.NoError(t, err)
	_, err = allHistory.Collect(10)
	require.NoError(t, err)
	_, err = allTransfers.Collect(10)
	require.NoError(t, err)
	require.Len(t, s.Requests(), 6)
	for _, r := range s.Requests() {
		require.Equal(t, "7", r.Query.Get("limit"))
	}
}

// The zone of the host parses once, and not again after a path was added.
func TestHostThatDoesNotParseAgainIsAnError(t *testing.T) {
	t.Parallel()
	c, err := wallet.New(types.Config{APIKey: types.Key("key-1234567890"), WalletURL: "https://[fe80::1%25lo]é]"})
	require.NoError(t, err)
	_, err = c.FundedBy(t.Context(), fakeapi.Wallet)
	require.EqualError(t, err, "wallet.Client.FundedBy: the path is invalid")
}
