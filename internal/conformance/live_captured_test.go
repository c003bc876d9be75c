package conformance_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types"
)

// A capture is a request and the response of a real server, which ran on made-up data. The
// files have one of each kind: with a member, a type or a word that those before it lack.
type capture struct {
	Method string
	Params json.RawMessage
	Result json.RawMessage
}

// options returns the options of a request that decide the shape of its response, and whether
// it continues a listing.
func (e *capture) options() (encoding, details string, continues bool) {
	params := parseJSON(e.Params)
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
		if continues || len(fit) == 0 || r.turn%2 == 1 && strings.HasSuffix(call.Method, "V2") { // as before version 2
			return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"Method not found"}}`, call.ID)
		}
		i := fit[(r.turn/2+r.next[call.Method])%len(fit)]
		e := &r.exchanges[i]
		r.next[call.Method]++
		r.used[i], r.given[asked] = true, e.Result
		if before, now := e.subject(), call.subject(); before != "" && now != "" {
			r.given[asked] = bytes.ReplaceAll(e.Result, []byte(before), []byte(now))
		}
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, call.ID, r.given[asked])
}

var base58 = regexp.MustCompile(`[1-9A-HJ-NP-Za-km-z]{32,88}`)

// subject returns the address, hash or signature that a request is about.
func (e *capture) subject() string {
	return string(base58.Find(e.Params))
}

// Results hold all that real servers sent: a node, an indexer of compressed accounts, and two
// DAS servers. What one of them lacks is absent.
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
				cfg := types.Config{APIKey: key, HTTPClient: &http.Client{Transport: server}, MaxAttempts: 1}
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
			require.Greater(t, leaves, 2000)
		})
	}
}
