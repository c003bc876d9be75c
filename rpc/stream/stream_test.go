package stream_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"net/http"
	"net/http/httptest"
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

// with runs f with a fake and a client of it, in a bubble. Requests pass an answer, if it
// is there: it returns a response, or nothing to let the fake respond.
func with(t *testing.T, f func(t *testing.T, s *fake.Service, c *stream.Client), answer ...func(body string) string) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := fake.New(nil)
		var log bytes.Buffer
		cfg := s.Config()
		cfg.Logger = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
		cfg.HTTPClient = &http.Client{Transport: through{func(r *http.Request, next http.RoundTripper) (*http.Response, error) {
			if r.Header.Get("Upgrade") != "" || answer == nil {
				return next.RoundTrip(r)
			}
			body, err := io.ReadAll(r.Body)
			require.NoError(t, err)
			r.Body = io.NopCloser(bytes.NewReader(body))
			if response := answer[0](string(body)); response != "" {
				return respond(200, response), nil
			}
			return next.RoundTrip(r)
		}, cfg.HTTPClient.Transport}}
		c, err := stream.New(cfg)
		require.NoError(t, err)
		f(t, s, c)
		c.Close()
		require.NotContains(t, log.String(), cfg.APIKey.Reveal())
	})
}

func respond(status int, body string) *http.Response {
	w := httptest.NewRecorder()
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.WriteString(body)
	return w.Result()
}

// first reads n events.
func first[E any](t *testing.T, n int, events iter.Seq2[E, error]) (list []E) {
	t.Helper()
	for e, err := range events {
		require.NoError(t, err)
		if list = append(list, e); len(list) == n {
			break
		}
	}
	return list
}

// within returns a context that ends after d.
func within(t *testing.T, d time.Duration) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), d)
	t.Cleanup(cancel)
	return ctx
}

// all reads events until their context ends.
func all[E any](t *testing.T, events iter.Seq2[E, error]) (list []E) {
	t.Helper()
	for e, err := range events {
		if err != nil {
			require.ErrorIs(t, err, context.DeadlineExceeded)
			break
		}
		list = append(list, e)
	}
	return list
}

// every calls f each second, n times.
func every(n int, f func()) {
	for range n {
		time.Sleep(time.Second)
		f()
	}
}

// cutting cuts all streams after 5.5 seconds, in the middle of the events.
func cutting(s *fake.Service) { time.AfterFunc(5500*time.Millisecond, func() { s.CutStreams(0) }) }

func pay(s *fake.Service) fake.Event { return s.Transfer(fake.WalletAddress, fake.ExchangeAddress, 5) }

