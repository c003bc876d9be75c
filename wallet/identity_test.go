package wallet_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/wallet"
)

func TestIdentityTakesDomainNames(t *testing.T) {
	t.Parallel()
	for name, path := range map[types.Address]string{
		"toly.sol":     "/v1/wallet/toly.sol/identity",
		"name.bonk":    "/v1/wallet/name.bonk/identity",
		"a.b.sol":      "/v1/wallet/a.b.sol/identity",
		"🍏.sol":        "/v1/wallet/%F0%9F%8D%8F.sol/identity",
		"a:b@c;d=.sol": "/v1/wallet/a:b@c%3Bd=.sol/identity",
	} {
		s := fake.New()
		s.Answer(200, `{"address":"86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY","type":"wallet","name":"Toly"}`)
		identity, err := client(t, s).Identity(t.Context(), name)
		require.NoError(t, err)
		require.Equal(t, path, s.Requests()[0].Path)
		require.Equal(t, types.Address(fake.Wallet), identity.Address)
		require.True(t, identity.Known())
	}
}

func TestIdentityRefusesWhatIsNoNameBeforeAnythingIsSent(t *testing.T) {
	t.Parallel()
	s := fake.New()
	c := client(t, s)
	for _, name := range []types.Address{
		"", ".", "..", "...", ".sol", "sol.", "a..sol", "toly", "SOL",
		"../batch-identity", "a/../b.sol", `a\b.sol`, "a.sol?x=1", "a.sol#x", "a%2fb.sol", "%2e%2e.sol",
		"to ly.sol", "toly.sol\n", "to\u00a0ly.sol", "toly.s\x00l",
		"86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MM0",
	} {
		identity, err := c.Identity(t.Context(), name)
		require.ErrorIs(t, err, types.ErrInvalid, "%q", name)
		require.ErrorContains(t, err, "wallet: ")
		require.Nil(t, identity)

		identities, err := c.Identities(t.Context(), []types.Address{exchange, name})
		require.ErrorIs(t, err, types.ErrInvalid, "%q", name)
		require.ErrorContains(t, err, "wallets[1]: ")
		require.Nil(t, identities)
	}
	require.Empty(t, s.Requests())
}

func TestUnknownIdentityIsNotFoundOrOfThatType(t *testing.T) {
	t.Parallel()
	s := fake.New()
	c := client(t, s)
	for _, text := range []string{"No identity information available for this address", "Domain 'nobody.sol' could not be resolved"} {
		s.Answer(404, `{"error":"`+text+`","code":404}`)
		identity, err := c.Identity(t.Context(), exchange)
		require.ErrorIs(t, err, types.ErrNotFound)
		require.ErrorContains(t, err, text)
		require.Nil(t, identity)
	}
	s.Answer(200, `{"address":"HXsKP7wrBWaQ8T2Vtjry3Nj3oUgwYcqq9vrHDM12G664","type":"unknown"}`)
	identity, err := c.Identity(t.Context(), exchange)
	require.NoError(t, err)
	require.Equal(t, &wallet.Identity{Address: exchange, Type: wallet.IdentityUnknown}, identity)
	require.False(t, identity.Known())
}

func TestIdentitiesAreEachInTheirPlace(t *testing.T) {
	t.Parallel()
	s := fake.New()
	// Another order than asked, one entry for a wallet that was asked for
	// twice, one that nobody asked for, and two left out.
	s.Answer(200, `[
		{"address":"86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY","inputDomain":"toly.sol","type":"wallet","name":"by name"},
		{"address":"JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN","type":"wallet","name":"not asked for"},
		{"address":null,"inputDomain":"nobody.sol","type":"unknown","unresolved":true},
		{"address":"HXsKP7wrBWaQ8T2Vtjry3Nj3oUgwYcqq9vrHDM12G664","type":"exchange","name":"Binance"},
		{"address":"86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY","type":"wallet","name":"by address"}
	]`)
	all, err := client(t, s).Identities(t.Context(), []types.Address{
		exchange, stranger, fake.Wallet, "Toly.sol", "nobody.sol", exchange, "lost.bonk",
	})
	require.NoError(t, err)
	binance := wallet.Identity{Address: exchange, Type: wallet.IdentityExchange, Name: "Binance"}
	require.Equal(t, []wallet.Identity{
		binance,
		{Address: stranger, Type: wallet.IdentityUnknown},
		{Address: fake.Wallet, Type: "wallet", Name: "by address"},
		{Address: fake.Wallet, InputDomain: "toly.sol", Type: "wallet", Name: "by name"},
		{InputDomain: "nobody.sol", Type: wallet.IdentityUnknown, Unresolved: true},
		binance,
		{InputDomain: "lost.bonk", Type: wallet.IdentityUnknown},
	}, all)
	var known []bool
	for _, identity := range all {
		known = append(known, identity.Known())
	}
	require.Equal(t, []bool{true, false, true, true, false, true, false}, known)
}

