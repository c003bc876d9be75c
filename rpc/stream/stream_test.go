package stream_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/rpc/stream"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
	"github.com/solwire/solwire-go/types/parsed"
)

// with runs f with a fake and a client of it, in a bubble.
func with(t *testing.T, f func(t *testing.T, s *fake.Service, c *stream.Client)) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := fake.New(nil)
		var log bytes.Buffer
		cfg := s.Config()
		cfg.Logger = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
		c, err := stream.New(cfg)
		require.NoError(t, err)
		f(t, s, c)
		c.Close()
		require.NotContains(t, log.String(), cfg.APIKey)
	})
}

// every calls f each second, n times.
func every(n int, f func()) {
	for range n {
		time.Sleep(time.Second)
		f()
	}
}

func pay(s *fake.Service) fake.Event { return s.Transfer(fake.WalletAddress, fake.ExchangeAddress, 5) }

func TestLogsOfAnAddressAreFilled(t *testing.T) {
	for name, refused := range map[string]fake.Fault{
		"":                 {},
		" without a plan":  {Status: 403, Code: -32600, Message: "getTransactionsForAddress is not available on the free plan"},
		" by another node": {Code: -32601, Message: "Method not found"},
	} {
		t.Run("filled"+name, func(t *testing.T) { fillsLogs(t, refused) })
	}
}

// fillsLogs cuts a stream of logs while the listing of transactions fails with refused.
func fillsLogs(t *testing.T, refused fake.Fault) {
	t.Helper()
	with(t, func(t *testing.T, s *fake.Service, c *stream.Client) {
		if refused != (fake.Fault{}) {
			s.FailFrom("getTransactionsForAddress", 1, refused)
			s.CheckFaults(t)
		}
		var want, got []types.Signature
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			every(20, func() { want = append(want, pay(s).Signature()) })
		}()
		time.AfterFunc(5500*time.Millisecond, func() { s.CutStreams(0) })
		gaps := 0
		for e, err := range c.Logs(t.Context(), fake.WalletAddress, nil) {
			require.NoError(t, err)
			require.NotEmpty(t, e.Logs)
			require.Nil(t, e.Err)
			if e.Gap != nil {
				require.True(t, e.Gap.Filled)
				gaps++
			}
			if got = append(got, e.Signature); len(got) == 20 {
				break
			}
		}
		<-ended
		require.Equal(t, want, got)
		require.LessOrEqual(t, gaps, 1)
	})
}

func TestAllLogsAreFilledFromBlocksIfAskedFor(t *testing.T) {
	with(t, func(t *testing.T, s *fake.Service, c *stream.Client) {
		for _, fill := range []bool{false, true} {
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				every(30, func() { pay(s) })
			}()
			stop := time.AfterFunc(5500*time.Millisecond, func() { s.CutStreams(1001) })
			n, filled := 0, true
			ctx, cancel := context.WithTimeout(t.Context(), 100*time.Second)
			for e, err := range c.AllLogs(ctx, &stream.AllLogsOptions{FillFromBlocks: fill}) {
				if err != nil {
					require.ErrorIs(t, err, context.DeadlineExceeded)
					break
				}
				n++
				filled = filled && (e.Gap == nil || e.Gap.Filled)
			}
			cancel()
			stop.Stop()
			<-ended
			require.Equal(t, fill, filled)
			if fill {
				require.Equal(t, 30, n)
			} else {
				require.Greater(t, n, 25)
			}
		}
	})
}

