// Package merge joins live items and a history into one sequence without gaps. The live items may
// break off; the history lags behind, and can be read again. The package knows neither WebSocket
// nor HTTP.
//
// After a break, the gap is filled from the history: from the resume slot, up to the pulse after
// which the live items are complete. A second fill follows when the history has caught up.
package merge

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/solwire/solwire-go/internal/wait"
	"github.com/solwire/solwire-go/types"
)

const (
	// Margin is the number of slots by which live items and pulses may go back. A slot takes
	// 0.4 s.
	Margin = 32

	// The slots by which confirmed and finalized live items are behind the pulse, at most.
	confirmedLag = 4
	finalizedLag = 48

	// historyLag is the number of slots, before the end of a history, that may lack items.
	historyLag = 300

	// seenSlots is the number of slots for which repeated items are recognized.
	seenSlots = 512

	// maxAhead is the number of slots by which Since may be ahead of the source: an hour. No node
	// is further behind its network.
	maxAhead = 9000

	secondFill = 30 * time.Second
	maxBackoff = 30 * time.Second
)

// An Item is an item of either source. Items with the same ID are the same.
type Item[T any] struct {
	ID    string // empty if it could not be read
	Slot  uint64 // 0 if it could not be read
	Index uint64 // within the slot, for a History of several accounts
	Size  int    // in bytes, for the bound of a Queue
	Value T
	Err   error // why the Value could not be read
}

// An Event is an Item in the joined sequence.
type Event[T any] struct {
	Item[T]

	// Late means that an event of a later slot came before, or that the history lacked this event
	// at the first fill.
	Late bool

	Gap    *Gap   // missed items before the event; nil for none
	Resume uint64 // the Since from which a later Merge loses nothing after this event
}

// A Gap is a range of slots in which live items were missed.
type Gap struct {
	SinceSlot, UntilSlot uint64 // UntilSlot is excluded
	Filled               bool   // from the history
	Reason               error
}

// A Range is the part of a history that fills a gap.
type Range[T any] struct {
	Since, Until uint64               // both included
	Seen         func(id string) bool // reports whether an item may be left out
	Emit         func(Item[T]) error  // its error ends the fill
}

// A History emits the items of a Range and of Margin more slots, in the order of slots, from a
// source that has reached Until.
type History[T any] func(ctx context.Context, r Range[T]) error

// A Merge joins a Queue with a history.
type Merge[T any] struct {
	Queue *Queue[T]

	History History[T]    // nil means that gaps are reported and not filled
	Wants   func(*T) bool // whether the Queue would have an item of the History; nil for all

	// States says that the history has no events, but the states of changed accounts at Until or
	// later. The ID of an item is its account. There is no second fill, and gaps do not count as
	// filled.
	States bool

	Since uint64 // the first slot with events; 0 means from now on
	Lost  error  // why items since Since are lost; nil if none are

	Finalized bool // whether live items are finalized, and so further behind the pulse
	Ascending bool // leaves out late items

	// Final returns a permanent error of the history with advice, and nil if the fill is to be
	// tried again. Worked says that there were events: the error then has to last, since a
	// restarting balancer answers anything for a while.
	Final func(err error, worked bool) error

	// Filling is called before a fill, when it fails, and with nil after it.
	Filling func(*Gap, error)
}

// errBreak ends a merge.
var errBreak = errors.New("the loop has ended")

// All iterates over the events. An error is the last element. It can be read once.
func (m *Merge[T]) All(ctx context.Context) iter.Seq2[Event[T], error] {
	return func(yield func(Event[T], error) bool) {
		w := iteration[T]{Merge: m, yield: yield, low: m.Since, broken: m.Since != 0, seen: map[string]uint64{}}
		if m.Lost != nil && m.Since != 0 {
			w.gap = &Gap{SinceSlot: m.Since, Reason: m.Lost}
		}
		var err error
		for err == nil {
			err = w.step(ctx)
		}
		if err != errBreak { //nolint:errorlint // never wrapped
			yield(Event[T]{}, err)
		}
	}
}

// An iteration is a pass through the joined sequence.
type iteration[T any] struct {
	*Merge[T]

	yield  func(Event[T], error) bool
	seen   map[string]uint64 // slots of the IDs of recent events
	last   uint64            // the highest slot of an event
	pruned uint64            // last, when seen was pruned
	low    uint64            // nothing before this slot is missing; 0 before the first pulse
	gap    *Gap              // for the next event
	broken bool              // a gap has begun, and its end is unknown
	plan   *fill             // nil for none

	lasting wait.Lasting // failures of fills
}

// A fill reads a gap from the history. It is planned when the queue is complete again.
type fill struct {
	next, until uint64    // both included; next is where it continues after a failure
	safe        uint64    // the history lacks nothing before this slot
	at          time.Time // when it is due
	second      bool      // live items wait for the first fill only
	failures    int       // in a row
}

// settled returns the slot before which all items were read.
func (p *fill) settled() uint64 { return min(p.next, p.safe) }

