package transport_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

// This test is not parallel, so that no other test takes a buffer.
func TestLargeBuffersAreNotKept(t *testing.T) {
	for capacity, left := range map[int]int{512: 0, 16 << 20: 0, 16<<20 + 1: 1, 64 << 20: 1} {
		require.Equal(t, left, transport.Release(capacity), capacity)
	}
}

func TestLongRefusalsAreReadInPart(t *testing.T) {
	t.Parallel()
	for _, status := range []int{302, 400, 404, 500} {
		const long = 64 << 20
		body := &io.LimitedReader{R: spaces{}, N: long}
		cfg := config(&script{steps: []step{func(req *http.Request) (*http.Response, error) {
			resp, err := answer(status, "")(req)
			resp.ContentLength, resp.Body = -1, io.NopCloser(body)
			return resp, err
		}}})
		cfg.MaxAttempts = 1
		var refusal *types.APIError
		require.ErrorAs(t, get(t.Context(), newClient(t, cfg, transport.Wallet), "/x", new(thing)), &refusal)
		require.Equal(t, status, refusal.StatusCode)
		require.LessOrEqual(t, long-body.N, int64(1<<20+1), "the last byte shows that there is more")
	}
}

// Some decoders quote the whole text that they cannot decode.
func TestDecodeErrorsAreShort(t *testing.T) {
	t.Parallel()
	c, _ := client(t, transport.Wallet, answer(200, `{"amount":"`+strings.Repeat("x", 1_000_000)+`"}`))
	err := get(t.Context(), c, "/x", new(struct{ Amount decimal.Decimal }))
	require.Error(t, err)
	require.Less(t, len(err.Error()), 1200)
}

func gzipped(text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = io.WriteString(w, text) // to a buffer
	_ = w.Close()
	return b.String()
}

func zstandard(tb testing.TB, text string) string {
	tb.Helper()
	w, err := zstd.NewWriter(nil)
	require.NoError(tb, err)
	return string(w.EncodeAll([]byte(text), nil))
}

func TestCompressedResponses(t *testing.T) {
	t.Parallel()
	eachProtocol(t, func(t *testing.T, kind protocol) {
		for name, s := range map[string]step{
			"gzip":                 answer(200, gzipped(kind.ok), "Content-Encoding", "gzip"),
			"zstd":                 answer(200, zstandard(t, kind.ok), "Content-Encoding", "zstd"),
			"identity":             answer(200, kind.ok, "Content-Encoding", "identity"),
			"decoded by a proxy":   answer(200, kind.ok, "Content-Encoding", "gzip"),
			"decoded by Transport": uncompressed(answer(200, kind.ok, "Content-Encoding", "br")),
		} {
			sent := &script{steps: []step{s}}
			_, err := kind.call(t.Context(), config(sent))
			require.NoError(t, err, name)
			require.Equal(t, []string{"zstd, gzip"}, sent.requests[0].Header["Accept-Encoding"])
		}
	})
}

// uncompressed marks a response that a Transport has decompressed.
func uncompressed(s step) step {
	return func(r *http.Request) (*http.Response, error) {
		resp, err := s(r)
		resp.Uncompressed = true
		return resp, err
	}
}

func TestTruncatedCompressionIsRetried(t *testing.T) {
	t.Parallel()
	eachProtocol(t, func(t *testing.T, kind protocol) {
		z, g := zstandard(t, kind.ok), gzipped(kind.ok)
		for name, s := range map[string]step{
			"gzip":         answer(200, g[:len(g)-3], "Content-Encoding", "gzip"),
			"zstd":         answer(200, z[:len(z)-3], "Content-Encoding", "zstd"),
			"damaged gzip": answer(200, g[:20]+"\xff\xff"+g[22:], "Content-Encoding", "gzip"),
			"reset after the last byte": func(r *http.Request) (*http.Response, error) {
				resp, err := answer(200, g, "Content-Encoding", "gzip")(r)
				resp.Body, resp.ContentLength = io.NopCloser(io.MultiReader(resp.Body, failingReader{syscall.ECONNRESET})), -1
				return resp, err
			},
		} {
			sent := &script{steps: []step{s, answer(200, kind.ok)}}
			_, err := kind.call(t.Context(), config(sent))
			require.NoError(t, err, name)
			require.Equal(t, 2, sent.count(), name)
		}
	})
}

