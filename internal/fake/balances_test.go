package fake_test

import (
	"encoding/json"
	"math/big"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/types"
)

type holding struct {
	Mint    string      `json:"mint"`
	Name    string      `json:"name"`
	Balance json.Number `json:"balance"`
	Price   json.Number `json:"pricePerToken"`
	Value   json.Number `json:"usdValue"`
}

type balancePage struct {
	Balances   []holding         `json:"balances"`
	NFTs       []json.RawMessage `json:"nfts"`
	Total      json.Number       `json:"totalUsdValue"`
	Pagination struct {
		Page    int  `json:"page"`
		Limit   int  `json:"limit"`
		HasMore bool `json:"hasMore"`
	} `json:"pagination"`
}

func balances(t *testing.T, s *fake.Service, query string) balancePage {
	t.Helper()
	status, body := get(t, s, "/v1/wallet/"+fake.Wallet+"/balances?"+query)
	require.Equal(t, 200, status, body)
	var page balancePage
	require.NoError(t, json.Unmarshal([]byte(body), &page))
	return page
}

func rat(t *testing.T, n json.Number) *big.Rat {
	t.Helper()
	r, ok := new(big.Rat).SetString(n.String())
	require.True(t, ok, n)
	return r
}

// native is the entry of native SOL, and a page that holds nothing else.
const native = `{"mint":"` + string(types.WrappedSOL) + `","symbol":"SOL","name":"Solana","balance":1523.754213877,"decimals":9,` +
	`"pricePerToken":142.37,"usdValue":216936.88742966849,"logoUri":"https://tokens.solwire.test/` + string(types.WrappedSOL) + `.png","tokenProgram":"spl-token"}`

func TestBalancesPage(t *testing.T) {
	t.Parallel()
	status, body := get(t, fake.New(), "/v1/wallet/"+fake.Wallet+"/balances?limit=1")
	require.Equal(t, 200, status)
	same(t, `{"balances":[`+native+`],"totalUsdValue":216936.88742966849,"pagination":{"page":1,"limit":1,"hasMore":true}}`, body)
}

func TestBalancesPagesCoverTheWalletInOrder(t *testing.T) {
	t.Parallel()
	s := fake.New()
	var all []holding
	for n := 1; ; n++ {
		page := balances(t, s, "page="+strconv.Itoa(n))
		require.Equal(t, n, page.Pagination.Page)
		require.Equal(t, 100, page.Pagination.Limit)
		total := new(big.Rat)
		for _, b := range page.Balances {
			if b.Value != "" {
				total.Add(total, rat(t, b.Value))
			}
		}
		require.Zero(t, total.Cmp(rat(t, page.Total)), "the total is of the page")
		all = append(all, page.Balances...)
		if !page.Pagination.HasMore {
			break
		}
		require.Len(t, page.Balances, 100)
	}
	require.GreaterOrEqual(t, len(all), 250)
	require.LessOrEqual(t, len(all), 299)
	require.Equal(t, "Solana", all[0].Name)
	for i, b := range all {
		require.True(t, isAddress(b.Mint), b.Mint)
		require.Positive(t, rat(t, b.Balance).Sign())
		require.Equal(t, b.Price == "", b.Value == "")
		if b.Price != "" {
			require.Zero(t, rat(t, b.Value).Cmp(new(big.Rat).Mul(rat(t, b.Balance), rat(t, b.Price))))
		}
		if i < 2 {
			continue
		}
		if before := all[i-1]; before.Value == "" {
			require.Empty(t, b.Value, "unpriced come last")
		} else if b.Value != "" {
			require.GreaterOrEqual(t, rat(t, before.Value).Cmp(rat(t, b.Value)), 0, "most valuable first")
		}
	}
}

func TestBalancesHoldWhatClientsStumbleOver(t *testing.T) {
	t.Parallel()
	s := fake.New()
	var text strings.Builder
	for _, page := range []string{"1", "2", "3"} {
		_, body := get(t, s, "/v1/wallet/"+fake.Wallet+"/balances?page="+page)
		text.WriteString(body)
	}
	for _, want := range []string{
		`"name":"Wrapped SOL","balance":2.5,`,
		`"balance":12345678.123456789012,"decimals":12,"pricePerToken":1e-7,"usdValue":1.2345678123456789012,`,
		`"balance":123456789.987654321,"decimals":9,"pricePerToken":5e-9,`,
		`"balance":1.000000000000000001,"decimals":18,"pricePerToken":123456e-12,`,
		`"balance":18446744073709551615,"decimals":0,`,
		`"balance":1e-9,"decimals":9,`,
		`"balance":1e-18,"decimals":18,`,
		`"tokenProgram":"token-2022"`,
		`"symbol":null,"name":null,`,
		`"decimals":6,"pricePerToken":null,"usdValue":null,"tokenProgram":`, // without a logo
	} {
		require.Contains(t, text.String(), want)
	}
}

func TestBalancesOptions(t *testing.T) {
	t.Parallel()
	s := fake.New()
	require.Equal(t, "Solana", balances(t, s, "").Balances[0].Name)
	require.Equal(t, "Solana", balances(t, s, "showNative=true").Balances[0].Name)
	require.Equal(t, "USD Coin", balances(t, s, "showNative=false").Balances[0].Name)
	require.Nil(t, balances(t, s, "").NFTs)
	require.Nil(t, balances(t, s, "showNfts=false").NFTs)
	require.Len(t, balances(t, s, "showNfts=true&limit=5").NFTs, 12)
	require.Empty(t, balances(t, s, "showNfts=true&page=2").NFTs)

	count := func(query string) (all, zero int) {
		for n := 1; ; n++ {
			page := balances(t, s, query+"&page="+strconv.Itoa(n))
			for _, b := range page.Balances {
				all++
				if b.Balance == "0" {
					zero++
				}
			}
			if !page.Pagination.HasMore {
				return all, zero
			}
		}
	}
	all, zero := count("showZeroBalance=false&limit=30")
	require.Zero(t, zero)
	more, zero := count("showZeroBalance=true&limit=30")
	require.Positive(t, zero)
	require.Equal(t, all+zero, more)

	beyond := balances(t, s, "page=50")
	require.Empty(t, beyond.Balances)
	require.NotNil(t, beyond.Balances)
	require.False(t, beyond.Pagination.HasMore)
	require.Equal(t, json.Number("0"), beyond.Total)
}

func TestNFTsAreAtMostAHundredOnTheFirstPage(t *testing.T) {
	t.Parallel()
	s := fake.New()
	_, body := get(t, s, "/v1/wallet/"+fake.Collector+"/balances?showNfts=true&limit=1")
	var page balancePage
	require.NoError(t, json.Unmarshal([]byte(body), &page))
	require.Len(t, page.NFTs, 100)
	require.Contains(t, body, `"compressed":true`)
	require.Contains(t, body, `"compressed":false`)
	require.Contains(t, body, `"name":null`)

	status, body := get(t, s, "/v1/wallet/"+fake.Collector+"/balances?showNfts=true&limit=1&page=2")
	require.Equal(t, 200, status)
	require.Contains(t, body, `"nfts":[]`)
}

func TestUnknownWalletHoldsNothing(t *testing.T) {
	t.Parallel()
	status, body := get(t, fake.New(), "/v1/wallet/"+string(types.WrappedSOL)+"/balances")
	require.Equal(t, 200, status)
	same(t, `{"balances":[],"totalUsdValue":0,"pagination":{"page":1,"limit":100,"hasMore":false}}`, body)
}

func isAddress(s string) bool {
	_, err := types.ParseAddress(s)
	return err == nil
}
