package fake_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/internal/fake/world"
)

// crowded returns a world in which every listing has n items, most of one owner.
func crowded(t *testing.T, n int) (s *fake.Service, owner, mint string) {
	t.Helper()
	source := world.Seed(950).Item(n)
	owner, mint = source.Address(), source.Address()
	b := world.NewBuilder("")
	b.At("crowd")
	b.Wallet(owner, "1000")
	for i := range n {
		b.Hold(owner, world.Token{Mint: source.Address(), Decimals: 2, Price: []string{"", "0.5"}[i%2]}, fmt.Sprint(1+i%500))
		holder := source.Address()
		b.Wallet(holder, "1")
		b.Hold(holder, world.Token{Mint: mint, Decimals: 2}, fmt.Sprint(1+i%500))
		b.Asset(world.Asset{Owner: owner, Name: "NFT", Compressed: i%2 == 0})
		b.CompressedToken(world.Compressed{TokenOwner: owner, Amount: uint64(i)}, "", world.Token{Mint: mint, Decimals: 2}, i%3 == 0)
		b.CompressedToken(world.Compressed{TokenOwner: holder, Amount: uint64(i)}, "", world.Token{Mint: mint, Decimals: 2}, i%3 == 0)
		b.Transact(world.Transaction{Kind: "TRANSFER", Fee: 5000, FeePayer: owner, At: time.Unix(1_748_000_000-int64(i), 0)}, nil)
	}
	w, err := b.World()
	require.NoError(t, err)
	return fake.NewOf(w), owner, mint
}

// A page costs as much in a large world as in a small one, wherever it is in the listing.
func TestPagesCostTheSameInWorldsOfAnySize(t *testing.T) { //nolint:paralleltest // it measures time
	const small, large = 200, 4000
	took := func(n int) map[string]time.Duration {
		s, owner, mint := crowded(t, n)
		page := n / 100 // the last one
		took := map[string]time.Duration{}
		for method, params := range map[string]string{
			"getAssetsByOwner":                      fmt.Sprintf(`{"ownerAddress":%q,"limit":100,"page":%d,"options":{"showFungible":true}}`, owner, page),
			"searchAssets":                          fmt.Sprintf(`{"ownerAddress":%q,"limit":100,"page":%d,"tokenType":"fungible"}`, owner, page),
			"getTokenAccounts":                      fmt.Sprintf(`{"owner":%q,"limit":100,"page":%d}`, owner, page),
			"getTokenAccountsByOwnerV2":             fmt.Sprintf(`[%q,{"programId":%q},{"encoding":"base64","limit":100}]`, owner, tokenProgram),
			"getProgramAccountsV2":                  fmt.Sprintf(`[%q,{"encoding":"base64","limit":100}]`, tokenProgram),
			"getSignaturesForAddress":               fmt.Sprintf(`[%q,{"limit":100}]`, owner),
			"getCompressedTokenAccountsByOwner":     fmt.Sprintf(`{"owner":%q,"limit":100}`, owner),
			"getCompressedMintTokenHolders":         fmt.Sprintf(`{"mint":%q,"limit":100}`, mint),
			"getCompressionSignaturesForTokenOwner": fmt.Sprintf(`{"owner":%q,"limit":2}`, owner),
		} {
			took[method] = fastest(func() {
				_, failure := call(t, s, method, params)
				require.Empty(t, failure)
			})
		}
		took["balances"] = fastest(func() {
			status, _ := get(t, s, fmt.Sprintf("/v1/wallet/%s/balances?showNative=false&page=%d", owner, page))
			require.Equal(t, 200, status)
		})
		return took
	}
	usual := took(small)
	for method, page := range took(large) {
		require.Less(t, page, large/small/3*usual[method]+5*time.Millisecond, "%s: %v in a small world", method, usual[method])
	}
}

func TestAllocations(t *testing.T) { //nolint:paralleltest // those of other tests would count
	s := fake.New()
	page := func() {
		body := strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"getCompressedAccountsByOwnerV2","params":{"owner":"` + fake.Owner + `"}}`)
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/?api-key="+fake.Key, body)
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		require.Equal(t, 1000, strings.Count(w.Body.String(), `"hash"`))
	}
	transfer := func() {
		_, err := sendSOL(s, fake.Wallet, fake.Exchange, 1)
		require.NoError(t, err)
	}
	require.Less(t, testing.AllocsPerRun(3, func() { fake.New().World() }), 25_000.0)
	require.Less(t, testing.AllocsPerRun(3, page), 1500.0, "one for each account")
	require.Less(t, testing.AllocsPerRun(3, transfer), 100.0)
}

// fastest returns the shortest time that f takes after the first call.
func fastest(f func()) time.Duration {
	f()
	shortest := time.Hour
	for range 5 {
		began := time.Now()
		f()
		shortest = min(shortest, time.Since(began))
	}
	return shortest
}