// A Gap that is not filled names the slots that a history is to be asked for.
func TestGapIsWhatTheHistoryHasToFill(t *testing.T) {
	with(t, func(t *testing.T, s *fake.Service, c *stream.Client) {
		history, err := rpc.New(s.Config())
		require.NoError(t, err)
		got, paid := map[types.Signature]bool{}, map[types.Signature]bool{}
		done := make(chan struct{})
		go func() {
			defer close(done)
			for i := range 1000 {
				time.Sleep(50 * time.Millisecond)
				paid[pay(s).Signature()] = true
				if i < 600 && i%100 == 50 {
					s.CutStreams(0)
				}
			}
		}()
		ctx, cancel := context.WithTimeout(t.Context(), 90*time.Second)
		defer cancel()
		gaps := 0
		for e, err := range c.AllLogs(ctx, nil) {
			if err != nil {
				require.ErrorIs(t, err, context.DeadlineExceeded)
				break
			}
			got[e.Signature] = true
			if e.Gap == nil {
				continue
			}
			gaps++
			missing := &rpc.TransactionsForAddressOptions{SinceSlot: e.Gap.SinceSlot, UntilSlot: e.Gap.UntilSlot, Commitment: types.CommitmentConfirmed}
			for tx, err := range history.TransactionsForAddress(t.Context(), fake.WalletAddress, missing).All() {
				require.NoError(t, err)
				got[tx.Signature] = true
			}
		}
		<-done
		require.Greater(t, gaps, 2)
		missing := 0
		for signature := range paid {
			if !got[signature] {
				missing++
			}
		}
		require.Equal(t, 1000, len(paid)) //nolint:testifylint // which prints no map
		require.Zero(t, missing)
	})
}

func TestAccountBeginsWithTheCurrentState(t *testing.T) {
	with(t, func(t *testing.T, s *fake.Service, c *stream.Client) {
		time.AfterFunc(2*time.Second, func() { every(6, func() { pay(s) }) }) // after the first state
		time.AfterFunc(5500*time.Millisecond, func() {
			s.Fail(fake.Upgrade, 1, fake.Status(503))
			s.CutStreams(0)
		})
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		var lamports []uint64
		var gaps []*stream.Gap
		for e, err := range c.Account(ctx, fake.WalletAddress, nil) {
			if err != nil {
				require.ErrorIs(t, err, context.DeadlineExceeded)
				break
			}
			require.Equal(t, fake.WalletAddress, e.Address)
			lamports = append(lamports, e.Account.Lamports)
			if e.Gap != nil {
				gaps = append(gaps, e.Gap)
			}
		}
		require.Len(t, gaps, 1)
		require.False(t, gaps[0].Filled)
		require.Equal(t, uint64(6*5005), lamports[0]-lamports[len(lamports)-1])
	})
}

func TestAccountThatDoesNotExistIsNil(t *testing.T) {
	with(t, func(t *testing.T, s *fake.Service, c *stream.Client) {
		const stranger types.Address = "HZ3MZ3pSDpE2rqLFgDy9ZJkqLhVHm8aCdePrHAbEzHQ1"
		time.AfterFunc(5*time.Second, func() { s.Transfer(fake.WalletAddress, stranger, 7) })
		n := 0
		for e, err := range c.Account(t.Context(), stranger, &stream.AccountOptions{Encoding: types.EncodingBase64}) {
			require.NoError(t, err)
			if n++; n == 2 {
				require.Equal(t, uint64(7), e.Account.Lamports)
				break
			}
			require.Nil(t, e.Account)
		}
	})
}

func TestProgramAccountsThatChanged(t *testing.T) {
	with(t, func(t *testing.T, s *fake.Service, c *stream.Client) {
		go every(9, func() { s.Swap(fake.WalletAddress) })
		time.AfterFunc(4500*time.Millisecond, func() { s.CutStreams(0) })
		seen := map[types.Address]int{}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		unfilled := 0
		for e, err := range c.ProgramAccounts(ctx, types.TokenProgram, &stream.ProgramAccountsOptions{Filters: []types.Filter{types.DataSize(165)}}) {
			if err != nil {
				require.ErrorIs(t, err, context.DeadlineExceeded)
				break
			}
			require.Equal(t, types.TokenProgram, e.Account.Owner)
			seen[e.Address]++
			if e.Gap != nil {
				require.False(t, e.Gap.Filled)
				unfilled++
			}
		}
		require.NotEmpty(t, seen)
		require.Equal(t, 1, unfilled)
	})
}

