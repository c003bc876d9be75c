package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
)

// A control has the service, and replaces it on reset. The other fields are the flags.
type control struct {
	service atomic.Pointer[fake.Service]

	options        fake.Options
	every, latency time.Duration
	faults         float64
	anywhere, open bool
	sockets        string // an address
}

// reset restores the data and the faults of the flags.
func (c *control) reset() {
	s := fake.New(&c.options)
	if c.faults != 0 {
		s.FailShare("", c.faults, fake.RateLimited(time.Second), fake.Status(http.StatusInternalServerError), fake.Maintenance(), fake.Truncated(), fake.Dropped())
	}
	if old := c.service.Swap(s); old != nil {
		old.CutStreams(1001) // later events are not in its World
	}
}

func (c *control) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	select {
	case <-time.After(c.latency):
	case <-r.Context().Done():
	}
	c.service.Load().ServeHTTP(w, r)
}

// page explains the server to a browser. Other requests get the answer of the service.
func (c *control) page(w http.ResponseWriter, r *http.Request) {
	if !strings.Contains(r.Header.Get("Accept"), "text/html") {
		c.ServeHTTP(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(w, `<!doctype html><title>devserver</title><h1>A fake of the Helius API</h1>
<p><a href="/v1/wallet/%[1]s/balances?api-key=%[2]s">balances</a>, <a href="/v1/wallet/%[1]s/history?api-key=%[2]s">history</a>,
<a href="https://pkg.go.dev/github.com/solwire/solwire-go/types/fake">documentation</a><pre>%[3]s</pre>`,
		walletOf(c.options.World), fake.Key, html.EscapeString(welcome("http://"+r.Host, c.options.World)))
}

// register adds the routes that control the server.
func (c *control) register(mux *http.ServeMux) {
	mux.HandleFunc("POST /_fake/reset", func(http.ResponseWriter, *http.Request) { c.reset() })
	mux.HandleFunc("GET /_fake/requests", func(w http.ResponseWriter, _ *http.Request) {
		write(w, c.service.Load().Requests())
	})
	mux.HandleFunc("DELETE /_fake/faults", func(http.ResponseWriter, *http.Request) { c.service.Load().Recover() })
	mux.HandleFunc("POST /_fake/faults", c.fail)
	mux.HandleFunc("POST /_fake/events", c.trigger)
	mux.HandleFunc("GET /_fake/unused", func(w http.ResponseWriter, _ *http.Request) {
		write(w, append([]string{}, c.service.Load().Unused()...))
	})
	mux.HandleFunc("POST /_fake/streams", func(w http.ResponseWriter, r *http.Request) {
		var how fake.Streams
		if read(w, r, &how) {
			c.service.Load().SetStreams(how)
		}
	})
	mux.HandleFunc("POST /_fake/cut", func(http.ResponseWriter, *http.Request) { c.service.Load().CutStreams(0) })
}

// A fault is the body of POST /_fake/faults. Durations are texts such as "2s".
type fault struct {
	fake.Fault

	Operation  string  // empty for any
	Nth        int     // of the next requests, from 1; 0 means 1
	From       int     // the first of the requests that fail, instead of Nth
	Share      float64 // of all requests, instead of Nth
	RetryAfter string
	Delay      string
}

func (c *control) fail(w http.ResponseWriter, r *http.Request) {
	var in fault
	if !read(w, r, &in) {
		return
	}
	var bad, worse error
	in.Fault.RetryAfter, bad = time.ParseDuration(cmp.Or(in.RetryAfter, "0"))
	in.Fault.Delay, worse = time.ParseDuration(cmp.Or(in.Delay, "0"))
	if err := errors.Join(bad, worse); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s := c.service.Load()
	if err := try(func() {
		switch {
		case in.Share > 0:
			s.FailShare(in.Operation, in.Share, in.Fault)
		case in.From > 0:
			s.FailFrom(in.Operation, in.From, in.Fault)
		default:
			s.Fail(in.Operation, cmp.Or(in.Nth, 1), in.Fault)
		}
	}); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
	}
}

// trigger delivers a new transaction, or a known one by its signature.
func (c *control) trigger(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Transaction fake.Transaction `json:"transaction"`
		Signature   types.Signature  `json:"signature"`
	}
	if !read(w, r, &in) {
		return
	}
	s := c.service.Load()
	event, known := s.Event(in.Signature)
	if in.Signature != "" && !known {
		http.Error(w, "the signature is unknown", http.StatusBadRequest)
		return
	}
	if err := try(func() {
		if !known {
			event = s.Happen(in.Transaction)
		}
	}); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	report := s.Deliver(r.Context(), &fake.Delivery{Anywhere: c.anywhere}, event)
	write(w, struct {
		Signature    types.Signature `json:"signature"`
		Acknowledged int             `json:"acknowledged"`
		Lost         int             `json:"lost"`
	}{event.Signature(), report.Acknowledged, len(report.Lost)})
}

// try returns the panic of f as an error. The fake panics where it refuses something, such as a
// transfer of more than a wallet has.
func try(f func()) (err error) {
	defer func() {
		if problem := recover(); problem != nil {
			err = fmt.Errorf("%v", problem)
		}
	}()
	f()
	return nil
}

// most is the number of events of one turn.
const most = 100

// deliver delivers an event for the wallet and every account that a webhook watches, alternately a
// transfer and a swap, until ctx ends. A webhook that does not respond does not delay
// the others.
func (c *control) deliver(ctx context.Context) {
	if c.every <= 0 {
		return
	}
	var turns sync.WaitGroup
	defer turns.Wait()
	for turn := 1; ; turn++ {
		select {
		case <-time.After(c.every):
		case <-ctx.Done():
			return
		}
		s := c.service.Load()
		var events []fake.Event
		watched := s.Watched()
		if !slices.Contains(watched, fake.WalletAddress) { // which examples and recipes stream
			watched = append(watched, fake.WalletAddress)
		}
		for _, account := range watched {
			if len(events) == most {
				break
			}
			_ = try(func() { // a wallet without SOL sends nothing
				if turn%2 == 0 {
					events = append(events, s.Swap(account))
				} else {
					events = append(events, s.Transfer(account, fake.ExchangeAddress, 1_000_000))
				}
			})
		}
		for _, e := range events {
			turns.Go(func() { s.Deliver(ctx, &fake.Delivery{Anywhere: c.anywhere}, e) })
		}
	}
}

func read(w http.ResponseWriter, r *http.Request, in any) bool {
	decoder := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<20))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(in); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return false
	}
	return true
}

func write(w http.ResponseWriter, out any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(out) // the client may have disconnected
}
