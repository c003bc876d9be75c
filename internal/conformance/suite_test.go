package conformance_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"reflect"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/internal/golden"
	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/rpc/das"
	"github.com/solwire/solwire-go/rpc/parsedapi"
	"github.com/solwire/solwire-go/rpc/stream"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/wallet"
	"github.com/solwire/solwire-go/webhooks"
	"github.com/solwire/solwire-go/webhooks/enhancedapi"
)

// A fifth of the time went into collecting the garbage of many small responses.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}

// key is the API key in golden requests.
const key = "3f1c9a52-7d04-4e6b-9b8f-1d2a60c7e5f4"

// clients holds a client of each area.
type clients struct {
	compressed *compressed.Client
	das        *das.Client
	parsed     *parsedapi.Client
	rpc        *rpc.Client
	wallet     *wallet.Client
	stream     *stream.Client
	webhooks   *webhooks.Client
	enhanced   *enhancedapi.Client

	server *server // nil for clients of another service
}

// unmade returns clients that were not made by New.
func unmade() *clients {
	return &clients{new(compressed.Client), new(das.Client), new(parsedapi.Client), new(rpc.Client), new(wallet.Client), new(stream.Client), new(webhooks.Client), new(enhancedapi.Client), nil}
}

// A server responds to each request with the next answer, and repeats the last one.
type server struct {
	mu       sync.Mutex
	answers  []answer
	requests []string
	log      bytes.Buffer
	lacksAll bool // whether to answer that methods are unknown; such requests do not count
}

type answer struct {
	status int
	body   string
}

func (s *server) RoundTrip(req *http.Request) (*http.Response, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := req.Context().Err(); err != nil {
		return nil, err
	}
	if s.lacksAll {
		return reply(req, 200, `{"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"Method not found"}}`), nil
	}
	text := req.Method + " " + req.URL.RequestURI() + "\n"
	if req.URL.Path == "" || req.URL.Path == "/" {
		text = "" // JSON-RPC requests are all body
	}
	if req.Body != nil {
		body, err := io.ReadAll(req.Body)
		if err != nil {
			return nil, err
		}
		if text != "" {
			text += req.Header.Get("Content-Type") + " "
		}
		text += string(body) + "\n"
	}
	s.requests = append(s.requests, text)
	a := s.answers[min(len(s.requests), len(s.answers))-1]
	if a.status == 0 {
		panic("no status")
	}
	return reply(req, a.status, a.body), nil
}

func reply(req *http.Request, status int, body string) *http.Response {
	return &http.Response{
		StatusCode: status,
		Header:     http.Header{"Content-Type": {"application/json"}},
		Body:       io.NopCloser(strings.NewReader(body)),
		Request:    req,
	}
}

func (s *server) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.requests)
}

func serve(t *testing.T, answers ...answer) (*server, *clients) {
	t.Helper()
	s := &server{answers: answers}
	cfg := types.Config{
		APIKey:     types.Key(key),
		HTTPClient: &http.Client{Transport: s},
		Logger:     slog.New(slog.NewTextHandler(&s.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	}
	c := connect(t, cfg)
	c.server = s
	return s, c
}

// connect returns a client of each area.
func connect(t *testing.T, cfg types.Config) *clients {
	t.Helper()
	var c clients
	var errs [8]error
	c.compressed, errs[0] = compressed.New(cfg)
	c.rpc, errs[1] = rpc.New(cfg)
	c.wallet, errs[2] = wallet.New(cfg)
	c.webhooks, errs[3] = webhooks.New(cfg)
	c.das, errs[4] = das.New(cfg)
	c.parsed, errs[5] = parsedapi.New(cfg)
	c.stream, errs[6] = stream.New(cfg)
	c.enhanced, errs[7] = enhancedapi.New(cfg)
	require.NoError(t, errors.Join(errs[:]...))
	return &c
}

// each runs a test for every row of a request.
func each(t *testing.T, f func(*testing.T, row)) {
	t.Helper()
	eachOf(t, rows(), f)
}

func eachOf(t *testing.T, all []row, f func(*testing.T, row)) {
	t.Helper()
	for _, r := range all {
		if len(r.missingFiles()) > 0 {
			continue // TestGoldenFilesBelongToRows fails
		}
		t.Run(r.golden, func(t *testing.T) {
			t.Parallel()
			f(t, r)
		})
	}
}

// missingFiles returns the golden files of r that do not exist.
func (r row) missingFiles() []string {
	var needed []string
	if !r.streams() {
		needed = append(needed, r.golden+".json")
	}
	if r.minimal != nil {
		needed = append(needed, r.golden+".minimal")
	}
	if r.full != nil {
		needed = append(needed, r.golden+".full")
	}
	return slices.DeleteFunc(needed, func(name string) bool { return slices.Contains(golden.Names(), name) })
}

// file returns a golden file of r.
func (r row) file(t *testing.T, read func(string) ([]byte, bool)) string {
	t.Helper()
	b, ok := read(r.golden)
	require.True(t, ok, r.golden)
	return string(b)
}

func (r row) good(t *testing.T) string { return r.file(t, golden.Answer) }

// ask makes the call with the most options, which gets a response.
func (r row) ask(t *testing.T, c *clients, body string) (any, error) {
	t.Helper()
	c.server.answers, c.server.requests = []answer{{200, body}}, nil
	c.server.log.Reset()
	return r.any()(t.Context(), c)
}

// any returns the call with the most options.
func (r row) any() call {
	if r.full != nil {
		return r.full
	}
	return r.minimal
}

// calls returns the calls of r with their golden requests.
func (r row) calls(t *testing.T) iter.Seq2[call, string] {
	t.Helper()
	return func(yield func(call, string) bool) {
		if r.minimal != nil && !yield(r.minimal, r.file(t, golden.Minimal)) {
			return
		}
		if r.full != nil {
			yield(r.full, r.file(t, golden.Full))
		}
	}
}

func TestRequestsAreGolden(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, r row) {
		for call, want := range r.calls(t) {
			s, c := serve(t, answer{200, r.good(t)}, answer{200, strings.Replace(r.good(t), `"id":"1"`, `"id":null`, 1)})
			_, err := call(t.Context(), c)
			require.NoError(t, err)
			if r.checks {
				s.requests = s.requests[:1]
			}
			require.Equal(t, []string{want}, s.requests)
		}
	})
}

