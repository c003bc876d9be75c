package conformance_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/compare"
	"github.com/solwire/solwire-go/types"
)

// A change is made to the responses of an operation.
type change struct {
	wire, path string
	to         string // JSON, "absent", or "renamed"
	kind       compare.Kind
	at         string // the reported path
}

// A proxy changes responses.
type proxy struct {
	next    http.RoundTripper
	changes []change
}

func (p *proxy) RoundTrip(req *http.Request) (*http.Response, error) {
	var body []byte
	if req.Body != nil {
		body, _ = io.ReadAll(req.Body)
		req = req.Clone(req.Context())
		req.Body = io.NopCloser(bytes.NewReader(body))
	}
	req.Header.Set("Accept-Encoding", "identity")
	resp, err := p.next.RoundTrip(req)
	if err != nil || resp.StatusCode != http.StatusOK {
		return resp, err
	}
	text, err := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	if err != nil {
		return nil, err
	}
	doc := parse(text)
	for _, c := range p.changes {
		_, route, isREST := strings.Cut(c.wire, " ")
		if isREST && !strings.HasSuffix(req.URL.Path, route[strings.LastIndex(route, "/"):]) ||
			!isREST && !bytes.Contains(body, []byte(`"method":"`+c.wire+`"`)) {
			continue
		}
		before, name, _ := cutLast(c.path)
		parent := doc.at(before)
		if before == "" {
			parent = doc
		}
		if parent == nil {
			continue
		}
		switch was := doc.at(c.path); {
		case c.to == "renamed" && was != nil:
			delete(parent.object, name)
			parent.object[name+"New"] = was
		case c.to == "cut":
			was.list = was.list[:len(was.list)-1]
		case parent.object != nil || parent.isList:
			doc.set(c.path, c.to)
		}
	}
	resp.Body = io.NopCloser(strings.NewReader(doc.String()))
	resp.ContentLength = -1
	resp.Header.Del("Content-Length")
	return resp, nil
}

// Whatever is lost, added, renamed or changed on the way from a response to a result is
// reported with its operation and path.
func TestLiveReportsEveryFault(t *testing.T) {
	t.Parallel()
	fromService := []change{
		{"getTokenSupply", "result.value.supplyCap", `18446744073709551615`, compare.Lost, "supplyCap"},
		{"getClusterNodes", "result.0.region", `"ams"`, compare.Lost, "0.region"},
		{"getSupply", "result.value.burnt", `{"lamports":9007199254740993}`, compare.Lost, "burnt"},
		{"getEpochSchedule", "result.firstNormalSlot", "renamed", compare.Lost, "firstNormalSlotNew"},
		{"getSignatureStatuses", "result.value.0.confirmationStatus", `"rooted"`, compare.NewWord, "0.confirmationStatus"},
		{"getAssetsByOwner", "result.items.0.interface", `"HologramNFT"`, compare.NewWord, "items.0.interface"},
		{"GET /v1/wallet/{wallet}/identity", "riskScore", `0.25`, compare.Lost, "riskScore"},
	}
	toClient := []change{
		{"getBalance", "result.value", `9007199254740993`, compare.Changed, ""},
		{"getEpochInfo", "result.transactionCount", `9007199254740993`, compare.Changed, "transactionCount"},
		{"getInflationGovernor", "result.taper", `0.15000000000000001`, compare.Changed, "taper"},
		{"getIdentity", "result.identity", `"2r1F4iWqVcb8M1DbAjQuFpebkQHY9hcVU4WuW2DJBppN"`, compare.Changed, ""},
		{"getInflationRate", "result.foundation", "absent", compare.Changed, "foundation"},
		{"getLargestAccounts", "result.value", "cut", compare.Lost, "19"},
		{"getSignatureStatuses", "result.value.0.err", `{"InstructionError":[0,{"Custom":1}]}`, compare.Invented, "0.err"},
		{"getVoteAccounts", "result.current.0.epochVoteAccount", "false", compare.Changed, "current.0.epochVoteAccount"},
		{"GET /v1/wallet/{wallet}/funded-by", "funderName", `"somebody else"`, compare.Changed, "funderName"},
	}
	cfg := withWebhook(t)
	cfg.HTTPClient = &http.Client{Transport: &proxy{cfg.HTTPClient.Transport, fromService}}
	report := conduct(t.Context(), t, cfg, 10_000, 1e6, func(next http.RoundTripper) http.RoundTripper { return &proxy{next, toClient} })
	found := map[string]bool{}
	for _, r := range report.Results {
		for _, d := range r.Differences {
			found[fmt.Sprint(r.Wire, " ", d.Kind, " ", d.Path)] = true
		}
	}
	for _, c := range append(fromService, toClient...) {
		require.True(t, found[fmt.Sprint(c.wire, " ", c.kind, " ", c.at)], "%s %s is not reported: %v", c.wire, c.path, found)
	}
}

