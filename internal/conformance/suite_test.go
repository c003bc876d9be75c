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
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/internal/compare"
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

// plain prepares a value for a comparison: equal decimals and equal raw JSON become equal
// values. Secrets are never marshalled.
func plain(v reflect.Value) any {
	switch x := v.Interface().(type) {
	case decimal.Decimal:
		return x.String()
	case json.RawMessage:
		var decoded any
		return []any{json.Unmarshal(x, &decoded) == nil, decoded}
	case webhooks.Secret:
		return nil
	case types.Time:
		return x.UnixNano()
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface, reflect.Slice, reflect.Map:
		if v.IsNil() {
			return nil
		}
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		return []any{plain(v.Elem())}
	case reflect.Slice, reflect.Array:
		all := []any{}
		for i := range v.Len() {
			all = append(all, plain(v.Index(i)))
		}
		return all
	case reflect.Struct:
		fields := map[string]any{}
		for i := range v.NumField() {
			if field := v.Type().Field(i); field.IsExported() {
				fields[field.Name] = plain(v.Field(i))
			}
		}
		return fields
	case reflect.Map:
		members := map[any]any{}
		for key, value := range v.Seq2() {
			members[key.Interface()] = plain(value)
		}
		return members
	}
	return v.Interface()
}

func TestUnknownMembersAreIgnored(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, r row) {
		doc := parse(r.good(t))
		objects := 0
		doc.walk("", func(path string, v *value) {
			if v.object != nil && !slices.Contains(r.maps, path) {
				objects++
				v.object["somethingNew"] = &value{text: `{"deep":[1,null,{"a":"b"}]}`}
			}
		})
		_, c := serve(t, answer{200, doc.String()})
		_, err := r.any()(t.Context(), c)
		require.NoError(t, err)
		require.True(t, objects > 0 || r.golden == "webhooks/delete")
	})
}

// kinds returns a function to tell whether a path is of the same kind as an earlier one. Paths of
// one kind differ in the indexes of lists only.
func kinds() func(path string) bool {
	index := regexp.MustCompile(`\.\d+\b`)
	seen := map[string]bool{}
	return func(path string) bool {
		kind := index.ReplaceAllString(path, ".#")
		defer func() { seen[kind] = true }()
		return seen[kind]
	}
}

func TestMembersMayBeNullOrAbsent(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, r row) {
		_, c := serve(t)
		good, seen := parse(r.good(t)), kinds()
		var leaves, others []string
		good.walk("", func(path string, v *value) {
			before, _, _ := cutLast(path)
			switch {
			case path == "" || v.inList || slices.Contains(r.maps, before) || seen(path) || (path == r.answer || !r.holds(path)) && !slices.Contains(r.needs, path):
			case v.object != nil || v.isList || slices.Contains(r.needs, path):
				others = append(others, path)
			default:
				leaves = append(leaves, path)
			}
		})
		for _, change := range []string{"null", "absent"} {
			bisect(leaves, func(paths []string) bool {
				_, err := r.ask(t, c, good.with(change, paths...))
				// without its slot, an item is out of order
				fails := err != nil && !errors.Is(err, types.ErrIncomplete)
				if _, name, _ := cutLast(paths[0]); fails && len(paths) == 1 && strings.Contains(err.Error(), "the response has no "+name) {
					return true // a required member
				}
				require.False(t, fails && len(paths) == 1, "%s %s: %v; the needs of the row or the Check of %s are wrong", paths, change, err, r.method)
				return !fails
			})
			for _, path := range others {
				_, err := r.ask(t, c, good.with(change, path))
				require.Equal(t, slices.Contains(r.needs, path), err != nil && !errors.Is(err, types.ErrIncomplete), "%s %s: %v; the needs of the row or the Check of %s are wrong", path, change, err, r.method)
			}
		}
	})
}

// bisect calls try with all paths, and with the halves of those for which it returns false.
func bisect(paths []string, try func([]string) bool) {
	if len(paths) == 0 || try(paths) || len(paths) == 1 {
		return
	}
	bisect(paths[:len(paths)/2], try)
	bisect(paths[len(paths)/2:], try)
}

