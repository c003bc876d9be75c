package fake_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fake"
)

func TestLenientServiceRefusesOnlyWhatTheRealOneRefuses(t *testing.T) {
	t.Parallel()
	s := fake.New()
	s.Lenient = true
	owner := `"owner":"` + fake.Owner + `"`
	for _, params := range []string{
		`["` + fake.Owner + `"]`,
		`{` + owner + `,"filters":[{"memcmp":{"offset":0,"bytes":""}}]}`,
		`{` + owner + `,"filters":[{"memcmp":{"offset":0,"bytes":"2","encoding":"base64"},"dataSize":165}]}`,
	} {
		_, failure := call(t, s, byOwner, params)
		require.Empty(t, failure, params)
	}
	_, failure := call(t, s, byOwner, `{`+owner+`,"commitment":"confirmed"}`)
	require.Contains(t, failure, "unknown field `commitment`, expected one of")
	_, failure = call(t, s, byOwner, `{`+owner+`,"filters":[{"dataSize":165}]}`)
	require.Contains(t, failure, "Validation Error: Filter instance cannot be null")

	for _, config := range []string{
		`,{"encoding":"base64","minContextslot":1}`,
		`,{"encoding":"base64","commitment":"Finalized"}`,
		`,{"encoding":"jsonParsed","dataSlice":{"offset":0,"length":1}}`,
	} {
		_, failure := call(t, s, tokenAccounts, of("mint", usdc, config))
		require.Empty(t, failure, config)
	}

	status, body := get(t, s, "/v1/wallet/"+fake.Wallet+"/balances?limit=1&utm_source=x")
	require.Equal(t, 200, status, body)
	for _, more := range []string{
		`{"accountAddressOwners":[]}`, `{"encoding":"base64"}`, `{"wallet":"x","note":1}`, `{"webhookType":"enhancedDevnet"}`,
	} {
		status, body := send(t, s, "POST", hooksURL+withKey+"&x=1", settings(t, more), "Content-Type", "Application/JSON;charset=ISO-8859-1")
		require.Equal(t, 200, status, body)
	}
}

func TestParsedHistoriesOfOtherClients(t *testing.T) {
	t.Parallel()
	s := fake.New()
	s.Lenient = true
	events := []fake.Event{fake.TransferEvent(0, fake.Wallet), fake.SwapEvent(1, fake.Wallet), fake.TransferEvent(2, fake.Wallet)}
	s.Happen(events...)
	base := s.Config().WebhooksURL + "/v0/"
	for query, want := range map[string][]int{
		"&lte-slot=312000002&gt-slot=312000000":                     {1},
		"&gte-slot=312000000&gt-slot=312000001&lt-slot=312000005":   {1, 2},
		"&gte-time=1735689600&lte-time=1735689601&utm_source=other": {0, 1},
		"&gte-slot=312000000&before=" + events[2].Signature:         {0, 1},
	} {
		status, body := send(t, s, "GET", base+"addresses/"+fake.Wallet+"/transactions/"+withKey+"&limit=100"+query, "")
		require.Equal(t, 200, status, body)
		for i, e := range events {
			require.Equal(t, slices.Contains(want, i), strings.Contains(body, e.Signature), "%s %d", query, i)
		}
	}
	status, body := send(t, s, "POST", base+"transactions/"+withKey, `{"transactions":["`+events[1].Signature+`"],"commitment":"finalized"}`,
		"Content-Type", "application/json")
	require.Equal(t, 200, status, body)
	require.Contains(t, body, events[1].Signature)
}

func TestBrowsersMayAsk(t *testing.T) {
	t.Parallel()
	s := fake.New()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodOptions, hooksURL+withKey, nil)
	require.NoError(t, err)
	req.Header.Set("Access-Control-Request-Headers", "content-type, solana-client")
	resp, err := s.Config().HTTPClient.Do(req)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, 204, resp.StatusCode)
	require.Contains(t, resp.Header.Get("Access-Control-Allow-Methods"), "DELETE")
	require.Contains(t, resp.Header.Get("Access-Control-Allow-Headers"), "solana-client")

	req, err = http.NewRequestWithContext(t.Context(), http.MethodGet, hooksURL+withKey, nil)
	require.NoError(t, err)
	resp, err = s.Config().HTTPClient.Do(req)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, "*", resp.Header.Get("Access-Control-Allow-Origin"))
}

func TestAnswersAreCompressedIfAccepted(t *testing.T) {
	t.Parallel()
	s := fake.New()
	s.Compress = true
	plain, _ := call(t, s, byOwner, `{"owner":"`+fake.Owner+`"}`)
	for accept, magic := range map[string]string{
		"gzip, deflate, br": "\x1f\x8b", "zstd, gzip": "\x28\xb5\x2f\xfd", "gzip;q=0": "{", "identity": "{",
	} {
		status, body := send(t, s, "POST", s.Config().RPCURL+"/?api-key="+fake.Key,
			`{"jsonrpc":"2.0","id":"7","method":"`+byOwner+`","params":{"owner":"`+fake.Owner+`"}}`,
			"Content-Type", "application/json", "Accept-Encoding", accept)
		require.Equal(t, 200, status)
		require.True(t, strings.HasPrefix(body, magic), accept)
		require.Equal(t, magic == "{", len(body) > len(plain), accept)
	}
}
