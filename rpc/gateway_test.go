package rpc_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/types"
)

// gateway returns a client of a server that sends one body.
func gateway(t *testing.T, coding, body string) *rpc.Client {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if coding != "" {
			w.Header().Set("Content-Encoding", coding)
		}
		_, _ = io.WriteString(w, body)
	}))
	t.Cleanup(s.Close)
	c, err := rpc.New(types.Config{APIKey: types.Key("0123abcd-4567"), RPCURL: s.URL, MaxAttempts: 1})
	require.NoError(t, err)
	return c
}

func TestGzipThatEndsWithinFourBytes(t *testing.T) {
	t.Parallel()
	for _, body := range []string{"\x1f\x8b", "\x1f\x8b\x08"} {
		_, err := gateway(t, "gzip", body).GenesisHash(t.Context())
		require.ErrorContains(t, err, "truncated response")
	}
}

// The numbers beside the items and of each item are mended in less than a second.
func TestPageWithFractionsIsReadSoon(t *testing.T) {
	t.Parallel()
	const owner = types.Address("86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY")
	item := `{"pubkey":"` + string(owner) + `","account":{"lamports":5000.0,"owner":"` + string(types.TokenProgram) +
		`","data":["` + strings.Repeat("AAAA", 55) + `","base64"],"executable":false,"space":165.0,"rentEpoch":0}}`
	body := `{"jsonrpc":"2.0","id":1,"result":{"context":{"slot":5000.0},"value":{"accounts":[` +
		item + strings.Repeat(","+item, 399) + `],"paginationKey":null}}}`
	begun := time.Now()
	page, err := gateway(t, "", body).TokenAccountsByOwner(t.Context(), owner, rpc.AnyProgram(), nil).Page()
	require.NoError(t, err)
	require.Len(t, page.Items, 400)
	require.Equal(t, uint64(5000), page.Slot)
	require.Less(t, time.Since(begun), 5*time.Second) // it took 13 s where it was slow
}

func TestErrorOfACallQuotesLittleOfItsParams(t *testing.T) {
	t.Parallel()
	c := gateway(t, "", `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no"}}`)
	for _, params := range [][]any{{[]string{strings.Repeat("AQID", 400)}}, {types.Address("a\nb " + strings.Repeat("x", 3000))}} {
		var out any
		require.Less(t, len(c.Call(t.Context(), "sendBundle", params, &out).Error()), 300)
	}
}
