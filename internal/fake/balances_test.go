package fake_test

import (
	"encoding/json"
	"math/big"
	"strconv"
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

func isAddress(s string) bool {
	_, err := types.ParseAddress(s)
	return err == nil
}
