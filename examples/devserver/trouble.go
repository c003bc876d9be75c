package main

import (
	"io"
	"math/rand/v2"
	"net/http"
	"time"
)

// trouble is what a network and a busy service do to requests.
type trouble struct {
	faults  float64
	latency time.Duration
}

// before delays a request, and answers it if it is one that fails: each of the
// ways to fail is as likely as the others, and passes when asked again.
func (t trouble) before(w http.ResponseWriter, r *http.Request) bool {
	select {
	case <-time.After(t.latency):
	case <-r.Context().Done():
	}
	if rand.Float64() >= t.faults {
		return false
	}
	switch rand.N(5) {
	case 0:
		answer(w, http.StatusTooManyRequests, "application/json", `{"error":"Too many requests"}`)
	case 1:
		answer(w, http.StatusInternalServerError, "application/json", `{"error":"Internal server error"}`)
	case 2:
		answer(w, http.StatusBadGateway, "text/html", "<html><h1>502 Bad Gateway</h1></html>\n")
	case 3:
		w.Header().Set("Content-Length", "1000")
		answer(w, http.StatusOK, "application/json", `{"jsonrpc":"2.0","result":{`) // and no more
	default:
		panic(http.ErrAbortHandler) //nolint:forbidigo // the way of net/http to close a connection
	}
	return true
}

func answer(w http.ResponseWriter, status int, media, body string) {
	w.Header().Set("Content-Type", media)
	if status == http.StatusTooManyRequests {
		w.Header().Set("Retry-After", "1")
	}
	w.WriteHeader(status)
	_, _ = io.WriteString(w, body)
}
