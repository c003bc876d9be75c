package webhooks_test

import (
	"context"
	"errors"
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

	"github.com/solwire/solwire-go/internal/fakeapi"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/webhooks"
)

// handled records the signatures that a callback got.
type handled struct {
	mu  sync.Mutex
	all []types.Signature
}

func (h *handled) note(e *webhooks.Event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.all = append(h.all, e.Signature)
}

func (h *handled) list() []types.Signature {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]types.Signature(nil), h.all...)
}

// receiver returns a Receiver and the events that Handle got.
func receiver(t *testing.T, cfg webhooks.ReceiverConfig) (*webhooks.Receiver, *handled) {
	t.Helper()
	got := &handled{}
	if cfg.Secrets == nil {
		cfg.Secrets = []webhooks.Secret{secret}
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	handle := cfg.Handle
	cfg.Handle = func(ctx context.Context, e *webhooks.Event) error {
		got.note(e)
		if handle == nil {
			return nil
		}
		return handle(ctx, e)
	}
	r, err := webhooks.NewReceiver(cfg)
	require.NoError(t, err)
	return r, got
}

// delivery returns a request as the service sends it. Headers are alternating names
// and values; an empty value removes a header.
func delivery(t *testing.T, body string, headers ...string) *http.Request {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://receiver.test/hook", strings.NewReader(body))
	require.NoError(t, err)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", secret)
	for i := 1; i < len(headers); i += 2 {
		if headers[i] == "" {
			req.Header.Del(headers[i-1])
		} else {
			req.Header.Set(headers[i-1], headers[i])
		}
	}
	return req
}

// post returns the status of the response to a delivery.
func post(t *testing.T, h http.Handler, body string, headers ...string) int {
	t.Helper()
	return respond(t, h, delivery(t, body, headers...)).StatusCode
}

// respond returns the response to a request.
func respond(t *testing.T, h http.Handler, req *http.Request) *http.Response {
	t.Helper()
	resp, err := fakeapi.Handler(h).RoundTrip(req)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	return resp
}

// list returns the body of a delivery.
func list(signatures ...types.Signature) string {
	var events []string
	for _, s := range signatures {
		events = append(events, event(s))
	}
	return "[" + strings.Join(events, ",") + "]"
}

// An outcome is the status of a response, and when it came.
type outcome struct {
	status int
	after  time.Duration
}

// posting delivers in a goroutine; the returned function waits for the outcome.
func posting(t *testing.T, h http.Handler, body string) func() outcome {
	t.Helper()
	var o outcome
	var wg sync.WaitGroup
	wg.Go(func() {
		start := time.Now()
		o = outcome{post(t, h, body), time.Since(start)}
	})
	return func() outcome {
		wg.Wait()
		return o
	}
}

const ms = time.Millisecond

func TestNewReceiverRefusesInvalidConfig(t *testing.T) {
	t.Parallel()
	handle := func(context.Context, *webhooks.Event) error { return nil }
	secrets := []webhooks.Secret{secret}
	for problem, cfg := range map[string]webhooks.ReceiverConfig{
		"Secrets is empty": {Handle: handle},
		"Secrets[1] is empty: a request without Authorization would match": {Handle: handle, Secrets: []webhooks.Secret{secret, ""}},
		"Secrets[0] is masked; set the secret":                             {Handle: handle, Secrets: []webhooks.Secret{"***"}},
		"Handle is nil":                                                    {Secrets: secrets},
	} {
		r, err := webhooks.NewReceiver(cfg)
		require.ErrorIs(t, err, types.ErrInvalid)
		require.Nil(t, r)
		require.EqualError(t, err, "webhooks.ReceiverConfig: "+problem+": invalid argument")
	}
}

func TestZeroReceiver(t *testing.T) {
	t.Parallel()
	require.Equal(t, 500, post(t, new(webhooks.Receiver), list(sig1)))
	require.NoError(t, new(webhooks.Receiver).Shutdown(t.Context()))
	require.EqualError(t, new(webhooks.Receiver).Shutdown(nil), "webhooks.Receiver.Shutdown: ctx is nil: invalid argument") //nolint:staticcheck // nil is the case
}

func TestRefusedDeliveries(t *testing.T) {
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
		"too long":             {413, good + strings.Repeat(" ", 8<<20), nil},
		"too many":             {413, "[" + strings.Repeat(event(sig1)+",", 1000) + event(sig1) + "]", nil},
		"nothing":              {400, "", nil},
		"no JSON":              {400, "x", nil},
		"null":                 {400, "null", nil},
		"text after it":        {400, good + "x", nil},
		"nested":               {400, strings.Repeat("[", 1<<18), nil},
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

func TestTwoAuthorizationHeadersAreRefused(t *testing.T) {
	t.Parallel()
	r, got := receiver(t, webhooks.ReceiverConfig{})
	req := delivery(t, list(sig1))
	req.Header.Add("Authorization", "x")
	require.Equal(t, 401, respond(t, r, req).StatusCode)
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

// untouchable is a body that must not be read.
type untouchable struct{ t *testing.T }

func (u untouchable) Read([]byte) (int, error) {
	u.t.Error("the body was read")
	return 0, io.EOF
}

func (untouchable) Close() error { return nil }

func TestBodyOfARefusedDeliveryIsNotRead(t *testing.T) {
	t.Parallel()
	r, _ := receiver(t, webhooks.ReceiverConfig{})
	req := delivery(t, "", "Authorization", "x")
	req.Body = untouchable{t}
	w := httptest.NewRecorder()
	r.ServeHTTP(w, req)
	require.Equal(t, 401, w.Code)
}

func TestResponseBodies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, _ := receiver(t, webhooks.ReceiverConfig{Handle: func(context.Context, *webhooks.Event) error { return errors.New("private") }})
		for body, want := range map[string]string{
			list(sig1): "Internal Server Error\n",
			`{"x":"y"`: "Bad Request\n",
		} {
			resp, err := fakeapi.Handler(r).RoundTrip(delivery(t, body))
			require.NoError(t, err)
			b, err := io.ReadAll(resp.Body)
			require.NoError(t, err)
			require.NoError(t, resp.Body.Close())
			require.Equal(t, want, string(b))
		}
	})
}

func TestBodyWithoutLengthIsLimited(t *testing.T) {
	t.Parallel()
	for size, row := range map[int]struct{ status, read int }{
		8 << 20: {200, 8 << 20},
		9 << 20: {413, 8<<20 + 1}, // one byte more shows that it is too long
	} {
		synctest.Test(t, func(t *testing.T) {
			r, got := receiver(t, webhooks.ReceiverConfig{})
			event := list(sig1)
			body := strings.NewReader(event + strings.Repeat(" ", size-len(event)))
			req := delivery(t, "")
			req.ContentLength, req.Body = -1, io.NopCloser(body)
			w := httptest.NewRecorder()
			r.ServeHTTP(w, req)
			require.Equal(t, row.status, w.Code, size)
			require.Equal(t, row.read, size-body.Len(), size)
			require.Equal(t, row.status == 200, len(got.list()) == 1, size)
		})
	}
}
