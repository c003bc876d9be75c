package transport_test

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

// A Transport may change the request that it gets.
func TestTransportThatChangesTheRequest(t *testing.T) {
	t.Parallel()
	eachProtocol(t, func(t *testing.T, kind protocol) {
		s := &script{steps: []step{func(r *http.Request) (*http.Response, error) {
			for _, values := range r.Header {
				for i := range values {
					values[i] = "[redacted]"
				}
			}
			r.URL.Host = "other.test"
			r.Header.Set("Accept", "text/html")
			r.Header.Del("X-Api-Key")
			return answer(503, ``)(r)
		}, func(r *http.Request) (*http.Response, error) {
			require.NotEqual(t, "other.test", r.URL.Host)
			require.Equal(t, "application/json", r.Header.Get("Accept"))
			require.Contains(t, r.Header.Get("User-Agent"), "solwire-go/")
			require.NotContains(t, fmt.Sprint(r.Header, r.URL), "redacted")
			return answer(200, kind.ok)(r)
		}}}
		_, err := kind.call(t.Context(), config(s))
		require.NoError(t, err)
	})
}

// A Transport that violates the rules of net/http causes an error, not a panic of ours
// or a call without an end.
func TestTransportThatViolatesItsContract(t *testing.T) {
	t.Parallel()
	body := func(read readFunc) step {
		return func(req *http.Request) (*http.Response, error) {
			resp, err := answer(200, "")(req)
			resp.Body, resp.ContentLength = io.NopCloser(read), -1
			return resp, err
		}
	}
	for name, s := range map[string]step{
		"nothing":            func(*http.Request) (*http.Response, error) { return nil, nil }, //nolint:nilnil // the case
		"nil Body":           func(*http.Request) (*http.Response, error) { return &http.Response{StatusCode: http.StatusOK}, nil },
		"typed nil":          failing((*nilError)(nil)),
		"typed nil in Read":  body(func([]byte) (int, error) { return 0, (*nilError)(nil) }),
		"panic in Error":     failing(printPanicError{}),
		"panic in Unwrap":    failing(unwrapPanicError{}),
		"panic in JSON":      failing(jsonPanicError{}),
		"panic, wrapped":     failing(fmt.Errorf("wrapped: %w", printPanicError{})),
		"panic in Read":      body(func([]byte) (int, error) { return 0, printPanicError{} }),
		"typed nil, net.Err": failing((*net.OpError)(nil)),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			eachProtocol(t, func(t *testing.T, kind protocol) {
				_, err := kind.call(t.Context(), watched(t, config(&script{steps: []step{s}})))
				require.Error(t, err)
				require.NotEmpty(t, err.Error())
			})
		})
	}
}

type readFunc func([]byte) (int, error)

func (f readFunc) Read(b []byte) (int, error) { return f(b) }

type nilError struct{ text string }

func (e *nilError) Error() string { return e.text }

type printPanicError struct{}

func (printPanicError) Error() string { panic("in Error") }

type unwrapPanicError struct{}

func (unwrapPanicError) Error() string { return "fine" }
func (unwrapPanicError) Unwrap() error { panic("in Unwrap") }

type jsonPanicError struct{}

func (jsonPanicError) Error() string                { return "fine" }
func (jsonPanicError) MarshalJSON() ([]byte, error) { panic("in MarshalJSON") }

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// A RoundTripper may read the body of a request after it has failed. The race detector
// finds a read of ours beside it.
func TestTransportMayReadTheBodyAfterItsError(t *testing.T) {
	t.Parallel()
	var readers sync.WaitGroup
	early := roundTripper(func(r *http.Request) (*http.Response, error) {
		readers.Go(func() { _, _ = io.Copy(io.Discard, r.Body) })
		return nil, errors.New("early")
	})
	c, err := transport.New(types.Config{APIKey: types.Key(key), MaxAttempts: 1, HTTPClient: &http.Client{Transport: early}}, transport.RPC, nil)
	require.NoError(t, err)
	_, err = transport.Result(t.Context(), c, transport.Query[uint64]{Op: transport.Op{Method: "rpc.Client.Slot", Wire: "getSlot"}})
	require.ErrorContains(t, err, "early")
	readers.Wait()
}
