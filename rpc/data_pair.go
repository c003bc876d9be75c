package rpc

import (
	"bytes"
	"encoding/binary"

	"github.com/solwire/solwire-go/types"
)

// plainPair reads a pair of text and encoding as all nodes send it: plain text without
// white space or escapes, in one of the known encodings. For others, ok is false.
func plainPair(b []byte) (text string, encoding types.Encoding, ok bool) {
	if !bytes.HasPrefix(b, []byte(`["`)) {
		return "", "", false
	}
	inside, rest, found := bytes.Cut(b[2:], []byte(`"`))
	if !found || !isPlain(inside) {
		return "", "", false
	}
	switch string(rest) {
	case `,"base64"]`:
		encoding = types.EncodingBase64
	case `,"base64+zstd"]`:
		encoding = types.EncodingBase64Zstd
	case `,"base58"]`:
		encoding = types.EncodingBase58
	default:
		return "", "", false
	}
	return string(inside), encoding, true
}

// isPlain reports whether text is printable ASCII without a backslash. It looks at
// eight bytes at once.
func isPlain(text []byte) bool {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	for len(text) >= 8 {
		word := binary.LittleEndian.Uint64(text)
		escaped := word ^ ('\\' * ones)
		if (word|(word-' '*ones)|(escaped-ones)&^escaped)&highs != 0 {
			return false
		}
		text = text[8:]
	}
	for _, c := range text {
		if c < ' ' || c >= 0x80 || c == '\\' {
			return false
		}
	}
	return true
}
