package transport_test

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

// Errors of a caller's Transport often quote the URL or the header.
func TestErrorsOfACallersTransportAreCleaned(t *testing.T) {
	t.Parallel()
	cause := errors.New("cause")
	for name, quoting := range map[string]func(*http.Request) error{
		"URL": func(r *http.Request) error {
			return &url.Error{Op: "Post", URL: r.URL.String(), Err: fmt.Errorf("x: %w", cause)}
		},
		"raw key":      func(*http.Request) error { return fmt.Errorf("no access with %s: %w", key, cause) },
		"JSON":         func(*http.Request) error { return fmt.Errorf("%s: %w", spellings[4], cause) },
		"header":       func(r *http.Request) error { return fmt.Errorf("sent %v %s: %w", r.Header, r.URL, cause) },
		"cause":        func(*http.Request) error { return fmt.Errorf("x: %w", errors.Join(cause, errors.New(key))) },
		"silent cause": func(*http.Request) error { return mute{errors.Join(cause, errors.New(key))} },
		"field":        func(*http.Request) error { return &keyError{cause, key} },
		"dial":         func(*http.Request) error { return &net.OpError{Op: "dial", Err: errors.Join(cause, errors.New(key))} },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			eachProtocol(t, func(t *testing.T, kind protocol) {
				s := &script{steps: []step{func(r *http.Request) (*http.Response, error) { return nil, quoting(r) }}}
				_, err := kind.call(t.Context(), watched(t, config(s)))
				require.ErrorIs(t, err, cause, "errors.Is still works")
				requireNoKey(t, err)
				require.Equal(t, 4, s.count())
			})
		})
	}
}

type mute struct{ error }

func (mute) Error() string   { return "quiet" }
func (m mute) Unwrap() error { return m.error }

type keyError struct {
	error
	Key string
}

func (k *keyError) Unwrap() error { return k.error }

func TestCleanedErrorsKeepTheirKind(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c, s := client(t, transport.Wallet, failing(fmt.Errorf("%s: %w", key, dnsError(true))))
		require.Error(t, get(t.Context(), c, "/x", new(thing)))
		require.Equal(t, 1, s.count(), "a permanent failure")

		c, s = client(t, transport.Webhooks, failing(fmt.Errorf("%s: %w", key, refused)), answer(200, `{}`))
		require.NoError(t, create(t.Context(), c, "/x", 1, new(thing)), "nothing was sent")
		require.Equal(t, 2, s.count())
	})
}

// A response may echo the key.
func TestEchoedKeysAreHidden(t *testing.T) {
	t.Parallel()
	for i, echo := range spellings {
		inJSON, data := escaped(echo), escaped(echo)
		if i >= 4 { // as part of a JSON string already
			data = echo
		}
		for name, s := range map[string]step{
			"REST error":     answer(401, `{"error":"bad key `+inJSON+`","details":"`+inJSON+`"}`),
			"JSON-RPC error": answer(200, `{"error":{"code":-32000,"message":"`+inJSON+`","data":{"key":"`+data+`"}}}`),
			"text":           answer(400, "bad key "+echo, "Content-Type", "text/plain"),
			"media type":     answer(400, "x", "Content-Type", echo+"/x"),
			"gateway":        answer(400, `{"message":["`+inJSON+`"],"error":"Bad Request","statusCode":400}`),
			"beyond the cut": answer(400, strings.Repeat("x", 1024-len(echo)/2)+echo, "Content-Type", "text/plain"),
			"wrong type":     answer(200, `{"answer":"`+inJSON+`","value":"`+inJSON+`"}`),
			"status line": func(r *http.Request) (*http.Response, error) {
				resp, _ := answer(200, "<html>")(r)
				resp.Status = "200 " + echo
				return resp, nil
			},
			"Location":       answer(302, "", "Location", "https://other.test/%zz?api-key="+echo),
			"truncated body": cutBody(errors.New(echo)),
			"truncated text": func(r *http.Request) (*http.Response, error) {
				resp, _ := answer(401, "", "Content-Type", "text/plain")(r)
				cut := strings.NewReader("bad key " + echo[:len(echo)-1])
				resp.Body, resp.ContentLength = io.NopCloser(io.MultiReader(cut, failingReader{io.ErrUnexpectedEOF})), -1
				return resp, nil
			},
		} {
			t.Run(fmt.Sprint(name, "/", i), func(t *testing.T) {
				t.Parallel()
				eachProtocol(t, func(t *testing.T, kind protocol) {
					_, err := kind.call(t.Context(), watched(t, config(&script{steps: []step{s}})))
					require.Error(t, err)
					requireNoKey(t, err)
					require.NotContains(t, err.Error(), "k3y", "nor the start of it")
				})
			})
		}
	}
}

// escaped returns text as part of a JSON string.
func escaped(text string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text)
}

// Media types and host names are printed in lower case.
func TestKeyIsHiddenInAnyLetterCase(t *testing.T) {
	t.Parallel()
	cfg := config(nil)
	cfg.APIKey = types.Key("Key-of-a-TEST")
	for says, s := range map[string]step{
		"application/*** instead of JSON": answer(400, "x", "Content-Type", "application/KEY-Of-A-Test"),
		"no *** here":                     answer(400, `{"error":"no KEY-OF-A-TEST here"}`),
	} {
		cfg.HTTPClient.Transport = &script{steps: []step{s}}
		_, err := protocols[0].call(t.Context(), cfg)
		require.ErrorContains(t, err, says)
	}
}
