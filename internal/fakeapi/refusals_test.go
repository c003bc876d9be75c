package fakeapi_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fakeapi"
)

const (
	byOwner    = "getCompressedAccountsByOwner"
	byDelegate = "getCompressedTokenAccountsByDelegate"
	someone    = "4k3Dyjzvzp8eMZWUXbBCjEvwSkkk59S5iCNLY3QrkX6R"
)

func TestCallsAreRefused(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	const none = "1111111111111111111111111111111111111111111111111111111111111111" // a signature
	wallet, owner := `["`+fakeapi.Wallet+`",`, `{"owner":"`+fakeapi.Owner+`",`
	memcmp := `{"memcmp":{"offset":0,"bytes":"2"}}`
	for _, row := range []struct{ method, params, want string }{
		{"getBalance", `{}`, "expected an array"},
		{"getBalance", `[]`, "`params` should have at least 1 argument(s)"},
		{"getBalance", wallet + `{},{}]`, "Expected from 1 to 2 parameters. Got: 3"},
		{"getBalance", `["abc"]`, "Invalid param: WrongSize"},
		{"getBalance", wallet + `[]]`, "invalid type: sequence, expected a map"},
		{"getBlockTime", `[344112266]`, "Block not available for slot 344112266"},
		{"getSignaturesForAddress", wallet + `{"limit":1001}]`, "Invalid limit; max 1000"},
		{"getSignaturesForAddress", wallet + `{"before":"1"}]`, "Invalid param: WrongSize"},
		{"getSignaturesForAddress", wallet + `{"until":"` + none + `"}]`, "Transaction " + none + " not found"},
		{"getTokenAccountsByOwner", wallet + `{}]`, "expected map with a single key"},
		{"getTokenAccountsByOwner", wallet + `{"mint":"` + fakeapi.Wallet + `"}]`, "not a Token mint"},
		{"getTokenAccountsByOwner", wallet + `{"programId":"` + usdc + `"}]`, "unrecognized Token program id"},
		{"getTokenAccountsByOwner", wallet + `{"mint":"` + usdc + `"}]`, "Encoded binary (base 58) data should be less than 128 bytes"},
		{"getTransfersByAddress", wallet + `{"commitment":"processed"}]`, "unknown variant `processed`"},
		{"getTransfersByAddress", wallet + `{"paginationToken":"1:1"}]`, "invalid paginationToken"},
		{"getTransfersByAddress", wallet + `{"direction":"incoming"}]`, "unknown variant `incoming`, expected one of `in`, `out`, `any`"},
		{"getTransactionsForAddress", wallet + `{"filters":{"tokenAccounts":"changed"}}]`, "unknown variant `changed`"},
		{"getTransactionsForAddress", wallet + `{"filters":{"signature":{"gte":"1"}}}]`, "the fake does not support"},
		{"getMultipleAccounts", `[["` + strings.Repeat(fakeapi.Wallet+`","`, 100) + fakeapi.Wallet + `"]]`, "Too many inputs provided; max 100"},
		{"getProgramAccounts", wallet + `{"filters":[{"dataSize":1,"memcmp":{}}]}]`, "invalid filter"},
		{byOwner, `null`, "expected a map"},
		{byOwner, `{}`, "missing field `owner`"},
		{byOwner, owner + `"mint":null}`, "unknown field `mint`, expected one of `owner`, `cursor`, `limit`, `dataSlice`, `filters`"},
		{byOwner, owner + `"limit":1001}`, "expected a value less than or equal to 1000"},
		{byOwner, owner + `"filters":[{"dataSize":165}]}`, "Filter instance cannot be null"},
		{byOwner, owner + `"filters":[` + strings.Repeat(memcmp+",", 5) + memcmp + `]}`, "Too many filters provided; max 5"},
		{byDelegate, `{"delegate":"` + fakeapi.Delegate + `","cursor":"` + fakeapi.Owner + `"}`, "Invalid cursor length. Expected 64. Received 32."},
		{"getTokenAccounts", `{}`, "Either 'ownerAddress' or 'mintAddress' must be provided"},
	} {
		_, failure := call(t, s, row.method, row.params)
		require.Contains(t, failure, row.want, "%s %s", row.method, row.params)
	}
	status, body := send(t, s, "POST", s.Config().RPCURL+"/v1/parsed-events/transaction-history?api-key="+fakeapi.Key, `{"address":"`+fakeapi.Wallet+`","minContextSlot":344112234}`)
	require.Equal(t, 503, status)
	require.Contains(t, body, "Minimum context slot has not been reached")
}

func TestRequestsOfTheWalletAPIAreRefused(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	listed := read[[]listed](t, s, "getSignaturesForAddress", `[%q]`, fakeapi.Wallet)
	for path, details := range map[string]string{
		"balances?limit=101":                      "limit must be an integer between 1 and 100",
		"balances?showNfts=yes":                   "showNfts must be true or false",
		"balance-at?slot=1&mint=SOL":              "mint must be an address",
		"balance-at?slot=1&time=1&mint=" + usdc:   "exactly one of time and slot is required",
		"history?before=abc":                      "before is not a signature of this wallet",
		"history?tokenAccounts=some":              "unknown variant `some`, expected one of `none`, `balanceChanged`, `all`.",
		"transfers?cursor=abc":                    "cursor is not a signature of this wallet",
		"transfers?cursor=" + listed[0].Signature: "cursor is not of this listing",
	} {
		status, body := get(t, s, "/v1/wallet/"+fakeapi.Wallet+"/"+path)
		require.Equal(t, 400, status, path)
		same(t, `{"error":"Invalid request","code":400,"details":"`+details+`"}`, body, path)
	}
	for _, operation := range []string{"balances", "history", "transfers", "funded-by"} {
		status, body := get(t, s, "/v1/wallet/toly.sol/"+operation)
		require.Equal(t, 400, status)
		same(t, `{"error":"Invalid wallet address","code":400,"details":"'toly.sol' is not a valid Solana address"}`, body)
	}
}
