package rpc_test

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/mr-tron/base58"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/decode"
	"github.com/solwire/solwire-go/internal/fakeapi"
	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/types"
)

func TestEncodingsHoldTheSameBytes(t *testing.T) {
	t.Parallel()
	c := clientOf(t, fakeapi.New())
	part := &types.DataSlice{Offset: 32, Length: 40} // the owner and the amount
	var want [][]byte
	list, err := c.TokenAccountsByDelegate(t.Context(), fakeapi.Delegate, rpc.ByMint(usdc), nil).Page()
	require.NoError(t, err)
	for _, item := range list.Items {
		info, err := item.Account.Data.TokenAccount()
		require.NoError(t, err)
		owner, err := info.Owner.Bytes()
		require.NoError(t, err)
		want = append(want, binary.LittleEndian.AppendUint64(owner, info.TokenAmount.RawAmount))
	}
	require.NotEmpty(t, want)
	for _, encoding := range []types.Encoding{types.EncodingBase58, types.EncodingBase64, types.EncodingBase64Zstd} {
		list, err := c.TokenAccountsByDelegate(t.Context(), fakeapi.Delegate, rpc.ByMint(usdc), &rpc.TokenAccountsByDelegateOptions{Encoding: encoding, DataSlice: part}).Page()
		require.NoError(t, err)
		var got [][]byte
		for _, item := range list.Items {
			require.Equal(t, encoding, item.Account.Data.Encoding)
			b, err := item.Account.Data.Bytes()
			require.NoError(t, err)
			got = append(got, b)
		}
		require.Equal(t, want, got)
	}
}

func TestBytesOfEveryForm(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("solwire ", 40)
	for wire, want := range map[string]string{
		`["AA==","base64"]`:                     "\x00",
		`["","base64"]`:                         "",
		`["1","base58"]`:                        "\x00",
		`["","base58"]`:                         "",
		`["KLUv/SAAAQAA","base64+zstd"]`:        "", // a frame of nothing
		`["","base64+zstd"]`:                    "", // not even a frame
		`["AA==","base64","later"]`:             "\x00",
		`"1"`:                                   "\x00", // the oldest form
		`""`:                                    "",
		`"StV1DL6CwTryKyV"`:                     "hello world",
		"\n [ \"AA==\" ,\t\"base64\" ] ":        "\x00",
		`["\u0041\u0041==","base64"]`:           "\x00",
		`["` + manyZeros(16384) + `","base58"]`: strings.Repeat("\x00", 16384),
		`["KLUv/WRAAH0AAEBzb2x3aXJlIAEANdXLBQViS/o=","base64+zstd"]`: text, // compressed, with a checksum
	} {
		var data rpc.Data
		require.NoError(t, data.UnmarshalJSON([]byte(wire)), wire)
		got, err := data.Bytes()
		require.NoError(t, err, wire)
		require.NotNil(t, got)
		require.Equal(t, want, string(got), wire)
	}
}

func manyZeros(n int) string { return strings.Repeat("1", n) } // in base58

func TestBytesOfOtherDataAreErrors(t *testing.T) {
	t.Parallel()
	const (
		isParsed   = "account data: parsed by the node; request EncodingBase64"
		isAnError  = "account data: the node sent an error instead of base58; request EncodingBase64, or at most 128 bytes with a DataSlice"
		isUnknown  = "account data: encoding is not base58, base64 or base64+zstd"
		anyFailure = "account data: "
	)
	for wire, want := range map[string]string{
		`{"program":"spl-token","parsed":{}}`:                  isParsed,
		`["error: data too large for bs58 encoding","base58"]`: isAnError,
		`"error: data too large for bs58 encoding"`:            isAnError,
		`["AA==","base2048"]`:                                  isUnknown,
		`["AA=="]`:                                             isUnknown,
		`[]`:                                                   isUnknown,
		`null`:                                                 isUnknown,
		`["AA==","` + strings.Repeat("x", 99) + `"]`: isUnknown,
		`["A","base64"]`:             anyFailure,
		`["AA==","base58"]`:          anyFailure,
		`["0","base58"]`:             anyFailure,
		`["ß","base58"]`:             anyFailure,
		`["AA==","base64+zstd"]`:     anyFailure,
		`["KLUv/SAE","base64+zstd"]`: anyFailure, // ends early
		`["KLUv/WRAAH0AAEBzb2x3aXJlIAEANdXLBQViS/s=","base64+zstd"]`: anyFailure, // wrong checksum
		`["?","base64+zstd"]`: anyFailure,
	} {
		var data rpc.Data
		require.NoError(t, data.UnmarshalJSON([]byte(wire)), wire)
		got, err := data.Bytes()
		require.ErrorContains(t, err, want, wire)
		require.NotErrorIs(t, err, types.ErrTooLarge, wire)
		require.Nil(t, got, wire)
	}
}

