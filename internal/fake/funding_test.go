package fake_test

import (
	"encoding/json"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/types"
)

func TestFundedBy(t *testing.T) {
	t.Parallel()
	s := fake.New()
	oldest := last(t, s)
	status, body := get(t, s, "/v1/wallet/"+fake.Wallet+"/funded-by")
	require.Equal(t, 200, status)
	require.Regexp(t, `^\{"funder":"`+fake.Exchange+`","funderName":"Binance 1","funderType":"exchange","mint":"`+string(types.WrappedSOL)+`","symbol":"SOL",`+
		`"amount":1[0-9]{3}\.[0-9]+,"amountRaw":"1[0-9]{12}","decimals":9,"signature":"`+oldest+`","timestamp":16[0-9]{8},"date":"2023-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.000Z",`+
		`"slot":[0-9]{9},"explorerUrl":"https://explorer\.solana\.com/tx/`+oldest+`\?cluster=mainnet-beta"\}$`, body)

	status, body = get(t, s, "/v1/wallet/"+someone+"/funded-by")
	require.Equal(t, 404, status)
	same(t, `{"error":"No funding transaction found","code":404}`, body)
}

type balanceAt struct {
	Balance   string `json:"balance"`
	Raw       string `json:"balanceRaw"`
	Requested struct {
		Time     *int64  `json:"time"`
		Slot     *uint64 `json:"slot"`
		Datetime *string `json:"datetime"`
	} `json:"requested"`
	AsOf *struct {
		Slot      uint64 `json:"slot"`
		Signature string `json:"signature"`
		Time      *int64 `json:"blockTime"`
	} `json:"asOf"`
}

func at(t *testing.T, s *fake.Service, query string) balanceAt {
	t.Helper()
	status, body := get(t, s, "/v1/wallet/"+fake.Wallet+"/balance-at?"+query)
	require.Equal(t, 200, status, body)
	var b balanceAt
	require.NoError(t, json.Unmarshal([]byte(body), &b))
	return b
}

func TestBalanceAtFollowsTheHistory(t *testing.T) {
	t.Parallel()
	s := fake.New()
	all, _ := follow[transaction](t, s, "/history?tokenAccounts=all", "before")
	before := rat(t, "0")
	for _, x := range slices.Backward(all) {
		for _, c := range x.Changes {
			if c.Mint != usdc {
				continue
			}
			now := at(t, s, "mint="+usdc+"&slot="+strconv.FormatUint(x.Slot, 10))
			require.Zero(t, before.Add(before, rat(t, c.Amount)).Cmp(rat(t, json.Number(now.Balance))))
			require.Equal(t, x.Signature, now.AsOf.Signature)
			require.Equal(t, x.Slot, now.AsOf.Slot)
			require.Equal(t, x.Time, now.AsOf.Time)
			if x.Time != nil {
				byTime := at(t, s, "mint="+usdc+"&time="+strconv.FormatInt(*x.Time, 10))
				require.Equal(t, now.Raw, byTime.Raw)
			}
		}
	}
	require.Zero(t, before.Cmp(rat(t, "25310.123456")))
	require.Equal(t, "2.5", at(t, s, "slot=400000000&mint="+string(types.WrappedSOL)).Balance, "wrapped SOL is another token")
}
