package transport_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types"
)

func TestWrappedTransportDoesNotSeeTheKey(t *testing.T) {
	t.Parallel()
	eachProtocol(t, func(t *testing.T, kind protocol) {
		s := &script{steps: []step{func(r *http.Request) (*http.Response, error) {
			return nil, &url.Error{Op: "Post", URL: r.URL.String(), Err: errors.New("refused " + r.Header.Get("X-Api-Key"))}
		}, func(r *http.Request) (*http.Response, error) {
			return answer(500, `{}`, "Location", "https://other.test/?"+r.URL.RawQuery+r.Header.Get("X-Api-Key"))(r)
		}, answer(200, kind.ok)}}
		cfg := config(s)
		cfg.WrapTransport = func(next http.RoundTripper) http.RoundTripper {
			return roundTripper(func(r *http.Request) (*http.Response, error) {
				requireHidden(t, fmt.Sprint(r.URL, r.Header))
				resp, err := next.RoundTrip(r)
				requireNoKey(t, err)
				if err == nil {
					requireHidden(t, fmt.Sprint(resp.Request.URL, resp.Request.Header, resp.Header))
				}
				return resp, err
			})
		}
		_, err := kind.call(t.Context(), cfg)
		require.NoError(t, err)
		require.Equal(t, 3, s.count())
		for _, r := range s.requests {
			require.Equal(t, key, r.Header.Get("X-Api-Key")+r.URL.Query().Get("api-key"))
		}
	})
}

func TestWrappedTransportCannotSendTheKeyElsewhere(t *testing.T) {
	t.Parallel()
	eachProtocol(t, func(t *testing.T, kind protocol) {
		for _, change := range []func(*url.URL){
			func(u *url.URL) { u.Host = "other.test" },
			func(u *url.URL) { u.Scheme = "http" },
		} {
			s := &script{steps: []step{answer(200, kind.ok)}}
			cfg := config(s)
			cfg.WrapTransport = func(next http.RoundTripper) http.RoundTripper {
				return roundTripper(func(r *http.Request) (*http.Response, error) {
					u := *r.URL
					change(&u)
					r.URL = &u
					return next.RoundTrip(r)
				})
			}
			_, err := kind.call(t.Context(), cfg)
			require.ErrorIs(t, err, types.ErrInvalid)
			require.Zero(t, s.count())
		}
	})
}
