package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
)

// A control has the service, and replaces it on reset.
type control struct {
	settings settings
	service  atomic.Pointer[fake.Service]
}

// reset restores the data and the faults of the flags.
func (c *control) reset() {
	s := fake.New(&fake.Options{World: c.settings.world, Seed: c.settings.rand, PassThrough: c.settings.pass})
	if c.settings.faults > 0 {
		s.FailShare("", c.settings.faults,
			fake.RateLimited(time.Second), fake.Status(http.StatusInternalServerError), fake.Maintenance(), fake.Truncated(), fake.Dropped())
	}
	if old := c.service.Swap(s); old != nil {
		old.CutStreams(1001) // what happens from now on is not in its World
	}
}

func (c *control) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	select {
	case <-time.After(c.settings.latency):
	case <-r.Context().Done():
	}
	c.service.Load().ServeHTTP(w, r)
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
	mux.HandleFunc("POST /_fake/cut", func(http.ResponseWriter, *http.Request) { c.service.Load().CutStreams(0) })
}

// A fault is the body of POST /_fake/faults. Durations are texts such as "2s".
type fault struct {
	Operation  string  `json:"operation"` // empty for any
	Nth        int     `json:"nth"`       // of the next requests, from 1; 0 means 1
	Share      float64 `json:"share"`     // of all requests, instead of Nth
	Status     int     `json:"status"`
	Code       int     `json:"code"`
	Message    string  `json:"message"`
	RetryAfter string  `json:"retryAfter"`
	Body       string  `json:"body"`
	Act        bool    `json:"act"`
	Cut        bool    `json:"cut"`
	Drop       bool    `json:"drop"`
	Hang       bool    `json:"hang"`
	Delay      string  `json:"delay"`
}

func (c *control) fail(w http.ResponseWriter, r *http.Request) {
	var in fault
	if !read(w, r, &in) {
		return
	}
	f := fake.Fault{
		Status: in.Status, Code: in.Code, Message: in.Message, Body: in.Body,
		Act: in.Act, Cut: in.Cut, Drop: in.Drop, Hang: in.Hang,
	}
	var bad, worse error
	f.RetryAfter, bad = time.ParseDuration(cmp.Or(in.RetryAfter, "0"))
	f.Delay, worse = time.ParseDuration(cmp.Or(in.Delay, "0"))
	if err := errors.Join(bad, worse); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	defer func() {
		if problem := recover(); problem != nil { // no such operation, or number
			http.Error(w, fmt.Sprint(problem), http.StatusBadRequest)
		}
	}()
	if in.Share > 0 {
		c.service.Load().FailShare(in.Operation, in.Share, f)
	} else {
		c.service.Load().Fail(in.Operation, cmp.Or(in.Nth, 1), f)
	}
}

// trigger creates an event and delivers it.
func (c *control) trigger(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Swap     types.Address `json:"swap"` // who swaps, or
		From     types.Address `json:"from"` // who sends
		To       types.Address `json:"to"`
		Lamports uint64        `json:"lamports"`

		Transaction *fake.Transaction `json:"transaction"` // or any other
	}
	if !read(w, r, &in) {
		return
	}
	s := c.service.Load()
	if in.Transaction == nil && in.Swap == "" && (in.From == "" || in.To == "") {
		http.Error(w, "transaction, swap, or from and to, are required", http.StatusBadRequest)
		return
	}
	event, err := occur(func() fake.Event {
		switch {
		case in.Transaction != nil:
			return s.Happen(*in.Transaction)
		case in.Swap != "":
			return s.Swap(in.Swap)
		}
		return s.Transfer(in.From, in.To, in.Lamports)
	})
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	report := s.Deliver(r.Context(), &fake.Delivery{Anywhere: c.settings.anywhere}, event)
	write(w, struct {
		Signature    types.Signature `json:"signature"`
		Acknowledged int             `json:"acknowledged"`
		Lost         int             `json:"lost"`
	}{event.Signature(), report.Acknowledged, len(report.Lost)})
}

// occur returns the event that f makes. The fake panics where it refuses one, such as a
// transfer of more than a wallet has.
func occur(f func() fake.Event) (e fake.Event, err error) {
	defer func() {
		if problem := recover(); problem != nil {
			err = fmt.Errorf("%v", problem)
		}
	}()
	return f(), nil
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
