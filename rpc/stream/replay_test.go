package stream_test

import (
	"context"
	"encoding/json"
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

// A recording is the answer of a real node (Agave 4.2.2) to a subscription, and its first
// notifications.
type recording struct {
	Answer struct {
		Result uint64 `json:"result"`
	} `json:"answer"`
	Notifications []json.RawMessage `json:"notifications"`
}

// replay returns a client of a server that plays a recording to its subscribers, and says over
// HTTP that nothing exists.
func replay(t *testing.T, name string) (c *stream.Client, notifications int) {
	t.Helper()
	file, err := os.ReadFile("testdata/" + name + ".json")
	require.NoError(t, err)
	var played recording
	require.NoError(t, json.Unmarshal(file, &played))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Upgrade") == "" {
			in, answer := read(w, r)
			answer(`"result":%s`, map[string]string{
				"getAccountInfo": `{"context":{"slot":20},"value":null}`, "getSignatureStatuses": `{"context":{"slot":20},"value":[null]}`, "getEpochInfo": `{"absoluteSlot":20,"blockHeight":20}`,
			}[in.Method])
			return
		}
		subscriptions(w, r, func(ctx context.Context, ws *websocket.Conn, id uint64, method string) {
			if method == "slotSubscribe" && name != "slotSubscribe.plain" {
				_ = write(ctx, ws, `{"jsonrpc":"2.0","result":900,"id":%d}`, id)
				return
			}
			_ = write(ctx, ws, `{"jsonrpc":"2.0","result":%d,"id":%d}`, played.Answer.Result, id)
			_ = write(ctx, ws, `{"jsonrpc":"2.0","method":"slotNotification","params":{"result":{"slot":20,"parent":19,"root":0},"subscription":900}}`)
			for _, n := range played.Notifications {
				_ = write(ctx, ws, "%s", n)
			}
		})
	}))
	t.Cleanup(server.Close)
	c, err = stream.New(types.Config{APIKey: types.Key(key), RPCURL: server.URL})
	require.NoError(t, err)
	t.Cleanup(c.Close)
	return c, len(played.Notifications)
}

func TestNotificationsOfARealNode(t *testing.T) {
	t.Parallel()
	for name, check := range map[string]func(t *testing.T, c *stream.Client, n int){
		"accountSubscribe.payer-base64-confirmed":      playedAccount,
		"accountSubscribe.payer-base64+zstd-confirmed": playedAccount,
		"accountSubscribe.payer-jsonParsed-confirmed":  playedAccount,
		"programSubscribe.token-jsonParsed":            playedProgram,
		"programSubscribe.token2022-base64":            playedProgram,
		"logsSubscribe.all-confirmed": func(t *testing.T, c *stream.Client, n int) {
			require.Positive(t, playedLogs(t, c, n))
		},
		"logsSubscribe.mentions-payer": func(t *testing.T, c *stream.Client, n int) {
			require.Zero(t, playedLogs(t, c, n))
		},
		"slotSubscribe.plain": func(t *testing.T, c *stream.Client, n int) {
			for _, e := range first(t, n, c.Slots(t.Context())) {
				require.Equal(t, e.Slot-1, e.Parent)
			}
		},
		"rootSubscribe.plain": func(t *testing.T, c *stream.Client, n int) { // each comes once
			for i, e := range first(t, (n+1)/2, c.Roots(t.Context())) {
				require.Equal(t, uint64(i), e.Slot)
			}
		},
		"signatureSubscribe.plain": func(t *testing.T, c *stream.Client, _ int) {
			status, err := c.Confirm(t.Context(), types.Signature(signature(1)), nil)
			require.NoError(t, err)
			require.Equal(t, uint64(300), status.Slot)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, n := replay(t, name)
			check(t, c, n)
		})
	}
}

func playedAccount(t *testing.T, c *stream.Client, n int) {
	for _, e := range first(t, n+1, c.Account(t.Context(), wallet, nil)) {
		if e.Account == nil { // read before
			continue
		}
		require.Equal(t, types.Address("11111111111111111111111111111111"), e.Account.Owner)
		require.NotZero(t, e.Account.Lamports)
		require.Equal(t, rpc.NoRent, e.Account.RentEpoch)
	}
}

func playedProgram(t *testing.T, c *stream.Client, n int) {
	for _, e := range first(t, n, c.ProgramAccounts(t.Context(), types.TokenProgram, nil)) {
		require.NotEmpty(t, e.Address)
		require.NotZero(t, e.Account.Space)
	}
}

func playedLogs(t *testing.T, c *stream.Client, n int) (failed int) {
	for _, e := range first(t, n, c.AllLogs(t.Context(), nil)) {
		require.NotEmpty(t, e.Logs)
		if e.TransactionError != nil {
			failed++
		}
	}
	return failed
}
