package fake_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/mr-tron/base58"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/internal/fake/world"
	"github.com/solwire/solwire-go/types"
)

const (
	tokenAccounts = "getTokenAccountsByDelegate"
	tokenProgram  = string(types.TokenProgram)
	token2022     = string(types.Token2022Program)
	usdc          = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"
)

type tokenAccount struct {
	Pubkey  string `json:"pubkey"`
	Account struct {
		Owner      string          `json:"owner"`
		Executable *bool           `json:"executable"`
		Space      *int            `json:"space"`
		Data       json.RawMessage `json:"data"`
	} `json:"account"`
}

func accounts(t *testing.T, s *fake.Service, params string) []tokenAccount {
	t.Helper()
	result, failure := call(t, s, tokenAccounts, params)
	require.Empty(t, failure)
	var answer struct {
		Value []tokenAccount `json:"value"`
	}
	require.NoError(t, json.Unmarshal([]byte(result), &answer))
	require.NotNil(t, answer.Value)
	for i, a := range answer.Value {
		require.True(t, isAddress(a.Pubkey))
		require.NotNil(t, a.Account.Executable)
		if i > 0 {
			require.Greater(t, bytes58(t, a.Pubkey), bytes58(t, answer.Value[i-1].Pubkey))
		}
	}
	return answer.Value
}

// of builds the parameters: a filter of one member, and the config.
func of(member, value, config string) string {
	return `["` + fake.Delegate + `",{"` + member + `":"` + value + `"}` + config + `]`
}

func TestDelegationsAreFoundByProgramAndByMint(t *testing.T) {
	t.Parallel()
	s := fake.New()
	old := accounts(t, s, of("programId", tokenProgram, `,{"encoding":"base64"}`))
	extended := accounts(t, s, of("programId", token2022, `,{"encoding":"base64"}`))
	require.Greater(t, len(old), 20)
	require.Len(t, extended, 4)
	raw := func(a tokenAccount) []byte {
		var pair [2]string
		require.NoError(t, json.Unmarshal(a.Account.Data, &pair))
		require.Equal(t, "base64", pair[1])
		b, err := base64.StdEncoding.DecodeString(pair[0])
		require.NoError(t, err)
		return b
	}
	var ofUSDC []tokenAccount
	for _, a := range old {
		data := raw(a)
		require.Equal(t, tokenProgram, a.Account.Owner)
		require.Len(t, data, 165)
		require.Equal(t, fake.Delegate, base58.Encode(data[76:108]))
		if base58.Encode(data[:32]) == usdc {
			ofUSDC = append(ofUSDC, a)
		}
	}
	for _, a := range extended {
		require.Equal(t, token2022, a.Account.Owner)
		require.Len(t, raw(a), *a.Account.Space)
	}
	require.Greater(t, len(ofUSDC), 3)
	require.Equal(t, ofUSDC, accounts(t, s, of("mint", usdc, `,{"encoding":"base64"}`)))
	require.Empty(t, accounts(t, s, of("mint", "7vfCXTUXx5WJV5JADk17DUJ4ksgau7utNKj4b963voxs", "")))
	require.Empty(t, accounts(t, s, `["`+someone+`",{"programId":"`+tokenProgram+`"}]`))
}

// item returns the one item that contains all of the texts.
func item(t *testing.T, list string, texts ...string) string {
	t.Helper()
	var answer struct {
		Value []json.RawMessage `json:"value"`
	}
	require.NoError(t, json.Unmarshal([]byte(list), &answer))
	var found []string
	for _, raw := range answer.Value {
		all := true
		for _, text := range texts {
			all = all && strings.Contains(string(raw), text)
		}
		if all {
			found = append(found, string(raw))
		}
	}
	require.Len(t, found, 1, texts)
	return found[0]
}

func TestParsedDelegationsAsTheyAreSent(t *testing.T) {
	t.Parallel()
	s := fake.NewOf(world.Default("hostile"))
	old, _ := call(t, s, tokenAccounts, of("programId", tokenProgram, `,{"encoding":"jsonParsed"}`))
	extended, _ := call(t, s, tokenAccounts, of("programId", token2022, `,{"encoding":"jsonParsed"}`))
	wallet := fake.Wallet

	require.Regexp(t, `^\{"pubkey":"[1-9A-Za-z]{44}","account":\{"data":\{"parsed":\{"info":\{"mint":"`+string(types.WrappedSOL)+`","owner":"`+wallet+`",`+
		`"tokenAmount":\{"amount":"2500000000","decimals":9,"uiAmount":2.5,"uiAmountString":"2.5"\},"delegate":"`+fake.Delegate+`",`+
		`"delegatedAmount":\{"amount":"500000000","decimals":9,"uiAmount":0.5,"uiAmountString":"0.5"\},"state":"initialized","isNative":true,`+
		`"rentExemptReserve":\{"amount":"2039280","decimals":9,"uiAmount":0.00203928,"uiAmountString":"0.00203928"\}\},"type":"account"\},`+
		`"program":"spl-token","space":165\},"executable":false,"lamports":2502039280,"owner":"`+tokenProgram+`","rentEpoch":18446744073709551615,"space":165\}\}$`,
		item(t, old, "rentExemptReserve"))

	require.Regexp(t, `"extensions":\[\{"extension":"immutableOwner"\},\{"extension":"transferFeeAmount","state":\{"withheldAmount":18446744073709551615\}\},`+
		`\{"extension":"memoTransfer","state":\{"requireIncomingTransferMemos":true\}\},\{"extension":"cpiGuard","state":\{"lockCpi":false\}\},`+
		`\{"extension":"transferHookAccount","state":\{"transferring":false\}\},\{"extension":"confidentialTransferFeeAmount","state":\{"withheldAmount":"A{86}=="\}\}\]\},`+
		`"type":"account"\},"program":"spl-token-2022","space":265\},"executable":false,"lamports":2735280,"owner":"`+token2022+`","rentEpoch":18446744073709551615,"space":265\}\}$`,
		item(t, extended, "transferFeeAmount"))

	require.Contains(t, item(t, old, `"amount":"5"`), `"delegatedAmount":{"amount":"18446744073709551615","decimals":6,"uiAmount":18446744073709.55,"uiAmountString":"18446744073709.551615"}`)
	require.Contains(t, item(t, old, `"state":"frozen"`), `"tokenAmount":{"amount":"0","decimals":6,"uiAmount":0,"uiAmountString":"0"}`)
	require.Contains(t, item(t, old, `"closeAuthority"`), `"closeAuthority":"`+fake.Collector+`"`)
	require.Contains(t, item(t, old, `"rentEpoch":18446744073709552000`), `"uiAmountString":"0.00001"`)
	item(t, old, `"rentEpoch":18446744073709552000`)
	item(t, old, `"rentEpoch":0`)
	item(t, extended, `{"amount":"18446744073709551615","decimals":20,"uiAmount":null,"uiAmountString":"0.18446744073709551615"`)
	item(t, extended, `{"extension":"unparseableExtension"}`, `"state":"frozen"`, `"amount":"9007199254740993"`)
	item(t, extended, `{"extension":"nonTransferableAccount"},{"extension":"pausableAccount"}`)

	unparsed, _ := call(t, s, tokenAccounts, of("programId", token2022, `,{"encoding":"base64"}`))
	require.Equal(t, strings.Count(extended, "pubkey")+1, strings.Count(unparsed, "pubkey"), "what cannot be parsed is left out")
}

