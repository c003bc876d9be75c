package rpc_test

import (
	"encoding/base64"
	"encoding/json"
	"math/big"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/rpc"
)

func FuzzData(f *testing.F) {
	for _, wire := range []string{
		`["AA==","base64"]`, `["1","base58"]`, `["KLUv/SAAAQAA","base64+zstd"]`, `"1"`, `null`, `[]`, `["a"]`, `["a",null]`, `7`,
		`["error: data too large for bs58 encoding","base58"]`, `["AA=\n=","base64"]`, `["\u0041B==","base64"]`, `{"program":"x"}`,
		`{"parsed":{"info":{"extensions":[]}}}`, `{"parsed":{"info":{"extensions":[{"extension":"x","state":null}]}}}`, `{"parsed":{"info":{"delegatedAmount":0}}}`,
		`{"program":"spl-token","space":165,"parsed":{"type":"account","info":{"mint":"a","owner":"b","state":"frozen","isNative":true,` +
			`"tokenAmount":{"amount":"18446744073709551615","decimals":20,"uiAmount":null,"uiAmountString":""},"delegate":"c","delegatedAmount":5,` +
			`"rentExemptReserve":{"amount":"1","decimals":9,"uiAmount":1e-9,"uiAmountString":"0.000000001"},"closeAuthority":"d",` +
			`"extensions":[{"extension":"immutableOwner"},{"extension":"x","state":{"a":[1]}}]}}}`,
	} {
		f.Add([]byte(wire))
	}
	f.Fuzz(func(t *testing.T, wire []byte) {
		var got rpc.Data
		err := got.UnmarshalJSON(wire)
		want, ok := slowData(wire)
		require.Equal(t, ok, err == nil, "%q: %v", wire, err)
		if ok {
			require.Equal(t, want, got, "%q", wire)
			decoded, err := got.Bytes()
			if want, judged := slowBytes(got); judged {
				require.Equal(t, want != nil, err == nil, "%q: %v", wire, err)
				require.Equal(t, want, decoded)
			}
		}

		// What is said of any bytes comes back, in every encoding.
		for encoding, encoded := range map[rpc.Encoding]string{
			rpc.Base58:     slowBase58(wire),
			rpc.Base64:     base64.StdEncoding.EncodeToString(wire),
			rpc.Base64Zstd: base64.StdEncoding.EncodeToString(frame(wire)),
		} {
			if encoding == rpc.Base58 && len(encoded) > 16<<10 {
				continue
			}
			data := rpc.Data{Encoding: encoding, Encoded: encoded}
			decoded, err := data.Bytes()
			require.NoError(t, err)
			require.Equal(t, string(wire), string(decoded))
		}
	})
}

// slowData reads account data with encoding/json.
func slowData(wire []byte) (data rpc.Data, ok bool) {
	var text string
	var pair [2]string
	var object struct {
		Program string
		Space   uint64
		Parsed  struct {
			Type string
			Info rpc.TokenInfo
		}
	}
	var bare struct {
		Parsed struct {
			Info struct {
				rpc.TokenInfo
				DelegatedAmount uint64 `json:"delegatedAmount"`
			}
		}
	}
	switch trimmed := strings.Trim(string(wire), " \t\r\n"); {
	case trimmed == "null":
		return rpc.Data{}, true
	case json.Unmarshal(wire, &text) == nil:
		return rpc.Data{Encoding: rpc.Base58, Encoded: text}, true
	case json.Unmarshal(wire, &pair) == nil:
		return rpc.Data{Encoding: rpc.Encoding(pair[1]), Encoded: pair[0]}, true
	}
	if json.Unmarshal(wire, &object) != nil {
		if json.Unmarshal(wire, &bare) != nil {
			return rpc.Data{}, false
		}
		read := bare.Parsed.Info
		object.Parsed.Info = read.TokenInfo
		object.Parsed.Info.DelegatedAmount = rpc.Amount{Amount: read.DelegatedAmount, Decimals: read.TokenAmount.Decimals}
	}
	info := &object.Parsed.Info
	info.Type = object.Parsed.Type
	for i, extension := range info.Extensions {
		if string(extension.State) == "null" {
			info.Extensions[i].State = nil
		}
	}
	if reflect.DeepEqual(*info, rpc.TokenInfo{}) {
		info = nil
	}
	return rpc.Data{Program: object.Program, Space: object.Space, Encoding: rpc.JSONParsed, Parsed: info}, true
}

// slowBytes decodes by the letter; nil is what cannot be decoded. It leaves
// zstd to others.
func slowBytes(data rpc.Data) (b []byte, judged bool) {
	switch data.Encoding {
	case rpc.Base64Zstd:
		return nil, false
	case rpc.Base64:
		return slowBase64(data.Encoded), true
	case rpc.Base58:
		if len(data.Encoded) > 16<<10 {
			return nil, true
		}
		n, zeros := new(big.Int), 0
		for _, c := range []byte(data.Encoded) {
			digit := strings.IndexByte(base58Alphabet, c)
			if digit < 0 {
				return nil, true
			}
			n.Add(n.Mul(n, big.NewInt(58)), big.NewInt(int64(digit)))
			if digit == 0 && n.Sign() == 0 {
				zeros++
			}
		}
		return append(make([]byte, zeros), n.Bytes()...), true
	}
	return nil, true
}

const base58Alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

func slowBase64(text string) []byte {
	text = strings.NewReplacer("\r", "", "\n", "").Replace(text)
	digits := strings.TrimRight(text, "=")
	padding := len(text) - len(digits)
	if len(text)%4 != 0 || padding > 2 {
		return nil
	}
	out, have, bits := []byte{}, 0, 0
	for _, c := range []byte(digits) {
		digit := strings.IndexByte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", c)
		if digit < 0 {
			return nil
		}
		have, bits = have<<6|digit, bits+6
		if bits >= 8 {
			bits -= 8
			out = append(out, byte(have>>bits))
			have &= 1<<bits - 1
		}
	}
	return out
}

func slowBase58(b []byte) string {
	n, rest, base := new(big.Int).SetBytes(b), new(big.Int), big.NewInt(58)
	var digits []byte
	for n.Sign() > 0 {
		n.DivMod(n, base, rest)
		digits = append(digits, base58Alphabet[rest.Int64()])
	}
	for i := 0; i < len(b) && b[i] == 0; i++ {
		digits = append(digits, base58Alphabet[0])
	}
	slices.Reverse(digits)
	return string(digits)
}

// frame returns a zstd frame with b as it is, in blocks of 64 KiB at most.
func frame(b []byte) []byte {
	const block = 64 << 10
	out := []byte{0x28, 0xb5, 0x2f, 0xfd, 0, 7 << 3}
	for {
		part := b[:min(len(b), block)]
		b = b[len(part):]
		head := uint32(len(part)) << 3
		if len(b) == 0 {
			head |= 1
		}
		out = append(out, byte(head), byte(head>>8), byte(head>>16))
		out = append(out, part...)
		if len(b) == 0 {
			return out
		}
	}
}