// step handles the next entry of the queue or the planned fill, whichever is due.
func (w *iteration[T]) step(ctx context.Context) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	live := w.Queue.state()
	if w.low == 0 && live.first != 0 {
		lag := uint64(confirmedLag)
		if w.Finalized {
			lag = finalizedLag
		}
		w.low = max(live.first-min(live.first, lag), 1)
	}
	if w.broken && w.low != 0 {
		if err := w.planFill(); err != nil {
			return err
		}
	}
	if !w.broken && w.plan != nil && !time.Now().Before(w.plan.at) {
		return w.fill(ctx)
	}
	var e *entry[T]
	err := live.err
	if !w.broken && (w.plan == nil || w.plan.second) {
		e, err = w.Queue.take()
	}
	switch {
	case err != nil:
		return err
	case e == nil:
		w.wait(ctx)
	case e.reason == nil:
		return w.emit(e.item, false)
	default:
		w.broken = true
		if w.gap == nil {
			w.gap = &Gap{SinceSlot: w.resume(), Filled: w.History != nil && !w.States, Reason: e.reason}
		}
	}
	return nil
}

func (w *iteration[T]) wait(ctx context.Context) {
	var due <-chan time.Time
	if w.plan != nil && !w.broken {
		due = time.After(time.Until(w.plan.at))
	}
	select {
	case <-w.Queue.wake:
	case <-due:
	case <-ctx.Done():
	}
}

// resume returns the resume slot.
func (w *iteration[T]) resume() uint64 {
	switch {
	case w.plan != nil:
		return w.plan.settled()
	case w.last > Margin:
		return max(w.low, w.last-Margin)
	}
	return w.low
}

// planFill ends the gap at the slot after which the queue is complete, and plans its fill if there
// is a history. It does nothing while the queue is incomplete. A source that is behind the resume
// slot has missed nothing.
func (w *iteration[T]) planFill() error {
	until, since := w.Queue.complete(), w.resume()
	if until == 0 {
		return nil
	}
	w.broken = false
	switch {
	case w.last == 0 && since > until+maxAhead:
		return fmt.Errorf("SinceSlot %d is far ahead of the node, which has reached slot %d; it may be of another network: %w", since, until, types.ErrInvalid)
	case since > until:
		w.gap = nil
		return nil
	case w.gap != nil:
		w.gap.SinceSlot, w.gap.UntilSlot = cmp.Or(w.gap.SinceSlot, w.low), until+1
	}
	if w.History != nil {
		w.plan = &fill{next: since, until: until, safe: max(since, until-min(until, historyLag)), at: time.Now()}
	}
	return nil
}

// fill makes the planned fill. It plans the same fill again after a failure, and the second fill
// after the first.
func (w *iteration[T]) fill(ctx context.Context) error {
	p := w.plan
	if p.failures == 0 {
		w.report(nil)
	}
	err := w.readHistory(ctx)
	switch {
	case err == errBreak || ctx.Err() != nil: //nolint:errorlint // never wrapped
		return err
	case err != nil:
		return w.failed(err)
	case w.States:
		w.plan, w.low = nil, max(w.low, p.until-min(p.until, Margin))
	case p.second:
		w.plan, w.low = nil, max(w.low, p.until)
	default:
		w.plan = &fill{next: p.safe, until: p.until, safe: p.until, at: time.Now().Add(secondFill), second: true}
	}
	w.lasting = wait.Lasting{}
	w.Filling(nil, nil)
	return nil
}

func (w *iteration[T]) failed(err error) error {
	p, worked := w.plan, w.last != 0
	if final := w.lasting.Final(w.Final(err, worked), worked); final != nil {
		return final
	}
	p.failures++
	w.report(err)
	p.at = time.Now().Add(wait.Backoff(p.failures, time.Second, maxBackoff))
	return nil
}

// report calls Filling with the part of the gap that is not settled yet.
func (w *iteration[T]) report(err error) {
	w.Filling(&Gap{SinceSlot: w.plan.settled(), UntilSlot: w.plan.until + 1, Filled: true}, err)
}

// readHistory emits the items of the planned fill. After a failure, it continues at the slot of the
// last item.
func (w *iteration[T]) readHistory(ctx context.Context) error {
	p, since := w.plan, w.plan.next
	seen := func(id string) bool {
		_, ok := w.seen[id]
		return ok
	}
	return w.History(ctx, Range[T]{since, p.until, seen, func(item Item[T]) error {
		if w.States {
			item.Slot = max(item.Slot, p.until)
			if item.ID != "" { // a notified state is another event
				item.ID = fmt.Sprint(item.ID, " read at ", p.until)
			}
		}
		if item.Slot < since || item.Err == nil && w.Wants != nil && !w.Wants(&item.Value) {
			return nil
		}
		if item.Slot > p.next && !w.States {
			p.next, p.failures = item.Slot, 0
		}
		return w.emit(item, p.second)
	}})
}

// emit yields an item unless it has been yielded before.
func (w *iteration[T]) emit(item Item[T], late bool) error {
	if item.Err != nil {
		item.Slot = cmp.Or(item.Slot, w.last, w.low)
	}
	if _, repeated := w.seen[item.ID]; repeated || item.Slot < w.Since {
		return nil
	}
	if item.ID != "" {
		w.seen[item.ID] = item.Slot
	}
	w.low = min(cmp.Or(w.low, item.Slot), item.Slot) // items may come before the first pulse
	if late = late || item.Slot < w.last; late && w.Ascending {
		return nil
	}
	if w.last = max(w.last, item.Slot); w.last > w.pruned+seenSlots/4 {
		w.prune()
	}
	e := Event[T]{Item: item, Late: late, Gap: w.gap, Resume: w.resume()}
	w.gap = nil
	if !w.yield(e, nil) {
		return errBreak
	}
	return nil
}

func (w *iteration[T]) prune() {
	w.pruned = w.last
	floor := min(w.resume(), w.last-min(w.last, seenSlots))
	for id, slot := range w.seen {
		if slot < floor {
			delete(w.seen, id)
		}
	}
}
