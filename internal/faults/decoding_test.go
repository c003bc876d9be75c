package faults_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/internal/decode"
	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/enhanced"
	"github.com/solwire/solwire-go/types/tx"
	"github.com/solwire/solwire-go/wallet"
	"github.com/solwire/solwire-go/webhooks"
)

var mutations = flag.Int("mutations", 200, "documents to make of each result")

// envelope is a JSON-RPC response as transport decodes it.
type envelope[T any] struct {
	JSONRPC json.RawMessage `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Error   json.RawMessage `json:"error"`
	Result  *result[T]      `json:"result"`
	Context slot            `json:"context"`
	Value   *T              `json:"value"`
}

type result[T any] struct {
	Context slot `json:"context"`
	Value   *T   `json:"value"`
}

type slot struct {
	Slot uint64 `json:"slot"`
}

// listed is a page with a cursor as package wallet decodes it.
type listed[T any] struct {
	Data       []T `json:"data"`
	Pagination *struct {
		HasMore    *bool  `json:"hasMore"`
		NextCursor string `json:"nextCursor"`
	} `json:"pagination"`
}

// decoded is a result type of this module, with a response that contains it. The
// unions among them decode their parts by themselves, so the parts are listed too.
type decoded struct {
	name    string
	seed    string // a file, or JSON
	compare func(doc []byte) (sound bool, err error)
}

var results = []decoded{
	{"balances", "../golden/wallet/balances.json", same[wallet.BalancePage]},
	{"history", "../golden/wallet/history.json", same[listed[wallet.Transaction]]},
	{"transfers", "../golden/wallet/transfers.json", same[listed[wallet.Transfer]]},
	{"identity", "../golden/wallet/identity.json", same[wallet.Identity]},
	{"identities", "../golden/wallet/identities.json", same[[]wallet.Identity]},
	{"funding", "../golden/wallet/funded-by.json", same[wallet.Funding]},
	{"past balance", "../golden/wallet/balance-at.json", same[wallet.PastBalance]},
	{"compressed accounts", "../golden/compressed/getCompressedAccountsByOwner.json", same[envelope[types.Page[compressed.Account]]]},
	{"compressed token accounts", "../golden/compressed/getCompressedTokenAccountsByDelegate.json", same[envelope[types.Page[compressed.TokenAccount]]]},
	{"token accounts", "../golden/rpc/getTokenAccountsByDelegate.json", same[envelope[[]rpc.TokenAccount]]},
	{"encoded token accounts", "../golden/rpc/getTokenAccountsByDelegate-encoded.json", same[envelope[[]rpc.TokenAccount]]},
	{"token info", tokenInfo, same[rpc.TokenInfo]},
	{"webhook", "../golden/webhooks/get.json", same[webhooks.Webhook]},
	{"webhooks", "../golden/webhooks/list.json", same[[]webhooks.Summary]},
	{"enhanced transactions", "../../types/enhanced/testdata/transactions.json", same[[]enhanced.Transaction]},
	{"raw transactions", "../../types/tx/testdata/transactions.json", same[[]tx.Transaction]},
	{"NFT event", nftEvent, same[enhanced.NFTEvent]},
	{"swap event", swapEvent, same[enhanced.SwapEvent]},
	{"compressed NFT event", compressedNFTEvent, same[[]enhanced.CompressedNFTEvent]},
	{"set authority event", setAuthorityEvent, same[[]enhanced.SetAuthorityEvent]},
	{"compression rewards", `{"amount": 18446744073709551615}`, same[enhanced.CompressionRewards]},
	{"native balance change", `{"account":"x","amount":"12"}`, same[struct {
		Account types.Address `json:"account"`
		Amount  json.Number   `json:"amount"`
	}]},
}

const (
	tokenInfo = `{"mint":"EPjF","owner":"86xC","tokenAmount":{"amount":"25310123456","decimals":6,"uiAmount":25310.123456,"uiAmountString":"25310.123456"},
		"state":"initialized","isNative":false,"delegate":"4Nd1","delegatedAmount":{"amount":"18446744073709551615","decimals":6,"uiAmount":null,"uiAmountString":"1000"},
		"rentExemptReserve":{"amount":"2039280","decimals":9,"uiAmount":1e3,"uiAmountString":"0.00203928"},"closeAuthority":null,
		"extensions":[{"extension":"immutableOwner"},{"extension":"transferFeeAmount","state":{"withheldAmount":18446744073709551615}}]}`
	nftEvent = `{"description":"sold \"one\"","type":"NFT_SALE","source":"MAGIC_EDEN","amount":72000000,"fee":10000,"feePayer":"CKs1","signature":"5nNt",
		"slot":171942732,"timestamp":1673445241,"saleType":"INSTANT_SALE","buyer":"CKs1","seller":"3RsL","staker":"","nfts":[{"mint":"DsW1","tokenStandard":"NonFungible"}]}`
	swapEvent = `{"nativeInput":{"account":"2Ch1","amount":"100000000"},"nativeOutput":null,"tokenInputs":[],
		"tokenOutputs":[{"userAccount":"2Ch1","tokenAccount":"x","mint":"DezX","rawTokenAmount":{"tokenAmount":"-49148034600","decimals":5}}],
		"tokenFees":[],"nativeFees":[{"account":"y","amount":7}],"innerSwaps":[{"tokenInputs":[{"fromUserAccount":"5c9g","toUserAccount":"8hYc","mint":"So11",
		"tokenAmount":0.099,"tokenStandard":"Fungible","decimals":9}],"tokenOutputs":[],"tokenFees":[],"nativeFees":[{"fromUserAccount":"a","toUserAccount":"b","amount":1}],
		"programInfo":{"source":"ORCA","account":"whir","programName":"ORCA_WHIRLPOOLS","instructionName":"whirlpoolSwap"}}]}`
	compressedNFTEvent = `[{"type":"COMPRESSED_NFT_MINT","treeId":"AuM4","assetId":"7H8A","leafIndex":12,"instructionIndex":1,"innerInstructionIndex":null,
		"newLeafOwner":"CKs1","oldLeafOwner":null,"seq":18446744073709551615,"newLeafDelegate":"","treeDelegate":"x","metadata":{"name":"x","creators":[{"share":100}]},"updateArgs":null}]`
	setAuthorityEvent = `[{"account":"a","from":"b","to":"c","instructionIndex":0,"innerInstructionIndex":-1}]`
)

// longest is the length up to which a document cannot contain a number that is too
// long.
const longest = 16 << 10

// same decodes doc into a T like a response and with encoding/json. It reports whether both
// accept it, and returns an error if they disagree about that or about the value.
//
// They may disagree in two cases. The value of a refused document does not matter, as it is not
// used. And JSON does not define the value of a repeated member: if the second one is null, this
// decoder keeps the bytes of the first and encoding/json does not.
func same[T any](doc []byte) (sound bool, err error) {
	var ours, theirs T
	refused := decode.JSON(doc, &ours)
	ok, wanted := refused == nil, json.Unmarshal(doc, &theirs) == nil
	switch {
	case errors.As(refused, new(decode.MissingError)): // encoding/json knows no required members
		return false, nil
	// a long number is refused before anything is decoded
	case !ok && (!wanted || len(doc) > longest):
		return false, nil
	case ok && wanted && (reflect.DeepEqual(ours, theirs) || twice(json.NewDecoder(bytes.NewReader(doc)))):
		return true, nil
	}
	return false, fmt.Errorf("%T: found %t, should be %t\n%+v\n%+v\n%q", ours, ok, wanted, ours, theirs, doc)
}

// twice reports whether an object in the next value has a repeated member, in any
// letter case.
func twice(dec *json.Decoder) (found bool) {
	start, _ := dec.Token()
	if start != json.Delim('{') && start != json.Delim('[') {
		return false
	}
	names := map[string]bool{}
	for dec.More() {
		if start == json.Delim('{') {
			token, _ := dec.Token()
			name, _ := token.(string)
			name = strings.ToLower(name)
			found = found || names[name]
			names[name] = true
		}
		found = twice(dec) || found
	}
	_, _ = dec.Token()
	return found
}

// document returns the seed on one line.
func (d *decoded) document(t testing.TB) string {
	t.Helper()
	doc := []byte(d.seed)
	if strings.HasPrefix(d.seed, "../") {
		var err error
		doc, err = os.ReadFile(d.seed)
		require.NoError(t, err)
	}
	var line bytes.Buffer
	require.NoError(t, json.Compact(&line, doc))
	return line.String()
}

// tokens matches the tokens of a JSON text. Everything else is dropped.
var tokens = regexp.MustCompile(`"(?:\\.|[^"\\])*"|-?[0-9][-+.eE0-9]*|true|false|null|[{}\[\],:]|\s+`)