// The result holds exactly the values of the response. Users cache results: after a round
// trip through JSON, a result is equal, a success stays a success, and nil stays nil.
func TestAnswersAreGolden(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, r row) {
		_, c := serve(t, answer{200, r.good(t)})
		got, err := r.any()(t.Context(), c)
		require.NoError(t, err)
		require.Empty(t, r.differences(t, r.good(t), got))
		if both, ok := got.(compared); ok {
			got = both.result
		}
		if got == nil {
			return
		}
		text, err := json.Marshal(got)
		require.NoError(t, err)
		back := reflect.New(reflect.TypeOf(got))
		require.NoError(t, json.Unmarshal(text, back.Interface()), string(text))
		require.Equal(t, plain(reflect.ValueOf(got)), plain(back.Elem()), string(text))
	})
}

// Nor do cancelled calls.
func TestBadArgumentsSendNothing(t *testing.T) {
	t.Parallel()
	eachOf(t, everyRow(), func(t *testing.T, r row) {
		for _, bad := range r.refused {
			s, c := serve(t, answer{200, "{}"})
			got, err := bad.call(t.Context(), c)
			require.EqualError(t, err, r.method+": "+bad.says+": invalid argument")
			require.ErrorIs(t, err, types.ErrInvalid)
			require.Zero(t, got, bad.says)
			require.Zero(t, s.count(), bad.says)
		}
		s, c := serve(t, answer{200, "{}"})
		_, err := r.any()(nil, c)
		require.EqualError(t, err, r.method+": ctx is nil: invalid argument")
		_, err = r.any()(t.Context(), unmade())
		require.EqualError(t, err, r.method+": the client was not made by New: invalid argument")
		why := errors.New("no longer wanted")
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(why)
		_, err = r.any()(ctx, c)
		require.ErrorIs(t, err, context.Canceled)
		require.ErrorIs(t, err, why)
		require.Regexp(t, "^"+r.wire+"( of .+)?: ", err.Error())
		require.Zero(t, s.count())
	})
}

// Reads are retried, creates are not; a refusal names the operation, and no error or
// log record contains the key.
func TestFailures(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, r row) {
		synctest.Test(t, func(t *testing.T) {
			s, c := serve(t, answer{503, `{"error":"down"}`}, answer{200, r.good(t)})
			_, err := r.any()(t.Context(), c)
			if r.changes && strings.HasPrefix(r.wire, "POST") {
				require.Error(t, err)
				require.Equal(t, 1, s.count())
			} else {
				require.NoError(t, err)
				require.Equal(t, 2, s.count())
			}

			for _, echo := range []string{key, url.QueryEscape(key), strings.ToUpper(key), strings.ReplaceAll(key, "-", `\u002d`)} {
				s, c = serve(t, answer{400, `{"error":"what is ` + echo + `?","details":"` + echo + `"}`})
				_, err = r.any()(t.Context(), c)
				var refusal *types.APIError
				require.ErrorAs(t, err, &refusal)
				require.Equal(t, r.wire, refusal.Op)
				require.Equal(t, "what is ***?", refusal.Message)
				text := strings.ToLower(fmt.Sprintf("%v %+v %#v %s", err, err, err, s.log.String()))
				require.NotContains(t, text, key)
				require.Contains(t, s.log.String(), "op=")

				// It names the address, hash, signature, slot or ID that the request asks for.
				sent := strings.Trim(input.FindString(strings.ReplaceAll(s.requests[0], r.wire, "")), `/"`)
				switch r.wire {
				// a cursor, a slot, an option
				case "getLatestNonVotingSignatures", "getLatestCompressionSignatures", "getLeaderSchedule", "simulateTransaction":
					sent = ""
				}
				first, _, _ := strings.Cut(refusal.Input, " and ") // of several
				require.Contains(t, first, sent)
				if refusal.Input != "" {
					require.Contains(t, s.requests[0], first)
					require.Contains(t, err.Error(), r.wire+" of "+refusal.Input+": ")
				}
			}
		})
	})
}

var input = regexp.MustCompile(`"[1-9A-HJ-NP-Za-km-z]{32,88}"|/([1-9A-HJ-NP-Za-km-z]{32,44}|[0-9a-f-]{36})\b`)

// differences compares the part of a response that a result holds with the result.
func (r row) differences(t *testing.T, body string, got any) string {
	t.Helper()
	if got == nil {
		return ""
	}
	_, found := r.leaves([]byte(body), got, nil)
	for _, d := range found {
		// the goldens have members of this name, which are ignored
		if !strings.Contains("."+d.Path, ".unknown") {
			return d.String()
		}
	}
	return ""
}