func TestParsedTransactionsAreFilledByAccountOnly(t *testing.T) {
	with(t, func(t *testing.T, s *fake.Service, c *stream.Client) {
		for _, opts := range []*stream.ParsedTransactionsOptions{
			{Accounts: []types.Address{fake.WalletAddress}, InstructionNames: []string{"Transfer"}},
			{Programs: []types.Address{"11111111111111111111111111111111"}},
		} {
			filled := opts.Accounts != nil
			go every(20, func() { pay(s) })
			stop := time.AfterFunc(5500*time.Millisecond, func() { s.CutStreams(0) })
			n, gaps := 0, 0
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
			for e, err := range c.ParsedTransactions(ctx, opts) {
				if err != nil {
					require.ErrorIs(t, err, context.DeadlineExceeded)
					break
				}
				n++
				require.Equal(t, parsed.StatusOK, e.Parsed.Status)
				require.Equal(t, uint64(5), e.Parsed.NativeTransfers()[0].Lamports)
				require.Equal(t, "transfer", e.Parsed.Instructions[0].Name)
				require.Equal(t, e.Slot, e.Parsed.Slot)
				if e.Gap != nil {
					require.Equal(t, filled, e.Gap.Filled)
					gaps++
				}
			}
			cancel()
			stop.Stop()
			require.LessOrEqual(t, gaps, 1)
			if filled {
				require.Equal(t, 20, n)
			} else {
				require.GreaterOrEqual(t, n, 18)
			}
		}
	})
}

// A result that could not be read has no slot. It keeps its place in its own history.
func TestUnreadableResultsDoNotDisturbTheOrder(t *testing.T) {
	with(t, func(t *testing.T, s *fake.Service, c *stream.Client) {
		const operation = "POST /v1/parsed-events/transaction-history"
		readable := func(number, slot uint64) string {
			return fmt.Sprintf(`{"signature":%q,"parserStatus":"OK","parsed":{"slot":%d,"transactionStatus":"OK","instructions":[]}}`, signature(number), slot)
		}
		unreadable := fmt.Sprintf(`{"signature":%q,"parserStatus":"ERROR","parserError":{"code":"x","message":"y"}}`, signature(2))
		s.Fail(operation, 1, fake.Fault{Body: `{"data":[` + readable(1, 900) + `]}`})
		s.Fail(operation, 2, fake.Fault{Body: `{"data":[` + unreadable + "," + readable(3, 101) + `]}`})
		var slots []uint64
		for e, err := range c.ParsedTransactions(t.Context(), &stream.ParsedTransactionsOptions{
			Accounts: []types.Address{fake.WalletAddress, fake.ExchangeAddress}, SinceSlot: 100,
		}) {
			require.NoError(t, err)
			require.False(t, e.Late)
			require.LessOrEqual(t, e.Resume, e.Slot)
			if slots = append(slots, e.Slot); len(slots) == 3 {
				break
			}
		}
		require.Equal(t, []uint64{100, 101, 900}, slots)
	})
}

func TestSlotsAndRootsRise(t *testing.T) {
	with(t, func(t *testing.T, s *fake.Service, c *stream.Client) {
		time.AfterFunc(20*time.Second, func() { s.CutStreams(0) })
		var last uint64
		gaps, n := 0, 0
		for e, err := range c.Slots(t.Context(), nil) {
			require.NoError(t, err)
			require.Greater(t, e.Slot, last)
			require.Equal(t, e.Slot-1, e.Parent)
			last = e.Slot
			if e.Gap != nil {
				require.False(t, e.Gap.Filled)
				gaps++
			}
			if n++; n == 100 {
				break
			}
		}
		require.Equal(t, 1, gaps)
		last, n = 0, 0
		for e, err := range c.Roots(t.Context(), nil) {
			require.NoError(t, err)
			require.Greater(t, e.Slot, last)
			last = e.Slot
			if n++; n == 20 {
				break
			}
		}
	})
}

func TestConfirm(t *testing.T) {
	with(t, func(t *testing.T, s *fake.Service, c *stream.Client) {
		before := pay(s)
		status, err := c.Confirm(t.Context(), before.Signature(), &stream.ConfirmOptions{Commitment: types.CommitmentFinalized})
		require.NoError(t, err)
		require.Nil(t, status.Err)
		require.NotZero(t, status.Slot)

		s.SetStreams(fake.Streams{Silent: true}) // the status alone must do
		time.Sleep(10 * time.Minute)             // after which nodes have forgotten a status
		for _, signature := range []types.Signature{before.Signature(), pay(s).Signature()} {
			began := time.Now()
			_, err = c.Confirm(t.Context(), signature, nil)
			require.NoError(t, err)
			require.Less(t, time.Since(began), 20*time.Second)
		}
		s.SetStreams(fake.Streams{})

		began := time.Now()
		_, err = c.Confirm(t.Context(), types.Signature(signature(7)), nil)
		require.ErrorIs(t, err, stream.ErrExpired)
		require.InDelta(t, 80, time.Since(began).Seconds(), 20)
	})
}