// strange has values that replace any other value.
var strange = []string{
	`null`, `true`, `false`, `0`, `-0`, `-1`, `1`, `255`, `256`, `-128`, `5.0`, `1e3`, `1E+2`, `1.5e-7`, `0.1`, `-0.0`, `1e400`, `1e-400`,
	`9007199254740993`, `9223372036854775807`, `9223372036854775808`, `-9223372036854775809`, `18446744073709551615`, `18446744073709551616`,
	`18446744073709552000`, `4294967296`, `2147483648`, `01`, `-`, `+1`, `.5`, `1.`, `0x10`, `1_000`, `NaN`, `Infinity`, `nul`, `nulll`, `tru`,
	`""`, `"0"`, `"-1"`, `"18446744073709551615"`, `"18446744073709551616"`, `"1e3"`, `"007"`, `" 1"`, `"null"`, `"x"`, `"\u0041"`, `"\ud800"`, `"\udc00\ud800"`,
	`"\ud83d\ude00"`, `"\x"`, `"\u12"`, "\"\xff\"", "\"\x00\"", "\"\t\"", "\"\u2028\"", `"\/"`, `"\\"`, `"\""`, `"AA=="`, `"AA"`, `"A"`, `"====" `, `"A A="`, `"AA\n=="`, `"_-=="`,
	`[]`, `[null]`, `[0]`, `[1,]`, `[,]`, `["a","b"]`, `["a","b","c"]`, `["",1]`, `[[]]`, `[{}]`, `{}`, `{"":1}`, `{"a":{}}`, `{"a":1,}`, `{,}`, `{"a"}`, `{a:1}`, `{"a":1 "b":2}`,
	` 1 `, "\n{\t}\r", "\u00a01", `1 2`, `"a" "b"`, `//`, `/**/1`, `'a'`, "\ufeff1", ``,
}

