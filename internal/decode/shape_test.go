package decode_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/decode"
)

func TestValuesOfAnotherTypeAreNamedByPath(t *testing.T) {
	t.Parallel()
	var v struct {
		Result struct {
			Items []struct {
				Decimals uint8
				Data     []byte
				Amount   uint64 `json:",string"`
				UI       json.Number
			} `json:"items"`
		} `json:"result"`
	}
	for body, want := range map[string]string{
		`5`:                                       "the response has number where object is expected",
		`{"result":"x"}`:                          "the response has string at result where object is expected",
		`{"result":{"items":{}}}`:                 "the response has object at result.items where array is expected",
		`{"result":{"items":[{"decimals":""}]}}`:  "the response has string at result.items.0.decimals where uint8 is expected",
		`{"result":{"items":[{"data":"?"}]}}`:     "the response has string at result.items.0.data where base64 is expected",
		`{"result":{"items":[{"amount":5}]}}`:     "the response has number at result.items.0.amount where uint64 in quotes is expected",
		`{"result":{"items":[{"amount":"5.0"}]}}`: "the response has number 5.0 at result.items.0.amount where uint64 is expected",
		`{"result":{"items":[{"ui":"0x10"}]}}`:    `the response has string "0x10" where number is expected`,
		`{"result":{"items":[{"decimals":300}]}}`: "the response has number 300 at result.items.0.decimals where uint8 is expected",
	} {
		require.EqualError(t, decode.JSON([]byte(body), &v), want)
	}
}
