package tx_test

import (
	"encoding/json"
	"iter"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/mr-tron/base58"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/decode"
	"github.com/solwire/solwire-go/internal/golden"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/tx"
)

// of returns a transaction of a real node.
func of(t *testing.T, name string) *tx.Transaction {
	t.Helper()
	body, found := golden.Answer("rpc/getTransaction" + name)
	require.True(t, found)
	var in struct{ Result *tx.Transaction }
	require.NoError(t, decode.JSON(body, &in))
	return in.Result
}

const (
	v0 types.Signature = "caDyTGu8dJ3qFfZpxhyni8DKjgWQapcfiX7MpJ8R67FdiSMcyNHyKjwskBCv45X4CVFZK4nrCCATdW9zysMQFoJ"
	v1 types.Signature = "5G7Zzq8J63xVUVheNVuW9KaXmXvFB8Zh6kLEmoRiedVTXTN5crxWY9qZiyPfaWM6xpWf3aMTtGaQZsc1xPt8fHVi"
)

func TestSignatureOfEveryEncoding(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]types.Signature{
		"": v0, "-jsonParsed": v0, "-base64": v0, "-v1": v1, "-v1-jsonParsed": v1, "-v1-base64": v1,
		"-base58": of(t, "-legacy").Signed.Signatures[0],
	} {
		require.Equal(t, want, of(t, name).Signature, name)
	}
	for _, signed := range []string{`{}`, `["","base64"]`, `["AQ==","base64"]`, `["` + strings.Repeat("AAAA", 50) + `","base64"]`, `"0"`, `["AQ==","zip"]`} {
		var x tx.Transaction
		require.NoError(t, decode.JSON([]byte(`{"transaction":`+signed+`}`), &x))
		require.Empty(t, x.Signature, signed)
	}
}

// A transaction keeps its signature as JSON, with and without the bytes it comes from.
func TestSignatureIsStored(t *testing.T) {
	t.Parallel()
	for _, want := range []*tx.Transaction{of(t, ""), of(t, "-base64"), {Signature: v0}} {
		stored, err := json.Marshal(want)
		require.NoError(t, err)
		var got tx.Transaction
		require.NoError(t, json.Unmarshal(stored, &got))
		require.Equal(t, want.Signature, got.Signature)
		require.Equal(t, want.Signed.Signatures, got.Signed.Signatures)
	}
}

func TestEncodedBytesAreThoseOfBothEncodings(t *testing.T) {
	t.Parallel()
	legacy := of(t, "-base58")
	b, err := legacy.Signed.Bytes()
	require.NoError(t, err)
	require.Equal(t, byte(len(of(t, "-legacy").Signed.Signatures)), b[0])
	_, err = of(t, "").Signed.Bytes()
	require.EqualError(t, err, "transaction: not encoded; ask for base64")
	for _, s := range []tx.Signed{{Encoding: "base64", Encoded: "AQID?"}, {Encoding: "base58", Encoded: "0"}} {
		b, err = s.Bytes()
		require.ErrorContains(t, err, "transaction: ")
		require.Nil(t, b)
	}
	_, err = (&tx.Signed{Encoding: "base58", Encoded: string(make([]byte, 5595))}).Bytes()
	require.ErrorIs(t, err, types.ErrTooLarge)
}

// Nodes before version 4.3 send transactions of version 1 in base58 too, of up to 4096 bytes,
// with the signatures at the end.
func TestLargeTransactionsInBase58HaveTheirSignature(t *testing.T) {
	t.Parallel()
	signature := slices.Repeat([]byte{7}, 64)
	wire := slices.Concat([]byte{0x81, 1}, slices.Repeat([]byte{0xff}, 4096-66), signature)
	var got tx.Transaction
	require.NoError(t, json.Unmarshal([]byte(`{"slot":1,"transaction":["`+base58.Encode(wire)+`","base58"],"meta":null,"version":1}`), &got))
	require.Equal(t, types.Signature(base58.Encode(signature)), got.Signature)
	b, err := got.Signed.Bytes()
	require.NoError(t, err)
	require.Equal(t, wire, b)
	of, err := tx.SignatureOf(wire)
	require.NoError(t, err)
	require.Equal(t, got.Signature, of)
}

// A node describes the accounts of a parsed transaction as its message does, except that
// programs are never writable.
func TestKeysOfBothForms(t *testing.T) {
	t.Parallel()
	for plain, parsed := range map[string]string{"": "-jsonParsed", "-v1": "-v1-jsonParsed"} {
		a, b := of(t, plain), of(t, parsed)
		require.Equal(t, b.Keys(), a.Keys())
		require.Equal(t, b.Accounts(), a.Accounts())
		require.NotEmpty(t, b.Keys())
		b.Meta.LoadedAddresses = a.Meta.LoadedAddresses // as some nodes send them
		require.Equal(t, a.Accounts(), b.Accounts())
	}
}

