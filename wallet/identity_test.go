package wallet_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fakeapi"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/wallet"
)

func TestIdentityOfDomainNames(t *testing.T) {
	t.Parallel()
	for name, path := range map[string]string{
		"toly.sol":     "/v1/wallet/toly.sol/identity",
		"name.bonk":    "/v1/wallet/name.bonk/identity",
		"a.b.sol":      "/v1/wallet/a.b.sol/identity",
		"🍏.sol":        "/v1/wallet/%F0%9F%8D%8F.sol/identity",
		"a:b@c;d=.sol": "/v1/wallet/a:b@c%3Bd=.sol/identity",
	} {
		s := fakeapi.New()
		s.Answer(200, `{"address":"86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY","type":"wallet","name":"Toly"}`)
		identity, err := client(t, s).Identity(t.Context(), name)
		require.NoError(t, err)
		require.Equal(t, path, s.Requests()[0].Path)
		require.True(t, identity.Known())
	}
}

func TestInvalidNamesAreRefused(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	c := client(t, s)
	for _, name := range []string{
		".", "..", "...", "sol.", "a..sol", "toly", "SOL",
		"../batch-identity", "a/../b.sol", `a\b.sol`, "a.sol?x=1", "a.sol#x", "a%2fb.sol", "%2e%2e.sol",
		"to ly.sol", "toly.sol\n", "to\u00a0ly.sol", "toly.s\x00l", "toly\xff.sol",
	} {
		_, err := c.Identity(t.Context(), name)
		require.ErrorIs(t, err, types.ErrInvalid, "%q", name)
		_, err = c.Identities(t.Context(), []string{exchange, name})
		require.ErrorIs(t, err, types.ErrInvalid, "%q", name)
		_, err = c.Balances(t.Context(), types.Address(name), nil).Page()
		require.ErrorIs(t, err, types.ErrInvalid, "%q", name)
	}
	require.Empty(t, s.Requests())
}

func TestUnknownIdentity(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	s.Answer(404, `{"error":"Domain 'nobody.sol' could not be resolved","code":404}`)
	identity, err := client(t, s).Identity(t.Context(), "nobody.sol")
	require.ErrorIs(t, err, types.ErrNotFound)
	require.Nil(t, identity)

	identity, err = answering(t, `{"address":"HXsKP7wrBWaQ8T2Vtjry3Nj3oUgwYcqq9vrHDM12G664","type":"unknown"}`).Identity(t.Context(), exchange)
	require.NoError(t, err)
	require.Equal(t, &wallet.Identity{Address: exchange, Type: wallet.IdentityTypeUnknown}, identity)
	require.False(t, identity.Known())
}

func TestIdentitiesAreMatchedByName(t *testing.T) {
	t.Parallel()
	// Another order than requested, one entry for two wallets, an entry that was not
	// requested, and two missing.
	all, err := answering(t, `[
		{"address":"86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY","inputDomain":"toly.sol","type":"wallet","name":"by name"},
		{"address":"JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN","type":"wallet","name":"not requested"},
		{"address":null,"inputDomain":"nobody.sol","type":"unknown","unresolved":true},
		{"address":"HXsKP7wrBWaQ8T2Vtjry3Nj3oUgwYcqq9vrHDM12G664","type":"exchange","name":"Binance"},
		{"address":"86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY","type":"wallet","name":"by address"}
	]`).Identities(t.Context(), []string{exchange, stranger, fakeapi.Wallet, "Toly.sol", "nobody.sol", exchange, "lost.bonk"})
	require.NoError(t, err)
	binance := &wallet.Identity{Address: exchange, Type: wallet.IdentityTypeExchange, Name: "Binance"}
	require.Equal(t, []*wallet.Identity{
		binance,
		{Address: stranger, Type: wallet.IdentityTypeUnknown},
		{Address: fakeapi.Wallet, Type: "wallet", Name: "by address"},
		{Address: fakeapi.Wallet, InputDomain: "toly.sol", Type: "wallet", Name: "by name"},
		{InputDomain: "nobody.sol", Type: wallet.IdentityTypeUnknown, Unresolved: true},
		binance,
		{InputDomain: "lost.bonk", Type: wallet.IdentityTypeUnknown},
	}, all)
}