func TestBytesAboveTheLimitsAreErrors(t *testing.T) {
	t.Parallel()
	const limit = 16 << 20
	for name, data := range map[string]rpc.Data{
		"base58 text":              {Encoding: types.EncodingBase58, Encoded: manyZeros(16385)},
		"a megabyte of base58":     {Encoding: types.EncodingBase58, Encoded: strings.Repeat("z", 1<<20)},
		"what comes out":           {Encoding: types.EncodingBase64Zstd, Encoded: bomb(limit + 1)},
		"much more than comes out": {Encoding: types.EncodingBase64Zstd, Encoded: bomb(256 << 20)},
		"what the frame says":      {Encoding: types.EncodingBase64Zstd, Encoded: "KLUv/aABAAABAQAA"}, // 16 MiB and one, without data
		"the window":               {Encoding: types.EncodingBase64Zstd, Encoded: "KLUv/QCIAQAA"},     // 128 MiB
	} {
		got, err := data.Bytes()
		require.ErrorIs(t, err, types.ErrTooLarge, name)
		require.Nil(t, got, name)
	}
	data := rpc.Data{Encoding: types.EncodingBase64Zstd, Encoded: bomb(limit)}
	got, err := data.Bytes()
	require.NoError(t, err)
	require.Len(t, got, limit)
}

// bomb returns base64 of a zstd frame of n zeros: in blocks of a repeated
// byte, four bytes for 128 KiB.
func bomb(n int) string {
	const block = 128 << 10
	frame := []byte{0x28, 0xb5, 0x2f, 0xfd, 0, 7 << 3} // no size, a window of 128 KiB
	for ; n > block; n -= block {
		frame = append(frame, repeated(block, false)...)
	}
	frame = append(frame, repeated(n, true)...)
	return base64.StdEncoding.EncodeToString(frame)
}

func repeated(n int, last bool) []byte {
	head := uint32(n)<<3 | 1<<1
	if last {
		head |= 1
	}
	return []byte{byte(head), byte(head >> 8), byte(head >> 16), 0}
}

func TestBytesAreSafeForConcurrentUse(t *testing.T) {
	t.Parallel()
	data := rpc.Data{Encoding: types.EncodingBase64Zstd, Encoded: "KLUv/SAEIQAA3q2+7w=="}
	decode := func() {
		for range 100 {
			b, err := data.Bytes()
			require.NoError(t, err)
			require.Equal(t, []byte{0xde, 0xad, 0xbe, 0xef}, b)
		}
	}
	synctest.Test(t, func(*testing.T) { decode() }) // also in a bubble that outlives nothing
	var all sync.WaitGroup
	for range 8 {
		all.Go(decode)
	}
	all.Wait()
}

func TestDataIsDecodedAfresh(t *testing.T) {
	t.Parallel()
	for _, wire := range []string{`["AA==","base64"]`, `"1"`, `null`, `{"parsed":{}}`} {
		var fresh rpc.Data
		require.NoError(t, json.Unmarshal([]byte(wire), &fresh))
		used := rpc.Data{Program: "spl-token", Space: 165, Type: "account", Info: json.RawMessage(`{}`), Encoding: types.EncodingBase58, Encoded: "2"}
		require.NoError(t, json.Unmarshal([]byte(wire), &used))
		require.Equal(t, fresh, used)
	}
}

