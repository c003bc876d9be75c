package fakeapi

import (
	"net/http"
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