func TestSpellingsOfOneNameAreKeptApart(t *testing.T) {
	t.Parallel()
	for _, answer := range []string{
		`[{"inputDomain":"Toly.SOL","type":"wallet","name":"1"},{"inputDomain":"toly.sol","type":"wallet","name":"2"},{"inputDomain":"TOLY.sol","type":"wallet","name":"3"}]`,
		`[{"inputDomain":"TOLY.sol","type":"wallet","name":"3"},{"inputDomain":"Toly.SOL","type":"wallet","name":"1"},{"inputDomain":"toly.sol","type":"wallet","name":"2"}]`,
	} {
		s := fake.New()
		s.Answer(200, answer)
		all, err := client(t, s).Identities(t.Context(), []types.Address{"Toly.SOL", "toly.sol", "TOLY.sol"})
		require.NoError(t, err)
		for i, want := range []string{"1", "2", "3"} {
			require.Equal(t, want, all[i].Name)
		}
	}
}

func TestSpellingsOfOneNameAreResolvedAlike(t *testing.T) {
	t.Parallel()
	asked := []types.Address{"Toly.SOL", "toly.sol", "TOLY.sol"}
	all, err := client(t, fake.New()).Identities(t.Context(), asked)
	require.NoError(t, err)
	for i, identity := range all {
		require.Equal(t, string(asked[i]), identity.InputDomain)
		require.Equal(t, types.Address(fake.Wallet), identity.Address)
		require.True(t, identity.Known())
	}
}

func TestSpellingThatTheServiceReturnsServesAll(t *testing.T) {
	t.Parallel()
	s := fake.New()
	s.Answer(200, `[{"inputDomain":"toly.sol","type":"wallet","name":"Toly"}]`)
	all, err := client(t, s).Identities(t.Context(), []types.Address{"Toly.SOL", "TOLY.sol"})
	require.NoError(t, err)
	toly := wallet.Identity{InputDomain: "toly.sol", Type: "wallet", Name: "Toly"}
	require.Equal(t, []wallet.Identity{toly, toly}, all)
}

func TestEntriesWithoutTheirNameAreTakenInPlace(t *testing.T) {
	t.Parallel()
	asked := []types.Address{"bücher.sol", fake.Wallet, "toly.sol", "gone.sol", exchange, stranger, "other.sol"}
	const answer = `[
		{"address":"JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN","inputDomain":"xn--bcher-kva.sol","type":"wallet","name":"books"},
		{"address":"86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY","type":"wallet","name":"by address"},
		{"address":"86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY","type":"wallet","name":"by name"},
		{"address":null,"type":"unknown","unresolved":true},
		{"address":"JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN","type":"wallet","name":"somebody else"},
		{"name":"no address"},
		{"address":"HXsKP7wrBWaQ8T2Vtjry3Nj3oUgwYcqq9vrHDM12G664","inputDomain":"gone.sol","name":"is not in its place"}
	]`
	s := fake.New()
	s.Answer(200, answer)
	all, err := client(t, s).Identities(t.Context(), asked)
	require.NoError(t, err)
	require.Equal(t, []wallet.Identity{
		{Address: "JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN", InputDomain: "xn--bcher-kva.sol", Type: "wallet", Name: "books"},
		{Address: fake.Wallet, Type: "wallet", Name: "by address"},
		{Address: fake.Wallet, InputDomain: "toly.sol", Type: "wallet", Name: "by name"},
		{Address: exchange, InputDomain: "gone.sol", Type: wallet.IdentityUnknown, Name: "is not in its place"},
		{Address: exchange, Type: wallet.IdentityUnknown},
		{Address: stranger, Type: wallet.IdentityUnknown, Name: "no address"},
		{InputDomain: "other.sol", Type: wallet.IdentityUnknown},
	}, all)

	s.Answer(200, `[{"address":"86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY","type":"wallet","name":"Toly"}]`)
	all, err = client(t, s).Identities(t.Context(), []types.Address{"toly.sol", "gone.sol"})
	require.NoError(t, err)
	require.False(t, all[0].Known(), "one is left out, so places say nothing")
	require.False(t, all[1].Known())
}