// A mutator changes documents as other programs would, so that they stay JSON, or as
// broken networks and attackers would, so that they may not.
type mutator struct{ *rand.Rand }

func (m mutator) pick(all []string) int { return m.IntN(len(all)) }

// document returns doc with one to three changes.
func (m mutator) document(doc string) string {
	all := tokens.FindAllString(doc, -1)
	change := m.gently
	if m.IntN(2) == 0 {
		change = m.badly
	}
	for range 1 + m.IntN(3) {
		if len(all) > 0 {
			all = change(all)
		}
	}
	return strings.Join(all, "")
}

func (m mutator) gently(all []string) []string {
	at := m.pick(all)
	text := strings.HasPrefix(all[at], `"`)
	member := "" // some member of the document
	for range 100 {
		if i := m.pick(all); all[i] == ":" && i > 0 && i+1 < len(all) && !strings.Contains("{[", all[i+1]) {
			member = strings.Join(all[i-1:i+2], "")
			break
		}
	}
	switch m.IntN(6) {
	case 0:
		if text {
			all[at] = strings.ToUpper(all[at])
		}
	case 1:
		if text && len(all[at]) > 2 {
			all[at] = fmt.Sprintf(`"\u%04x%s`, all[at][1], all[at][2:])
		}
	case 2:
		all[at] = "\n\t" + all[at] + " "
	case 3, 4: // twice, in another object, or under a new name
		for range 100 {
			if i := m.pick(all); all[i] == "{" {
				if m.IntN(2) == 0 {
					member = `"new":[{` + member + `},"",-1.5e7]`
				}
				all[i] += member + ","
				break
			}
		}
	case 5:
		for range 100 {
			if i := m.pick(all); i > 0 && strings.Contains(":,[", all[i-1]) && !strings.Contains("{}[]:,", all[i]) {
				all[i] = "null"
				break
			}
		}
	}
	return all
}

