package fakeapi_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fakeapi"
)

const (
	hooksURL = "https://webhooks.solwire.test/v0/webhooks"
	withKey  = "?api-key=" + fakeapi.Key
	watched  = "4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T"
)

// settings is the body of a create; more replaces or adds members.
func settings(t *testing.T, more string) string {
	t.Helper()
	members := map[string]json.RawMessage{}
	for _, text := range []string{
		`{"webhookURL":"https://example.com/hook","webhookType":"enhanced","transactionTypes":["ANY"],"accountAddresses":["` + watched + `"]}`, more,
	} {
		require.NoError(t, json.Unmarshal([]byte(text), &members))
	}
	for name, value := range members {
		if string(value) == "null" {
			delete(members, name)
		}
	}
	b, err := json.Marshal(members)
	require.NoError(t, err)
	return string(b)
}

// hook makes a webhook and returns its ID.
func hook(t *testing.T, s *fakeapi.Service, more string) string {
	t.Helper()
	status, body := send(t, s, "POST", hooksURL+withKey, settings(t, more), "Content-Type", "application/json")
	require.Equal(t, 200, status, body)
	var made struct {
		ID string `json:"webhookID"`
	}
	require.NoError(t, json.Unmarshal([]byte(body), &made))
	return made.ID
}

func TestWebhookKeyIsTakenFromTheQueryOnly(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	for query, want := range map[string]int{
		withKey: 200, "": 401, "?api-key=x": 401, "?api-key=" + fakeapi.ExpiredKey: 401, "?api-key=" + fakeapi.LimitedKey: 429,
	} {
		status, body := send(t, s, "GET", hooksURL+query, "", "X-Api-Key", fakeapi.Key)
		require.Equal(t, want, status, query)
		if want == 401 {
			same(t, `{"jsonrpc":"2.0","error":{"code":-32001,"message":"Unauthorized"},"id":"1"}`, body)
		}
	}
}

func TestWebhookRequestsThatAreRefused(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	id := hook(t, s, `{}`)
	asJSON := []string{"Content-Type", "application/json"}
	for _, row := range []struct {
		method, path, body string
		headers            []string
		status             int
		want               string
	}{
		{"DELETE", "/" + id, "", asJSON, 400, `{"statusCode":400,"error":"Bad Request","message":"Body cannot be empty when content-type is set to 'application/json'"}`},
		{"POST", "", "[]", asJSON, 400, "invalid type: sequence, expected a map"},
		{"POST", "", settings(t, `{"webhookURL":"example.com"}`), asJSON, 400, "webhookURL"},
		{"POST", "", settings(t, `{"webhookURL":"http://example.com"}`), asJSON, 400, "webhookURL"},
		{"POST", "", settings(t, `{"webhookType":null}`), asJSON, 400, "webhookType"},
		{"POST", "", settings(t, `{"webhookType":"Enhanced"}`), asJSON, 400, "webhookType"},
		{"POST", "", settings(t, `{"txnStatus":"confirmed"}`), asJSON, 400, "txnStatus"},
		{"POST", "", settings(t, `{"transactionTypes":["Any"]}`), asJSON, 400, "transactionTypes"},
		{"POST", "", settings(t, `{"accountAddresses":["x"]}`), asJSON, 400, "accountAddresses"},
		{"POST", "", settings(t, `{"authHeader":{"x":1}}`), asJSON, 400, "authHeader of type string"},
		{"PUT", "/" + id, settings(t, `{"accountAddresses":[]}`), asJSON, 400, "accountAddresses is required"},
		{"PUT", "", settings(t, `{}`), asJSON, 400, "invalid path"},
		{"PATCH", "/" + id, `{"active":"yes"}`, asJSON, 400, "active"},
		{"POST", "/" + id, settings(t, `{}`), asJSON, 400, "invalid path"},
		{"GET", "/" + strings.ToUpper(id), "", nil, 404, `"code":-32601`},
		{"DELETE", "/x", "", nil, 404, `"code":-32601`},
	} {
		status, body := send(t, s, row.method, hooksURL+row.path+withKey, row.body, row.headers...)
		require.Equal(t, row.status, status, "%s %s %.200s: %s", row.method, row.path, row.body, body)
		require.Contains(t, body, row.want)
	}
	_, body := send(t, s, "GET", hooksURL+withKey, "")
	require.Equal(t, 1, strings.Count(body, "webhookID"))
}
