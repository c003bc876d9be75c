package fake

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestGoldenListsHaveOneItemPerInput(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ result, params, want string }{
		{`{"context":{},"value":[1,null,3]}`, `[["a","b"]]`, `{"context":{},"value":[1,null]}`},
		{`{"context":{},"value":[1,null]}`, `[["a","b","c"],{}]`, `{"context":{},"value":[1,null,1]}`},
		{`[1,2]`, `[["a"]]`, `[1]`},
		{`[1,2]`, `[[]]`, `[]`},
		{`[1,2]`, `["a"]`, `[1,2]`},
		{`[1,2]`, ``, `[1,2]`},
	} {
		require.JSONEq(t, row.want, string(perInput([]byte(row.result), []byte(row.params))), "%s", row.params)
	}
}

func TestGoldenAnswersHaveTheRequestedShape(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ method, params, has, lacks string }{
		{"getAccountInfo", `["a",{"encoding":"jsonParsed"}]`, `"parsed"`, `"base64"`},
		{"getAccountInfo", `["a",{"encoding":"base64"}]`, `"base64"`, `"parsed"`},
		{"getTransaction", `["a",{"encoding":"base64"}]`, `"base64"`, `"accountKeys"`},
		{"getBlock", `[1,{"encoding":"json","transactionDetails":"none"}]`, `"blockhash"`, `"transactions"`},
		{"getBlock", `[1,{"encoding":"base58","transactionDetails":"signatures"}]`, `"signatures"`, `"meta"`},
		{"getProgramAccounts", `["a",{"encoding":"jsonParsed","withContext":true}]`, `"context"`, `"base64"`},
		{"getProgramAccounts", `["a",{"encoding":"jsonParsed"}]`, `"parsed"`, `"context"`},
		{"getProgramAccounts", `["a"]`, `"pubkey"`, `"context"`},
	} {
		result, refused := fromMethod(row.method)(New(), &call{params: []byte(row.params)})
		require.Nil(t, refused)
		require.Contains(t, string(result), row.has, "%s %s", row.method, row.params)
		require.NotContains(t, string(result), row.lacks, "%s %s", row.method, row.params)
	}
}

func TestMemcmpOfUnknownBytesIsRefused(t *testing.T) {
	t.Parallel()
	var filter accountFilter
	require.NoError(t, json.Unmarshal([]byte(`{"memcmp":{"offset":0,"bytes":"2"}}`), &filter))
	for _, data := range []string{
		`["KLUv/QQACQAAAf4=","base64+zstd"]`,
		`{"program":"spl-token","parsed":{"type":"mint","info":{"decimals":2}},"space":82}`,
		`{"program":"spl-token-2022","parsed":{"type":"account","info":{"extensions":[{"extension":"immutableOwner"}]}},"space":170}`,
	} {
		q := accountQuery{filters: []accountFilter{filter}}
		q.of(json.RawMessage(`[{"account":{"lamports":1,"data":` + data + `}}]`))
		require.NotNil(t, q.refused, data)
	}
}