// A Gap that is not filled names the slots that a history is to be asked for.
func TestGapIsWhatTheHistoryHasToFill(t *testing.T) {
	with(t, func(t *testing.T, s *fake.Service, c *stream.Client) {
		history, err := rpc.New(s.Config())
		require.NoError(t, err)
		got, paid := map[types.Signature]bool{}, make(chan []types.Signature, 1)
		go func() {
			var list []types.Signature
			for i := range 1000 {
				time.Sleep(50 * time.Millisecond)
				list = append(list, pay(s).Signature())
				if i < 600 && i%100 == 50 {
					s.CutStreams(0)
				}
			}
			paid <- list
		}()
		gaps := 0
		for _, e := range all(t, c.AllLogs(within(t, 90*time.Second), nil)) {
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
		require.Greater(t, gaps, 2)
		for _, signature := range <-paid {
			require.True(t, got[signature])
		}
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
			cutting(s)
			n, gaps := 0, 0
			for _, e := range all(t, c.ParsedTransactions(within(t, 2*time.Minute), opts)) {
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
		for _, e := range first(t, 3, c.ParsedTransactions(t.Context(), &stream.ParsedTransactionsOptions{
			Accounts: []types.Address{fake.WalletAddress, fake.ExchangeAddress}, SinceSlot: 100,
		})) {
			require.False(t, e.Late)
			require.LessOrEqual(t, e.Resume, e.Slot)
			slots = append(slots, e.Slot)
		}
		require.Equal(t, []uint64{100, 101, 900}, slots)
	})
}

func TestSlotsAndRootsRise(t *testing.T) {
	with(t, func(t *testing.T, s *fake.Service, c *stream.Client) {
		time.AfterFunc(20*time.Second, func() { s.CutStreams(0) })
		var last uint64
		gaps := 0
		for _, e := range first(t, 100, c.Slots(t.Context())) {
			require.Greater(t, e.Slot, last)
			require.Equal(t, e.Slot-1, e.Parent)
			last = e.Slot
			if e.Gap != nil {
				require.False(t, e.Gap.Filled)
				gaps++
			}
		}
		require.Equal(t, 1, gaps)
		last = 0
		for _, e := range first(t, 20, c.Roots(t.Context())) {
			require.Greater(t, e.Slot, last)
			last = e.Slot
		}
	})
}

func TestConfirm(t *testing.T) {
	with(t, func(t *testing.T, s *fake.Service, c *stream.Client) {
		before := pay(s)
		status, err := c.Confirm(t.Context(), before.Signature(), &stream.ConfirmOptions{Commitment: types.CommitmentFinalized})
		require.NoError(t, err)
		require.Nil(t, status.TransactionError)
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
		require.InDelta(t, 95, time.Since(began).Seconds(), 5) // the default of the documentation
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

func TestPlanRefusalNamesTheWayThatWorks(t *testing.T) {
	with(t, func(t *testing.T, s *fake.Service, c *stream.Client) {
		s.FailFrom("transactionSubscribe", 1, fake.Fault{Code: -32600, Message: "transactionSubscribe is not available on the free plan"})
		for _, err := range c.Transactions(t.Context(), []types.Address{fake.WalletAddress}, nil) {
			require.ErrorContains(t, err, "free plan")
			require.ErrorContains(t, err, "Logs of an address")
		}
	})
}

// Synctest fails if a goroutine is left.
func TestPanicInTheLoopLeavesNothing(t *testing.T) {
	with(t, func(t *testing.T, _ *fake.Service, c *stream.Client) {
		require.Panics(t, func() {
			for range c.Slots(t.Context()) {
				panic("in the loop")
			}
		})
		first(t, 1, c.Slots(t.Context()))
	})
}

func TestConfirmDisturbsNoOtherLoop(t *testing.T) {
	with(t, func(t *testing.T, s *fake.Service, c *stream.Client) {
		before := pay(s)
		time.Sleep(time.Second) // until it is confirmed
		time.AfterFunc(3*time.Second, func() {
			_, err := c.Confirm(t.Context(), before.Signature(), nil)
			require.NoError(t, err)
		})
		require.Empty(t, all(t, c.Logs(within(t, 10*time.Second), fake.WalletAddress, nil)))
	})
}

// A plan has a limit of requests per second.
func TestHistoriesOfManyLoopsAreSpread(t *testing.T) {
	var mu sync.Mutex
	perSecond := map[int64]int{}
	with(t, func(t *testing.T, s *fake.Service, c *stream.Client) {
		time.AfterFunc(20*time.Second, func() { s.CutStreams(0) })
		ctx := within(t, 40*time.Second)
		var loops sync.WaitGroup
		for range 200 {
			loops.Go(func() { all(t, c.Account(ctx, fake.WalletAddress, nil)) })
		}
		loops.Wait()
		most, all := 0, 0
		for _, n := range perSecond {
			most, all = max(most, n), all+n
		}
		require.GreaterOrEqual(t, all, 400)
		require.LessOrEqual(t, most, 75)
	}, func(string) string {
		mu.Lock()
		defer mu.Unlock()
		perSecond[time.Now().Unix()]++
		return ""
	})
}
