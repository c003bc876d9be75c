package webhooks_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/webhooks"
)

func TestReceiverRefusesAConfigThatCannotWork(t *testing.T) {
	t.Parallel()
	handle := func(context.Context, *webhooks.Event) error { return nil }
	secrets := []webhooks.Secret{secret}
	for name, cfg := range map[string]webhooks.ReceiverConfig{
		"Secrets":    {Handle: handle},
		"Secrets[1]": {Handle: handle, Secrets: []webhooks.Secret{secret, ""}},
		"Secrets[0]": {Handle: handle, Secrets: []webhooks.Secret{"***"}},
		"Handle":     {Secrets: secrets},
		"Queue":      {Secrets: secrets, Handle: handle, Queue: -1},
		"Workers":    {Secrets: secrets, Handle: handle, Workers: -1},
		"MaxAge":     {Secrets: secrets, Handle: handle, MaxAge: -1},
	} {
		r, err := webhooks.NewReceiver(cfg)
		require.ErrorIs(t, err, types.ErrInvalid)
		require.Nil(t, r)
		require.True(t, strings.HasPrefix(err.Error(), name+": "), err)
	}
}

func TestReceiverThatWasNotMadeAnswers(t *testing.T) {
	t.Parallel()
	require.Equal(t, 500, post(t, new(webhooks.Receiver), list(sig1)))
	require.NoError(t, new(webhooks.Receiver).Shutdown(t.Context()))
}

func TestReceiverHandsOverTypedEvents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var got []*webhooks.Event
		r, _ := receiver(t, webhooks.ReceiverConfig{Handle: func(_ context.Context, e *webhooks.Event) error {
			got = append(got, e)
			return nil
		}})
		require.Equal(t, 200, post(t, r, golden(t, "enhanced.json")))
		require.Equal(t, 200, post(t, r, golden(t, "raw.json"), "Content-Type", "application/json; charset=utf-8"))
		require.Len(t, got, 4) // the second raw transaction has the signature of the second enhanced one
		require.Equal(t, swapped(), got[0].Enhanced)
		require.Equal(t, sold(), got[1].Enhanced)
		require.Equal(t, minted(), got[2].Enhanced)
		require.Equal(t, failedTransaction(), got[3].Raw)
	})
}

func TestWhatIsRefusedNeverReachesTheCallback(t *testing.T) {
	good := list(sig1)
	for name, row := range map[string]struct {
		status  int
		body    string
		headers []string
	}{
		"no secret":            {401, good, []string{"Authorization", ""}},
		"wrong secret":         {401, good, []string{"Authorization", "Bearer 6b1f8e4c9b"}},
		"start of the secret":  {401, good, []string{"Authorization", secret[:len(secret)-1]}},
		"more than the secret": {401, good, []string{"Authorization", secret + "x"}},
		"secret without word":  {401, good, []string{"Authorization", strings.TrimPrefix(secret, "Bearer ")}},
		"other case":           {401, good, []string{"Authorization", strings.ToUpper(secret)}},
		"wrong secret first":   {401, "no JSON", []string{"Authorization", "x", "Content-Type", "text/plain"}},
		"no type":              {415, good, []string{"Content-Type", ""}},
		"other type":           {415, good, []string{"Content-Type", "text/plain"}},
		"broken type":          {415, good, []string{"Content-Type", "application/json; charset"}},
		"compressed":           {415, good, []string{"Content-Encoding", "gzip"}},
		"identity":             {415, good, []string{"Content-Encoding", "identity"}},
		"too long":             {413, good + strings.Repeat(" ", 8<<20), nil},
		"too many":             {413, "[" + strings.Repeat(enhanced(sig1)+",", 1000) + enhanced(sig1) + "]", nil},
		"nothing":              {400, "", nil},
		"no JSON":              {400, "x", nil},
		"no event":             {400, "{}", nil},
		"null":                 {400, "null", nil},
		"bad after good":       {400, "[" + enhanced(sig1) + ",{}]", nil},
		"text after it":        {400, good + "x", nil},
		"nested":               {400, strings.Repeat("[", 1<<20), nil},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r, got := receiver(t, webhooks.ReceiverConfig{})
				require.Equal(t, row.status, post(t, r, row.body, row.headers...))
				require.Empty(t, got.list())
				require.Equal(t, 200, post(t, r, good))
				require.Len(t, got.list(), 1)
			})
		})
	}
}

