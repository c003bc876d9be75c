package fake

import (
	"net/http"
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

// compressed returns a as zstd if the client accepts it.
func (a Answer) compressed(accept string) Answer {
	if len(a.Body) > 0 && strings.Contains(accept, "zstd") {
		a.Body = wire.Zstd(a.Body)
		a.Header = append(a.Header, "Content-Encoding", "zstd")
	}
	return a
}
