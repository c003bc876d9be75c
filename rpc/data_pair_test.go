package rpc

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types"
)

func TestPlainPairs(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]types.Encoding{
		`["","base64"]`: types.EncodingBase64, `["AA==","base64+zstd"]`: types.EncodingBase64Zstd,
		`["` + strings.Repeat("z", 99) + `","base58"]`: types.EncodingBase58, `["~ !","base58"]`: types.EncodingBase58,
	} {
		got, encoding, ok := plainPair([]byte(text))
		require.True(t, ok, text)
		require.Equal(t, want, encoding)
		require.Equal(t, text, `["`+got+`","`+string(encoding)+`"]`)
	}
	for _, text := range []string{
		``, `[`, `[]`, `[""]`, `["`, `["a"`, `["a","base64`, `["a", "base64"]`, `["a","base64","x"]`, `["a","json"]`, ` ["a","base64"]`, `[7,"base64"]`,
	} {
		_, _, ok := plainPair([]byte(text))
		require.False(t, ok, text)
	}
	for c := range 256 { // at each place of a word and after it
		for n := range 17 {
			text := strings.Repeat("A", n) + string([]byte{byte(c)}) + "AAA"
			_, _, ok := plainPair([]byte(`["` + text + `","base64"]`))
			require.Equal(t, c >= ' ' && c < 0x80 && c != '"' && c != '\\', ok, "%q", text)
		}
	}
}
