package fakeapi_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fakeapi"
	"github.com/solwire/solwire-go/internal/fakeapi/world"
)

func TestParsedHistoriesOfOtherClients(t *testing.T) {
	t.Parallel()
	b := world.NewBuilder("")
	for i := range 3 { // newest first
		b.Transact(world.Transaction{Kind: "TRANSFER", FeePayer: fakeapi.Wallet, At: time.Unix(1_735_689_602-int64(i), 0)}, nil)
	}
	w, err := b.World()
	require.NoError(t, err)
	s := fakeapi.NewOf(w)
	s.World()
	all := w.Ledger
	slot := all[0].Slot
	base := s.Config().WebhooksURL + "/v0/"
	for query, want := range map[string][]int{
		fmt.Sprintf("&lte-slot=%d&gt-slot=%d", all[1].Slot, slot):             {1},
		fmt.Sprintf("&gte-slot=%d&gt-slot=%d&lt-slot=%d", slot, slot, slot+6): {1, 2},
		"&gte-time=1735689600&lte-time=1735689601&utm_source=other":           {0, 1},
		fmt.Sprintf("&gte-slot=%d&before=%s", slot, all[2].Signature):         {0, 1},
	} {
		status, body := send(t, s, "GET", base+"addresses/"+fakeapi.Wallet+"/transactions/"+withKey+"&limit=100"+query, "")
		require.Equal(t, 200, status, body)
		for i, x := range all {
			require.Equal(t, slices.Contains(want, i), strings.Contains(body, x.Signature), "%s %d", query, i)
		}
	}
	status, body := send(t, s, "POST", base+"transactions/"+withKey, `{"transactions":["`+all[1].Signature+`"],"commitment":"finalized"}`,
		"Content-Type", "application/json")
	require.Equal(t, 200, status, body)
	require.Contains(t, body, all[1].Signature)
}

func TestBrowsersMayAsk(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
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