// A transaction that is sent again although it is in the chain pays twice.
func TestNodeBehindDoesNotTellThatATransactionExpired(t *testing.T) {
	with(t, func(t *testing.T, s *fake.Service, c *stream.Client) {
		s.FailFrom("getSignatureStatuses", 1, fake.Fault{Body: `{"jsonrpc":"2.0","result":{"context":{"slot":5},"value":[null]}}`})
		time.AfterFunc(5*time.Minute, s.Recover)
		began := time.Now()
		_, err := c.Confirm(t.Context(), types.Signature(signature(7)), nil)
		require.ErrorIs(t, err, stream.ErrExpired)
		require.GreaterOrEqual(t, time.Since(began), 5*time.Minute)
	})
}

func TestRefusedSubscriptionEndsItsLoopOnly(t *testing.T) {
	with(t, func(t *testing.T, s *fake.Service, c *stream.Client) {
		s.FailFrom("logsSubscribe", 1, fake.Fault{Code: -32602, Message: "Invalid params"})
		time.AfterFunc(2*time.Second, func() {
			for _, err := range c.Logs(t.Context(), fake.WalletAddress, nil) {
				var refusal *types.APIError
				require.ErrorAs(t, err, &refusal)
				require.Equal(t, -32602, refusal.Code)
			}
		})
		n := 0
		for _, err := range c.Slots(t.Context(), nil) {
			require.NoError(t, err)
			if n++; n == 50 {
				break
			}
		}
	})
}

func TestCloseEndsLoops(t *testing.T) {
	with(t, func(t *testing.T, _ *fake.Service, c *stream.Client) {
		time.AfterFunc(5*time.Second, c.Close)
		for _, err := range c.Slots(t.Context(), nil) {
			if err != nil {
				require.ErrorContains(t, err, "closed")
			}
		}
		for _, err := range c.Slots(t.Context(), nil) {
			require.ErrorContains(t, err, "closed")
		}
	})
}

// Synctest fails if a goroutine is left.
func TestPanicInTheLoopLeavesNothing(t *testing.T) {
	with(t, func(t *testing.T, _ *fake.Service, c *stream.Client) {
		require.Panics(t, func() {
			for range c.Slots(t.Context(), nil) {
				panic("in the loop")
			}
		})
		for range c.Slots(t.Context(), nil) {
			break
		}
	})
}

func TestConfirmDisturbsNoOtherLoop(t *testing.T) {
	with(t, func(t *testing.T, s *fake.Service, c *stream.Client) {
		before := pay(s)
		time.Sleep(time.Second) // until it is confirmed
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		time.AfterFunc(3*time.Second, func() {
			_, err := c.Confirm(ctx, before.Signature(), nil)
			require.NoError(t, err)
		})
		for e, err := range c.Logs(ctx, fake.WalletAddress, nil) {
			require.ErrorIs(t, err, context.DeadlineExceeded, "%s", e.Signature)
		}
	})
}

// passing is a client of s whose requests pass a function, which may answer them.
func passing(t *testing.T, s *fake.Service, answer func(body string) (response string)) *stream.Client {
	t.Helper()
	cfg := s.Config()
	next := cfg.HTTPClient.Transport
	cfg.HTTPClient = &http.Client{Transport: roundTripper(func(r *http.Request) (*http.Response, error) {
		if r.Header.Get("Upgrade") != "" {
			return next.RoundTrip(r)
		}
		body, err := io.ReadAll(r.Body)
		require.NoError(t, err)
		r.Body = io.NopCloser(bytes.NewReader(body))
		response := answer(string(body))
		if response == "" {
			return next.RoundTrip(r)
		}
		w := httptest.NewRecorder()
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.WriteString(response)
		return w.Result(), nil
	})}
	c, err := stream.New(cfg)
	require.NoError(t, err)
	return c
}

