// Package merge joins live items, which may be interrupted, with a history, which can be
// read again but lags behind, into one sequence without gaps. It knows neither WebSocket
// nor HTTP.
//
// The watermark is a slot from which on reading the history again loses nothing: after an
// interruption, the history is read from there up to a slot after which the live source
// is complete, and once more when the history has had time to catch up.
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
	// Margin is how many slots live items and pulses may go back. Slots take 0.4 s.
	Margin = 32

	// unsettled is the number of slots before its end in which a history may lack items.
	unsettled = 300

	// kept is the number of slots for which repeated items are recognized.
	kept = 512

	secondReading = 30 * time.Second
	maxBackoff    = 30 * time.Second
	maxFailures   = 250 // in a row of one reading, which take two hours
)

// An Item is an item of either source. Items with the same ID are the same.
type Item[T any] struct {
	ID    string
	Slot  uint64
	Index uint64 // within the slot, for a History of several sources
	Size  int    // in bytes, for the bound of a Queue
	Value T
}

// An Event is an Item in the joined sequence.
type Event[T any] struct {
	Item[T]

	// Late means that events of later slots, or the history that should have had it, came
	// before.
	Late bool

	Gap    *Gap   // what was missing before the event; nil for nothing
	Resume uint64 // the Since from which a later Merge loses nothing after this event
}

// A Gap is a range of slots in which live items were missed.
type Gap struct {
	SinceSlot, UntilSlot uint64 // UntilSlot is excluded; 0 when unknown
	Filled               bool   // from the history
	Reason               error
}

// A Reading is a part of a history.
type Reading[T any] struct {
	Since, Until uint64               // both included
	Seen         func(id string) bool // reports whether an item may be left out
	Emit         func(Item[T]) error  // its error ends the reading
}

// A History emits the items of a Reading and of Margin more slots, in the order of slots, as a
// source that has reached Until knows them.
type History[T any] func(ctx context.Context, r Reading[T]) error

// A Merge joins a Queue with a history.
type Merge[T any] struct {
	Queue *Queue[T]

	History History[T]    // nil means that gaps are reported and not filled
	Wants   func(*T) bool // whether the Queue would have an item of the History; nil for all

	// States says that the history has the states at until of what changed since, not
	// events: states between are lost. It is read once, and gaps do not count as filled.
	States bool

	Since  uint64 // the first slot; 0 means from now on
	Behind uint64 // slots by which live items are behind the pulse

	// Final returns the error with what to do if reading the history again is useless, and
	// nil for others, which are retried. Worked says that there were events: it then ends
	// the merge when it has lasted, since balancers that restart answer anything for a while.
	Final func(err error, worked bool) error

	// Filling is called before a history is read, when that fails, and with nil when it
	// has been read.
	Filling func(*Gap, error)
}

var (
	errBreak = errors.New("the loop has ended")        // ends a merge
	errEnd   = errors.New("all asked slots were read") // ends a reading
)

// All iterates over the events. An error is the last element. It can be read once.
func (m *Merge[T]) All(ctx context.Context) iter.Seq2[Event[T], error] {
	return func(yield func(Event[T], error) bool) {
		w := walk[T]{Merge: m, yield: yield, low: m.Since, broken: m.Since != 0, seen: map[string]uint64{}}
		var err error
		for err == nil {
			err = w.step(ctx)
		}
		if err != errBreak { //nolint:errorlint // never wrapped
			yield(Event[T]{}, err)
		}
	}
}

// A walk is a pass through the joined sequence.
type walk[T any] struct {
	*Merge[T]

	yield  func(Event[T], error) bool
	seen   map[string]uint64 // slots of the IDs of recent events
	last   uint64            // the highest slot of an event
	pruned uint64            // last, when seen was pruned
	gap    *Gap              // for the next event
	low    uint64            // nothing before this slot is missing; 0 before the first pulse

	// The reading that is planned, once the queue is complete again. Live items wait for the
	// first one of a gap.
	broken   bool
	first    bool
	settled  uint64    // nothing before this slot is to be read again; 0 for no reading
	next     uint64    // where the reading continues
	until    uint64    // its last slot
	at       time.Time // when it is due
	failures int       // in a row
	doubts   bool      // more could not be read live since it was planned
	lasting  wait.Lasting
}

// step handles the next entry of the queue or the planned reading, whichever is due.
func (w *walk[T]) step(ctx context.Context) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	now := w.Queue.now()
	if w.low == 0 && now.first != 0 {
		w.low = max(now.first-min(now.first, w.Behind), 1)
	}
	if w.broken && w.low != 0 {
		w.fill()
	}
	if !w.broken && w.settled != 0 && !time.Now().Before(w.at) {
		return w.read(ctx)
	}
	var e *entry[T]
	err := now.err
	if !w.first && !w.broken {
		e, err = w.Queue.take()
	}
	switch {
	case err != nil:
		return err
	case e == nil:
		w.wait(ctx)
		return nil
	case e.reason == nil:
		return w.emit(e.item, false)
	}
	if w.gap == nil {
		w.gap = &Gap{SinceSlot: w.resume(), Filled: w.History != nil && !w.States, Reason: e.reason}
	}
	if e.doubt && w.gap.Filled {
		w.later()
	} else {
		w.broken = true
	}
	return nil
}

func (w *walk[T]) wait(ctx context.Context) {
	var due <-chan time.Time
	if w.settled != 0 && !w.broken {
		due = time.After(time.Until(w.at))
	}
	select {
	case <-w.Queue.wake:
	case <-due:
	case <-ctx.Done():
	}
}

