package fake

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// An answer is one HTTP response.
type answer struct {
	status int
	body   []byte
	header []string // alternating names and values
}

// ok answers with JSON.
func ok(body []byte) answer { return answer{status: http.StatusOK, body: body} }

// invalidPath is how the gateway answers for routes that it does not have.
func invalidPath() answer {
	return answer{status: http.StatusBadRequest, body: []byte(`{"error":"invalid path"}`)}
}

// overLimit adds what comes with every 429.
func (a answer) overLimit() answer {
	a.header = []string{"Retry-After", "2"}
	return a
}

func (a answer) write(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json")
	for i := 0; i+1 < len(a.header); i += 2 {
		w.Header().Set(a.header[i], a.header[i+1])
	}
	w.WriteHeader(a.status)
	_, _ = w.Write(a.body) // a client that went away needs no answer
}

// compressed returns a with a content encoding that the client accepts, zstd
// rather than gzip.
func (a answer) compressed(accept string) answer {
	var accepted []string
	for coding := range strings.SplitSeq(accept, ",") {
		name, quality, _ := strings.Cut(strings.ReplaceAll(coding, " ", ""), ";")
		if strings.Trim(strings.TrimPrefix(quality, "q="), "0.") != "" || quality == "" {
			accepted = append(accepted, strings.ToLower(name))
		}
	}
	switch {
	case len(a.body) == 0:
		return a
	case slices.Contains(accepted, "zstd"):
		a.body = zstdFrame(a.body)
		a.header = append(a.header, "Content-Encoding", "zstd")
	case slices.Contains(accepted, "gzip"):
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		_, _ = w.Write(a.body) // a buffer accepts everything
		_ = w.Close()
		a.body = b.Bytes()
		a.header = append(a.header, "Content-Encoding", "gzip")
	}
	return a
}

// zstdFrame returns data as a zstd frame. It does not use the channels of an
// encoder, which would tie it to a bubble of testing/synctest.
func zstdFrame(data []byte) []byte {
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
	e, err := zstd.NewWriter(nil, zstd.WithZeroFrames(true), zstd.WithEncoderConcurrency(1))
	if err != nil {
		panic(err)
	}
	return e
}}

// encode returns v, a value of this package, as JSON.
func encode(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}

// null marks a member that is present without a value.
func null() json.RawMessage { return json.RawMessage("null") }
