package decode

import (
	"bytes"
	"context"
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

// Codings is the Accept-Encoding header for the content codings that a [Decompressor] decodes.
const Codings = "zstd, gzip"

// MaxContent limits decompressed content, in bytes, and the window of a zstd frame.
const MaxContent = 64 << 20

// maxReserved limits the bytes that are allocated before they are received. The
// service sends up to 10 MiB.
const maxReserved = 16 << 20

// A Decompressor decompresses the responses to one client. Responses that arrive at the same time
// have a decoder each, so none waits for another.
type Decompressor struct{ gzip, zstd sync.Pool }

type decoder interface {
	io.Reader
	Reset(r io.Reader) error
}

// Content decompresses body according to a Content-Encoding header, into room, which
// grows as needed. It returns body itself without a coding, and when body lacks the
// magic number of its coding, since a proxy has decompressed it then.
//
// Its errors are [types.ErrTooLarge] above MaxContent, [ErrTruncated] for a body that ends early,
// [ErrCoding] for an unknown coding, and the error of ctx.
func (d *Decompressor) Content(ctx context.Context, room *[]byte, body []byte, encoding string) ([]byte, error) {
	coding := strings.TrimPrefix(strings.ToLower(strings.TrimSpace(encoding)), "x-")
	pool := &d.gzip
	var size uint64
	switch {
	case coding == "", coding == "identity", len(body) == 0:
		return body, nil
	case coding == "gzip" && bytes.HasPrefix(body, []byte("\x1f\x8b")):
		if len(body) >= 4 {
			size = uint64(binary.LittleEndian.Uint32(body[len(body)-4:])) // if body is not truncated
		}
	case coding == "zstd" && bytes.HasPrefix(body, []byte("\x28\xb5\x2f\xfd")):
		var header zstd.Header
		_ = header.Decode(body) // Reset reports its errors
		pool, size = &d.zstd, header.FrameContentSize
	case coding == "gzip", coding == "zstd":
		return body, nil
	default:
		return nil, fmt.Errorf("%w: neither zstd nor gzip", ErrCoding)
	}
	r, reused := pool.Get().(decoder)
	switch {
	case reused:
	case coding == "gzip":
		r = new(gzip.Reader)
	default: // NewReader only fails for invalid options
		r, _ = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
			zstd.WithDecoderMaxMemory(MaxContent), zstd.WithDecoderMaxWindow(MaxContent))
	}
	defer pool.Put(r)
	err := r.Reset(bytes.NewReader(body))
	if err == nil {
		*room, err = Append(ctx, slices.Grow((*room)[:0], int(min(size, maxReserved))+512), r, MaxContent)
	}
	switch err = known(err, MaxContent); {
	case err == nil:
		return *room, nil
	case errors.Is(err, types.ErrTooLarge):
		return nil, err
	}
	return nil, fmt.Errorf("%s: %w", coding, err)
}

// ErrCoding is the error for a Content-Encoding that [Decompressor.Content] does not
// support.
var ErrCoding = errors.New("unsupported content coding")

// The decoder of accounts is a package variable, not created on first use: created inside a
// testing/synctest bubble, it could not be used outside.
var accountDecoder, _ = zstd.NewReader(nil, zstd.WithDecoderMaxMemory(maxAccount), zstd.WithDecoderConcurrency(0))

const maxAccount = 16 << 20 // an account has at most 10 MiB

// Zstd decompresses the data of an account. It fails with [types.ErrTooLarge] above 16 MiB.
func Zstd(b []byte) ([]byte, error) {
	data, err := accountDecoder.DecodeAll(b, []byte{})
	return data, known(err, maxAccount)
}

// known replaces the errors of decoders with a limit.
func known(err error, limit int) error {
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return ErrTruncated
	// announced by a header
	case errors.Is(err, zstd.ErrDecoderSizeExceeded), errors.Is(err, zstd.ErrWindowSizeExceeded):
		return fmt.Errorf("larger than %d MiB once decompressed: %w", limit>>20, types.ErrTooLarge)
	}
	return err
}

// Append reads r to its end, little at a time, and appends it to dst. It fails with
// [types.ErrTooLarge] above limit bytes, and when ctx ends. With an error, it returns the bytes
// before it.
func Append(ctx context.Context, dst []byte, r io.Reader, limit int) ([]byte, error) {
	start := len(dst)
	for {
		if err := ctx.Err(); err != nil {
			return dst, err
		}
		if len(dst) == cap(dst) {
			more := max(512, len(dst))
			if more > maxReserved {
				// unused memory is never touched, while an outgrown buffer stays until the next
				// GC
				more = limit
			}
			dst = slices.Grow(dst, min(more, start+limit+1-len(dst)))
		}
		n, err := r.Read(dst[len(dst):min(cap(dst), start+limit+1, len(dst)+1<<20)])
		dst = dst[:len(dst)+n]
		switch {
		case len(dst)-start > limit:
			return dst[:start+limit], fmt.Errorf("larger than %d MiB: %w", limit>>20, types.ErrTooLarge)
		case err == io.EOF:
			return dst, nil
		case err != nil:
			return dst, err
		}
	}
}