// Numbers are exact up to the largest value of their type, and unknown enum values
// pass through.
func TestExtremeValuesPassThrough(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, r row) {
		_, c := serve(t)
		good, seen := parse(r.good(t)), kinds()
		var numbers, texts, words []string
		good.walk("", func(path string, v *value) {
			switch {
			case seen(path + fmt.Sprint(v.isNumber(), v.isWord())):
			case v.isNumber() && (r.holds(path) || path == r.answer):
				if numbers = append(numbers, path); strings.HasPrefix(v.text, `"`) {
					numbers, texts = numbers[:len(numbers)-1], append(texts, path)
				}
			// data is base64
			case v.isWord() && !strings.HasSuffix(path, ".data.data") && r.holds(path) && !slices.Contains(r.keys, path):
				words = append(words, path)
			}
		})
		newWords := good.clone()
		for i, path := range words {
			newWords.set(path, fmt.Sprintf(`"a new word %d"`, i)) // no item twice
		}
		got, err := r.ask(t, c, newWords.String())
		require.NoError(t, err)
		require.Empty(t, r.differences(t, newWords.String(), got))
		_, found := r.leaves([]byte(r.good(t)), got, nil)
		for _, path := range words { // the comparison overlooks none
			at := strings.TrimPrefix(strings.TrimPrefix(path, r.answer), ".")
			require.True(t, strings.Contains("."+at, ".unknown") || slices.ContainsFunc(found, func(d compare.Difference) bool { return strings.HasPrefix(at, d.Path) }), path)
		}
		large := false
		for _, paths := range [][]string{numbers, texts} {
			for _, most := range []string{"18446744073709551615", "9223372036854775807", "255"} {
				var smaller []string // which have a type with smaller values
				bisect(paths, func(paths []string) bool {
					text := most
					if strings.HasPrefix(good.at(paths[0]).text, `"`) {
						text = strconv.Quote(most)
					}
					body := good.with(text, paths...)
					got, err := r.ask(t, c, body)
					// the items were decoded, and refused for their order
					holds := errors.Is(err, types.ErrIncomplete) && len(paths) == 1 ||
						err == nil && r.differences(t, body, got) == ""
					large = large || holds && len(most) > 3
					if !holds && len(paths) == 1 {
						smaller = append(smaller, paths[0])
					}
					return holds
				})
				paths = smaller
			}
			require.Empty(t, paths, "these do not accept their largest values")
		}
		require.True(t, len(numbers)+len(texts) == 0 || r.small || large || strings.HasPrefix(r.golden, "webhooks/") || strings.HasPrefix(r.golden, "wallet/identit"), "no number above 2^53")
	})
}

func TestNullAndEmptyResponses(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, r row) {
		rest := strings.Contains(r.wire, "/")
		bodies := []string{"null", "{}"}
		if !rest {
			bodies = append(bodies, `{"jsonrpc":"2.0","id":"1"}`, `{"jsonrpc":"2.0","id":"1","result":{}}`)
		}
		for _, body := range bodies {
			_, c := serve(t, answer{200, body})
			got, err := r.any()(t.Context(), c)
			if r.wire == "getAssetProofBatch" && strings.Contains(body, "{}") { // no asset has a proof
				require.NoError(t, err)
				continue
			}
			if r.null == nullIsAnswer && body == "null" || r.golden == "webhooks/delete" && body == "{}" {
				require.NoError(t, err, body)
				continue
			}
			require.Error(t, err, "%s accepts the response %s: give its transport.Query a Check", r.method, body)
			require.Nil(t, got, body)
		}
		if rest {
			return
		}
		nulls := []string{`{"jsonrpc":"2.0","id":"1","result":null}`}
		if good := parse(r.good(t)); good.at("result.context") != nil || good.at("context") != nil {
			nulls = append(nulls, `{"jsonrpc":"2.0","id":"1","result":{"context":{"slot":1},"value":null}}`)
		}
		for i, body := range nulls {
			_, c := serve(t, answer{200, body})
			_, err := r.any()(t.Context(), c)
			require.Error(t, err)
			switch {
			// a batch is a list; of another shape
			case strings.HasPrefix(r.answer, "0."), i == 1 && !strings.Contains(r.answer, "value"):
			case r.null == nullIsNotFound:
				require.ErrorIs(t, err, types.ErrNotFound)
			default:
				require.Regexp(t, "^"+r.wire+"( of [^:]+)?: the response (is null|has no [a-z]+)(; it may have been executed)?$", err.Error())
			}
		}
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
