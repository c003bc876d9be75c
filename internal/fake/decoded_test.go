package fake_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fake"
)

func TestParsedEventsRefuseWhatTheServiceRefuses(t *testing.T) {
	t.Parallel()
	const wallet = `"address":"` + fake.Wallet + `"`
	for _, row := range []struct{ path, body, says string }{
		{"transactions", `{"transactions":[]}`, "1 to 100 signatures"},
		{"transactions", `{"transactions":["x"],"encoding":"json"}`, `unknown field "encoding"`},
		{"transactions", `[]`, "expected a map"},
		{"transaction-history", `{` + wallet + `,"limit":101}`, "limit must be between 1 and 100"},
		{"transaction-history", `{` + wallet + `,"types":["swap"]}`, `unknown field "types"`},
		{"transaction-history", `{` + wallet + `,"slot":{"gte":1.5}}`, "cannot unmarshal"},
		{"transaction-history", `{` + wallet + `,"time":{"since":1}}`, "unknown field"},
		{"transaction-history", `{` + wallet + `,"sortOrder":"up"}`, "expected one of `asc`, `desc`"},
		{"transaction-history", `{` + wallet + `,"beforeSignature":"x"}`, "unknown signature"},
		{"transaction-history", `{` + wallet + `,"paginationToken":"x"}`, "paginationToken"},
		{"transaction-history", `{"address":"11111111111111111111111111111111"}`, "programs are not supported"},
	} {
		w := httptest.NewRecorder()
		r := httptest.NewRequest(http.MethodPost, "/v1/parsed-events/"+row.path+"?api-key="+fake.Key, strings.NewReader(row.body))
		r.Header.Set("Content-Type", "application/json")
		fake.New().ServeHTTP(w, r)
		require.Equal(t, 400, w.Code, row.body)
		var refusal map[string]string // with one member
		require.NoError(t, json.Unmarshal(w.Body.Bytes(), &refusal), w.Body)
		require.Len(t, refusal, 1)
		require.Contains(t, refusal["error"], row.says, row.body)
	}
}
