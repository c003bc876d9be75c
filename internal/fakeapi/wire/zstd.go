package wire

import (
	"bytes"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// Zstd returns data as a zstd frame. It does not use the channels of an encoder, which would
// tie it to a bubble of testing/synctest.
func Zstd(data []byte) []byte {
	e, _ := encoders.Get().(*zstd.Encoder)
	defer encoders.Put(e)
	var out bytes.Buffer
	e.Reset(&out)
	_, _ = e.Write(data) // a buffer accepts everything
	_ = e.Close()
	return out.Bytes()
}

// encoders makes frames of no data too.
var encoders = sync.Pool{New: func() any {
	// valid options
	e, _ := zstd.NewWriter(nil, zstd.WithZeroFrames(true), zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest))
	return e
}}
