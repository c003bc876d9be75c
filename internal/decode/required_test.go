package decode_test

import (
	"testing"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/decode"
)

type account struct {
	Lamports uint64 `json:"lamports" required:"status"`
	Status   string `json:"status"`
	Owner    string `json:"owner" required:"nullable"`
}

type hidden struct {
	account
	Lamports decimal.Decimal `json:"lamports" required:"true"` // of another type
}

func TestRequiredMembers(t *testing.T) {
	t.Parallel()
	type value struct {
		Accounts []*account `json:"accounts" required:"true"`
		Hidden   *hidden    `json:"hidden"`
		Values   []account  `json:"values"`
		Quoted   *struct {
			Raw uint64 `json:"raw,string" required:"true"`
		} `json:"quoted"`
	}
	for body, missing := range map[string]string{
		`null`:            "",
		`{}`:              "accounts",
		`{"accounts":[]}`: "",
		`{"accounts":[null,{"lamports":0,"owner":null},{"status":"unchanged","owner":"x"}]}`: "",
		`{"accounts":[{"lamports":5}]}`:                                                            "accounts[0].owner",
		`{"accounts":[{"lamports":5,"owner":""},{"lamports":null,"owner":""}]}`:                    "accounts[1].lamports",
		`{"accounts":[{"lamports":5,"owner":""},{"status":"","owner":""}]}`:                        "accounts[1].lamports",
		`{"accounts":[],"hidden":{"owner":"x","lamports":0}}`:                                      "",
		`{"accounts":[],"hidden":{"owner":"x"}}`:                                                   "hidden.lamports",
		`{"accounts":[],"values":[{"lamports":5,"owner":"x"},null]}`:                               "values[1].lamports",
		`{"accounts":[],"quoted":{"raw":"null"}}`:                                                  "quoted.raw",
		"{\n\t\"accounts\" : [ {\"Owner\" : \"x\" , \"LAMPORTS\" : 0 } ] ,\r\n \"other\": -1.5e3}": "",
		`{"other":{"a":["]}",{"b":"\\\"}"}]},"accounts":[{"\u006camports":0,"owner":"\\"}]}`:       "",
		`{"accounts":[{"lamports":0,"lamports":null,"owner":"x"}]}`:                                "accounts[0].lamports",
		`{"accounts":[{"lamports":null,"lamports":0,"owner":"x"},{"owner":"x"} ] }`:                "accounts[1].lamports",
	} {
		err := decode.JSON([]byte(body), new(value))
		if missing == "" {
			require.NoError(t, err, body)
			continue
		}
		var lacks decode.MissingError
		require.ErrorAs(t, err, &lacks, body)
		require.Equal(t, missing, lacks.Member, body)
	}
}
