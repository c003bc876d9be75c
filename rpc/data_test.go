package rpc_test

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/types"
)

func TestEveryEncodingComesOutAsTheSameBytes(t *testing.T) {
	t.Parallel()
	c := client(t, fake.New())
	part := &types.DataSlice{Offset: 32, Length: 40} // the owner and the amount
	var want [][]byte
	list, err := c.TokenAccountsByDelegate(t.Context(), fake.Delegate, rpc.ByMint(usdc), nil)
	require.NoError(t, err)
	for _, item := range list.Items {
		owner, err := item.Account.Data.Parsed.Owner.Bytes()
		require.NoError(t, err)
		want = append(want, binary.LittleEndian.AppendUint64(owner, item.Account.Data.Parsed.TokenAmount.Amount))
	}
	require.NotEmpty(t, want)
	for _, encoding := range []rpc.Encoding{rpc.Base58, rpc.Base64, rpc.Base64Zstd} {
		list, err := c.TokenAccountsByDelegate(t.Context(), fake.Delegate, rpc.ByMint(usdc), &rpc.TokenAccountsOptions{Encoding: encoding, DataSlice: part})
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
		`["KLUv/WRAAH0AAEBzb2x3aXJlIAEANdXLBQViS/o=","base64+zstd"]`: text, // really compressed, with a checksum
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

func TestDataThatIsNoBytesIsAClearError(t *testing.T) {
	t.Parallel()
	for wire, want := range map[string]string{
		`{"program":"spl-token","parsed":{}}`:                  "account data: the service has read it; ask for base64 to get bytes",
		`["error: data too large for bs58 encoding","base58"]`: `account data: "error: data too large for bs58 encoding" in place of base58: ask for base64, or for at most 128 bytes with a data slice`,
		`"error: data too large for bs58 encoding"`:            `account data: "error: data too large for bs58 encoding" in place of base58: ask for base64, or for at most 128 bytes with a data slice`,
		`["AA==","base2048"]`:                                  `account data: encoding "base2048" is unknown`,
		`["AA=="]`:                                             `account data: encoding "" is unknown`,
		`[]`:                                                   `account data: encoding "" is unknown`,
		`null`:                                                 `account data: encoding "" is unknown`,
		`["AA==","` + strings.Repeat("x", 99) + `"]`: `account data: encoding "` + strings.Repeat("x", 40) + `" is unknown`,
		`["A","base64"]`:             "account data: ",
		`["AA==","base58"]`:          "account data: ",
		`["0","base58"]`:             "account data: ",
		`["ß","base58"]`:             "account data: ",
		`["AA==","base64+zstd"]`:     "account data: ",
		`["KLUv/SAE","base64+zstd"]`: "account data: ", // breaks off
		`["KLUv/WRAAH0AAEBzb2x3aXJlIAEANdXLBQViS/s=","base64+zstd"]`: "account data: ", // wrong checksum
		`["?","base64+zstd"]`: "account data: ",
	} {
		var data rpc.Data
		require.NoError(t, data.UnmarshalJSON([]byte(wire)), wire)
		got, err := data.Bytes()
		require.ErrorContains(t, err, want, wire)
		require.NotErrorIs(t, err, types.ErrTooLarge, wire)
		require.Nil(t, got, wire)
	}
}

func TestBytesThatWouldTakeTooMuchAreRefused(t *testing.T) {
	t.Parallel()
	const limit = 16 << 20
	for name, data := range map[string]rpc.Data{
		"base58 text":              {Encoding: rpc.Base58, Encoded: manyZeros(16385)},
		"a megabyte of base58":     {Encoding: rpc.Base58, Encoded: strings.Repeat("z", 1<<20)},
		"what comes out":           {Encoding: rpc.Base64Zstd, Encoded: bomb(limit + 1)},
		"much more than comes out": {Encoding: rpc.Base64Zstd, Encoded: bomb(256 << 20)},
		"what the frame says":      {Encoding: rpc.Base64Zstd, Encoded: "KLUv/aABAAABAQAA"}, // 16 MiB and one, of which there is nothing
		"the window":               {Encoding: rpc.Base64Zstd, Encoded: "KLUv/QCIAQAA"},     // 128 MiB
	} {
		got, err := data.Bytes()
		require.ErrorIs(t, err, types.ErrTooLarge, name)
		require.Nil(t, got, name)
	}
	data := rpc.Data{Encoding: rpc.Base64Zstd, Encoded: bomb(limit)}
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

func TestBytesMayBeAskedForByManyAndInABubble(t *testing.T) {
	t.Parallel()
	decode := func() {
		data := rpc.Data{Encoding: rpc.Base64Zstd, Encoded: "KLUv/SAEIQAA3q2+7w=="}
		for range 100 {
			b, err := data.Bytes()
			require.NoError(t, err)
			require.Equal(t, []byte{0xde, 0xad, 0xbe, 0xef}, b)
		}
	}
	synctest.Test(t, func(*testing.T) { decode() })
	var all sync.WaitGroup
	for range 8 {
		all.Go(decode)
	}
	all.Wait()
}

func TestDataHoldsNothingOfWhatWasDecodedBefore(t *testing.T) {
	t.Parallel()
	for _, wire := range []string{`["AA==","base64"]`, `"1"`, `null`, `{"parsed":{}}`} {
		var fresh rpc.Data
		require.NoError(t, json.Unmarshal([]byte(wire), &fresh))
		used := rpc.Data{Program: "spl-token", Space: 165, Parsed: &rpc.TokenInfo{Mint: "a"}, Encoding: rpc.Base58, Encoded: "2"}
		require.NoError(t, json.Unmarshal([]byte(wire), &used))
		require.Equal(t, fresh, used)
	}
}

func TestNothingParsedIsNil(t *testing.T) {
	t.Parallel()
	for _, parsed := range []string{``, `,"parsed":null`, `,"parsed":{}`, `,"parsed":{"type":null,"info":null}`} {
		var data rpc.Data
		require.NoError(t, transport.Unmarshal([]byte(`{"program":"spl-token","space":165`+parsed+`}`), &data))
		require.Equal(t, rpc.Data{Program: "spl-token", Space: 165, Encoding: rpc.JSONParsed}, data, parsed)
	}
	for parsed, want := range map[string]rpc.TokenInfo{
		`{"type":"multisig"}`:      {Type: "multisig"},
		`{"info":{"owner":"a"}}`:   {Owner: "a"},
		`{"info":{"state":"new"}}`: {State: "new"},
	} {
		var data rpc.Data
		require.NoError(t, transport.Unmarshal([]byte(`{"parsed":`+parsed+`}`), &data))
		require.Equal(t, &want, data.Parsed)
	}
}

func TestExtensionStateOfNullIsNone(t *testing.T) {
	t.Parallel()
	var data rpc.Data
	require.NoError(t, transport.Unmarshal([]byte(`{"parsed":{"type":"account","info":{"extensions":[
		{"extension":"immutableOwner"},{"extension":"memoTransfer","state":null},{"extension":"cpiGuard","state":{"lockCpi":null}}]}}}`), &data))
	require.Equal(t, []rpc.Extension{
		{Name: "immutableOwner"}, {Name: "memoTransfer"}, {Name: "cpiGuard", State: json.RawMessage(`{"lockCpi":null}`)},
	}, data.Parsed.Extensions)
}

func TestDelegatedAmountIsAnObjectANumberOrNothing(t *testing.T) {
	t.Parallel()
	for member, want := range map[string]rpc.Amount{
		``:                        {},
		`,"delegatedAmount":null`: {},
		`,"delegatedAmount":0`:    {Decimals: 6},
		`,"delegatedAmount":18446744073709551615`: {Amount: 18446744073709551615, Decimals: 6},
		`,"delegatedAmount":{"amount":"18446744073709551615","decimals":6,"uiAmount":18446744073709.55,"uiAmountString":"18446744073709.551615"}`: {
			Amount: 18446744073709551615, Decimals: 6, UIAmount: "18446744073709.55", UIAmountString: "18446744073709.551615",
		},
	} {
		var data rpc.Data
		require.NoError(t, transport.Unmarshal([]byte(`{"program":"spl-token","space":165,"parsed":{"type":"account","info":{
			"mint":"a","tokenAmount":{"amount":"5","decimals":6,"uiAmount":null,"uiAmountString":""},"isNative":true`+member+`,"closeAuthority":"b"}}}`), &data))
		require.Equal(t, rpc.Data{
			Program: "spl-token", Space: 165, Encoding: rpc.JSONParsed,
			Parsed: &rpc.TokenInfo{Type: "account", Mint: "a", IsNative: true, TokenAmount: rpc.Amount{Amount: 5, Decimals: 6}, DelegatedAmount: want, CloseAuthority: "b"},
		}, data, member)
	}
}