func TestUnknownCodingsAreErrors(t *testing.T) {
	t.Parallel()
	for coding, body := range map[string]string{"br": "x", "gzip, gzip": gzipped(gzipped(`{}`))} {
		c, s := client(t, transport.Wallet, answer(200, body, "Content-Encoding", coding))
		require.ErrorContains(t, get(t.Context(), c, "/x", new(thing)), "unsupported content coding", coding)
		require.Equal(t, 1, s.count())
	}
}

func TestCompressedRefusals(t *testing.T) {
	t.Parallel()
	c, _ := client(t, transport.Wallet, answer(400, zstandard(t, `{"error":"no such thing"}`), "Content-Encoding", "zstd"))
	require.EqualError(t, get(t.Context(), c, "/x", new(thing)), "GET /x: 400 Bad Request: no such thing")
}

// A caller turns compression off in its Transport when the network is fast.
func TestCompressionCanBeTurnedOff(t *testing.T) {
	t.Parallel()
	encodings := make(chan []string, 1)
	p := listen(t, func(c *net.TCPConn, r *http.Request) bool {
		encodings <- r.Header["Accept-Encoding"]
		return good(`{}`)(c, r)
	})
	cfg := overTCP(t, p.url())
	next, _ := cfg.HTTPClient.Transport.(*http.Transport)
	next.DisableCompression = true
	require.NoError(t, get(t.Context(), newClient(t, cfg, transport.Wallet), "/x", new(thing)))
	require.Empty(t, <-encodings)
}

func TestDeleteAcceptsAnyAcknowledgement(t *testing.T) {
	t.Parallel()
	for _, done := range []step{answer(200, ``), answer(204, ``), answer(200, "\n"), answer(200, `{"message":"Webhook deleted successfully"}`), answer(200, `{}`)} {
		c, s := client(t, transport.Webhooks, done)
		require.NoError(t, remove(t.Context(), c))
		require.Equal(t, 1, s.count())
	}
}

func TestDeleteReportsRefusalsWithStatus200(t *testing.T) {
	t.Parallel()
	for body, says := range map[string]string{
		`{"error":{"code":-32602,"message":"no"}}`:         "code -32602: no",
		`{"message":"Webhook not found","statusCode":404}`: "code 404: Webhook not found",
		`max usage reached`:                                "max usage reached",
		`<html>log in</html>`:                              "DELETE /x: text/html instead of JSON: " + hostOf(types.MainnetWebhooksURL) + " may be another service; check WebhooksURL",
		`{"message":"Webhook del`:                          "truncated response",
		`[1]`:                                              "DELETE /x: ",
	} {
		media := map[bool]string{true: "text/html", false: "text/plain"}[body[0] == '<']
		cfg := config(&script{steps: []step{answer(200, body, "Content-Type", media)}})
		cfg.MaxAttempts = 1
		require.ErrorContains(t, remove(t.Context(), newClient(t, cfg, transport.Webhooks)), says, body)
	}
}

// An error member inside an item is data.
func TestErrorsOfItemsAreData(t *testing.T) {
	t.Parallel()
	for _, body := range []string{`{"data":[{"error":"InstructionError"}]}`, `{"error":null,"data":[{"error":null}]}`, `{"data":[{"note":"\"error\""}],"error":""}`} {
		c, _ := client(t, transport.Wallet, answer(200, body))
		var out struct{ Data []struct{ Error string } }
		require.NoError(t, get(t.Context(), c, "/x", &out), body)
		require.Len(t, out.Data, 1)
	}
	c, _ := client(t, transport.Wallet, answer(200, `[{"error":"unknown"}]`))
	require.NoError(t, get(t.Context(), c, "/x", new([]struct{ Error string })))
}

// Decompression ends with the context, which here ends with the last byte of the body.
func TestDecompressionEndsWithTheContext(t *testing.T) {
	t.Parallel()
	spaces := strings.Repeat(" ", 4<<20) + `{}`
	for coding, body := range map[string]string{"zstd": zstandard(t, spaces), "gzip": gzipped(spaces)} {
		ctx, cancel := context.WithCancel(t.Context())
		c, _ := client(t, transport.Wallet, func(r *http.Request) (*http.Response, error) {
			resp, err := answer(200, body, "Content-Encoding", coding)(r)
			resp.Body = io.NopCloser(io.MultiReader(resp.Body, readFunc(func([]byte) (int, error) {
				cancel()
				return 0, io.EOF
			})))
			return resp, err
		})
		require.ErrorIs(t, get(ctx, c, "/x", new(thing)), context.Canceled, coding)
		cancel()
	}
}
