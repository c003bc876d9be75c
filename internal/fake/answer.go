package fake

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"slices"
	"strings"

	"github.com/solwire/solwire-go/internal/fake/wire"
)

// An Answer is one HTTP response.
type Answer struct {
	Status int
	Body   []byte
	Header []string // alternating names and values
}

// ok answers with JSON.
func ok(body []byte) Answer { return Answer{Status: http.StatusOK, Body: body} }

// invalidPath is how the gateway answers for routes that it does not have.
func invalidPath() Answer {
	return Answer{Status: http.StatusBadRequest, Body: []byte(`{"error":"invalid path"}`)}
}

// Write sends an answer.
func (a Answer) Write(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json")
	for i := 0; i+1 < len(a.Header); i += 2 {
		w.Header().Set(a.Header[i], a.Header[i+1])
	}
	w.WriteHeader(a.Status)
	_, _ = w.Write(a.Body) // a client that went away needs no answer
}

// compressed returns a with a content encoding that the client accepts, zstd rather than
// gzip.
func (a Answer) compressed(accept string) Answer {
	var accepted []string
	for coding := range strings.SplitSeq(accept, ",") {
		name, quality, _ := strings.Cut(strings.ReplaceAll(coding, " ", ""), ";")
		if strings.Trim(strings.TrimPrefix(quality, "q="), "0.") != "" || quality == "" {
			accepted = append(accepted, strings.ToLower(name))
		}
	}
	switch {
	case len(a.Body) == 0:
		return a
	case slices.Contains(accepted, "zstd"):
		a.Body = wire.Zstd(a.Body)
		a.Header = append(a.Header, "Content-Encoding", "zstd")
	case slices.Contains(accepted, "gzip"):
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		_, _ = w.Write(a.Body) // a buffer accepts everything
		_ = w.Close()
		a.Body = b.Bytes()
		a.Header = append(a.Header, "Content-Encoding", "gzip")
	}
	return a
}