func TestSpellingsOfADomainName(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string]string{
		`[{"inputDomain":"Toly.SOL","name":"1"},{"inputDomain":"toly.sol","name":"2"},{"inputDomain":"TOLY.sol","name":"3"}]`: "1 2 3",
		`[{"inputDomain":"TOLY.sol","name":"3"},{"inputDomain":"Toly.SOL","name":"1"},{"inputDomain":"toly.sol","name":"2"}]`: "1 2 3",
		`[{"inputDomain":"toly.sol","name":"2"}]`: "2 2 2",
	} {
		all, err := answering(t, answer).Identities(t.Context(), []string{"Toly.SOL", "toly.sol", "TOLY.sol"})
		require.NoError(t, err)
		require.Equal(t, want, all[0].Name+" "+all[1].Name+" "+all[2].Name, answer)
	}
}

func TestIdentitiesWithoutTheirNameAreMatchedByPosition(t *testing.T) {
	t.Parallel()
	c := answering(t, `[
		{"address":"JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN","inputDomain":"xn--bcher-kva.sol","type":"wallet","name":"books"},
		{"address":"86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY","type":"wallet","name":"by address"},
		{"address":"86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY","type":"wallet","name":"by position"},
		{"address":null,"type":"unknown","unresolved":true},
		{"address":"JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN","type":"wallet","name":"another wallet"},
		{"name":"no address"},
		{"address":"HXsKP7wrBWaQ8T2Vtjry3Nj3oUgwYcqq9vrHDM12G664","inputDomain":"gone.sol","name":"elsewhere"}
	]`, `[{"address":"86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY","type":"wallet","name":"Toly"}]`)
	all, err := c.Identities(t.Context(), []string{"bücher.sol", fakeapi.Wallet, "toly.sol", "gone.sol", exchange, stranger, "other.sol"})
	require.NoError(t, err)
	require.Equal(t, []*wallet.Identity{
		{Address: "JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN", InputDomain: "xn--bcher-kva.sol", Type: "wallet", Name: "books"},
		{Address: fakeapi.Wallet, Type: "wallet", Name: "by address"},
		{Address: fakeapi.Wallet, InputDomain: "toly.sol", Type: "wallet", Name: "by position"},
		{Address: exchange, InputDomain: "gone.sol", Type: wallet.IdentityTypeUnknown, Name: "elsewhere"},
		{Address: exchange, Type: wallet.IdentityTypeUnknown},
		{Address: stranger, Type: wallet.IdentityTypeUnknown, Name: "no address"},
		{InputDomain: "other.sol", Type: wallet.IdentityTypeUnknown},
	}, all)

	all, err = c.Identities(t.Context(), []string{"toly.sol", "gone.sol"})
	require.NoError(t, err)
	require.False(t, all[0].Known(), "an entry is missing, so positions are unknown")
	require.False(t, all[1].Known())
}

// naming names every wallet after its request.
func naming() *fakeapi.Service {
	s := fakeapi.New()
	s.Intercept = func(w http.ResponseWriter, r *fakeapi.Incoming) bool {
		n := len(s.Requests()) - 1
		var in struct{ Addresses []string }
		if err := json.Unmarshal(r.Body, &in); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return true
		}
		entries := make([]string, len(in.Addresses))
		for i, address := range in.Addresses {
			entries[i] = fmt.Sprintf(`{"address":"%s","type":"wallet","name":"request %d"}`, address, n)
		}
		_, _ = w.Write([]byte("[" + strings.Join(entries, ",") + "]"))
		return true
	}
	return s
}

// addresses returns n different addresses.
func addresses(t *testing.T, n int) []string {
	t.Helper()
	all := make([]string, n)
	for i := range all {
		address, err := types.AddressFromBytes(fmt.Appendf(nil, "%032d", i))
		require.NoError(t, err)
		all[i] = string(address)
	}
	return all
}

func TestIdentitiesSendOneRequestPer100Wallets(t *testing.T) {
	t.Parallel()
	for n, requests := range map[int]int{0: 0, 1: 1, 100: 1, 101: 2, 200: 2, 250: 3} {
		s := naming()
		wallets := addresses(t, n)
		all, err := client(t, s).Identities(t.Context(), wallets)
		require.NoError(t, err)
		require.Len(t, s.Requests(), requests)
		require.NotNil(t, all)
		require.Len(t, all, n)
		for i, identity := range all {
			require.Equal(t, wallets[i], string(identity.Address))
			require.Equal(t, fmt.Sprintf("request %d", i/100), identity.Name)
		}
	}
}

func TestIdentitiesOfNoWalletsNeedAContext(t *testing.T) {
	t.Parallel()
	_, err := answering(t).Identities(nil, nil) //nolint:staticcheck // nil is the case
	require.EqualError(t, err, "wallet.Client.Identities: ctx is nil: invalid argument")
}
