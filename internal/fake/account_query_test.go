package fake_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fake"
)

func TestDataSliceOfGoldenAccounts(t *testing.T) {
	t.Parallel()
	s := fake.New()
	const options = `"dataSlice":{"offset":4,"length":3}`
	for _, row := range []struct{ method, params, want string }{
		{"getAccountInfo", `["` + stranger + `",{"encoding":"base64",` + options + `}]`, `"data":["vMfh","base64"]`},
		{"getAccountInfo", `["` + stranger + `",{"encoding":"base58",` + options + `}]`, `"data":["TDGc","base58"]`},
		{"getMultipleAccounts", `[["` + stranger + `","` + stranger + `","` + stranger + `"],{"encoding":"base64",` + options + `}]`, `"data":["vMfh","base64"]`},
		{"getProgramAccounts", `["` + stranger + `",{"encoding":"base64",` + options + `}]`, `"data":["fDZn","base64"]`},
		{"getTokenAccountsByOwner", `["` + stranger + `",{"programId":"` + tokenProgram + `"},{"encoding":"base64",` + options + `}]`, `"data":["vMfh","base64"]`},
	} {
		got, failure := call(t, s, row.method, row.params)
		require.Empty(t, failure, row.method)
		require.Contains(t, got, row.want, row.method)
		require.Contains(t, got, `"space":1`, row.method) // 165 or 170
	}
}

func TestDataSliceBeyondGoldenData(t *testing.T) {
	t.Parallel()
	s := fake.New()
	for slice, want := range map[string]string{
		`{"offset":14,"length":4}`:                                      `["8QQAAA==","base64"]`,
		`{"offset":164,"length":5}`:                                     `["AA==","base64"]`,
		`{"offset":1000000,"length":32}`:                                `["","base64"]`,
		`{"offset":18446744073709551615,"length":18446744073709551615}`: `["","base64"]`,
	} {
		got, failure := call(t, s, "getAccountInfo", `["`+stranger+`",{"encoding":"base64","dataSlice":`+slice+`}]`)
		require.Empty(t, failure)
		require.Contains(t, got, `"data":`+want, slice)
	}
	_, failure := call(t, s, "getAccountInfo", `["`+stranger+`",{"encoding":"base58","dataSlice":{"offset":0,"length":129}}]`)
	same(t, `{"code":-32600,"message":"Encoded binary (base 58) data should be less than 128 bytes, please use Base64 encoding."}`, failure)
}

func TestFiltersOfGoldenProgramAccounts(t *testing.T) {
	t.Parallel()
	s := fake.New()
	const (
		parsed = `"encoding":"jsonParsed"`
		base64 = `"encoding":"base64"`
		slice  = `,"dataSlice":{"offset":0,"length":0}`
	)
	for _, row := range []struct {
		options, filters string
		want             int
	}{
		{parsed, ``, 3},
		{parsed, `{"dataSize":165},"tokenAccountState"`, 3},
		{parsed, `{"dataSize":82}`, 0},
		{parsed, `{"memcmp":{"offset":32,"bytes":"B9qvLMCvioALaXABU1XjRtSsgd6Hfspe5paSZdDCjWsi"}}`, 1},
		{parsed, `{"memcmp":{"offset":64,"bytes":"6gMAAAAAAAA=","encoding":"base64"}}`, 1}, // the amount is 1002
		{base64, ``, 3},
		{base64, `{"dataSize":170}`, 2},
		{base64, `{"dataSize":170},{"memcmp":{"offset":0,"bytes":"HtoAJf8sieGCxLtirC6VHWpeQJyNbn5nQB8UoXKYT2ZT"}}`, 1},
		{base64 + slice, `{"memcmp":{"offset":32,"bytes":"aAIPbQ==","encoding":"base64"}}`, 2},
		{base64, `{"memcmp":{"offset":1000000,"bytes":"2"}}`, 0},
	} {
		got, failure := call(t, s, "getProgramAccounts", `["`+stranger+`",{`+row.options+`,"filters":[`+row.filters+`]}]`)
		require.Empty(t, failure, row.filters)
		var items []json.RawMessage
		require.NoError(t, json.Unmarshal([]byte(got), &items))
		require.Len(t, items, row.want, "%s %s", row.options, row.filters)
	}
}

func TestFilterRefusals(t *testing.T) {
	t.Parallel()
	s := fake.New()
	for filters, want := range map[string]string{
		`{"dataSize":1},{"dataSize":1},{"dataSize":1},{"dataSize":1},{"dataSize":1}`: "Too many filters provided; max 4",
		`{"memcmp":{"offset":0,"bytes":"0OIl"}}`:                                     "Invalid param: ",
		`{"memcmp":{"offset":0,"bytes":"` + strings.Repeat("1", 129) + `"}}`:         "Invalid param: DataTooLarge",
		`{"what":1}`: "expected one of `dataSize`, `memcmp`, `tokenAccountState`.",
	} {
		_, failure := call(t, s, "getProgramAccounts", `["`+stranger+`",{"filters":[`+filters+`]}]`)
		require.Contains(t, failure, want, filters)
	}
}

func TestGoldenAccountsInOtherEncodings(t *testing.T) {
	t.Parallel()
	s := fake.New()
	const amount = `"dataSlice":{"offset":64,"length":8}`
	for encoding, want := range map[string]string{
		"base58": `"data":["g9CzhW3u34j","base58"]`, "base64+zstd": `"base64+zstd"]`,
	} {
		got, failure := call(t, s, "getProgramAccounts", `["`+stranger+`",{"encoding":"`+encoding+`",`+amount+`}]`)
		require.Empty(t, failure, encoding)
		require.Contains(t, got, want, encoding)
	}
}
