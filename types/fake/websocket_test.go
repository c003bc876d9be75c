//go:build !js

package fake_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types/fake"
)

// A socket is a WebSocket connection that is used without a client.
type socket struct {
	t  *testing.T
	ws *websocket.Conn
}

func dial(t *testing.T, s *fake.Service) socket {
	t.Helper()
	ws, resp, err := websocket.Dial(t.Context(), "ws://fake/?api-key="+fake.Key, &websocket.DialOptions{HTTPClient: &http.Client{Transport: s.Transport()}})
	require.NoError(t, err)
	_ = resp
	t.Cleanup(func() { _ = ws.CloseNow() })
	return socket{t, ws}
}

// send sends messages, and returns the next one.
func (c socket) send(messages ...string) string {
	c.t.Helper()
	for _, message := range messages {
		require.NoError(c.t, c.ws.Write(c.t.Context(), websocket.MessageText, []byte(message)))
	}
	_, got, err := c.ws.Read(c.t.Context())
	require.NoError(c.t, err)
	return string(got)
}

// result returns the context and the value of the next notification.
func (c socket) result() (slot uint64, value string) {
	c.t.Helper()
	var n struct {
		Params struct {
			Result struct {
				Context struct{ Slot uint64 }
				Value   json.RawMessage
			}
		}
	}
	text := c.send()
	require.NoError(c.t, json.Unmarshal([]byte(text), &n))
	return n.Params.Result.Context.Slot, string(n.Params.Result.Value)
}

func request(method, params string) string {
	return `{"jsonrpc":"2.0","id":7,"method":"` + method + `","params":` + params + `}`
}

// subscribed runs f with a connection on which requests have been answered.
func subscribed(t *testing.T, f func(s *fake.Service, c socket), requests ...string) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := live()
		c := dial(t, s)
		for _, r := range requests {
			require.Contains(t, c.send(r), `"id":7`)
		}
		f(s, c)
	})
}

func TestKnownSignatureIsNotifiedAfterTheResponse(t *testing.T) {
	t.Parallel()
	subscribed(t, func(s *fake.Service, c socket) {
		known := s.Transfer(ann, bob, 1).Signature()
		subscribe := request("signatureSubscribe", `["`+string(known)+`",{"commitment":"processed"}]`)
		require.Equal(t, `{"jsonrpc":"2.0","result":0,"id":7}`, c.send(subscribe))
		began := time.Now()
		s.Transfer(ann, bob, 2) // wakes the connection
		_, value := c.result()
		require.JSONEq(t, `{"err":null}`, value)
		require.GreaterOrEqual(t, time.Since(began), 50*time.Millisecond, "some clients miss a notification that comes with the response")
		require.Equal(t, `{"jsonrpc":"2.0","result":1,"id":7}`, c.send(subscribe), "the id of an ended subscription is not used again")
	})
}

func TestAccountNotificationsHaveTheStateOfTheirSlot(t *testing.T) {
	t.Parallel()
	subscribed(t, func(s *fake.Service, c socket) {
		transfer := func() { s.Transfer(ann, bob, 1000) }
		transfer()
		transfer()
		time.Sleep(time.Second)
		transfer()
		first, value := c.result()
		require.Contains(t, value, `"lamports":5000002000`, "the last state of the slot, once")
		second, value := c.result()
		require.Contains(t, value, `"lamports":5000003000`)
		require.Greater(t, second, first)
	}, request("accountSubscribe", `["`+string(bob)+`",{"encoding":"base64","commitment":"confirmed"}]`))
}

func TestTransactionSubscribeHonorsItsOptions(t *testing.T) {
	t.Parallel()
	for options, want := range map[string][2]string{ // in it, and not in it
		`"transactionDetails":"none"`:                                            {`"slot":`, `"signature`},
		`"transactionDetails":"signatures"`:                                      {`"signature":`, `"transaction":`},
		`"transactionDetails":"accounts"`:                                        {`"accountKeys":[{"pubkey":`, `"instructions"`},
		`"transactionDetails":"full","encoding":"base64+zstd"`:                   {`,"base64+zstd"]`, `"message"`},
		`"transactionDetails":"full","encoding":"jsonParsed"`:                    {`"parsed":`, `"base64"`},
		`"transactionDetails":"full","encoding":"json","commitment":"processed"`: {`"header":`, `"parsed":`},
	} {
		subscribed(t, func(s *fake.Service, c socket) {
			s.Transfer(ann, bob, 1)
			got := c.send()
			require.Contains(t, got, want[0], options)
			require.NotContains(t, got, want[1], options)
		}, request("transactionSubscribe", `[{"accountInclude":["`+string(ann)+`"]},{"maxSupportedTransactionVersion":0,`+options+`}]`))
	}
}

func TestSubscriptionsAreRefusedAsANodeDoes(t *testing.T) {
	t.Parallel()
	filter := `{"memcmp":{"offset":0,"bytes":"1"}}`
	subscribed(t, func(_ *fake.Service, c socket) {
		for sent, want := range map[string]string{
			request("accountSubscribe", `["`+string(ann)+`",{"encoding":"hex"}]`):                                         "Invalid params: unknown variant `hex`, expected one of `binary`, `base58`, `base64`, `jsonParsed`, `base64+zstd`.",
			request("accountSubscribe", `["x"]`):                                                                          "Invalid Request: Invalid pubkey provided",
			request("programSubscribe", `["`+string(program)+`",{"filters":[`+strings.Repeat(filter+",", 4)+filter+`]}]`): "Invalid params: Too many filters provided; max 4",
			request("logsSubscribe", `[{"mentions":[]}]`):                                                                 "Invalid Request: Only 1 address supported",
			request("signatureSubscribe", `["x"]`):                                                                        "Invalid Request: Invalid signature provided",
			request("transactionSubscribe", `[{},{"transactionDetails":"some"}]`):                                         "unknown variant `some`",
			request("transactionSubscribe", `[{},{"encoding":"hex"}]`):                                                    "unknown variant `hex`",
			request("transactionSubscribe", `[{},{"commitment":"sure"}]`):                                                 "unknown variant `sure`",
			request("transactionSubscribe", `[{"tokenAccounts":"some"},{}]`):                                              "Invalid tokenAccounts value 'some'",
			request("parsedTransactionSubscribe", `[{"programs":["`+string(program)+`"],"kinds":[]}]`):                    "unknown field",
			request("slotUnsubscribe", `[99]`):                                                                            "Invalid subscription id.",
			request("voteSubscribe", `[]`):                                                                                "Method not found",
			`{`:                                                                                                           "Parse error",
		} {
			require.Contains(t, c.send(sent), want, sent)
		}
		batch := c.send(`[` + request("slotSubscribe", "[]") + `,` + request("slotUnsubscribe", "[5]") + `]`)
		require.Regexp(t, `^\[\{"jsonrpc":"2.0","result":0,"id":7\},\{"jsonrpc":"2.0","error":.*"id":7\}\]$`, batch)
	})
}