// naming answers each part with a name for each of its addresses, but fails
// the parts that it is told to.
func naming(failing ...int) *fake.Service {
	s := fake.New()
	part := -1
	s.Before = func(w http.ResponseWriter, r *http.Request) bool {
		part++
		if slices.Contains(failing, part) {
			http.Error(w, fmt.Sprintf(`{"error":"part %d is refused","code":422}`, part), http.StatusUnprocessableEntity)
			return true
		}
		var in struct{ Addresses []string }
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return true
		}
		entries := make([]string, len(in.Addresses))
		for i, address := range in.Addresses {
			entries[i] = fmt.Sprintf(`{"address":"%s","type":"wallet","name":"%s in part %d"}`, address, address, part)
		}
		_, _ = w.Write([]byte("[" + strings.Join(entries, ",") + "]"))
		return true
	}
	return s
}

// addresses returns n different ones.
func addresses(t *testing.T, n int) []types.Address {
	t.Helper()
	all := make([]types.Address, n)
	for i := range all {
		var err error
		all[i], err = types.AddressFromBytes([]byte(fmt.Sprintf("%032d", i)))
		require.NoError(t, err)
	}
	return all
}

func TestIdentitiesAskForAHundredAtATime(t *testing.T) {
	t.Parallel()
	for n, parts := range map[int]int{0: 0, 1: 1, 100: 1, 101: 2, 200: 2, 250: 3} {
		s := naming()
		asked := addresses(t, n)
		all, err := client(t, s).Identities(t.Context(), asked)
		require.NoError(t, err)
		require.Len(t, s.Requests(), parts)
		require.NotNil(t, all)
		require.Len(t, all, n)
		for i, identity := range all {
			require.Equal(t, asked[i], identity.Address)
			require.Equal(t, fmt.Sprintf("%s in part %d", asked[i], i/100), identity.Name)
		}
	}
}

func TestFailedPartDoesNotLoseTheOthers(t *testing.T) {
	t.Parallel()
	s := naming(1, 3)
	asked := addresses(t, 450)
	all, err := client(t, s).Identities(t.Context(), asked)
	require.ErrorContains(t, err, "part 1 is refused")
	require.ErrorContains(t, err, "part 3 is refused")
	var refusal *types.APIError
	require.ErrorAs(t, err, &refusal)
	require.Equal(t, 422, refusal.StatusCode)
	require.Equal(t, "POST /v1/wallet/batch-identity", refusal.Op)
	require.Len(t, s.Requests(), 5)
	require.Len(t, all, 450)
	for i, identity := range all {
		if part := i / 100; part == 1 || part == 3 {
			require.Zero(t, identity)
			require.False(t, identity.Known())
		} else {
			require.Equal(t, fmt.Sprintf("%s in part %d", asked[i], part), identity.Name)
		}
	}
}

func TestIdentitiesEndWithTheContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	s := naming()
	answer := s.Before
	s.Before = func(w http.ResponseWriter, r *http.Request) bool {
		if len(s.Requests()) == 2 {
			cancel()
		}
		return answer(w, r)
	}
	all, err := client(t, s).Identities(ctx, addresses(t, 500))
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, 1, strings.Count(err.Error(), "POST "), "the parts left are not reported one by one")
	require.Len(t, s.Requests(), 2)
	require.Len(t, all, 500)
	require.True(t, all[99].Known())
	require.Zero(t, all[100])
	require.Zero(t, all[499])
}

func TestIdentitiesEndWhereEveryPartWouldBeRefused(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		status int
		body   string
	}{
		{401, `{"error":"API key required","code":401}`},
		{403, `{"error":"not in your plan","code":403}`},
		{429, `{"error":"max usage reached","code":429}`},
	} {
		s := naming()
		s.Answer(row.status, row.body)
		all, err := client(t, s).Identities(t.Context(), addresses(t, 500))
		var refusal *types.APIError
		require.ErrorAs(t, err, &refusal)
		require.Equal(t, row.status, refusal.StatusCode)
		require.Len(t, s.Requests(), 1)
		require.Equal(t, make([]wallet.Identity, 500), all)
	}
}

func TestIdentitiesRefuseANilContext(t *testing.T) {
	t.Parallel()
	s := fake.New()
	var none context.Context
	for _, asked := range [][]types.Address{nil, {exchange}} {
		all, err := client(t, s).Identities(none, asked)
		require.EqualError(t, err, "ctx: nil: invalid")
		require.ErrorIs(t, err, types.ErrInvalid)
		require.Nil(t, all)
	}
	require.Empty(t, s.Requests())
}
