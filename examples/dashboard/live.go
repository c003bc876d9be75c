package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/rpc/stream"
	"github.com/solwire/solwire-go/types"
)

// An event is a transaction as the page shows it.
type event struct {
	Signature types.Signature `json:"signature"`
	URL       string          `json:"url"` // of the transaction in an explorer
	Time      time.Time       `json:"time"`
	When      string          `json:"when"` // Time as the page shows it
	Kind      string          `json:"kind"`
	Changes   []string        `json:"changes"` // such as +1.5 SOL
	With      []string        `json:"with"`    // the other wallets
	Credits   uint64          `json:"credits"` // spent since the program started
}

// serveLive sends the transactions that name a wallet as server-sent events while they
// happen. A browser that was disconnected sends the ID of the last event it got, and
// misses none. Tokens may arrive without naming the wallet: those are seen after a reload.
func (d *dashboard) serveLive(w http.ResponseWriter, r *http.Request) {
	owner, err := types.ParseAddress(r.FormValue("wallet"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	resume, _ := strconv.ParseUint(r.Header.Get("Last-Event-ID"), 10, 64) // 0 at first
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	control := http.NewResponseController(w)
	var mu sync.Mutex
	send := func(format string, args ...any) error {
		mu.Lock()
		defer mu.Unlock()
		_ = control.SetWriteDeadline(time.Now().Add(10 * time.Second)) // a client that does not read would block for ever
		defer func() { _ = control.SetWriteDeadline(time.Time{}) }()
		if _, err := fmt.Fprintf(w, format+"\n\n", args...); err != nil {
			return err
		}
		return control.Flush()
	}
	if resume == 0 { // a browser that is disconnected before the first event misses none
		resume, _ = d.node.Slot(r.Context(), &rpc.ReadOptions{Commitment: types.CommitmentConfirmed})
	}
	if send("id: %d", resume) != nil {
		return
	}
	ctx, cancel := context.WithCancel(r.Context())
	var states sync.WaitGroup
	defer states.Wait()
	defer cancel()
	states.Go(func() {
		for last := ""; ctx.Err() == nil; time.Sleep(time.Second) {
			if text := d.state(); text != last {
				last = text
				if send("event: state\ndata: %s", text) != nil {
					cancel() // the browser is gone
				}
			}
		}
	})
	opts := &stream.ParsedTransactionsOptions{Accounts: []types.Address{owner}, SinceSlot: resume}
	for e, err := range d.streams.ParsedTransactions(ctx, opts) {
		if ctx.Err() != nil { // the browser is gone, or the dashboard ends: the browser tries again
			return
		}
		if err != nil {
			_ = send("event: failed\ndata: %s", plain(err))
			return
		}
		data, err := json.Marshal(d.event(&e, owner))
		if err != nil || send("id: %d\ndata: %s", e.Resume, data) != nil {
			return
		}
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
			return "Connected. New transactions appear here."
		}
	}
	return "Connecting…"
}

// event describes a transaction from the view of a wallet.
func (d *dashboard) event(e *stream.ParsedTransactionEvent, owner types.Address) event {
	shown := event{Signature: e.Signature, URL: d.explorer + string(e.Signature), Time: d.clock(), Kind: "transaction", Credits: d.meter.Credits()}
	if t := e.Parsed; t != nil { // the service could read it
		if !t.BlockTime.IsZero() {
			shown.Time = t.BlockTime.Time
		}
		if t.Summary != nil {
			shown.Kind = strings.ReplaceAll(clean(string(t.Summary.Type)), "_", " ")
		}
		if t.Failed() {
			shown.Kind += ", failed"
		}
		for _, c := range t.Changes() {
			switch moved, name := c.In.Sub(c.Out), d.label(c.Account).Name; {
			case c.Account != owner && !slices.Contains(shown.With, name):
				shown.With = append(shown.With, name)
			case c.Account == owner && moved.IsNegative():
				shown.Changes = append(shown.Changes, "−"+amount(moved.Neg())+" "+d.label(c.Mint).Name)
			case c.Account == owner && moved.IsPositive():
				shown.Changes = append(shown.Changes, "+"+amount(moved)+" "+d.label(c.Mint).Name)
			}
		}
	}
	shown.When = when(shown.Time)
	return shown
}
