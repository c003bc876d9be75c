package stream_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/bench"
	"github.com/solwire/solwire-go/rpc/stream"
	"github.com/solwire/solwire-go/types"
)

// notification returns notifications of a node, by number, of transactions of about a size with
// different signatures.
func notification(size int) func(number int) []byte {
	const balance = `{"accountIndex":2,"mint":"EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v","owner":"86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY","programId":"` + string(types.TokenProgram) + `","uiTokenAmount":{"amount":"9007199254740993","decimals":6,"uiAmount":9007199254.740993,"uiAmountString":"9007199254.740993"}}`
	const transfer = `{"program":"system","programId":"11111111111111111111111111111111","parsed":{"type":"transfer","info":{"source":"86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY","destination":"5yKZaJ1YxcYmyfiiLvXWv8DoyGrGwvcBPDP28hmsqKGF","lamports":1}},"stackHeight":null}`
	const line = `"Program ` + string(types.TokenProgram) + ` consumed 4645 of 200000 compute units"`
	n := (size - 1000) / (len(balance) + len(transfer) + 2*len(line))
	many := func(text string, n int) string { return strings.TrimSuffix(strings.Repeat(text+",", n), ",") }
	parts := strings.Split(fmt.Sprintf(`{"jsonrpc":"2.0","method":"transactionNotification","params":{"subscription":4743323479349712,"result":{"signature":"SIG","slot":1001,"transactionIndex":3,"transaction":{"transaction":{"signatures":["SIG"],"message":{"accountKeys":[{"pubkey":%q,"signer":true,"writable":true,"source":"transaction"}],"instructions":[%s],"recentBlockhash":"EkSnNWid2cvwEVnVx9aBqawnmiCNiDgp3gUdkDPTKN1N"}},"meta":{"err":null,"fee":5000,"preBalances":[9007199254740993],"postBalances":[9007199254735993],"logMessages":[%s],"preTokenBalances":[%s],"postTokenBalances":[]},"version":0}}}}`,
		wallet, many(transfer, max(n, 1)), many(line, 2*n), many(balance, n)), "SIG")
	return func(number int) []byte {
		signature := strings.ReplaceAll(fmt.Sprintf("%088d", number), "0", "z") // base58 has no 0
		return []byte(strings.Join(parts, signature))
	}
}

// sending is the argument before the size and the number of the notifications that a process
// sends to subscribers.
const sending = "send-notifications-of"

// A quarter of the CPU time of the tests went into collecting small garbage.
func TestMain(m *testing.M) {
	if len(os.Args) != 4 || os.Args[1] != sending {
		debug.SetGCPercent(400)
		os.Exit(m.Run())
	}
	size, _ := strconv.Atoi(os.Args[2])
	number, _ := strconv.Atoi(os.Args[3])
	if err := bench.Listen(notifier(size, number), os.Stdin, os.Stdout); err != nil {
		panic(err)
	}
}

// notifier sends notifications of transactions to subscribers.
func notifier(size, number int) http.HandlerFunc {
	var all [][]byte
	for i, message := 0, notification(size); i < number; i++ {
		all = append(all, message(i+1))
	}
	return func(w http.ResponseWriter, r *http.Request) {
		subscriptions(w, r, func(ctx context.Context, ws *websocket.Conn, id uint64, method string) {
			switch method {
			case "slotSubscribe":
				_ = write(ctx, ws, `{"jsonrpc":"2.0","result":7,"id":%d}`, id)
				_ = write(ctx, ws, `{"jsonrpc":"2.0","method":"slotNotification","params":{"result":{"slot":1000,"parent":999,"root":1},"subscription":7}}`)
				return
			case "transactionUnsubscribe": // which the loop by hand does not send
				return
			}
			_ = write(ctx, ws, `{"jsonrpc":"2.0","result":4743323479349712,"id":%d}`, id)
			go func() {
				for _, message := range all {
					if ws.Write(ctx, websocket.MessageText, message) != nil {
						return
					}
				}
			}()
		})
	}
}

// A plain notification is the struct of a hand-written loop.
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

// Other is a loop written by hand with encoding/json. Each run is a connection, with the
// server in a process of its own.
func BenchmarkNotification(b *testing.B) {
	for name, size := range map[string]int{"1kB": 1_000, "100kB": 100_000} {
		b.Run(name, func(b *testing.B) {
			number := 10_000_000 / size
			url, stop, err := bench.Apart(b.Context(), sending, strconv.Itoa(size), strconv.Itoa(number))
			require.NoError(b, err)
			b.Cleanup(stop)
			ctx, cancel := context.WithTimeout(b.Context(), 10*time.Minute) // go test ends no benchmark
			defer cancel()
			bench.Compare(b, 1,
				func() error { return byStream(ctx, url, number) },
				func() error { return byHand(ctx, url, number) },
			)
		})
	}
}

func byStream(ctx context.Context, url string, number int) error {
	c, err := stream.New(types.Config{APIKey: types.Key(key), RPCURL: url})
	if err != nil {
		return err
	}
	defer c.Close()
	n := 0
	for e, err := range c.Transactions(ctx, []types.Address{wallet}, nil) {
		if err != nil || e.Gap != nil {
			return fmt.Errorf("gap %v: %w", e.Gap, err)
		}
		if n++; n == number {
			break
		}
	}
	return nil
}

func byHand(ctx context.Context, url string, number int) error {
	ws, _, err := websocket.Dial(ctx, url, nil)
	if err != nil {
		return err
	}
	defer func() { _ = ws.CloseNow() }()
	ws.SetReadLimit(1 << 20)
	if err := ws.Write(ctx, websocket.MessageText, []byte(`{"jsonrpc":"2.0","id":1,"method":"transactionSubscribe","params":[]}`)); err != nil {
		return err
	}
	for n := 0; n < number; {
		_, message, err := ws.Read(ctx)
		if err != nil {
			return err
		}
		var in plainNotification
		if err := json.Unmarshal(message, &in); err != nil {
			return err
		}
		if in.Method == "transactionNotification" && in.Params.Result.Signature != "" {
			n++
		}
	}
	return nil
}
