package wallet_test

import (
	"os"
	"strings"
	"testing"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/wallet"
)

// The files in testdata are written by hand after the service's description:
// they prove the names, the tags and the exactness of every field.

func TestBalancesOnTheWire(t *testing.T) {
	t.Parallel()
	c, s := answering(t, "balances")
	page, err := c.Balances(t.Context(), fake.Wallet, &wallet.BalancesOptions{
		Page: 2, Limit: 6, ShowZeroBalance: true, HideNative: true, ShowNFTs: true, Prefetch: true,
	})
	require.NoError(t, err)
	require.Equal(t, golden(t, "balances.request"), sent(s))
	require.Equal(t, &wallet.BalancePage{
		Items: []wallet.Balance{
			{
				Mint:          types.WrappedSOL,
				Symbol:        "SOL",
				Name:          "Solana",
				Amount:        exact("12345678.123456789012"),
				Decimals:      9,
				PricePerToken: known("142.370000000000000001"),
				USDValue:      known("1757654194.436543051650785678123456789012"),
				LogoURI:       "https://example.com/sol.png",
				TokenProgram:  wallet.SPLToken,
			},
			{
				Mint:          "2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo",
				Symbol:        "PYUSD",
				Name:          "PayPal USD",
				Amount:        exact("9007199254740993"),
				PricePerToken: known("1e-7"),
				USDValue:      known("900719925.4740993"),
				LogoURI:       "https://example.com/pyusd.png",
				TokenProgram:  wallet.Token2022,
			},
			{
				Mint:         "DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263",
				Amount:       exact("0.100000000000000000001"),
				Decimals:     21,
				TokenProgram: wallet.SPLToken,
			},
			{
				Mint:         "JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN",
				Amount:       exact("5e-9"),
				Decimals:     9,
				TokenProgram: "token-2077",
			},
			{
				Mint:         "not an address",
				Amount:       exact("18446744073709551615"),
				TokenProgram: wallet.SPLToken,
			},
			{
				Mint:          "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
				Symbol:        "USDC",
				Name:          "USD Coin",
				Amount:        exact("0"),
				Decimals:      6,
				PricePerToken: known("0"),
				USDValue:      known("0"),
				TokenProgram:  wallet.SPLToken,
			},
		},
		NFTs: []wallet.NFT{
			{
				Mint:              "8x5VqbHA8D7NkD52uNuS5nnt3PwA8pLD34ymskeSo2Wn",
				Name:              "Harbor Lights #5504",
				ImageURI:          "https://example.com/5504.png",
				CollectionName:    "Harbor Lights",
				CollectionAddress: "J1S9H3QjnRtBbbuD4HjPV6RpRhwuk4zKbxsnCHuTgh9w",
				Compressed:        true,
			},
			{Mint: "4k3Dyjzvzp8eMZWUXbBCjEvwSkkk59S5iCNLY3QrkX6R"},
			{Mint: "7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU"},
		},
		TotalUSDValue: exact("2658374119.910642351650785678123456789012"),
		Pagination:    wallet.Pagination{Page: 2, Limit: 6, HasMore: true},
	}, page)
}

func TestBalancesSendNoDefaults(t *testing.T) {
	t.Parallel()
	for _, opts := range []*wallet.BalancesOptions{nil, {}} {
		s := fake.New()
		s.Answer(200, `{"balances":[],"totalUsdValue":0,"pagination":{"page":1,"limit":100,"hasMore":false}}`)
		page, err := client(t, s).Balances(t.Context(), fake.Wallet, opts)
		require.NoError(t, err)
		require.Equal(t, "GET /v1/wallet/86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY/balances\n", sent(s))
		require.Empty(t, page.Items)
		require.Nil(t, page.NFTs)
		require.Equal(t, "0", page.TotalUSDValue.String())
	}
}

// client returns one that asks s.
func client(t *testing.T, s *fake.Service) *wallet.Client {
	t.Helper()
	c, err := wallet.New(s.Config())
	require.NoError(t, err)
	return c
}

// answering returns a client whose first answer is a golden one.
func answering(t *testing.T, name string) (*wallet.Client, *fake.Service) {
	t.Helper()
	s := fake.New()
	s.Answer(200, golden(t, name+".json"))
	return client(t, s), s
}

func golden(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile("testdata/" + file)
	require.NoError(t, err)
	return string(text)
}

// sent returns what came in: a line for each request, and one for a body.
func sent(s *fake.Service) string {
	var b strings.Builder
	for _, r := range s.Requests() {
		b.WriteString(r.Method + " " + r.Path)
		if len(r.Query) > 0 {
			b.WriteString("?" + r.Query.Encode())
		}
		b.WriteString("\n")
		if r.Body != "" {
			b.WriteString(r.Header.Get("Content-Type") + " " + r.Body + "\n")
		}
	}
	return b.String()
}

// exact is a decimal with the digits of text. Values are compared together
// with their exponents, so nothing is rounded unnoticed.
func exact(text string) decimal.Decimal { return decimal.RequireFromString(text) }

func known(text string) decimal.NullDecimal { return decimal.NewNullDecimal(exact(text)) }
