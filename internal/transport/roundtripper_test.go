package transport_test

import (
	"errors"
	"fmt"
	"io"
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

type readFunc func([]byte) (int, error)

func (f readFunc) Read(b []byte) (int, error) { return f(b) }

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