// A refused response, an operation that the host lacks and an operation outside the plan
// have their outcomes. The key goes to the named host only.
func TestLiveTellsWhatAHostLacks(t *testing.T) {
	t.Parallel()
	require.Equal(t, types.Config{}, liveConfig(func(string) string { return "" }))
	cfg := liveConfig(func(name string) string {
		return map[string]string{"HELIUS_API_KEY": "a-key", "HELIUS_RPC_URL": "https://node.example"}[name]
	})
	cfg.MaxAttempts = 1
	hosts := map[string]bool{}
	cfg.HTTPClient = &http.Client{Transport: roundTripper(func(req *http.Request) (*http.Response, error) {
		hosts[req.URL.Host] = true
		var body []byte
		if req.Body != nil {
			body, _ = io.ReadAll(req.Body)
		}
		answer, status := `{"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"Method not found"}}`, 200
		switch {
		case bytes.Contains(body, []byte(`"getSlot"`)):
			answer = `{"jsonrpc":"2.0","id":"1","result":5}`
		case bytes.Contains(body, []byte(`"getTransfersByAddress"`)):
			answer = `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"not available on the free plan"}}`
		case bytes.Contains(body, []byte(`"getEpochInfo"`)):
			answer = `{"jsonrpc":"2.0","id":null,"error":{"code":-32602,"message":"wrong"}}`
		case req.URL.Path != "/":
			answer, status = `{"error":"no such route"}`, 404
		}
		return reply(req, status, answer), nil
	})}
	outcomes := map[string]outcome{}
	for _, r := range conduct(t.Context(), t, cfg, 10_000, 1e6, unchanged).Results {
		outcomes[r.Method] = r.Outcome
	}
	require.Equal(t, map[string]bool{"node.example": true}, hosts)
	require.Equal(t, whole, outcomes["rpc.Client.Slot"])
	require.Equal(t, absent, outcomes["rpc.Client.BlockHeight"])
	require.Equal(t, absent, outcomes["wallet.Client.Balances"])
	require.Equal(t, refusedBy, outcomes["rpc.Client.TransfersByAddress"])
	require.Equal(t, failed, outcomes["rpc.Client.EpochInfo"])
	require.Equal(t, unasked, outcomes["rpc.Client.Transaction"])
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

func TestLiveBudgetIsNeverExceeded(t *testing.T) {
	t.Parallel()
	start := time.Now()
	report := conduct(t.Context(), t, withWebhook(t), 250, 200, unchanged)
	require.LessOrEqual(t, report.Credits, uint64(250))
	require.GreaterOrEqual(t, time.Since(start), time.Duration(report.Requests-1)*5*time.Millisecond)
	require.Contains(t, report.String(), "the budget of credits is spent")
}

func TestLiveReportHasNoSecret(t *testing.T) {
	t.Parallel()
	cfg := withWebhook(t)
	accepted, service := cfg.APIKey.Reveal(), cfg.HTTPClient.Transport
	const key = "3f1c9a52-7d04/4e6b+9b8f=1d2a60c7e5f4"
	cfg.APIKey = types.Key(key)
	accepts := roundTripper(func(req *http.Request) (*http.Response, error) { // with the fake's key
		req = req.Clone(req.Context())
		if query := req.URL.Query(); query.Has("api-key") {
			query.Set("api-key", accepted)
			req.URL.RawQuery = query.Encode()
		}
		for name, values := range req.Header {
			for i := range values {
				req.Header[name][i] = strings.ReplaceAll(values[i], key, accepted)
			}
		}
		return service.RoundTrip(req)
	})
	cfg.HTTPClient = &http.Client{Transport: &proxy{accepts, []change{
		{"getBalance", "result.value", `"` + key + `"`, "", ""},
		{"getTokenSupply", "result.value.note", `"` + key + `"`, "", ""},
		// where the report cuts it
		{"getSupply", "result.value.note", `"` + strings.Repeat("x", 60) + key + `"`, "", ""},
		{"getEpochInfo", "result.note", `"` + base64.URLEncoding.EncodeToString([]byte("?api-key="+key)) + `"`, "", ""},
		{"getSlotLeader", "result", `"` + base64.StdEncoding.EncodeToString([]byte("a"+key+"b")) + `"`, "", ""},
		{"getInflationRate", "result.note", `"` + url.QueryEscape(key) + `"`, "", ""},
		{"GET /v0/webhooks", "0.note", `"a secret of the account"`, "", ""},
	}}}
	report := conduct(t.Context(), t, cfg, 10_000, 1e6, unchanged)
	text, err := json.Marshal(report)
	require.NoError(t, err)
	printed := report.String() + string(text)
	require.Contains(t, printed, "note: \"***\" is lost")
	for _, secret := range []string{
		key, url.QueryEscape(key), url.PathEscape(key), "a secret of the account", key[:8],
		base64.RawStdEncoding.EncodeToString([]byte("a" + key))[4:24], base64.RawURLEncoding.EncodeToString([]byte("?api-key=" + key))[12:36],
	} {
		require.NotContains(t, printed, secret)
	}
}

// A capture is a request and the response of a real server, which ran on made-up data. The
// files have one of each kind: with a member, a type or a word that those before it lack.
type capture struct {
	Method string
	Params json.RawMessage
	Result json.RawMessage
}

// options returns the options of a request on which the shape of its response depends, and whether
// it continues a listing.
func (e *capture) options() (encoding, details string, continues bool) {
	params := parse(e.Params)
	params.walk("", func(path string, v *value) {
		switch _, name, _ := cutLast(path); name {
		case "encoding":
			encoding = strings.Trim(v.text, `"`)
		case "transactionDetails":
			details = v.text
		case "cursor", "before", "after", "paginationKey":
			continues = continues || !v.isNull()
		case "page":
			continues = continues || v.text != "1"
		}
	})
	if encoding == "" && (e.Method == "getTransaction" || e.Method == "getBlock") {
		encoding = "json"
	}
	return encoding, details, continues
}

// A replay answers each request with an exchange of its method and options: the same request
// with the same one. Its address stands for the one of the exchange.
type replay struct {
	exchanges []capture
	turn      int // which of several exchanges comes first
	next      map[string]int
	given     map[string]json.RawMessage
	used      map[int]bool
}

func (r *replay) RoundTrip(req *http.Request) (*http.Response, error) {
	if len(req.URL.Path) > 1 {
		return reply(req, 404, `{"error":"no such route"}`), nil
	}
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return nil, err
	}
	if string(body[:1]) == "[" {
		var calls []json.RawMessage
		_ = json.Unmarshal(body, &calls)
		var answers []string
		for _, call := range calls {
			answers = append(answers, r.answer(call))
		}
		return reply(req, 200, "["+strings.Join(answers, ",")+"]"), nil
	}
	return reply(req, 200, r.answer(body)), nil
}

