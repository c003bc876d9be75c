package stream_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/rpc/stream"
	"github.com/solwire/solwire-go/types"
)

// A recording is what a real node (Agave 4.2.2) answered to a subscription, and its first
// notifications.
type recording struct {
	Answer struct {
		Result uint64 `json:"result"`
	} `json:"answer"`
	Notifications []json.RawMessage `json:"notifications"`
}

// replay returns a client of a server that plays a recording to whoever subscribes, and
// says over HTTP that nothing exists.
func replay(t *testing.T, name string) (c *stream.Client, notifications int) {
	t.Helper()
	file, err := os.ReadFile("testdata/" + name + ".json")
	require.NoError(t, err)
	var played recording
	require.NoError(t, json.Unmarshal(file, &played))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var request struct {
			ID     json.RawMessage
			Method string
		}
		if r.Header.Get("Upgrade") == "" {
			_ = json.NewDecoder(r.Body).Decode(&request)
			result := map[string]string{
				"getAccountInfo": `{"context":{"slot":20},"value":null}`, "getSignatureStatuses": `{"context":{"slot":20},"value":[null]}`, "getEpochInfo": `{"absoluteSlot":20,"blockHeight":20}`,
			}[request.Method]
			w.Header().Set("Content-Type", "application/json")
			_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, request.ID, result)
			return
		}
		ws, err := websocket.Accept(w, r, nil)
		if err != nil {
			return
		}
		defer func() { _ = ws.CloseNow() }()
		ctx := context.WithoutCancel(r.Context())
		write := func(text []byte) { _ = ws.Write(ctx, websocket.MessageText, text) }
		for {
			_, message, err := ws.Read(ctx)
			if err != nil {
				return
			}
			_ = json.Unmarshal(message, &request)
			if request.Method == "slotSubscribe" && name != "slotSubscribe.plain" {
				write(fmt.Appendf(nil, `{"jsonrpc":"2.0","result":900,"id":%s}`, request.ID))
				continue
			}
			write(fmt.Appendf(nil, `{"jsonrpc":"2.0","result":%d,"id":%s}`, played.Answer.Result, request.ID))
			write([]byte(`{"jsonrpc":"2.0","method":"slotNotification","params":{"result":{"slot":20,"parent":19,"root":0},"subscription":900}}`))
			for _, n := range played.Notifications {
				write(n)
			}
		}
	}))
	t.Cleanup(server.Close)
	c, err = stream.New(types.Config{APIKey: key, RPCURL: server.URL})
	require.NoError(t, err)
	t.Cleanup(c.Close)
	return c, len(played.Notifications)
}

func TestNotificationsOfARealNode(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"accountSubscribe.payer-base64-confirmed", "accountSubscribe.payer-base64+zstd-confirmed", "accountSubscribe.payer-jsonParsed-confirmed"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, n := replay(t, name)
			got := 0
			for e, err := range c.Account(t.Context(), wallet, nil) {
				require.NoError(t, err)
				if e.Account == nil { // read before
					continue
				}
				require.Equal(t, types.Address("11111111111111111111111111111111"), e.Account.Owner)
				require.NotZero(t, e.Account.Lamports)
				require.Equal(t, rpc.NoRent, e.Account.RentEpoch)
				if got++; got == n {
					break
				}
			}
		})
	}
	for _, name := range []string{"programSubscribe.token-jsonParsed", "programSubscribe.token2022-base64"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, n := replay(t, name)
			got := map[string]bool{} // a state of each account and slot
			for e, err := range c.ProgramAccounts(t.Context(), types.TokenProgram, nil) {
				require.NoError(t, err)
				require.NotEmpty(t, e.Address)
				require.NotZero(t, e.Account.Space)
				got[fmt.Sprint(e.Address, e.Slot)] = true
				if len(got) == n {
					break
				}
			}
		})
	}
	for _, name := range []string{"logsSubscribe.all-confirmed", "logsSubscribe.mentions-payer"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, n := replay(t, name)
			got, failed := 0, 0
			for e, err := range c.AllLogs(t.Context(), nil) {
				require.NoError(t, err)
				require.NotEmpty(t, e.Logs)
				if e.Err != nil {
					failed++
				}
				if got++; got == n {
					break
				}
			}
			require.Equal(t, name == "logsSubscribe.all-confirmed", failed > 0)
		})
	}
	t.Run("slots", func(t *testing.T) {
		t.Parallel()
		c, n := replay(t, "slotSubscribe.plain")
		got := 0
		for e, err := range c.Slots(t.Context(), nil) {
			require.NoError(t, err)
			require.Equal(t, e.Slot-1, e.Parent)
			if got++; got == n {
				break
			}
		}
	})
	t.Run("roots come once", func(t *testing.T) {
		t.Parallel()
		c, n := replay(t, "rootSubscribe.plain")
		var got []uint64
		for e, err := range c.Roots(t.Context(), nil) {
			require.NoError(t, err)
			if got = append(got, e.Slot); len(got) == (n+1)/2 {
				break
			}
		}
		require.Equal(t, []uint64{0, 1, 2, 3, 4, 5, 6}[:len(got)], got)
	})
	t.Run("signature", func(t *testing.T) {
		t.Parallel()
		c, _ := replay(t, "signatureSubscribe.plain")
		status, err := c.Confirm(t.Context(), types.Signature(signature(1)), nil)
		require.NoError(t, err)
		require.Equal(t, uint64(300), status.Slot)
	})
}