// A plan has a limit of requests per second.
func TestHistoriesOfManyLoopsAreSpread(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		perSecond := map[int64]int{}
		s := fake.New(nil)
		c := passing(t, s, func(string) string {
			mu.Lock()
			defer mu.Unlock()
			perSecond[time.Now().Unix()]++
			return ""
		})
		time.AfterFunc(20*time.Second, func() { s.CutStreams(0) })
		time.AfterFunc(40*time.Second, c.Close)
		var loops sync.WaitGroup
		for range 200 {
			loops.Go(func() {
				for range c.Account(t.Context(), fake.WalletAddress, nil) {
				}
			})
		}
		loops.Wait()
		most, all := 0, 0
		for _, n := range perSecond {
			most, all = max(most, n), all+n
		}
		require.GreaterOrEqual(t, all, 400)
		require.LessOrEqual(t, most, 75)
	})
}

func TestHistoryWithoutEndIsTold(t *testing.T) {
	t.Parallel()
	for name, data := range map[string]string{
		"empty pages":      "",
		"of earlier slots": fmt.Sprintf(`{"slot":5,"transactionIndex":0,"blockTime":1790000000,"transaction":%s,"meta":{"err":null,"fee":1},"version":0}`, signed(1)),
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				pages := 0
				c := passing(t, fake.New(nil), func(body string) string {
					if !strings.Contains(body, "getTransactionsForAddress") {
						return ""
					}
					var in struct{ ID json.RawMessage }
					require.NoError(t, json.Unmarshal([]byte(body), &in))
					pages++
					return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"data":[%s],"paginationToken":"5:%d"}}`, in.ID, data, pages)
				})
				defer c.Close()
				ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
				defer cancel()
				for _, err := range c.Logs(ctx, fake.WalletAddress, &stream.LogsOptions{SinceSlot: 10}) {
					require.ErrorContains(t, err, "(last: 100 pages of the history in a row have nothing in the asked slots")
				}
				require.Zero(t, pages%101)
			})
		})
	}
}

// Finalized states are 32 slots behind the first slot of a connection.
func TestFinalizedAccountsAreReadFromBeforeTheConnection(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := fake.New(nil)
		var asked struct {
			Params []struct{ ChangedSinceSlot, MinContextSlot uint64 }
		}
		c := passing(t, s, func(body string) string {
			if strings.Contains(body, "changedSinceSlot") {
				body = strings.Replace(body, `"`+string(types.TokenProgram)+`"`, "{}", 1)
				require.NoError(t, json.Unmarshal([]byte(body), &asked))
			}
			return ""
		})
		time.AfterFunc(3*time.Second, func() { s.CutStreams(0) })
		time.AfterFunc(40*time.Second, c.Close)
		opts := &stream.ProgramAccountsOptions{AccountOptions: stream.AccountOptions{Commitment: types.CommitmentFinalized}}
		for range c.ProgramAccounts(t.Context(), types.TokenProgram, opts) {
		}
		require.Len(t, asked.Params, 2)
		require.Less(t, asked.Params[1].ChangedSinceSlot+40, asked.Params[1].MinContextSlot)
	})
}

// Many transactions a second, without getTransactionsForAddress.
func TestLogsOfABusyAddressCatchUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := fake.New(nil)
		c := passing(t, s, func(body string) string {
			time.Sleep(60 * time.Millisecond)
			if strings.Contains(body, "getTransactionsForAddress") {
				return `{"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"},"id":null}`
			}
			return ""
		})
		defer c.Close()
		const perSecond, seconds = 60, 90
		for _, at := range []time.Duration{10 * time.Second, 25 * time.Second} { // cuts of 10 s
			time.AfterFunc(at, func() { s.FailFrom(fake.Upgrade, 1, fake.Status(503)); s.CutStreams(0) })
			time.AfterFunc(at+10*time.Second, s.Recover)
		}
		paid := map[types.Signature]time.Time{}
		var mu sync.Mutex
		go func() {
			for range perSecond * seconds {
				mu.Lock()
				paid[pay(s).Signature()] = time.Now()
				mu.Unlock()
				time.Sleep(time.Second / perSecond)
			}
		}()
		n := 0
		for e, err := range c.Logs(t.Context(), fake.WalletAddress, nil) {
			require.NoError(t, err)
			mu.Lock()
			lag := time.Since(paid[e.Signature])
			mu.Unlock()
			if n++; n == perSecond*seconds {
				require.Less(t, lag, 5*time.Second)
				break
			}
		}
	})
}
