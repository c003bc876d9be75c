package stream_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/rpc/stream"
	"github.com/solwire/solwire-go/types"
)

// notification returns what a node sends of transactions of about a size, which differ in
// their signatures.
func notification(size int) func(number int) []byte {
	const balance = `{"accountIndex":2,"mint":"EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v","owner":"86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY","programId":"TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA","uiTokenAmount":{"amount":"9007199254740993","decimals":6,"uiAmount":9007199254.740993,"uiAmountString":"9007199254.740993"}}`
	const transfer = `{"program":"system","programId":"11111111111111111111111111111111","parsed":{"type":"transfer","info":{"source":"86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY","destination":"5yKZaJ1YxcYmyfiiLvXWv8DoyGrGwvcBPDP28hmsqKGF","lamports":1}},"stackHeight":null}`
	const line = `"Program TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA consumed 4645 of 200000 compute units"`
	n := (size - 1000) / (len(balance) + len(transfer) + 2*len(line))
	many := func(text string, n int) string { return strings.TrimSuffix(strings.Repeat(text+",", n), ",") }
	parts := strings.Split(fmt.Sprintf(`{"jsonrpc":"2.0","method":"transactionNotification","params":{"subscription":4743323479349712,"result":{"signature":"SIG","slot":1001,"transactionIndex":3,"transaction":{"transaction":{"signatures":["SIG"],"message":{"accountKeys":[{"pubkey":%q,"signer":true,"writable":true,"source":"transaction"}],"instructions":[%s],"recentBlockhash":"EkSnNWid2cvwEVnVx9aBqawnmiCNiDgp3gUdkDPTKN1N"}},"meta":{"err":null,"fee":5000,"preBalances":[9007199254740993],"postBalances":[9007199254735993],"logMessages":[%s],"preTokenBalances":[%s],"postTokenBalances":[]},"version":0}}}}`,
		wallet, many(transfer, max(n, 1)), many(line, 2*n), many(balance, n)), "SIG")
	return func(number int) []byte {
		signature := fmt.Sprintf("%088d", number)
		return []byte(strings.Join(parts, signature))
	}
}

// serve sends notifications for ever to whoever subscribes.
func serve(b *testing.B, notification func(number int) []byte) *httptest.Server {
	b.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ws, err := websocket.Accept(w, r, nil)
		if err != nil {
			return
		}
		ctx := context.WithoutCancel(r.Context())
		write := func(text []byte) bool { return ws.Write(ctx, websocket.MessageText, text) == nil }
		for {
			_, message, err := ws.Read(ctx)
			if err != nil {
				return
			}
			var request struct {
				ID     uint64
				Method string
			}
			_ = json.Unmarshal(message, &request)
			if request.Method == "slotSubscribe" {
				write(fmt.Appendf(nil, `{"jsonrpc":"2.0","result":7,"id":%d}`, request.ID))
				write([]byte(`{"jsonrpc":"2.0","method":"slotNotification","params":{"result":{"slot":1000,"parent":999,"root":1},"subscription":7}}`))
				continue
			}
			write(fmt.Appendf(nil, `{"jsonrpc":"2.0","result":4743323479349712,"id":%d}`, request.ID))
			go func() {
				number := 1
				for write(notification(number)) {
					number++
				}
			}()
		}
	}))
	b.Cleanup(server.Close)
	return server
}

// A plain transaction is what a hand-written loop decodes.
type plainNotification struct {
	Method string
	Params struct {
		Subscription uint64
		Result       struct {
			Signature        string
			Slot             uint64
			TransactionIndex uint64
			Transaction      struct {
				Transaction struct {
					Signatures []string
					Message    struct {
						AccountKeys []struct {
							Pubkey           string
							Signer, Writable bool
							Source           string
						}
						Instructions []struct {
							Program, ProgramID string
							Accounts           []string
							Data               string
							Parsed             json.RawMessage
							StackHeight        *int
						}
						RecentBlockhash string
					}
				}
				Meta struct {
					Err                                 json.RawMessage
					Fee                                 uint64
					PreBalances, PostBalances           []uint64
					InnerInstructions, Rewards          json.RawMessage
					LogMessages                         []string
					PreTokenBalances, PostTokenBalances []struct {
						AccountIndex           int
						Mint, Owner, ProgramID string
						UITokenAmount          struct {
							Amount         string
							Decimals       int
							UIAmountString string
						}
					}
				}
				Version json.RawMessage
			}
		}
	}
}

// The loop of this module, and one written by hand with encoding/json, each with the
// server in the same process.
func BenchmarkNotification(b *testing.B) {
	for _, size := range []int{1_000, 100_000} {
		message := notification(size)
		b.Run(fmt.Sprintf("%dkB/solwire", size/1000), func(b *testing.B) {
			b.SetBytes(int64(len(message(1))))
			b.ReportAllocs()
			c, err := stream.New(types.Config{APIKey: key, RPCURL: serve(b, message).URL})
			require.NoError(b, err)
			defer c.Close()
			n := 0
			for e, err := range c.Transactions(b.Context(), &stream.TransactionsOptions{Accounts: []types.Address{wallet}}) {
				require.NoError(b, err)
				require.Nil(b, e.Gap)
				if n++; n == b.N {
					break
				}
			}
		})
		for _, decodes := range []bool{true, false} { // without decoding, it shows what the server and the connection cost
			name := map[bool]string{true: "byhand", false: "read"}[decodes]
			b.Run(fmt.Sprintf("%dkB/%s", size/1000, name), func(b *testing.B) { byHand(b, message, decodes) })
		}
	}
}

func byHand(b *testing.B, message func(number int) []byte, decodes bool) {
	b.Helper()
	b.SetBytes(int64(len(message(1))))
	b.ReportAllocs()
	ws, _, err := websocket.Dial(b.Context(), serve(b, message).URL, nil)
	require.NoError(b, err)
	defer func() { _ = ws.CloseNow() }()
	ws.SetReadLimit(1 << 20)
	require.NoError(b, ws.Write(b.Context(), websocket.MessageText, []byte(`{"jsonrpc":"2.0","id":1,"method":"transactionSubscribe","params":[]}`)))
	for n := 0; n < b.N; {
		_, message, err := ws.Read(b.Context())
		require.NoError(b, err)
		if !decodes {
			n++
			continue
		}
		var in plainNotification
		require.NoError(b, json.Unmarshal(message, &in))
		if in.Method == "transactionNotification" && in.Params.Result.Signature != "" {
			n++
		}
	}
}
