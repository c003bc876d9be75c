package golden

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httputil"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Behind returns a client for tests that passes JSON-RPC calls on to the transport of c, a fake,
// and answers those that find nothing there, and all of some methods, with the captured answer
// of the method.
func Behind(c *http.Client, always ...string) *http.Client {
	return &http.Client{Transport: behind{c.Transport, always}}
}

type behind struct {
	http.RoundTripper
	always []string // methods
}

func (b behind) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body == nil || r.Method != http.MethodPost {
		return b.RoundTripper.RoundTrip(r)
	}
	sent, _ := io.ReadAll(r.Body) // a client has it in memory
	_ = r.Body.Close()
	inner := r.Clone(r.Context())
	inner.Body = io.NopCloser(bytes.NewReader(sent))
	inner.Header.Set("Accept-Encoding", "identity")
	resp, err := b.RoundTripper.RoundTrip(inner)
	if err != nil {
		return nil, err
	}
	got, err := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	if err != nil {
		return nil, err
	}
	var calls, answers []json.RawMessage
	if json.Unmarshal(sent, &calls) == nil && json.Unmarshal(got, &answers) == nil && len(calls) == len(answers) {
		for i := range answers {
			answers[i] = b.answer(calls[i], answers[i])
		}
		got, _ = json.Marshal(answers) // they are valid
	} else {
		got = b.answer(sent, got)
	}
	resp.Body, resp.ContentLength = io.NopCloser(bytes.NewReader(got)), int64(len(got))
	resp.Header.Set("Content-Length", strconv.Itoa(len(got)))
	return resp, nil
}

// answer returns got, the answer to a call, or the captured one.
func (b behind) answer(sent, got []byte) []byte {
	var call struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
		Params json.RawMessage `json:"params"`
	}
	_ = json.Unmarshal(sent, &call) // the method stays empty otherwise
	body, found := Method(call.Method, call.Params)
	if !found || !nothing(got) && !slices.Contains(b.always, call.Method) {
		return got
	}
	var captured struct {
		Result json.RawMessage `json:"result"`
	}
	_ = json.Unmarshal(body, &captured) // it is valid
	if call.Method == "getTransaction" && !ofSame(call.Params, body) {
		return got
	}
	if further.Match(call.Params) {
		captured.Result = emptied(captured.Result, call.Params)
	}
	return slices.Concat([]byte(`{"jsonrpc":"2.0","id":`), call.ID, []byte(`,"result":`), captured.Result, []byte(`}`))
}

// nothing reports whether an answer is an error, null or an empty list.
func nothing(answer []byte) bool {
	var members struct {
		Result json.RawMessage `json:"result"`
		Error  *struct {
			Code    int    `json:"code"`
			Message string `json:"message"`
		} `json:"error"`
	}
	_ = json.Unmarshal(answer, &members) // there are none in other bytes
	if e := members.Error; e != nil {
		return e.Code == -32000 || strings.Contains(e.Message, "not find") || strings.Contains(e.Message, "not a Token")
	}
	var result any
	return json.Unmarshal(members.Result, &result) == nil && empty(result)
}

func empty(result any) bool {
	switch r := result.(type) {
	case []any:
		return !slices.ContainsFunc(r, func(item any) bool { return !empty(item) })
	case map[string]any:
		for _, name := range []string{"value", "items", "data", "accounts", "token_accounts", "token_balances"} {
			if inner, has := r[name]; has {
				return empty(inner)
			}
		}
		return !slices.ContainsFunc(slices.Collect(maps.Values(r)), func(member any) bool { return member != nil })
	}
	return result == nil || result == 0.0
}

// ofSame reports whether a captured transaction has the signature that params begin with, or
// is encoded.
func ofSame(params json.RawMessage, captured []byte) bool {
	var args []json.RawMessage
	return json.Unmarshal(params, &args) != nil || len(args) == 0 || bytes.Contains(captured, args[0]) || !bytes.Contains(captured, []byte(`"signatures"`))
}

// emptied returns a page without items, which no other page follows.
func emptied(page, params json.RawMessage) json.RawMessage {
	var members map[string]json.RawMessage
	if json.Unmarshal(page, &members) != nil {
		return json.RawMessage("[]")
	}
	var asked struct {
		Page json.RawMessage `json:"page"`
	}
	_ = json.Unmarshal(params, &asked) // a list has no page
	for name, value := range members {
		switch {
		case name == "page" && asked.Page != nil:
			members[name] = asked.Page
		case name == "cursor" || name == "paginationKey" || name == "paginationToken":
			members[name] = json.RawMessage("null")
		case name == "value":
			members[name] = emptied(value, params)
		case len(value) > 0 && value[0] == '[':
			members[name] = json.RawMessage("[]")
		}
	}
	b, _ := json.Marshal(members) // they are valid
	return b
}

// further matches parameters that ask for a page after the first one.
var further = regexp.MustCompile(`"(cursor|before|paginationKey|paginationToken)":"|"page":[^1]`)

// Handler serves what [Behind] answers for a transport.
func Handler(rt http.RoundTripper) http.Handler {
	return &httputil.ReverseProxy{
		Transport: behind{RoundTripper: rt},
		Rewrite:   func(r *httputil.ProxyRequest) { r.Out.URL.Scheme, r.Out.URL.Host = "http", r.In.Host },
	}
}