func TestInstructionsOfAParsedTransaction(t *testing.T) {
	t.Parallel()
	list := of(t, "-jsonParsed").Signed.Message.Instructions
	require.Len(t, list, 3)
	kind, info, err := list[0].Parsed.Info()
	require.NoError(t, err)
	require.Equal(t, "transfer", kind)
	require.Contains(t, string(info), "1000001")
	for i, want := range []string{"", "", "with a table"} {
		memo, err := list[i].Parsed.Memo()
		require.NoError(t, err)
		require.Equal(t, want, memo)
	}
	var none *tx.ParsedInstruction
	require.Empty(t, all(t, none.Transfers()))
	memo, err := none.Memo()
	require.NoError(t, err)
	require.Empty(t, memo)
}

// all returns transfers, of which each can be read.
func all(t *testing.T, transfers iter.Seq2[tx.Transfer, error]) (list []tx.Transfer) {
	t.Helper()
	for transfer, err := range transfers {
		require.NoError(t, err)
		list = append(list, transfer)
	}
	return list
}

func TestTransfersHaveTheWalletsOnBothSides(t *testing.T) {
	t.Parallel()
	const (
		payer, holder, other = "5yKZaJ1YxcYmyfiiLvXWv8DoyGrGwvcBPDP28hmsqKGF", "811Dv5AuND19q48ZS1nhnqmTSpXEXvvciUA1DEXiJaiu", "AcCKkPQWA1AwYfxggasJDmsNrxT4HMkAfb1W9YPw9dRS"
		history              = "HEarmFjAVPrZ3haSFYi86iGx5P917QPwUiiKNrDo1EF2"
	)
	sent := of(t, "-jsonParsed")
	want := []tx.Transfer{
		{Source: payer, Destination: history, SourceOwner: payer, DestinationOwner: history, Authority: payer, RawAmount: 1000001, Decimals: 9},
		{
			Source: "APQXmjUpibwXQS18oaW55kAoraDxtJZs6bWHbi5qtVps", Destination: "BZX1s1C9fXpRnUfYpA85BoLsY6WUdD6Y9UJSPsycAHVN", SourceOwner: holder, DestinationOwner: other,
			Mint: "6nQztsh181HQhDQnCpgEnoF1stWmjg8eXuetVw4YQSwV", Authority: holder, RawAmount: 5, Decimals: 9,
		},
	}
	require.Equal(t, want, all(t, sent.Transfers()))
	for range sent.Transfers() {
		break
	}

	// The same transfer by a program, without mint and decimals.
	inner := tx.Instruction{Parsed: &tx.ParsedInstruction{Program: "spl-token", Parsed: json.RawMessage(
		`{"type":"transfer","info":{"source":"APQXmjUpibwXQS18oaW55kAoraDxtJZs6bWHbi5qtVps","destination":"BZX1s1C9fXpRnUfYpA85BoLsY6WUdD6Y9UJSPsycAHVN","authority":"811Dv5AuND19q48ZS1nhnqmTSpXEXvvciUA1DEXiJaiu","amount":"5"}}`)}}
	sent.Meta.InnerInstructions = []tx.InnerInstructions{{Index: 0, Instructions: []tx.Instruction{inner}}}
	require.Equal(t, []tx.Transfer{want[0], want[1], want[1]}, all(t, sent.Transfers()))

	failed := of(t, "-jsonParsed")
	failed.Meta.TransactionError = json.RawMessage(`"AccountInUse"`)
	require.Empty(t, all(t, failed.Transfers()))
	for _, unread := range []*tx.Transaction{of(t, ""), of(t, "-base58"), {}} {
		n := 0
		for _, err := range unread.Transfers() {
			require.ErrorContains(t, err, "request EncodingJSONParsed")
			n++
		}
		require.Equal(t, 1, n)
	}
	sent.Meta = tx.Meta{}
	for _, err := range sent.Transfers() {
		require.EqualError(t, err, "transaction: the node does not know its result")
	}
}

func instruction(program, parsed string) *tx.ParsedInstruction {
	return &tx.ParsedInstruction{Program: program, Parsed: json.RawMessage(parsed)}
}