func TestEncodingsHoldTheSameBytes(t *testing.T) {
	t.Parallel()
	s := fake.NewOf(world.Default("hostile"))
	frames, err := zstd.NewReader(nil)
	require.NoError(t, err)
	defer frames.Close()
	const amounts = `,"dataSlice":{"offset":64,"length":8}}`
	want := accounts(t, s, of("programId", token2022, `,{"encoding":"base64"`+amounts))
	for encoding, decode := range map[string]func(data json.RawMessage) []byte{
		`"encoding":"base58"`: func(data json.RawMessage) []byte {
			var pair [2]string
			require.NoError(t, json.Unmarshal(data, &pair))
			require.Equal(t, "base58", pair[1])
			return []byte(bytes58(t, pair[0]))
		},
		`"encoding":"binary"`: func(data json.RawMessage) []byte {
			var text string
			require.NoError(t, json.Unmarshal(data, &text))
			return []byte(bytes58(t, text))
		},
		`"encoding":null`: func(data json.RawMessage) []byte {
			var text string
			require.NoError(t, json.Unmarshal(data, &text))
			return []byte(bytes58(t, text))
		},
		`"encoding":"base64+zstd"`: func(data json.RawMessage) []byte {
			var pair [2]string
			require.NoError(t, json.Unmarshal(data, &pair))
			b, err := base64.StdEncoding.DecodeString(pair[0])
			require.NoError(t, err)
			if pair[1] == "base64" {
				return b // one account falls back to it
			}
			require.Equal(t, "base64+zstd", pair[1])
			b, err = frames.DecodeAll(b, nil)
			require.NoError(t, err)
			return b
		},
	} {
		got := accounts(t, s, of("programId", token2022, `,{`+encoding+amounts))
		require.Len(t, got, len(want))
		for i, a := range got {
			var pair [2]string
			require.NoError(t, json.Unmarshal(want[i].Account.Data, &pair))
			b, err := base64.StdEncoding.DecodeString(pair[0])
			require.NoError(t, err)
			require.Len(t, b, 8)
			require.Equal(t, b, decode(a.Account.Data), encoding)
			require.Equal(t, *want[i].Account.Space, *a.Account.Space, "the space of all data")
		}
	}
}

func TestContextFollowsTheCommitment(t *testing.T) {
	t.Parallel()
	standing, running := fake.New(), fake.New()
	now := time.Date(2025, time.June, 2, 15, 4, 5, 0, time.UTC)
	running.Clock = func() time.Time { return now }
	for _, row := range []struct {
		service *fake.Service
		config  string
		want    int
	}{
		{running, ``, 344112201},
		{running, `,null`, 344112201},
		{running, `,{"commitment":"finalized"}`, 344112201},
		{running, `,{"commitment":"confirmed"}`, 344112232},
		{running, `,{"commitment":"processed"}`, 344112233},
		{running, `,{"minContextSlot":344112201}`, 344112201},
		{running, `,{"commitment":null,"dataSlice":null}`, 344112201},
		{running, `,{"commitment":"confirmed","minContextSlot":344112232}`, 344112232},
		{standing, `,{"commitment":"confirmed"}`, 344112233}, // all is finalized: time does not go on
		{standing, `,{"commitment":"processed"}`, 344112233},
	} {
		result, failure := call(t, row.service, tokenAccounts, of("mint", "7vfCXTUXx5WJV5JADk17DUJ4ksgau7utNKj4b963voxs", row.config))
		require.Empty(t, failure)
		same(t, fmt.Sprintf(`{"context":{"apiVersion":"4.2.2","slot":%d},"value":[]}`, row.want), result, row.config)
	}
	_, failure := call(t, running, tokenAccounts, of("mint", usdc, `,{"minContextSlot":344112202}`))
	same(t, `{"code":-32016,"message":"Minimum context slot has not been reached","data":{"contextSlot":344112201}}`, failure)
}
