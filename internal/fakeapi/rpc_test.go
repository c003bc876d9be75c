package fakeapi_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fakeapi"
)

// post sends a body to the RPC host.
func post(t *testing.T, s *fakeapi.Service, request string) (status int, body string) {
	t.Helper()
	return send(t, s, http.MethodPost, s.Config().RPCURL+"/?api-key="+fakeapi.Key, request, "Content-Type", "application/json")
}

// call calls a method and returns the result and the error, one of which is empty.
func call(t *testing.T, s *fakeapi.Service, method, params string) (result, failure string) {
	t.Helper()
	status, body := post(t, s, `{"jsonrpc":"2.0","id":"7","method":"`+method+`","params":`+params+`}`)
	require.Equal(t, 200, status)
	var answer struct {
		Version string          `json:"jsonrpc"`
		Result  json.RawMessage `json:"result"`
		Error   json.RawMessage `json:"error"`
		ID      string          `json:"id"`
	}
	require.NoError(t, json.Unmarshal([]byte(body), &answer), body)
	require.Equal(t, "2.0", answer.Version)
	require.Equal(t, "7", answer.ID)
	return string(answer.Result), string(answer.Error)
}

func TestRPCKeyIsCheckedInTheQueryOnly(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	for _, row := range []struct {
		query, header string
		status        int
		body          string
	}{
		{"", "", 401, `{"jsonrpc":"2.0","error":{"code":-32001,"message":"Unauthorized"},"id":null}`},
		{"", fakeapi.Key, 401, `{"jsonrpc":"2.0","error":{"code":-32001,"message":"Unauthorized"},"id":null}`},
		{"?api-key=wrong", "", 401, `{"jsonrpc":"2.0","error":{"code":-32001,"message":"Unauthorized"},"id":null}`},
		{"?api-key=" + fakeapi.LimitedKey, "", 429, `{"jsonrpc":"2.0","error":{"code":-32005,"message":"Too many requests"},"id":null}`},
		{"?api-key=" + fakeapi.Key, "", 200, `{"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"},"id":1}`},
	} {
		status, body := send(t, s, http.MethodPost, s.Config().RPCURL+"/"+row.query, `{"jsonrpc":"2.0","id":1,"method":"x"}`,
			"Content-Type", "application/json", "X-Api-Key", row.header)
		require.Equal(t, row.status, status, row.query)
		require.Equal(t, row.body, body, row.query)
	}
}

func TestRPCEnvelope(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	const (
		parse   = `{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"},"id":null}`
		invalid = `{"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid request"},"id":null}`
	)
	unknown := func(id string) string {
		return `{"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"},"id":` + id + `}`
	}
	for _, row := range []struct{ request, answer string }{
		{`{"jsonrpc":"2.0","id":"a","method":"x","params":[]}`, unknown(`"a"`)},
		{`{"jsonrpc":"2.0","id":18446744073709551615,"method":"x"}`, unknown("18446744073709551615")},
		{` {"jsonrpc":"2.0","id":null,"method":"x"} `, unknown("null")},
		{`{"jsonrpc":"2.0","method":"x"}`, ""}, // a notification
		{`{"id":1,"method":"x"}`, invalid},
		{`{"jsonrpc":"1.0","id":1,"method":"x"}`, invalid},
		{`{"jsonrpc":"2.0","id":1}`, invalid},
		{`{"jsonrpc":"2.0","id":1,"method":5}`, invalid},
		{`{"jsonrpc":"2.0","id":1,"method":"x"`, parse},
		{`{"jsonrpc":"2.0","id":1,"method":"x"}}`, parse},
		{`hello`, parse},
		{``, parse},
		{`[]`, invalid},
		{`[`, parse},
		{`[{"jsonrpc":"2.0","id":2,"method":"x"},{"jsonrpc":"2.0","method":"x"},3,{"jsonrpc":"2.0","id":1,"method":"x"}]`, "[" + unknown("2") + "," + invalid + "," + unknown("1") + "]"},
		{`[{"jsonrpc":"2.0","method":"x"}]`, ""},
	} {
		status, body := post(t, s, row.request)
		require.Equal(t, 200, status, row.request)
		require.Equal(t, row.answer, body, row.request)
	}
}

// Whatever a method is asked, it has a result or a failure.
func TestOddParametersAreAnswered(t *testing.T) {
	t.Parallel()
	var odd []string
	for _, value := range []string{`null`, `"x"`, `-1`, `[null]`, `{"limit":-1}`, `{"filters":[null]}`} {
		odd = append(odd, value, `[`+value+`]`, `["`+fakeapi.Collector+`",`+value+`]`, `[`+value+`,`+value+`,`+value+`]`)
		for _, name := range []string{"owner", "delegate", "ownerAddress", "ids", "hashes", "newAddressesWithTrees"} {
			odd = append(odd, fmt.Sprintf(`{%q:%s,"cursor":%s}`, name, value, value))
		}
		odd = append(odd, fmt.Sprintf(`{"ownerAddress":%q,"page":%s,"sortBy":%[2]s,"options":%[2]s}`, fakeapi.Collector, value))
	}
	s := fakeapi.New()
	for _, name := range fakeapi.Operations() {
		// the last are long
		if strings.ContainsAny(name, " /") || name == fakeapi.Upgrade || name == "getBlocks" || name == "getBlocksWithLimit" {
			continue
		}
		for _, params := range odd {
			require.NotPanics(t, func() {
				result, failure := call(t, s, name, params)
				require.NotEmpty(t, result+failure)
			}, "%s %s", name, params)
		}
	}
}