func TestParsedDataOfAnyProgram(t *testing.T) {
	t.Parallel()
	for wire, want := range map[string]rpc.Data{
		`{"program":"stake","space":200,"parsed":{"type":"delegated","info":{"meta":{"lockup":{"epoch":18446744073709551615}}}}}`: {
			Program: "stake", Space: 200, Type: "delegated", Info: json.RawMessage(`{"meta":{"lockup":{"epoch":18446744073709551615}}}`),
		},
		`{"program":"address-lookup-table","space":56,"parsed":{"type":"lookupTable","info":null}}`: {Program: "address-lookup-table", Space: 56, Type: "lookupTable"},
		`{"program":"new","space":1,"parsed":null}`:                                                 {Program: "new", Space: 1},
		`{"program":"new","space":1,"parsed":{"info":[1,2]},"later":1}`:                             {Program: "new", Space: 1, Info: json.RawMessage(`[1,2]`)},
		`{"program":"new","space":1}`:                                                               {Program: "new", Space: 1},
	} {
		want.Encoding = types.EncodingJSONParsed
		var data rpc.Data
		require.NoError(t, decode.JSON([]byte(wire), &data))
		require.Equal(t, want, data, wire)
		again, err := json.Marshal(data)
		require.NoError(t, err)
		var same rpc.Data
		require.NoError(t, json.Unmarshal(again, &same))
		if want.Info == nil {
			same.Info = nil
		}
		require.Equal(t, want, same)
	}
}

func TestTokenAccountOfOtherDataIsAnError(t *testing.T) {
	t.Parallel()
	for wire, want := range map[string]string{
		`["AA==","base64"]`: "account data: not parsed by the node; request EncodingJSONParsed, or use Bytes",
		`null`:              "account data: not parsed by the node; request EncodingJSONParsed, or use Bytes",
		`{"program":"spl-token","parsed":{"type":"mint","info":{"supply":"1"}}}`: "account data: not of program spl-token and type account",
		`{"program":"vote","parsed":{"type":"account","info":{"votes":[]}}}`:     "account data: not of program spl-token and type account",
		`{"program":"spl-token","parsed":{"type":"account"}}`:                    "account data: not of program spl-token and type account",
	} {
		var data rpc.Data
		require.NoError(t, data.UnmarshalJSON([]byte(wire)))
		info, err := data.TokenAccount()
		require.EqualError(t, err, want, wire)
		require.Nil(t, info)
	}
	for _, info := range []string{`{"delegatedAmount":"5"}`, `{"delegatedAmount":-5}`, `{"tokenAmount":{"amount":5}}`, `[]`} {
		var data rpc.Data
		require.NoError(t, data.UnmarshalJSON([]byte(`{"program":"spl-token-2022","parsed":{"type":"account","info":`+info+`}}`)))
		got, err := data.TokenAccount()
		require.ErrorContains(t, err, "account data: ", info)
		require.Nil(t, got)
	}
}

func TestNullStateOfAnExtensionIsNil(t *testing.T) {
	t.Parallel()
	var data rpc.Data
	require.NoError(t, data.UnmarshalJSON([]byte(`{"program":"spl-token-2022","parsed":{"type":"account","info":{"tokenAmount":{"amount":"5","decimals":6},"extensions":[
		{"extension":"immutableOwner"},{"extension":"memoTransfer","state":null},{"extension":"cpiGuard","state":{"lockCpi":null}}]}}}`)))
	info, err := data.TokenAccount()
	require.NoError(t, err)
	require.Equal(t, rpc.Extensions{
		{Name: "immutableOwner"}, {Name: "memoTransfer"}, {Name: "cpiGuard", State: json.RawMessage(`{"lockCpi":null}`)},
	}, info.Extensions)
}