// resume returns the slot from which reading again loses nothing.
func (w *walk[T]) resume() uint64 {
	switch {
	case w.settled != 0:
		return w.settled
	case w.last > Margin:
		return max(w.low, w.last-Margin)
	}
	return w.low
}

// fill plans to read a gap, if there is a history: from the watermark to the slot after
// which the queue is complete. Until it is, there is nothing to plan.
func (w *walk[T]) fill() {
	until := w.Queue.complete()
	if until == 0 {
		return
	}
	w.broken = false
	if w.gap != nil {
		w.gap.SinceSlot, w.gap.UntilSlot = cmp.Or(w.gap.SinceSlot, w.low), until+1
	}
	if w.History == nil {
		return
	}
	since := w.resume()
	if since > until+unsettled { // a node that is wrong told it
		since, w.low = until, until
	}
	w.plan(since, until, 0)
	w.first, w.doubts = true, false
}

// later leaves what could not be read live to the second reading, so that a source that
// delivers the unreadable again and again makes one reading per while, not one for each.
func (w *walk[T]) later() {
	pulse := w.Queue.now().pulse
	switch {
	case pulse == 0, w.low == 0: // the source has been interrupted since, or has not begun
		w.broken = true
	case w.settled != 0:
		w.doubts = true
	default:
		w.plan(w.resume(), pulse, secondReading)
	}
	w.gap.UntilSlot = max(w.gap.UntilSlot, pulse+1)
}

func (w *walk[T]) plan(since, until uint64, after time.Duration) {
	w.settled, w.next, w.until = since, since, until
	w.at, w.failures = time.Now().Add(after), 0
}

// read makes the planned reading, and plans the next one: again if it fails, and the second
// one, in which a history has what it lacked in the first.
func (w *walk[T]) read(ctx context.Context) error {
	pulse := w.Queue.now().pulse
	if pulse != 0 && pulse+unsettled < w.until { // a node that is wrong told it
		w.until = pulse
	}
	if w.failures == 0 {
		w.report(nil)
	}
	safe := w.until
	if w.first {
		safe -= min(safe, unsettled)
	}
	switch err := w.history(ctx, safe); {
	case err == errBreak || ctx.Err() != nil: //nolint:errorlint // never wrapped
		return err
	case err != nil:
		return w.failed(err)
	}
	w.lasting = wait.Lasting{}
	switch {
	case w.States:
		w.settled, w.low = 0, max(w.low, w.until-min(w.until, Margin))
	case w.first:
		w.plan(max(w.settled, safe), w.until, secondReading)
	default:
		w.settled, w.low = 0, max(w.low, w.until)
		if w.doubts {
			w.plan(w.low, pulse, secondReading)
		}
		w.doubts = false
	}
	w.first = false
	w.Filling(nil, nil)
	return nil
}

func (w *walk[T]) failed(err error) error {
	worked := w.last != 0
	if final := w.lasting.Final(w.Final(err, worked), worked); final != nil {
		return final
	}
	if w.failures == maxFailures {
		return fmt.Errorf("the history could not be read for two hours: %w: %w", err, types.ErrIncomplete)
	}
	w.failures++
	w.report(err)
	w.at = time.Now().Add(wait.Backoff(w.failures, time.Second, maxBackoff))
	return nil
}

// report tells which part of the reading is not settled yet.
func (w *walk[T]) report(err error) {
	w.Filling(&Gap{SinceSlot: w.settled, UntilSlot: w.until + 1, Filled: true}, err)
}

// history emits the history. After a failure, it continues at the last item.
func (w *walk[T]) history(ctx context.Context, safe uint64) error {
	since, until := w.next, w.until
	if since > until { // a stream may resume at a slot that is yet to come
		return nil
	}
	seen := func(id string) bool {
		_, ok := w.seen[id]
		return ok
	}
	err := w.History(ctx, Reading[T]{since, until, seen, func(item Item[T]) error {
		switch {
		case item.Slot > until+Margin: // and all that follow
			return errEnd
		case item.Slot < since, w.Wants != nil && !w.Wants(&item.Value):
			return nil
		}
		if item.Slot > w.next && !w.States {
			w.next, w.failures = item.Slot, 0
			w.settled = max(w.settled, min(item.Slot, safe))
		}
		return w.emit(item, !w.first)
	}})
	if errors.Is(err, errEnd) {
		return nil
	}
	return err
}

// emit yields an item unless it has been yielded before.
func (w *walk[T]) emit(item Item[T], late bool) error {
	if _, repeated := w.seen[item.ID]; repeated {
		return nil
	}
	w.seen[item.ID] = item.Slot
	w.low = min(cmp.Or(w.low, item.Slot), item.Slot) // items may come before the first pulse
	late = late || item.Slot < w.last
	slot := item.Slot
	if pulse := w.Queue.now().pulse; pulse != 0 { // one that is far ahead is wrong
		slot = min(slot, pulse+unsettled)
	}
	if w.last = max(w.last, slot); w.last > w.pruned+kept/4 {
		w.prune()
	}
	e := Event[T]{Item: item, Late: late, Gap: w.gap, Resume: w.resume()}
	w.gap = nil
	if !w.yield(e, nil) {
		return errBreak
	}
	return nil
}

func (w *walk[T]) prune() {
	w.pruned = w.last
	floor := min(w.resume(), w.last-min(w.last, kept))
	for id, slot := range w.seen {
		if slot < floor {
			delete(w.seen, id)
		}
	}
}
