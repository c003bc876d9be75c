package wallet_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/txtype"
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

const (
	signature      = "5wHu1qwD7q5ifaN5nwdcDqNFo53GJqa7nLp2BeeEpcHCusb4GzARz4GjgzsEHMkBMgCJMGa6GSQ1VG96Exv8kt2W"
	otherSignature = "2nBhEBYYvfaAe16UMNqRHre4YNSskvuYgx3M6E4JP1oDYvZEJHvoPzyUidNgNX5r9sTyN1J9UxtbCXy2rqYcuyuv"
	exchange       = "HXsKP7wrBWaQ8T2Vtjry3Nj3oUgwYcqq9vrHDM12G664"
	stranger       = "4k3Dyjzvzp8eMZWUXbBCjEvwSkkk59S5iCNLY3QrkX6R"
)

func TestHistoryOnTheWire(t *testing.T) {
	t.Parallel()
	c, s := answering(t, "history")
	page, err := c.History(t.Context(), fake.Wallet, &wallet.HistoryOptions{
		Cursor: "a+cursor/==", After: otherSignature, Limit: 5, Type: txtype.NFTSale,
		TokenAccounts: wallet.TokenAccountsAll, Prefetch: true,
	})
	require.NoError(t, err)
	require.Equal(t, golden(t, "history.request"), sent(s))
	require.Equal(t, "next+cursor/==", page.Cursor)
	require.Equal(t, []wallet.Transaction{
		{
			Signature: signature,
			Timestamp: blockTime,
			Slot:      9007199254740993,
			Fee:       exact("0.000005"),
			FeePayer:  fake.Wallet,
			BalanceChanges: []wallet.BalanceChange{
				{Mint: types.SOL, Amount: exact("-1523.754213877"), Decimals: 9},
				{Mint: types.WrappedSOL, Amount: exact("12345678.123456789012"), Decimals: 9},
				{Mint: "DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263", Amount: exact("-1e-7"), Decimals: 12},
			},
		},
		{
			Signature:      otherSignature,
			Slot:           18446744073709551615,
			Fee:            exact("5e-9"),
			FeePayer:       "7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU",
			Error:          "InstructionError: [2, Custom: 6001]",
			BalanceChanges: []wallet.BalanceChange{},
		},
		{FeePayer: "not an address", Fee: exact("0")},
	}, page.Items)
}

func TestTransfersOnTheWire(t *testing.T) {
	t.Parallel()
	c, s := answering(t, "transfers")
	page, err := c.Transfers(t.Context(), fake.Wallet, &wallet.TransfersOptions{Cursor: "a+cursor/==", Limit: 5, Prefetch: true})
	require.NoError(t, err)
	require.Equal(t, golden(t, "transfers.request"), sent(s))
	require.Equal(t, "next+cursor/==", page.Cursor)
	require.Equal(t, []wallet.Transfer{
		{
			Signature:    signature,
			Timestamp:    blockTime,
			Direction:    wallet.In,
			Counterparty: "7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU",
			Mint:         types.NativeSOLMint,
			Amount:       exact("9007199.254740993"),
			AmountRaw:    9007199254740993,
			Decimals:     9,
		},
		{
			Signature:    signature,
			Timestamp:    blockTime,
			Direction:    wallet.Out,
			Counterparty: stranger,
			Mint:         "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
			Symbol:       "USDC",
			Amount:       exact("18446744073709.551615"),
			AmountRaw:    18446744073709551615,
			Decimals:     6,
		},
		{
			Signature: otherSignature,
			Direction: "self",
			Mint:      types.WrappedSOL,
			Amount:    exact("5e-9"),
			Decimals:  9,
		},
		{Signature: otherSignature},
	}, page.Items)
}

func TestTransfersAskForAHundred(t *testing.T) {
	t.Parallel()
	for _, opts := range []*wallet.TransfersOptions{nil, {}} {
		s := fake.New()
		s.Answer(200, `{"data":[],"pagination":{"hasMore":false}}`)
		_, err := client(t, s).Transfers(t.Context(), fake.Wallet, opts)
		require.NoError(t, err)
		require.Equal(t, "GET /v1/wallet/86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY/transfers?limit=100\n", sent(s))
	}
}

func TestHistorySendsNoDefaults(t *testing.T) {
	t.Parallel()
	for _, opts := range []*wallet.HistoryOptions{nil, {}} {
		s := fake.New()
		s.Answer(200, `{"data":[],"pagination":{"hasMore":false}}`)
		_, err := client(t, s).History(t.Context(), fake.Wallet, opts)
		require.NoError(t, err)
		require.Equal(t, "GET /v1/wallet/86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY/history\n", sent(s))
	}
}