func TestReceiverTakesPostsOnly(t *testing.T) {
	t.Parallel()
	for _, method := range []string{"GET", "HEAD", "PUT", "DELETE", "OPTIONS", "QUERY"} {
		r, got := receiver(t, webhooks.ReceiverConfig{})
		req := delivery(t, list(sig1))
		req.Method = method
		resp, err := fake.Handler(r).RoundTrip(req)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		require.Equal(t, 405, resp.StatusCode, method)
		require.Equal(t, "POST", resp.Header.Get("Allow"))
		require.Empty(t, got.list())
	}
}

func TestTwoAuthorizationHeadersAreRefused(t *testing.T) {
	t.Parallel()
	r, got := receiver(t, webhooks.ReceiverConfig{})
	req := delivery(t, list(sig1))
	req.Header.Add("Authorization", "x")
	resp, err := fake.Handler(r).RoundTrip(req)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, 401, resp.StatusCode)
	require.Empty(t, got.list())
}

func TestSecretsRotate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, got := receiver(t, webhooks.ReceiverConfig{Secrets: []webhooks.Secret{"new", "old"}})
		require.Equal(t, 200, post(t, r, list(sig1), "Authorization", "old"))
		require.Equal(t, 200, post(t, r, list(sig2), "Authorization", "new"))
		require.Equal(t, 401, post(t, r, list(sig3), "Authorization", "older"))
		require.Equal(t, []types.Signature{sig1, sig2}, got.list())
	})
}

// An untouchable body fails the test when it is read.
type untouchable struct{ t *testing.T }

func (u untouchable) Read([]byte) (int, error) {
	u.t.Error("the body was read")
	return 0, io.EOF
}
func (untouchable) Close() error { return nil }

func TestBodyIsNotReadBeforeTheRestIsRight(t *testing.T) {
	t.Parallel()
	r, _ := receiver(t, webhooks.ReceiverConfig{})
	for status, change := range map[int]func(*http.Request){
		401: func(req *http.Request) { req.Header.Set("Authorization", "x") },
		405: func(req *http.Request) { req.Method = http.MethodPut },
		415: func(req *http.Request) { req.Header.Set("Content-Type", "text/html") },
		413: func(req *http.Request) { req.ContentLength = 8<<20 + 1 },
	} {
		req := delivery(t, "")
		req.Body = untouchable{t}
		change(req)
		w := &answerWriter{header: http.Header{}}
		r.ServeHTTP(w, req)
		require.Equal(t, status, w.status)
	}
}

// An answerWriter is a ResponseWriter that has no deadlines, as behind some
// middlewares.
type answerWriter struct {
	header http.Header
	status int
}

func (w *answerWriter) Header() http.Header         { return w.header }
func (w *answerWriter) Write(b []byte) (int, error) { return len(b), nil }
func (w *answerWriter) WriteHeader(status int)      { w.status = status }

func TestAnswersHaveNoContentOfTheDelivery(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, _ := receiver(t, webhooks.ReceiverConfig{Handle: func(context.Context, *webhooks.Event) error { return errors.New("private") }})
		for body, want := range map[string]string{
			list(sig1):  "Internal Server Error\n",
			`{"x":"y"}`: "Bad Request\n",
		} {
			resp, err := fake.Handler(r).RoundTrip(delivery(t, body))
			require.NoError(t, err)
			b, err := io.ReadAll(resp.Body)
			require.NoError(t, err)
			require.NoError(t, resp.Body.Close())
			require.Equal(t, want, string(b))
		}
	})
}

func TestFailedEventIsHandledWhenItComesAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fails := map[types.Signature]int{sig2: 2}
		r, got := receiver(t, webhooks.ReceiverConfig{Handle: func(_ context.Context, e *webhooks.Event) error {
			if fails[e.Signature] > 0 {
				fails[e.Signature]--
				return errors.New("database is down")
			}
			return nil
		}})
		body := list(sig1, sig2, sig3)
		require.Equal(t, 500, post(t, r, body))
		require.Equal(t, 500, post(t, r, body))
		require.Equal(t, 200, post(t, r, body))
		require.Equal(t, 200, post(t, r, body))
		require.Equal(t, []types.Signature{sig1, sig2, sig3, sig2, sig2}, got.list()) // one failure does not hold up the others
		require.Zero(t, webhooks.InFlight(r))
	})
}

func TestPanicsAreRecovered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		r, got := receiver(t, webhooks.ReceiverConfig{
			Logger: slog.New(slog.NewJSONHandler(&log, nil)),
			Handle: func(_ context.Context, e *webhooks.Event) error {
				switch e.Signature {
				case sig1:
					panic("no luck")
				case sig2:
					panic(*e)
				case sig3:
					e.Raw.Slot++ // an enhanced event has none
				}
				return webhooks.ErrSkip
			},
			Skipped: func(context.Context, *webhooks.Event, error) { panic(errors.New("nor here")) },
		})
		body := strings.ReplaceAll(list(sig1, sig2, sig3, sig4), "TRANSFER", "PRIVATE")
		require.Equal(t, 500, post(t, r, body))
		require.Len(t, got.list(), 4)
		require.Zero(t, webhooks.InFlight(r))
		text := log.String()
		require.Equal(t, 4, strings.Count(text, `"stack"`), text)
		for _, want := range []string{"panic: no luck", "panic: webhooks.Event", "panic: runtime error: invalid memory address or nil pointer dereference", "panic: nor here", string(sig1), "receiver_test.go"} {
			require.Contains(t, text, want)
		}
		require.NotContains(t, text, "PRIVATE")
		require.Equal(t, 500, post(t, r, body))
		require.Len(t, got.list(), 7) // the skipped one is done
	})
}

func TestCallbackThatEndsItsGoroutine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		first := true
		r, got := receiver(t, webhooks.ReceiverConfig{Handle: func(context.Context, *webhooks.Event) error {
			if first {
				first = false
				runtime.Goexit()
			}
			return nil
		}})
		require.Equal(t, 500, post(t, r, list(sig1)))
		require.Equal(t, 200, post(t, r, list(sig1)))
		require.Len(t, got.list(), 2)
		require.NoError(t, r.Shutdown(t.Context()))
	})
}

func TestLogHasNeitherBodyNorSecret(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		r, _ := receiver(t, webhooks.ReceiverConfig{
			Logger: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})),
			Handle: func(context.Context, *webhooks.Event) error { return errors.New("no") },
		})
		post(t, r, list(sig1), "Authorization", "guess")
		post(t, r, `{"signature":"`+string(sig1)+`","description":"PRIVATE"}`)
		post(t, r, `{"signature":"`+string(sig1)+`","slot":"`+strings.Repeat("PRIVATE", 100)+`"}`)
		post(t, r, `{"signature":"`+string(sig1)+`","description":"PRIVATE"`)
		text := log.String()
		require.Equal(t, 5, strings.Count(text, "level="), text)
		require.Contains(t, text, "status=401")
		require.Contains(t, text, "status=500")
		require.Contains(t, text, "status=400")
		require.Contains(t, text, "signature="+string(sig1))
		require.NotContains(t, text, secret)
		require.NotContains(t, text, "guess")
		require.NotContains(t, text, strings.Repeat("PRIVATE", 20))
	})
}