// An instruction of a multisig with a Token-2022 fee, one without a mint, and a batch.
func TestTransfersOfInstructions(t *testing.T) {
	t.Parallel()
	const plain = `{"type":"transfer","info":{"source":"a","destination":"b","authority":"c","amount":"7"}}`
	moved := tx.Transfer{Source: "a", Destination: "b", Authority: "c", RawAmount: 7}
	for text, want := range map[string][]tx.Transfer{
		`{"type":"transferCheckedWithFee","info":{"source":"a","destination":"b","mint":"m","multisigAuthority":"c",
			"feeAmount":{"amount":"25"},"tokenAmount":{"amount":"18446744073709551615","decimals":6}}}`: {{
			Source: "a", Destination: "b", Mint: "m", Authority: "c", RawAmount: math.MaxUint64, Decimals: 6, RawFee: 25,
		}},
		plain: {moved},
		`{"type":"batch","info":{"instructions":[` + plain + `,{"type":"approve","info":{}},` + plain + `]}}`: {moved, moved},
		`{"type":"approve","info":{}}`: nil,
	} {
		require.Equal(t, want, all(t, instruction("spl-token", text).Transfers()))
		require.Empty(t, all(t, instruction("stake", text).Transfers()))
	}
	for amount, want := range map[string]uint64{`18446744073709552000`: math.MaxUint64, `5000.0`: 5000, `5e3`: 5000, `"5000"`: 5000} {
		got := all(t, instruction("system", `{"type":"transfer","info":{"source":"a","destination":"b","lamports":`+amount+`}}`).Transfers())
		require.Equal(t, []tx.Transfer{{Source: "a", Destination: "b", Authority: "a", RawAmount: want, Decimals: 9}}, got)
	}
}

// A transfer that cannot be read must not look like none, and those beside it are read.
func TestUnreadableTransfersAreErrors(t *testing.T) {
	t.Parallel()
	const good = `{"type":"transfer","info":{"source":"a","destination":"b","amount":"7"}}`
	for _, row := range []struct{ program, parsed, err string }{
		{"system", `{"type":"transfer","info":{"source":"a","destination":"b","lamports":-7}}`, "transfer of system: -7 is not a whole number of 64 bits"},
		{"system", `{"type":"transfer","info":{"source":"a","destination":"b"}}`, "transfer of system: lacks source, destination or lamports"},
		{"spl-token", `{"type":"transferChecked","info":{"source":"a","destination":"b","tokenAmount":{"amount":"0.5"}}}`, "transferChecked of spl-token: 0.5 is not a whole number of 64 bits"},
		{"spl-token", `{"type":"batch","info":{"instructions":7}}`, "batch of spl-token: the response has number at instructions where array is expected"},
		{"spl-token", `{"type":"transferChecked","info":{"source":"a","destination":"b","tokenAmount":{"amount":"5"}}}`, "transferChecked of spl-token: lacks decimals"},
		{"spl-token", `{"type":"transferCheckedWithFee","info":{"source":"a","destination":"b","tokenAmount":{"amount":"5","decimals":6},"feeAmount":{"amount":null}}}`, "transferCheckedWithFee of spl-token: lacks a fee amount"},
		{"spl-token", `{"type":"batch","info":{}}`, "batch of spl-token: lacks instructions"},
		{"spl-token", `{"type":"batch","info":{"instructions":[` + good + `,7,` + good + `]}}`, "instruction of spl-token: the response has number where object is expected"},
		{"spl-token", `{"info":{"amount":"7"}}`, "instruction of spl-token: the response has no type"},
		{"spl-token", `{"type":"batch","info":{"instructions":[` + good + `,{"type":null},` + good + `]}}`, "instruction of spl-token: the response has no type"},
		{"spl-token", `{"type":7}`, "instruction of spl-token: the response has number at type where string is expected"},
		{"spl-token", `{"type":"batch","info":{"instructions":[` + good + `,{"type":"transfer","info":{"source":7}},` + good + `]}}`, "transfer of spl-token: the response has number at source where string is expected"},
	} {
		var errs []error
		read := 0
		for _, err := range instruction(row.program, row.parsed).Transfers() {
			if err == nil {
				read++
			} else {
				errs = append(errs, err)
			}
		}
		require.Len(t, errs, 1)
		require.EqualError(t, errs[0], row.err)
		require.Equal(t, strings.Count(row.parsed, good), read)
	}
	_, err := instruction("spl-memo", `{"a":1}`).Memo()
	require.EqualError(t, err, "memo: the response has object where string is expected")
}

func TestVersionOneHasAConfig(t *testing.T) {
	t.Parallel()
	config := of(t, "-v1").Signed.Message.Config
	require.Equal(t, uint64(7), *config.PriorityFeeLamports)
	require.Equal(t, config, of(t, "-v1-jsonParsed").Signed.Message.Config)
	require.Nil(t, of(t, "").Signed.Message.Config)
}

func TestReturnDataIsBase64(t *testing.T) {
	t.Parallel()
	b, err := of(t, "-returned").Meta.ReturnData.Bytes()
	require.NoError(t, err)
	require.Equal(t, "0.001234567", string(b))
	for _, data := range [][2]string{{"1", "base32"}, {"AQID?", "base64"}} {
		b, err = (&tx.ReturnData{Data: data}).Bytes()
		require.ErrorContains(t, err, "return data: ")
		require.Nil(t, b)
	}
}

