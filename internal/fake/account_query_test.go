package fake_test

import (
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
