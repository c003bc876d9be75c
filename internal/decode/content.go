package decode

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/solwire/solwire-go/types"
)

// Codings is the Accept-Encoding header for the content codings that [Content] decodes.
const Codings = "zstd, gzip"

// MaxContent limits decompressed content, in bytes, and the window of a zstd frame.
const MaxContent = 64 << 20

// maxReserved limits the bytes that are allocated before they are received. The
// service sends up to 10 MiB.
const maxReserved = 16 << 20

// Content decompresses body according to a Content-Encoding header, into room, which
// grows as needed. It returns body itself without a coding, and when body lacks the
// magic number of its coding, since a proxy has decompressed it then.
//
// It fails with [types.ErrTooLarge] above MaxContent, with [ErrTruncated] when body
// ends early, and with [ErrCoding] for an unknown or repeated coding.
func Content(room *[]byte, body []byte, encoding string) ([]byte, error) {
	var coding string
	for name := range strings.SplitSeq(strings.ToLower(encoding), ",") {
		name = strings.TrimPrefix(strings.TrimSpace(name), "x-")
		switch {
		case name == "" || name == "identity":
		case coding != "":
			return nil, fmt.Errorf("%w: compressed more than once", ErrCoding)
		default:
			coding = name
		}
	}
	var err error
	switch {
	case coding == "" || len(body) == 0:
		return body, nil
	case coding == "gzip" && isGzip(body):
		*room, err = gunzip((*room)[:0], body)
	case coding == "zstd" && isZstd(body):
		*room, err = Zstd((*room)[:0], body, MaxContent)
	case coding == "gzip", coding == "zstd":
		return body, nil
	default:
		return nil, fmt.Errorf("%w: neither zstd nor gzip", ErrCoding)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", coding, err)
	}
	if isGzip(*room) || isZstd(*room) {
		return nil, fmt.Errorf("%w: compressed more than once", ErrCoding)
	}
	return *room, nil
}

// ErrCoding is the error for a Content-Encoding that [Content] does not support.
var ErrCoding = errors.New("unsupported content coding")

func isGzip(b []byte) bool { return bytes.HasPrefix(b, []byte("\x1f\x8b")) }

func isZstd(b []byte) bool { return bytes.HasPrefix(b, []byte("\x28\xb5\x2f\xfd")) }

var gzipReaders = sync.Pool{New: func() any { return new(gzip.Reader) }}

func gunzip(dst, body []byte) ([]byte, error) {
	r, _ := gzipReaders.Get().(*gzip.Reader)
	defer gzipReaders.Put(r)
	if err := r.Reset(bytes.NewReader(body)); err != nil {
		return nil, early(err)
	}
	size := binary.LittleEndian.Uint32(body[len(body)-4:]) // of the content, if body is not truncated
	dst = slices.Grow(dst, int(min(size, maxReserved))+512)
	dst, err := Append(dst, r, MaxContent)
	return dst, early(err)
}

// The zstd decoders are package variables, not created on first use, because one that
// is created inside a testing/synctest bubble cannot be used outside. NewReader only
// fails for invalid options.
var (
	contentDecoder, _ = zstd.NewReader(nil, zstd.WithDecoderMaxMemory(MaxContent), zstd.WithDecoderMaxWindow(MaxContent))
	accountDecoder, _ = zstd.NewReader(nil, zstd.WithDecoderMaxMemory(maxAccount), zstd.WithDecoderConcurrency(1))
)

const maxAccount = 16 << 20 // an account has at most 10 MiB

// Zstd decompresses b and appends to dst. It fails with [types.ErrTooLarge] above limit
// bytes.
func Zstd(dst, b []byte, limit int) ([]byte, error) {
	decoder := contentDecoder
	if limit <= maxAccount {
		decoder = accountDecoder
	}
	dst, err := decoder.DecodeAll(b, dst)
	switch {
	case errors.Is(err, zstd.ErrDecoderSizeExceeded), errors.Is(err, zstd.ErrWindowSizeExceeded), err == nil && len(dst) > limit:
		return nil, fmt.Errorf("more than %d MiB once decompressed: %w", limit>>20, types.ErrTooLarge)
	}
	return dst, early(err)
}

func early(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return ErrTruncated
	}
	return err
}

// Append reads r to its end and appends to dst. It fails with [types.ErrTooLarge] above
// limit bytes and for a reader that violates [io.Reader]. It returns what it read also
// with an error.
func Append(dst []byte, r io.Reader, limit int) ([]byte, error) {
	start := len(dst)
	for empty := 0; ; {
		if len(dst) == cap(dst) {
			more := max(512, len(dst))
			if more > maxReserved {
				more = limit // unused memory is never touched, while an outgrown buffer stays until the next GC
			}
			dst = slices.Grow(dst, min(more, start+limit+1-len(dst)))
		}
		room := dst[len(dst):min(cap(dst), start+limit+1)]
		n, err := r.Read(room)
		if n < 0 || n > len(room) {
			return dst, errors.New("a Reader returned an impossible count")
		}
		dst = dst[:len(dst)+n]
		switch {
		case len(dst)-start > limit:
			return dst[:start+limit], fmt.Errorf("more than %d MiB: %w", limit>>20, types.ErrTooLarge)
		case err == io.EOF:
			return dst, nil
		case err != nil:
			return dst, err
		case n > 0:
			empty = 0
		default:
			empty++
			if empty == 100 {
				return dst, io.ErrNoProgress
			}
		}
	}
}