// The JSON of a node is the same after decoding and encoding, in every form.
func TestTransactionsEncodeAsTheyCame(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`["AQ==","base64"]`,
		`{"accountKeys":[{"pubkey":"a","signer":true,"writable":false,"source":"transaction"}],"signatures":["s"]}`,
		`{"signatures":["s"],"message":{"accountKeys":[{"pubkey":"a","signer":true,"writable":true,"source":"lookupTable"}],"recentBlockhash":"h",
			"instructions":[{"programId":"p","stackHeight":2,"accounts":[],"data":"A"},{"programId":"q","stackHeight":1,"program":"x","parsed":"y"}]}}`,
	} {
		var s tx.Signed
		require.NoError(t, decode.JSON([]byte(text), &s))
		got, err := json.Marshal(s)
		require.NoError(t, err)
		require.JSONEq(t, text, string(got))
	}
	var s tx.Signed
	require.NoError(t, s.UnmarshalJSON([]byte(`"3yZe7d"`)))
	require.Equal(t, tx.Signed{Encoded: "3yZe7d", Encoding: "base58"}, s, "the oldest form")
}

func TestStoredTransactionIsReadAsItWas(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"", "-jsonParsed", "-base64", "-v1", "-legacy", "-failed", "-inner-jsonParsed", "-returned"} {
		want := of(t, name)
		if name == "-jsonParsed" {
			// version 0 without lookups
			want.Signed.Message.AddressTableLookups = []tx.AddressTableLookup{}
		}
		stored, err := json.Marshal(want)
		require.NoError(t, err)
		var got tx.Transaction
		require.NoError(t, json.Unmarshal(stored, &got))
		require.Equal(t, want, &got, name)
	}
}

// Lists of instructions are pooled, and a decoder keeps old elements in them.
func TestInstructionsHaveNothingOfEarlierOnes(t *testing.T) {
	t.Parallel()
	const full = `{"programIdIndex":7,"accounts":[1,2,3],"data":"3Bxs","stackHeight":2}`
	list := func(instructions string) (signed tx.Signed, inner tx.InnerInstructions) {
		require.NoError(t, decode.JSON([]byte(`{"message":{"accountKeys":["a"],"instructions":`+instructions+`}}`), &signed))
		require.NoError(t, decode.JSON([]byte(`{"index":1,"instructions":`+instructions+`}`), &inner))
		require.Equal(t, signed.Message.Instructions, inner.Instructions)
		return signed, inner
	}
	for range 10 {
		list(`[` + full + `,` + full + `],"instructions":[` + full + `]`)
		_, inner := list(`[{},{"accounts":[4]}]`)
		require.Equal(t, []tx.Instruction{{}, {Accounts: []int{4}}}, inner.Instructions)
		signed, inner := list(`[]`)
		require.Equal(t, tx.InnerInstructions{Index: 1, Instructions: []tx.Instruction{}}, inner)
		require.Equal(t, tx.Message{AccountKeys: []types.Address{"a"}, Instructions: []tx.Instruction{}}, signed.Message)
		_, inner = list(`null`)
		require.Nil(t, inner.Instructions)
	}
}

// The account keys are the static ones in both forms, without loaded addresses of a lookup
// table.
func TestAccountKeysOfBothForms(t *testing.T) {
	t.Parallel()
	for plain, parsed := range map[string]string{"": "-jsonParsed", "-v1": "-v1-jsonParsed"} {
		a, b := of(t, plain), of(t, parsed)
		require.Equal(t, a.Signed.Message.AccountKeys, b.Signed.Message.AccountKeys)
	}
	require.Less(t, len(of(t, "-jsonParsed").Signed.Message.AccountKeys), len(of(t, "-jsonParsed").Accounts()))
}

// A number of the wrong kind does not make a plain instruction a parsed one without a
// program.
func TestInstructionWithABadNumberIsAnError(t *testing.T) {
	t.Parallel()
	for _, index := range []string{"1.5", "18446744073709551616", "1E400", `"1"`, "[]"} {
		instruction := `{"programIdIndex":` + index + `,"accounts":[],"data":""}`
		for text, result := range map[string]any{
			instruction: new(tx.Instruction),
			`{"message":{"accountKeys":["a"],"instructions":[` + instruction + `]}}`: new(tx.Signed),
			`{"index":0,"instructions":[` + instruction + `]}`:                       new(tx.InnerInstructions),
		} {
			require.Error(t, decode.JSON([]byte(text), result), text)
		}
	}
}
