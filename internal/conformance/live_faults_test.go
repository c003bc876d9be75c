package conformance_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
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
	doc := parseJSON(text)
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

// Each leaf of each golden response is reported if it changes, is lost or has a new name on its
// way to the result.
func TestEveryChangeOfALeafIsReported(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, r row) {
		_, c := serve(t)
		good, seen, changes := parse(t, r.good(t)), kinds(), map[string]string{}
		good.walk("", func(path string, v *value) {
			_, name, _ := cutLast(path)
			if v.object != nil || v.isList || seen(path) || !r.holds(path) || name == "" || name == "inputDomain" || v.isNull() || slices.Contains(r.keys, path) || slices.Contains([]string{`""`, "0", "0.0", "false", `"0"`, `"unknown"`}, v.text) {
				return
			}
			others := []string{"null", "absent", "renamed"}
			switch {
			case v.isNumber() && strings.HasPrefix(v.text, `"`):
				others = append(others, `"7"`)
			case v.isNumber():
				others = append(others, "7")
			case v.text == "true":
				others = append(others, "false")
			case strings.HasPrefix(v.text, `"`):
				others = append(others, strings.TrimSuffix(v.text, `"`)+`z"`)
			}
			if v.inList {
				others = []string{"null"}
			}
			if other := others[len(path)%len(others)]; other != v.text {
				changes[path] = other
			}
		})
		bisect(slices.Sorted(maps.Keys(changes)), func(paths []string) bool {
			sent, came := good.clone(), good.clone()
			for _, path := range paths {
				other := changes[path]
				if other == "renamed" {
					other = "absent"
					sent.set(path+"New", good.at(path).text)
					sent.set(path, other)
					came.set(path+"New", good.at(path).text)
				}
				came.set(path, other)
			}
			got, err := r.ask(t, c, came.String())
			if len(paths) == 1 && (err != nil || got == nil) { // an error reports it too
				return true
			}
			_, found := r.leaves([]byte(sent.String()), got, nil)
			reported := map[string]bool{}
			for _, d := range found {
				reported[strings.TrimSuffix(d.Path, "New")] = true
			}
			missing := slices.DeleteFunc(slices.Clone(paths), func(path string) bool {
				return err == nil && reported[strings.TrimPrefix(path, r.answer+".")]
			})
			if len(paths) > 1 || len(missing) == 0 {
				return len(missing) == 0
			}
			held, err := json.Marshal(got) // raw JSON holds any name
			require.NoError(t, err)
			_, name, _ := cutLast(paths[0])
			require.True(t, len(found) > 0 || strings.Contains(string(held), name+"New"), "%s became %s", paths[0], changes[paths[0]])
			return true
		})
		t.Logf("%d changes", len(changes))
	})
}

// A difference on the first page counts although the second one fails.
func TestDifferencesOutweighErrors(t *testing.T) {
	t.Parallel()
	r := &liveResult{Differences: []compare.Difference{{Path: "x", Kind: compare.Lost}}}
	r.judge(&types.APIError{StatusCode: http.StatusForbidden})
	require.Equal(t, differing, r.Outcome)
	require.NotEmpty(t, r.Error)
}

// A response that the client refuses, an operation that the host lacks and one that the
// plan lacks have outcomes of their own.
func TestLiveTellsWhatAHostLacks(t *testing.T) {
	t.Parallel()
	host := roundTripper(func(req *http.Request) (*http.Response, error) {
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
		return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(answer)), Request: req}, nil
	})
	cfg := withWebhook(t)
	cfg.HTTPClient = &http.Client{Transport: host}
	outcomes := map[string]outcome{}
	for _, r := range conduct(t.Context(), t, cfg, 10_000, 1e6, unchanged).Results {
		outcomes[r.Method] = r.Outcome
	}
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
	accepted, service := cfg.APIKey, cfg.HTTPClient.Transport
	cfg.APIKey = "3f1c9a52-7d04/4e6b+9b8f=1d2a60c7e5f4"
	accepts := roundTripper(func(req *http.Request) (*http.Response, error) { // with the key of the fake
		req = req.Clone(req.Context())
		if query := req.URL.Query(); query.Has("api-key") {
			query.Set("api-key", accepted)
			req.URL.RawQuery = query.Encode()
		}
		for name, values := range req.Header {
			for i := range values {
				req.Header[name][i] = strings.ReplaceAll(values[i], cfg.APIKey, accepted)
			}
		}
		return service.RoundTrip(req)
	})
	cfg.HTTPClient = &http.Client{Transport: &proxy{accepts, []change{
		{"getBalance", "result.value", `"` + cfg.APIKey + `"`, "", ""},
		{"getTokenSupply", "result.value.note", `"` + cfg.APIKey + `"`, "", ""},
		{"getSupply", "result.value.note", `"` + strings.Repeat("x", 60) + cfg.APIKey + `"`, "", ""}, // where the report cuts it
		{"getEpochInfo", "result.note", `"` + base64.URLEncoding.EncodeToString([]byte("?api-key="+cfg.APIKey)) + `"`, "", ""},
		{"getSlotLeader", "result", `"` + base64.StdEncoding.EncodeToString([]byte("a"+cfg.APIKey+"b")) + `"`, "", ""},
		{"getInflationRate", "result.note", `"` + url.QueryEscape(cfg.APIKey) + `"`, "", ""},
		{"GET /v0/webhooks", "0.note", `"a secret of the account"`, "", ""},
	}}}
	report := conduct(t.Context(), t, cfg, 10_000, 1e6, unchanged)
	text, err := json.Marshal(report)
	require.NoError(t, err)
	printed := report.String() + string(text)
	require.Contains(t, printed, "note: \"***\" is lost")
	for _, secret := range []string{
		cfg.APIKey, url.QueryEscape(cfg.APIKey), url.PathEscape(cfg.APIKey), "a secret of the account", cfg.APIKey[:8],
		base64.RawStdEncoding.EncodeToString([]byte("a" + cfg.APIKey))[4:24], base64.RawURLEncoding.EncodeToString([]byte("?api-key=" + cfg.APIKey))[12:36],
	} {
		require.NotContains(t, printed, secret)
	}
}

func TestLiveReportsAreCompared(t *testing.T) {
	t.Parallel()
	old := &surveyReport{Results: []liveResult{
		{Method: "a", Outcome: whole}, {Method: "b", Outcome: differing, Differences: []compare.Difference{{Path: "x", Kind: compare.Lost}}},
	}}
	run := &surveyReport{Results: []liveResult{
		{Method: "a", Outcome: absent},
		{Method: "b", Outcome: differing, Differences: []compare.Difference{{Path: "x", Kind: compare.Lost}, {Path: "y", Kind: compare.Lost, Wire: "1"}}},
		{Method: "c", Outcome: whole},
	}}
	// Calls of one operation that differ in their options.
	variants := &surveyReport{Results: []liveResult{{Method: "a", Outcome: differing}, {Method: "a", Outcome: whole}}}
	require.Empty(t, variants.changes(variants))
	require.Equal(t, []string{"a: absent, was whole", "b: new: y: 1 is lost", "c: whole, was not in the report"}, run.changes(old))
}