func TestDelegatedAmountIsAnObjectOrANumber(t *testing.T) {
	t.Parallel()
	for member, want := range map[string]types.TokenAmount{
		``:                        {},
		`,"delegatedAmount":null`: {},
		`,"delegatedAmount":0`:    {Decimals: 6},
		`,"delegatedAmount":18446744073709551615`: {RawAmount: 18446744073709551615, Decimals: 6},
		`,"delegatedAmount":{"amount":"18446744073709551615","decimals":6,"uiAmount":18446744073709.55,"uiAmountString":"18446744073709.551615"}`: {
			RawAmount: 18446744073709551615, Decimals: 6, UIAmount: "18446744073709.55", UIAmountString: "18446744073709.551615",
		},
	} {
		var data rpc.Data
		require.NoError(t, data.UnmarshalJSON([]byte(`{"program":"spl-token","space":165,"parsed":{"type":"account","info":{
			"mint":"a","tokenAmount":{"amount":"5","decimals":6,"uiAmount":null,"uiAmountString":""},"isNative":true`+member+`,"closeAuthority":"b"}}}`)))
		info, err := data.TokenAccount()
		require.NoError(t, err)
		require.Equal(t, &rpc.TokenInfo{
			Mint: "a", IsNative: true, TokenAmount: types.TokenAmount{RawAmount: 5, Decimals: 6}, DelegatedAmount: want, CloseAuthority: "b",
		}, info, member)
	}
}

// Data of any text decodes to the same twice, and any bytes survive every encoding.
func FuzzData(f *testing.F) {
	for _, wire := range []string{
		`["AA==","base64"]`, `["1","base58"]`, `["KLUv/SAAAQAA","base64+zstd"]`, `"1"`, `null`, `[]`, `["a"]`, `["a",null]`, `7`,
		`["error: data too large for bs58 encoding","base58"]`, `["AA=\n=","base64"]`, `["\u0041B==","base64"]`, "[\"\xcb\",\"base64\"]", `{"program":"x"}`,
		`{"program":"spl-token","space":165,"parsed":{"type":"account","info":{"delegatedAmount":5,"extensions":[{"extension":"x","state":null}]}}}`,
	} {
		f.Add([]byte(wire))
	}
	f.Fuzz(func(t *testing.T, wire []byte) {
		var data, again rpc.Data
		if data.UnmarshalJSON(wire) == nil {
			_, _ = data.Bytes()
			_, _ = data.TokenAccount()
			text, err := json.Marshal(data)
			require.NoError(t, err)
			require.NoError(t, json.Unmarshal(text, &again), "%s", text)
			require.Equal(t, data.Encoded, again.Encoded)
			require.Equal(t, data.Program+data.Type, again.Program+again.Type)
		}
		for encoding, encoded := range map[types.Encoding]string{
			types.EncodingBase58: base58.Encode(wire[:min(len(wire), 8<<10)]),
			types.EncodingBase64: base64.StdEncoding.EncodeToString(wire),
		} {
			data := rpc.Data{Encoding: encoding, Encoded: encoded}
			decoded, err := data.Bytes()
			require.NoError(t, err)
			require.Equal(t, wire[:len(decoded)], decoded)
		}
	})
}

func TestDataIsPrintedAsJSON(t *testing.T) {
	t.Parallel()
	var account rpc.Account
	require.NoError(t, json.Unmarshal([]byte(`{"lamports":7,"data":{"program":"spl-token","space":165,"parsed":{"type":"account","info":{"mint":"a"}}}}`), &account))
	require.Contains(t, fmt.Sprint(account), `{"program":"spl-token","space":165,"parsed":{"type":"account","info":{"mint":"a"}}}`)
	require.Contains(t, fmt.Sprintf("%+v", &account), `Data:{"program":"spl-token",`)
	require.Equal(t, `["AA==","base64"]`, rpc.Data{Encoding: types.EncodingBase64, Encoded: "AA=="}.String())
}

func TestPriorityFeesAreComparedAsNumbers(t *testing.T) {
	t.Parallel()
	fees := func(text string) (f rpc.PriorityFees) {
		require.NoError(t, json.Unmarshal([]byte(text), &f))
		return f
	}
	require.True(t, fees(`{"min":1,"high":2.50}`).Equal(fees(`{"min":1.0,"high":2.5}`)))
	require.False(t, fees(`{"min":1}`).Equal(fees(`{"min":1,"unsafeMax":1}`)))
}
