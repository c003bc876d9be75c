package fake

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFurtherPagesOfGoldenListingsAreEmpty(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ first, params, want string }{
		{`{"total":2,"cursor":"b","items":[{"id":"b"}]}`, `{"cursor":"b"}`, `{"total":2,"cursor":null,"items":[]}`},
		{`{"total":2,"cursor":"b","items":[{"id":"b"}]}`, `{"before":"b"}`, `{"total":2,"cursor":"b","items":[{"id":"b"}]}`},
		{`{"total":2,"page":1,"editions":[{"id":"b"}]}`, `{"page":3}`, `{"total":2,"page":3,"editions":[]}`},
		{`[{"signature":"b"}]`, `["address",{"before":"b"}]`, `[]`},
		{`[{"signature":"b"}]`, `["address"]`, `[{"signature":"b"}]`},
		{`{"data":[2,1]}`, `["address",{"sortOrder":"asc"}]`, `{"data":[1,2]}`},
		{`{"context":{"slot":1},"value":{"accounts":[1],"paginationKey":"b"}}`, `["address",{"paginationKey":"b"}]`, `{"context":{"slot":1},"value":{"accounts":[],"paginationKey":null}}`},
	} {
		got, refused := pages(constant([]byte(row.first)))(nil, &call{params: []byte(row.params)})
		require.Nil(t, refused)
		require.JSONEq(t, row.want, string(got), "%s", row.params)
	}
}
