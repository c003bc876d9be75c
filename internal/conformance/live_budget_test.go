package conformance_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/solwire/solwire-go/types"
)

// A recorder keeps the body of the last successful response. It asks for them uncompressed.
type recorder struct {
	next http.RoundTripper

	mu       sync.Mutex
	requests int
	wire     string // the JSON-RPC method of the last one; empty for another request and a batch
	body     []byte // of the last response
}

func (r *recorder) last() (wire string, body []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.wire, r.body
}

func (r *recorder) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	req.Header.Set("Accept-Encoding", "identity")
	var call struct{ Method string }
	if req.GetBody != nil {
		if sent, err := req.GetBody(); err == nil {
			_ = json.NewDecoder(sent).Decode(&call)
		}
	}
	resp, err := r.next.RoundTrip(req)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.requests++
	if err != nil || resp.StatusCode >= 300 {
		return resp, err
	}
	body, err := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	if err != nil {
		return nil, err
	}
	r.wire, r.body = call.Method, body
	resp.Body = io.NopCloser(bytes.NewReader(body))
	return resp, nil
}

// errSpent is the error of a request that the budget does not allow.
var errSpent = errors.New("the budget of credits is spent")

// maxPrice is the highest price of a request.
const maxPrice = 100

// A budget is a Limiter that never allows more credits or requests per second than asked for.
type budget struct {
	meter   *types.Meter
	credits uint64
	pause   time.Duration

	mu   sync.Mutex
	next time.Time
}

func (b *budget) Wait(ctx context.Context) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.meter.Credits()+maxPrice > b.credits {
		return errSpent
	}
	timer := time.NewTimer(time.Until(b.next))
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
	}
	b.next = time.Now().Add(b.pause)
	return nil
}