func (m mutator) badly(all []string) []string {
	at := m.pick(all)
	switch m.IntN(8) {
	case 0, 1, 2, 3:
		all[at] = strange[m.pick(strange)]
	case 4:
		all = append(all[:at], all[at+1:]...)
	case 5:
		part := strings.Join(all[at:min(at+1+m.IntN(6), len(all))], "")
		all[m.pick(all)] += part
	case 6:
		all = all[:at]
	case 7:
		if b := []byte(all[at]); len(b) > 0 {
			b[m.IntN(len(b))] ^= 1 << m.IntN(8)
			all[at] = string(b)
		}
	}
	return all
}

// Every document decodes to the same value as with encoding/json, or is refused by
// both.
func TestDecodersAgree(t *testing.T) {
	t.Parallel()
	for _, d := range results {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			doc := d.document(t)
			sound, err := d.compare([]byte(doc))
			require.NoError(t, err)
			require.True(t, sound)
			seed := rand.Uint64()
			m := mutator{rand.New(rand.NewPCG(seed, 0))}
			accepted, all := 0, *mutations
			for range all {
				sound, err := d.compare([]byte(m.document(doc)))
				require.NoError(t, err, "seed %d", seed)
				if sound {
					accepted++
				}
			}
			t.Logf("%d documents, %d of them sound", all, accepted)
			require.Greater(t, accepted, all/5)
		})
	}
}

func FuzzDecoding(f *testing.F) {
	for i, d := range results {
		f.Add(uint8(i), []byte(d.document(f)))
	}
	f.Fuzz(func(t *testing.T, which uint8, doc []byte) {
		_, err := results[int(which)%len(results)].compare(doc)
		require.NoError(t, err)
	})
}

// FuzzAmount compares decoded amounts with exact arithmetic. Amounts larger
// than any token has are refused.
func FuzzAmount(f *testing.F) {
	for _, s := range append(strange, `1523.754213877`, `0.000000001`, `-12.50`, `18446744073709551615.999999999999999999`, `1e10000`, `1e10001`, `1e-10001`,
		`"1.5"`, `1e999999999`, `"`+strings.Repeat("9", 100)+`"`, strings.Repeat("9", 16384), strings.Repeat("9", 16385)) {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var b wallet.Balance
		err := decode.JSON([]byte(`{"balance":`+text+`}`), &b)
		var plain json.Number
		if json.Unmarshal([]byte(text), &plain) != nil || strings.ContainsAny(text, "\" \t\r\n") || len(text) > 16384 {
			return // no number, or one in quotes or of a length that FuzzLongNumber looks at
		}
		if err != nil {
			_, exponent, _ := strings.Cut(strings.ToLower(text), "e")
			n, tooLong := strconv.Atoi(exponent)
			require.True(t, tooLong != nil || n > 9000 || n < -9000, "%s: %v", text, err)
			return
		}
		want, ok := new(big.Rat).SetString(text)
		require.True(t, ok || text == "null")
		if ok {
			require.Zero(t, want.Cmp(b.Amount.Rat()), text)
		}
	})
}
