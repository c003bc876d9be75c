package fake_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fake"
)

func TestCompressedParamsAreRefused(t *testing.T) {
	t.Parallel()
	s := fake.New()
	owner, delegate := `"owner":"`+fake.Owner+`"`, `"delegate":"`+fake.Delegate+`"`
	memcmp := `{"memcmp":{"offset":0,"bytes":"2"}}`
	for _, row := range []struct {
		method, params string
		code, message  string
	}{
		{byOwner, `{}`, "-32602", "missing field `owner`"},
		{byOwner, `null`, "-32602", "invalid type: null, expected a map"},
		{byOwner, `["` + fake.Owner + `"]`, "-32602", "invalid type: sequence, expected a map"},
		{byOwner, `{"owner":null}`, "-32602", "missing field `owner`"},
		{byOwner, `{"owner":5}`, "-32602", "invalid type: integer `5`, expected a string"},
		{byOwner, `{"owner":"me"}`, "-32602", "String is the wrong size"},
		{byOwner, `{` + owner + `,"mint":null}`, "-32602", "unknown field `mint`, expected one of `owner`, `cursor`, `limit`, `dataSlice`, `filters`"},
		{byOwner, `{"Owner":"` + fake.Owner + `"}`, "-32602", "unknown field `Owner`, expected one of `owner`, `cursor`, `limit`, `dataSlice`, `filters`"},
		{byOwner, `{` + owner + `,"limit":1001}`, "-32602", "invalid value: integer `1001`, expected a value less than or equal to 1000"},
		{byOwner, `{` + owner + `,"limit":-1}`, "-32602", "invalid value: integer `-1`, expected u64"},
		{byOwner, `{` + owner + `,"limit":"5"}`, "-32602", "invalid type: string \"5\", expected u64"},
		{byOwner, `{` + owner + `,"limit":5.0}`, "-32602", "invalid type: floating point `5.0`, expected u64"},
		{byOwner, `{` + owner + `,"cursor":""}`, "-32602", "String is the wrong size"},
		{byOwner, `{` + owner + `,"cursor":"0OIl"}`, "-32602", "Invalid Base58 string"},
		{byOwner, `{` + owner + `,"dataSlice":{"offset":0}}`, "-32602", "missing field `length`"},
		{byOwner, `{` + owner + `,"dataSlice":{"offset":-1,"length":1}}`, "-32602", "invalid value: integer `-1`, expected u64"},
		{byOwner, `{` + owner + `,"dataSlice":[0,1]}`, "-32602", "invalid type: sequence, expected a map"},
		{byOwner, `{` + owner + `,"dataSlice":{"offset":0,"length":2147483648}}`, "-32000", "Internal server error"},
		{byOwner, `{` + owner + `,"dataSlice":{"offset":2147483647,"length":1}}`, "-32000", "Internal server error"},
		{byOwner, `{` + owner + `,"filters":[{"memcmp":{"offset":2147483647,"bytes":"2"}}]}`, "-32000", "Internal server error"},
		{byOwner, `{` + owner + `,"filters":null}`, "-32602", "invalid type: null, expected a sequence"},
		{byOwner, `{` + owner + `,"dataSlice":{"offset":0,"length":1,"end":1}}`, "-32602", "unknown field `end`, expected one of `offset`, `length`"},
		{byOwner, `{` + owner + `,"filters":[{}]}`, "-32000", "Validation Error: Filter instance cannot be null"},
		{byOwner, `{` + owner + `,"filters":[{"dataSize":165}]}`, "-32602", "unknown field `dataSize`, expected one of `memcmp`"},
		{byOwner, `{` + owner + `,"filters":[{"memcmp":{"offset":0,"bytes":"2"},"dataSize":165}]}`, "-32602", "unknown field `dataSize`, expected one of `memcmp`"},
		{byOwner, `{` + owner + `,"filters":[{"memcmp":{"offset":0,"bytes":"AA==","encoding":"base64"}}]}`, "-32602", "unknown field `encoding`, expected one of `offset`, `bytes`"},
		{byOwner, `{` + owner + `,"filters":[{"memcmp":{"offset":0,"bytes":""}}]}`, "-32602", `invalid value: string "", expected base58`},
		{byOwner, `{` + owner + `,"filters":[{"memcmp":{"offset":0}}]}`, "-32602", "missing field `bytes`"},
		{byOwner, `{` + owner + `,"filters":[{"memcmp":{"bytes":"2"}}]}`, "-32602", "missing field `offset`"},
		{byOwner, `{` + owner + `,"filters":[{"memcmp":{"offset":0,"bytes":"AA=="}}]}`, "-32602", `invalid value: string "AA==", expected base58`},
		{byOwner, `{` + owner + `,"filters":[` + strings.Repeat(memcmp+",", 5) + memcmp + `]}`, "-32000", "Validation Error: Too many filters. The maximum number of filters allowed is 5"},
		{byDelegate, `{}`, "-32602", "missing field `delegate`"},
		{byDelegate, `{` + delegate + `,"filters":[]}`, "-32602", "unknown field `filters`, expected one of `delegate`, `mint`, `cursor`, `limit`"},
		{byDelegate, `{` + delegate + `,"mint":"x"}`, "-32602", "String is the wrong size"},
		{byDelegate, `{` + delegate + `,"cursor":"0OIl"}`, "-32602", `invalid value: string "0OIl", expected base58`},
		{byDelegate, `{` + delegate + `,"cursor":""}`, "-32000", "Validation Error: Invalid cursor length. Expected 64. Received 0."},
		{byDelegate, `{` + delegate + `,"cursor":"` + fake.Owner + `"}`, "-32000", "Validation Error: Invalid cursor length. Expected 64. Received 32."},
	} {
		_, failure := call(t, s, row.method, row.params)
		message, err := json.Marshal(row.message)
		require.NoError(t, err)
		failure = regexp.MustCompile(` at line 1 column [0-9]+"`).ReplaceAllString(failure, `"`)
		same(t, `{"code":`+row.code+`,"message":`+string(message)+`}`, failure, row.params)
	}
	status, body := post(t, s, `{"jsonrpc":"2.0","id":1,"method":"`+byOwner+`"}`)
	require.Equal(t, 200, status)
	same(t, `{"jsonrpc":"2.0","error":{"code":-32602,"message":"invalid type: null, expected a map at line 1 column 0"},"id":1}`, body)

	for _, params := range []string{
		`{` + owner + `,"cursor":null,"limit":null,"dataSlice":null}`,
		`{` + owner + `,"filters":[]}`,
	} {
		_, failure := call(t, s, byOwner, params)
		require.Empty(t, failure, params)
	}
	_, failure := call(t, s, byDelegate, `{`+delegate+`,"cursor":null,"limit":null,"mint":null}`)
	require.Empty(t, failure)
}
