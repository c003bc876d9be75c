package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types"
)

const wallet = "86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY"

const items = `{"id":"4S1dUQ75XwvdQYcQvaC9T4JGShj5ZPPq27Ah3p1Bv7zw","content":{"metadata":{"name":"Kit #5"},"links":{"image":"https://img.example/5.png"}}},` +
	`{"id":"8Xz32bDBekPQZq1TQpKGjUGJ7Q66N7HMWm77wEqQs38C","content":{"metadata":{"name":"Made up"}},"token_info":{"symbol":"MUP","balance":18446744073709551615,"decimals":9,` +
	`"price_info":{"price_per_token":0.0000012,"currency":"USDC"}}},` +
	`{"id":"E21SDWegRqQE8mt24jq62GZAh4hNaMbgcQhQM36uf5zT","content":{"metadata":{"name":"\u001b]0;owned\u0007\u202e` + "\u009b" + `31m","symbol":5},"links":{"image":7}}}`

// service answers the second request with an empty page, and others with items.
type service struct{ requests []string }

func (s *service) RoundTrip(req *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return nil, err
	}
	list, more := items, `,"cursor":"E21SDWegRqQE8mt24jq62GZAh4hNaMbgcQhQM36uf5zT","errors":[{"id":"7U4JsLfmWWPT6aUCXAddTQv94Cb9RzUXti6prZtNyqTJ","error":"interface not found"}]`
	if s.requests = append(s.requests, string(body)); len(s.requests) == 2 { // the third one is for the other end of the listing
		list, more = "", ""
	}
	return &http.Response{StatusCode: http.StatusOK, Request: req, Body: io.NopCloser(strings.NewReader(fmt.Sprintf(`{"jsonrpc":"2.0","result":{"items":[%s]%s}}`, list, more)))}, nil
}

func printed(t *testing.T, s settings) (string, *service) {
	t.Helper()
	fake := new(service)
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), types.Config{APIKey: "a-key", HTTPClient: &http.Client{Transport: fake}}, s, &out))
	return out.String(), fake
}

func TestOutput(t *testing.T) {
	t.Parallel()
	out, fake := printed(t, settings{wallet: wallet})
	want, err := os.ReadFile("testdata/items.txt")
	require.NoError(t, err)
	require.Equal(t, string(want), out)
	require.Contains(t, fake.requests[0], `"method":"getAssetsByOwner"`)

	_, fake = printed(t, settings{collection: wallet, n: 1})
	require.Len(t, fake.requests, 1)
	require.Contains(t, fake.requests[0], `"method":"getAssetsByGroup","params":{"groupKey":"collection","groupValue":"`+wallet+`"`)
}

func TestErrorsAreReturned(t *testing.T) {
	t.Parallel()
	require.ErrorIs(t, run(t.Context(), types.Config{}, settings{}, io.Discard), types.ErrInvalid)
	require.ErrorIs(t, run(t.Context(), types.Config{APIKey: "a-key"}, settings{wallet: "x"}, io.Discard), types.ErrInvalid)
}