func TestIdentityOnTheWire(t *testing.T) {
	t.Parallel()
	c, s := answering(t, "identity")
	identity, err := c.Identity(t.Context(), exchange)
	require.NoError(t, err)
	require.Equal(t, golden(t, "identity.request"), sent(s))
	require.Equal(t, &wallet.Identity{
		Address:     exchange,
		Type:        wallet.IdentityExchange,
		Name:        "Binance 1",
		Category:    "Centralized Exchange",
		Tags:        []string{"Centralized Exchange", "Hot Wallet"},
		DomainNames: []string{"binance.sol", "bnb.bonk"},
	}, identity)
}

func TestIdentitiesOnTheWire(t *testing.T) {
	t.Parallel()
	c, s := answering(t, "identities")
	identities, err := c.Identities(t.Context(), []types.Address{exchange, "toly.sol", "nobody.bonk", stranger})
	require.NoError(t, err)
	require.Equal(t, golden(t, "identities.request"), sent(s))
	require.Equal(t, []wallet.Identity{
		{
			Address:  exchange,
			Type:     wallet.IdentityExchange,
			Name:     "Binance 1",
			Category: "Centralized Exchange",
			Tags:     []string{"Centralized Exchange"},
		},
		{
			Address:     fake.Wallet,
			InputDomain: "toly.sol",
			Type:        "key opinion leader",
			Name:        "Toly",
			Category:    "Solana",
			Tags:        []string{},
			DomainNames: []string{"toly.sol"},
		},
		{InputDomain: "nobody.bonk", Type: wallet.IdentityUnknown, Unresolved: true},
		{Address: stranger, Type: wallet.IdentityUnknown},
	}, identities)
}

func TestFundedByOnTheWire(t *testing.T) {
	t.Parallel()
	c, s := answering(t, "funded_by")
	funding, err := c.FundedBy(t.Context(), fake.Wallet)
	require.NoError(t, err)
	require.Equal(t, golden(t, "funded_by.request"), sent(s))
	require.Equal(t, &wallet.Funding{
		Funder:      exchange,
		FunderName:  "Binance 1",
		FunderType:  "Centralized Exchange",
		Mint:        types.NativeSOLMint,
		Symbol:      "SOL",
		Amount:      exact("9007199.254740993"),
		AmountRaw:   9007199254740993,
		Decimals:    9,
		Signature:   signature,
		Timestamp:   blockTime,
		Date:        "2025-11-20T13:33:01.000Z",
		Slot:        9007199254740993,
		ExplorerURL: "https://example.com/tx/5wHu1qwD?cluster=mainnet&tab=1",
	}, funding)
}

func TestFundedByWithoutNames(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		`{"funder":"HXsKP7wrBWaQ8T2Vtjry3Nj3oUgwYcqq9vrHDM12G664","funderName":null,"funderType":null,"amountRaw":"5"}`,
		`{"funder":"HXsKP7wrBWaQ8T2Vtjry3Nj3oUgwYcqq9vrHDM12G664","amountRaw":"5"}`,
	} {
		s := fake.New()
		s.Answer(200, body)
		funding, err := client(t, s).FundedBy(t.Context(), fake.Wallet)
		require.NoError(t, err)
		require.Equal(t, &wallet.Funding{Funder: exchange, AmountRaw: 5}, funding)
	}
}

func TestBalanceAtOnTheWire(t *testing.T) {
	t.Parallel()
	c, s := answering(t, "balance_at")
	balance, err := c.BalanceAt(t.Context(), fake.Wallet, types.NativeSOLMint, wallet.AtSlot(18446744073709551615))
	require.NoError(t, err)
	require.Equal(t, golden(t, "balance_at.request"), sent(s))
	require.Equal(t, &wallet.PastBalance{
		Wallet:    fake.Wallet,
		Mint:      types.NativeSOLMint,
		IsNative:  true,
		Amount:    exact("18446744073.709551615"),
		AmountRaw: 18446744073709551615,
		Decimals:  9,
		Requested: wallet.Requested{Slot: 18446744073709551615},
		AsOf:      &wallet.AsOf{Slot: 9007199254740993, Signature: signature, BlockTime: blockTime},
	}, balance)
}

func TestBalanceAtATimeOnTheWire(t *testing.T) {
	t.Parallel()
	c, s := answering(t, "balance_at_time")
	at := time.Date(2025, time.November, 20, 14, 33, 1, 999_999_999, time.FixedZone("", 3600))
	balance, err := c.BalanceAt(t.Context(), fake.Wallet, types.WrappedSOL, wallet.AtTime(at))
	require.NoError(t, err)
	require.Equal(t, golden(t, "balance_at_time.request"), sent(s))
	require.Equal(t, &wallet.PastBalance{
		Wallet:    fake.Wallet,
		Mint:      types.WrappedSOL,
		Amount:    exact("0"),
		Decimals:  9,
		Requested: wallet.Requested{Time: blockTime, DateTime: "2025-11-20T13:33:01Z"},
	}, balance)
}
