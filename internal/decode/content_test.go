package decode_test

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/decode"
	"github.com/solwire/solwire-go/types"
)

func gzipped(tb testing.TB, text string) []byte {
	tb.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := io.WriteString(w, text)
	require.NoError(tb, err)
	require.NoError(tb, w.Close())
	return b.Bytes()
}

func zstandard(tb testing.TB, text string) []byte {
	tb.Helper()
	w, err := zstd.NewWriter(nil)
	require.NoError(tb, err)
	return w.EncodeAll([]byte(text), nil)
}

func TestContent(t *testing.T) {
	t.Parallel()
	text := strings.Repeat(`{"a":1}`, 1000)
	for encoding, body := range map[string][]byte{
		"":         []byte(text),
		"identity": []byte(text),
		"gzip":     gzipped(t, text),
		" GZip ":   gzipped(t, text),
		"x-gzip":   gzipped(t, text),
		"zstd":     zstandard(t, text),
	} {
		var room []byte
		got, err := new(decode.Decompressor).Content(t.Context(), &room, body, encoding)
		require.NoError(t, err, encoding)
		require.Equal(t, text, string(got), encoding)
	}
}

// A proxy may decompress a response and keep the header.
func TestDecompressedContentIsKept(t *testing.T) {
	t.Parallel()
	for _, encoding := range []string{"gzip", "zstd"} {
		for _, body := range []string{`{"a":1}`, "", " "} {
			var room []byte
			got, err := new(decode.Decompressor).Content(t.Context(), &room, []byte(body), encoding)
			require.NoError(t, err)
			require.Equal(t, body, string(got))
		}
	}
}

func TestUnknownCodings(t *testing.T) {
	t.Parallel()
	for encoding, body := range map[string][]byte{
		"br":         []byte("x"),
		"deflate":    []byte("x"),
		"gzip, gzip": gzipped(t, string(gzipped(t, "x"))),
		"zstd, gzip": gzipped(t, string(zstandard(t, "x"))),
	} {
		var room []byte
		_, err := new(decode.Decompressor).Content(t.Context(), &room, body, encoding)
		require.ErrorIs(t, err, decode.ErrCoding, encoding)
	}
}

func TestTruncatedContent(t *testing.T) {
	t.Parallel()
	text := strings.Repeat(`{"a":1}`, 100_000)
	for encoding, body := range map[string][]byte{"gzip": gzipped(t, text), "zstd": zstandard(t, text)} {
		for _, n := range []int{2, 3, 4, 5, len(body) / 2, len(body) - 1} {
			if encoding == "zstd" && n < 4 {
				continue // without its magic number, it is no zstd
			}
			var room []byte
			_, err := new(decode.Decompressor).Content(t.Context(), &room, body[:n], encoding)
			require.ErrorIs(t, err, decode.ErrTruncated, "%s, %d of %d", encoding, n, len(body))
		}
	}
}

func TestDamagedContent(t *testing.T) {
	t.Parallel()
	for encoding, body := range map[string][]byte{"gzip": gzipped(t, "a text"), "zstd": zstandard(t, "a text")} {
		for i := 4; i < len(body); i++ {
			damaged := bytes.Clone(body)
			damaged[i] ^= 0xff
			var room []byte
			got, err := new(decode.Decompressor).Content(t.Context(), &room, damaged, encoding)
			if err == nil { // the header of gzip has a time and a name of the system
				require.Equal(t, "a text", string(got))
			}
		}
	}
}

func TestContentAboveTheLimit(t *testing.T) {
	t.Parallel()
	const parts = 16
	zeros := strings.Repeat("\x00", decode.MaxContent/parts)
	var room []byte
	for encoding, compress := range map[string]func(testing.TB, string) []byte{"zstd": zstandard, "gzip": gzipped} {
		body := bytes.Repeat(compress(t, zeros), parts)
		got, err := new(decode.Decompressor).Content(t.Context(), &room, body, encoding)
		require.NoError(t, err, encoding)
		require.Len(t, got, decode.MaxContent, encoding)
		_, err = new(decode.Decompressor).Content(t.Context(), &room, append(body, compress(t, "x")...), encoding)
		require.ErrorIs(t, err, types.ErrTooLarge, encoding)
	}
}

// A zstd frame may ask for gigabytes.
func TestZstdWindowIsLimited(t *testing.T) {
	t.Parallel()
	for exponent, want := range map[byte]error{16: nil, 17: types.ErrTooLarge, 21: types.ErrTooLarge, 31: types.ErrTooLarge} {
		frame := []byte{0x28, 0xb5, 0x2f, 0xfd, 0, exponent << 3, 1 | 1<<3, 0, 0, 'x'} // a block of one byte
		var room []byte
		got, err := new(decode.Decompressor).Content(t.Context(), &room, frame, "zstd")
		require.ErrorIs(t, err, want, exponent)
		if want == nil {
			require.Equal(t, "x", string(got))
		}
	}
	// a single segment of that size
	frame := binary.LittleEndian.AppendUint64([]byte{0x28, 0xb5, 0x2f, 0xfd, 0xe0}, 1<<40)
	var room []byte
	_, err := new(decode.Decompressor).Content(t.Context(), &room, frame, "zstd")
	require.ErrorIs(t, err, types.ErrTooLarge)
}

func TestAppendLimit(t *testing.T) {
	t.Parallel()
	for n := range 5 {
		got, err := decode.Append(t.Context(), []byte("ab"), iotest.OneByteReader(strings.NewReader("xxxxx"[:n])), 3)
		if n <= 3 {
			require.NoError(t, err)
			require.Equal(t, "ab"+"xxxxx"[:n], string(got))
		} else {
			require.ErrorIs(t, err, types.ErrTooLarge)
			require.Equal(t, "abxxx", string(got))
		}
	}
	broken := errors.New("broken")
	got, err := decode.Append(t.Context(), nil, io.MultiReader(strings.NewReader("x"), iotest.ErrReader(broken)), 3)
	require.ErrorIs(t, err, broken)
	require.Equal(t, "x", string(got))
}
