package main

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/solwire/solwire-go/rpc/stream"
	"github.com/solwire/solwire-go/types"
)

// beat is how often the page hears from the dashboard. After some beats without a word it says
// that the connection is stale.
const beat = time.Second

// serveLive tells the page when a transaction has happened, as server-sent events. The page then
// reads itself again, with the transactions that it missed while it was disconnected.
func (d *dashboard) serveLive(w http.ResponseWriter, r *http.Request) {
	owner, err := types.ParseAddress(r.FormValue("wallet"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	control := http.NewResponseController(w)
	var mu sync.Mutex
	ctx, cancel := context.WithCancel(r.Context())
	send := func(event, text string) {
		mu.Lock()
		defer mu.Unlock()
		// a client that does not read would block for ever
		_ = control.SetWriteDeadline(time.Now().Add(10 * time.Second))
		_, err := fmt.Fprintf(w, "event: %s\ndata: %s\n\n", event, text)
		if err != nil || control.Flush() != nil {
			cancel() // the browser is gone
		}
	}
	accounts := d.watched(owner)
	var beats sync.WaitGroup
	defer beats.Wait()
	defer cancel()
	beats.Go(func() {
		ticker := time.NewTicker(beat)
		defer ticker.Stop()
		for ctx.Err() == nil {
			send("state", d.state())
			select {
			case <-ctx.Done():
			case <-ticker.C:
			}
		}
	})
	opts := &stream.ParsedTransactionsOptions{Accounts: accounts}
	for t, err := range d.streams.ParsedTransactions(ctx, opts) {
		if ctx.Err() != nil { // the browser is gone, or the dashboard ends: the browser tries again
			return
		}
		if err != nil {
			send("failed", plain(err))
			return
		}
		if t.Signature == "" { // the service sent something unexpected
			continue
		}
		e := d.entryOf(owner, t.Signature, t.Parsed)
		e.Slot = t.Slot
		d.note(owner, e)
		send("transaction", string(e.Signature))
	}
}

// state tells whether the service delivers transactions.
func (d *dashboard) state() string {
	s := d.streams.Status()
	for _, l := range s.Loops {
		if l.Reason != nil {
			return "Not connected, trying again. " + plain(l.Reason)
		}
	}
	for _, c := range s.Connections {
		if !c.Since.IsZero() {
			return "Connected"
		}
	}
	return "Connecting…"
}