func (r *replay) answer(body []byte) string {
	var call struct {
		ID json.RawMessage
		capture
	}
	_ = json.Unmarshal(body, &call)
	asked := call.Method + string(call.Params)
	if _, again := r.given[asked]; !again {
		i := r.choose(&call.capture)
		if i < 0 {
			return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"Method not found"}}`, call.ID)
		}
		e := &r.exchanges[i]
		r.next[call.Method]++
		r.used[i], r.given[asked] = true, e.Result
		if before, now := e.subject(), call.subject(); before != "" && now != "" {
			r.given[asked] = bytes.ReplaceAll(e.Result, []byte(before), []byte(now))
		}
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, call.ID, r.given[asked])
}

// choose returns the exchange that answers a request, if possible an unused one; -1 for none.
func (r *replay) choose(call *capture) int {
	encoding, details, continues := call.options()
	var fit []int
	for i := range r.exchanges {
		e := &r.exchanges[i]
		if e.Method != call.Method {
			continue
		}
		if en, de, _ := e.options(); en == encoding && de == details {
			fit = append(fit, i)
		}
	}
	// as before version 2
	if continues || len(fit) == 0 || r.turn%2 == 1 && strings.HasSuffix(call.Method, "V2") {
		return -1
	}
	if unused := slices.IndexFunc(fit, func(i int) bool { return !r.used[i] }); unused >= 0 {
		return fit[unused]
	}
	return fit[(r.turn/2+r.next[call.Method])%len(fit)]
}

var base58 = regexp.MustCompile(`[1-9A-HJ-NP-Za-km-z]{32,88}`)

// subject returns the address, hash or signature that a request is about.
func (e *capture) subject() string {
	return string(base58.Find(e.Params))
}

// Results hold everything that real servers sent: a node, an indexer of compressed accounts, and
// two DAS servers. Members that one of them lacks are absent.
func TestLiveHoldsCapturedAnswers(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"node", "indexer", "das", "das-triton"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := &replay{used: map[int]bool{}}
			file, err := os.ReadFile(filepath.Join("testdata/captured", name+".ndjson"))
			require.NoError(t, err)
			for line := range bytes.Lines(file) {
				var e capture
				require.NoError(t, json.Unmarshal(line, &e))
				server.exchanges = append(server.exchanges, e)
			}
			leaves, calls := 0, 0
			for ; len(server.used) < len(server.exchanges) && server.turn < 100; server.turn++ {
				server.next, server.given = map[string]int{}, map[string]json.RawMessage{}
				cfg := types.Config{APIKey: types.Key(key), HTTPClient: &http.Client{Transport: server}, MaxAttempts: 1}
				report := conduct(t.Context(), t, cfg, 1e6, 1e9, unchanged)
				leaves += report.Leaves
				for _, r := range report.Results {
					require.Empty(t, r.Differences, "%s, turn %d", r.Method, server.turn)
					if r.Leaves > 0 {
						calls++
					}
				}
			}
			t.Logf("%d exchanges, %d replayed in %d calls of %d turns, %d leaves, 0 differences", len(server.exchanges), len(server.used), calls, server.turn, leaves)
			require.Len(t, server.used, len(server.exchanges), "some exchanges fit no call")
			require.Greater(t, leaves, 1000)
		})
	}
}
