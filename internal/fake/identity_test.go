package fake_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/internal/fake/world"
	"github.com/solwire/solwire-go/types"
)

func TestIdentityOfAddressesAndNames(t *testing.T) {
	t.Parallel()
	s := fake.New()
	const toly = `{"address":"86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY","type":"wallet","name":"toly.sol","category":"Wallet","tags":[],"domainNames":["toly.sol","demo.bonk","wallet.abc"]}`
	for _, row := range []struct {
		name   string
		status int
		body   string
	}{
		{fake.Exchange, 200, `{"address":"HXsKP7wrBWaQ8T2Vtjry3Nj3oUgwYcqq9vrHDM12G664","type":"exchange","name":"Binance 1","category":"Centralized Exchange","tags":["Centralized Exchange"]}`},
		{fake.Wallet, 200, toly},
		{"toly.sol", 200, toly},
		{"demo.bonk", 200, toly},
		{"Toly.SOL", 200, toly},
		{fake.Collector, 404, `{"error":"No identity information available for this address","code":404}`},
		{someone, 404, `{"error":"No identity information available for this address","code":404}`},
		{"nameless.sol", 404, `{"error":"No identity information available for this address","code":404}`},
		{"nobody.sol", 404, `{"error":"Domain 'nobody.sol' could not be resolved","code":404}`},
		{"me", 400, `{"error":"Invalid wallet address","code":400,"details":"'me' is not a valid Solana address"}`},
		{fake.Exchange + "/identity?page=1", 400, `{"error":"Invalid request","code":400,"details":"unknown parameter page"}`},
	} {
		path := row.name
		if !strings.Contains(path, "?") {
			path += "/identity"
		}
		status, body := get(t, s, "/v1/wallet/"+path)
		require.Equal(t, row.status, status, row.name)
		same(t, row.body, body, row.name)
	}
}

func TestHostileIdentityHasNoName(t *testing.T) {
	t.Parallel()
	status, body := get(t, fake.NewOf(world.Default("hostile")), "/v1/wallet/"+fake.Collector+"/identity")
	require.Equal(t, 200, status)
	same(t, `{"address":"`+fake.Collector+`","type":"unknown"}`, body)
}

func TestBatchIdentityAnswersEachInItsPlace(t *testing.T) {
	t.Parallel()
	s := fake.New()
	batch := func(body string) (int, string) {
		return send(t, s, http.MethodPost, s.Config().WalletURL+"/v1/wallet/batch-identity", body, "X-Api-Key", fake.Key, "Content-Type", "application/json")
	}
	status, body := batch(`{"addresses":["` + someone + `","` + fake.Exchange + `","nobody.sol","toly.sol","nameless.sol","` + fake.Exchange + `"]}`)
	require.Equal(t, 200, status)
	const binance = `{"address":"HXsKP7wrBWaQ8T2Vtjry3Nj3oUgwYcqq9vrHDM12G664","type":"exchange","name":"Binance 1","category":"Centralized Exchange","tags":["Centralized Exchange"]}`
	same(t, `[{"address":"`+someone+`","type":"unknown"},`+binance+
		`,{"address":null,"type":"unknown","inputDomain":"nobody.sol","unresolved":true}`+
		`,{"address":"86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY","type":"wallet","name":"toly.sol","category":"Wallet","tags":[],"inputDomain":"toly.sol"}`+
		`,{"address":"`+string(types.WrappedSOL)+`","type":"unknown","inputDomain":"nameless.sol"},`+binance+`]`, body)

	hundred := strings.Repeat(`"`+someone+`",`, 99) + `"` + someone + `"`
	status, body = batch(`{"addresses":[` + hundred + `]}`)
	require.Equal(t, 200, status)
	require.Equal(t, 100, strings.Count(body, `"type":"unknown"`))

	for request, want := range map[string]string{
		`{"addresses":[` + hundred + `,"toly.sol"]}`: `{"error":"Invalid request","code":400,"details":"addresses must have between 1 and 100 entries"}`,
		`{"addresses":[]}`:                           `{"error":"Invalid request","code":400,"details":"addresses must have between 1 and 100 entries"}`,
		`{"wallets":["` + someone + `"]}`:            `{"error":"Invalid request","code":400,"details":"unknown field \"wallets\""}`,
		`{"addresses":["` + someone + `"],"x":1}`:    `{"error":"Invalid request","code":400,"details":"unknown field \"x\""}`,
		`["` + someone + `"]`:                        `{"error":"Invalid request","code":400,"details":"invalid type: sequence, expected a map"}`,
		`{"addresses":["` + someone + `","me"]}`:     `{"error":"Invalid wallet address","code":400,"details":"'me' is not a valid Solana address"}`,
	} {
		status, body := batch(request)
		require.Equal(t, 400, status, request)
		same(t, want, body, request)
	}
	status, body = get(t, s, "/v1/wallet/batch-identity")
	require.Equal(t, 400, status)
	same(t, `{"error":"invalid path"}`, body)
}
