package fake_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fake"
)

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
