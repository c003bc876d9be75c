package faults_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// key needs escaping in every format. Its other spellings are written by hand:
// percent-encoded in two ways, and as JSON with and without HTML escapes.
const key = `k3y/+&"<\>%-secret`

var spellings = []string{
	key,
	`k3y%2F%2B%26%22%3C%5C%3E%25-secret`,
	`k3y%2f%2b%26%22%3c%5c%3e%25-secret`,
	`k3y%2F+&%22%3C%5C%3E%25-secret`,
	`k3y/+\u0026\"\u003c\\\u003e%-secret`,
	`k3y/+&\"<\\>%-secret`,
	`k3y\/+&\"<\\>%-secret`,
}

// shows returns the spelling of the key that text contains, or an empty string.
func shows(text string) string {
	if !strings.Contains(text, "k3y") {
		return ""
	}
	for _, s := range spellings {
		if strings.Contains(text, s) {
			return s
		}
	}
	return ""
}

// A hunt records every place where the key appears, and other failures in goroutines
// of the client.
type hunt struct {
	mu    sync.Mutex
	found []string
	log   int // records seen
}

func (h *hunt) note(format string, args ...any) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.found) < 10 {
		h.found = append(h.found, fmt.Sprintf(format, args...))
	}
}

// received checks that a request has the key exactly where the service expects it.
func (h *hunt) received(r *http.Request, body []byte) {
	query := r.URL.Query()
	inHeader := strings.HasPrefix(r.URL.Path, "/v1/wallet/")
	if inHeader && r.Header.Get("X-Api-Key") != key || !inHeader && query.Get("api-key") != key {
		h.note("%s without the key", r.URL.Path)
	}
	header := r.Header.Clone()
	if inHeader {
		header.Del("X-Api-Key")
	} else {
		query.Del("api-key")
	}
	if s := shows(fmt.Sprint(header, query, r.URL.Path, string(body))); s != "" {
		h.note("request has %s in another place", s)
	}
}

// foreign records a dial to another host.
func (h *hunt) foreign(addr string) { h.note("dialled %s", addr) }

// logger returns a logger whose records are searched for the key.
func (h *hunt) logger() *slog.Logger {
	return slog.New(slog.NewJSONHandler(&searched{h: h}, &slog.HandlerOptions{
		Level: slog.LevelDebug,
		ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
			if s := shows(a.Value.String()); s != "" {
				h.note("log attribute %s shows %s", a.Key, s)
			}
			return a
		},
	}))
}

type searched struct{ h *hunt }

func (s *searched) Write(b []byte) (int, error) {
	if found := shows(string(b)); found != "" {
		s.h.note("log record shows %s", found)
	}
	s.h.mu.Lock()
	s.h.log++
	s.h.mu.Unlock()
	return len(b), nil
}

// err searches every printed form of an error and its causes.
func (h *hunt) err(err error) {
	if err == nil {
		return
	}
	encoded, _ := json.Marshal(err)
	if s := shows(fmt.Sprintf("%v\n%+v\n%#v\n%q\n%s", err, err, err, err, encoded)); s != "" {
		h.note("error shows %s: %v", s, err)
	}
	switch e := err.(type) {
	case interface{ Unwrap() error }:
		h.err(e.Unwrap())
	case interface{ Unwrap() []error }:
		for _, cause := range e.Unwrap() {
			h.err(cause)
		}
	}
}

// requireHidden fails if the key appeared anywhere.
func (h *hunt) requireHidden(t *testing.T) {
	t.Helper()
	h.mu.Lock()
	defer h.mu.Unlock()
	require.Empty(t, h.found)
}
