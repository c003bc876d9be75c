// Package merge joins live items, which may be interrupted, with a history, which can be
// read again but lags behind, into one sequence without gaps. It knows neither WebSocket
// nor HTTP.
//
// The watermark is a slot from which on reading the history again loses nothing: after an
// interruption, the history is read from there up to a slot after which the live source
// is complete, and once more when the history has had time to catch up.
package merge

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
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

	// maxUnchecked limits the slots that wait for the second reading, and so the memory.
	maxUnchecked = 20_000

	// maxEarlier is the number of items before the asked slots after which a history counts
	// as endless.
	maxEarlier = 10_000

	secondReading = 30 * time.Second
	maxBackoff    = 30 * time.Second
	finalTime     = 2 * time.Minute // after which a refusal is final where there were events
	maxFailures   = 250             // in a row of one reading, which take two hours
)

// An Item is an item of either source. Items with the same ID are the same.
type Item[T any] struct {
	ID    string
	Slot  uint64
	Size  int // in bytes, for the bound of a Queue
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

// A Merge joins a Queue with a history.
type Merge[T any] struct {
	Queue *Queue[T]

	// History emits the items of a Reading and of Margin more slots, in the order of slots,
	// as a source that has reached Until knows them. Nil means that gaps are reported and
	// not filled.
	History func(ctx context.Context, r Reading[T]) error

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
		w := walk[T]{Merge: m, yield: yield, low: m.Since, seen: map[string]uint64{}}
		if err := w.run(ctx); err != errBreak { //nolint:errorlint // never wrapped
			yield(Event[T]{}, err)
		}
	}
}

// A walk is a reading of the joined sequence.
type walk[T any] struct {
	*Merge[T]

	yield  func(Event[T], error) bool
	seen   map[string]uint64 // slots of the IDs of recent events
	last   uint64            // the highest slot of an event
	pruned uint64            // last, when seen was pruned
	gap    *Gap              // for the next event

	low      uint64    // nothing before this slot is missing; 0 before the first pulse
	settled  uint64    // the first slot of the next second reading; 0 for none
	until    uint64    // its last slot
	checkAt  time.Time // when it is due
	failures int       // of it, in a row
	refused  time.Time // since when the errors of the history are final
	doubt    bool      // it is also the first reading of what could not be read live
	doubts   bool      // and there was more afterwards
}

func (w *walk[T]) run(ctx context.Context) error {
	if w.Since != 0 {
		if err := w.fill(ctx); err != nil {
			return err
		}
	}
	for {
		if err := w.step(ctx); err != nil {
			return err
		}
	}
}

// step handles the next entry of the queue or the second reading, whichever is due.
func (w *walk[T]) step(ctx context.Context) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	if w.settled != 0 && !time.Now().Before(w.checkAt) {
		return w.check(ctx)
	}
	e, ok, err := w.Queue.take(math.MaxUint64)
	switch {
	case err != nil:
		return err
	case !ok:
		return w.wait(ctx)
	case e.reason == nil:
		return w.emit(e.item, false)
	}
	if w.low == 0 && e.doubt { // what came before the first pulse is missing too
		if _, err := w.Queue.complete(ctx); err != nil {
			return err
		}
	}
	if w.low == 0 {
		start, _, _ := w.Queue.told()
		w.low = start - min(start, w.Behind)
	}
	if w.low == 0 { // neither an item nor a pulse yet
		return nil
	}
	w.missed(Gap{SinceSlot: w.resume(), Filled: w.History != nil && !w.States, Reason: e.reason})
	switch {
	case w.History != nil && e.doubt && !w.States:
		return w.later(ctx)
	case w.History != nil:
		return w.fill(ctx)
	}
	if until, _ := w.Queue.complete(ctx); until != 0 { // an error follows what is held
		w.gap.UntilSlot = until + 1
	}
	return nil
}

// later leaves what could not be read live to the second reading, so that a source that
// delivers the unreadable again and again makes one reading per while, not one for each.
func (w *walk[T]) later(ctx context.Context) error {
	_, pulse, _ := w.Queue.told()
	switch {
	case pulse == 0: // the source has been interrupted since
		return w.fill(ctx)
	case w.doubt:
		w.doubts = true
	default:
		w.readAgain(w.resume(), pulse)
	}
	w.gap.UntilSlot = max(w.gap.UntilSlot, pulse+1)
	return nil
}

// readAgain schedules the second reading for what could not be read live.
func (w *walk[T]) readAgain(since, until uint64) {
	w.settled, w.until, w.doubt = since, max(w.until, until), true
	w.checkAt = time.Now().Add(secondReading)
}

func (w *walk[T]) missed(g Gap) {
	if w.gap != nil {
		g.SinceSlot = min(g.SinceSlot, w.gap.SinceSlot)
	}
	w.gap = &g
}

func (w *walk[T]) wait(ctx context.Context) error {
	var due <-chan time.Time
	if w.settled != 0 {
		timer := time.NewTimer(time.Until(w.checkAt))
		defer timer.Stop()
		due = timer.C
	}
	select {
	case <-w.Queue.wake:
	case <-due:
	case <-ctx.Done():
	}
	return nil
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

// fill emits the history from the watermark to the slot after which the queue is
// complete, merged with the queue.
func (w *walk[T]) fill(ctx context.Context) error {
	until, err := w.Queue.complete(ctx)
	if err != nil {
		return err
	}
	since := w.resume()
	if since > until+unsettled { // a node that is wrong told it
		since, w.low = until, until
	}
	if w.gap != nil {
		w.gap.UntilSlot = until + 1
	}
	w.settled, w.until, w.doubt, w.doubts = since, max(until, w.until), false, false
	w.filling(nil)
	for failures := 0; ; failures++ {
		reached, failed := w.read(ctx, since, until)
		if failed != nil {
			if final := w.final(ctx, failed); final != nil {
				return final
			}
		}
		switch {
		case failed == nil && w.States:
			w.settled, w.low = 0, max(w.low, until-min(until, Margin))
			w.report(nil, nil)
			return nil
		case failed == nil:
			w.settled = max(w.settled, until-min(until, unsettled))
			w.checkAt, w.failures = time.Now().Add(secondReading), 0
			w.report(nil, nil)
			return nil
		case failures == maxFailures:
			return fmt.Errorf("the history could not be read for two hours: %w: %w", failed, types.ErrIncomplete)
		}
		_, pulse, err := w.Queue.told()
		if err != nil {
			return err
		}
		if pulse != 0 && pulse+unsettled < until { // a node that is wrong told it
			until, w.until = pulse, pulse
		}
		if reached > since && !w.States { // the second reading covers what the history lacked before
			since, failures = reached, 0
		}
		w.filling(failed)
		if wait.For(ctx, wait.Backoff(failures+1, time.Second, maxBackoff)) != nil {
			return context.Cause(ctx)
		}
	}
}

// filling reports which part of a reading is not settled yet.
func (w *walk[T]) filling(err error) {
	w.report(&Gap{SinceSlot: w.settled, UntilSlot: w.until + 1, Filled: true}, err)
}

func (w *walk[T]) report(gap *Gap, err error) {
	if w.Filling != nil {
		w.Filling(gap, err)
	}
}

// final returns the error that ends the merge, if an error of the history does.
func (w *walk[T]) final(ctx context.Context, err error) error {
	if err == errBreak || ctx.Err() != nil { //nolint:errorlint // never wrapped
		return err
	}
	worked := w.last != 0
	final := w.Final(err, worked)
	switch {
	case final == nil:
		w.refused = time.Time{}
	case w.refused.IsZero():
		w.refused = time.Now()
	}
	if worked && time.Since(w.refused) < finalTime {
		return nil
	}
	return final
}

// read emits the history, and before each item the live items of earlier slots. It returns
// the slot of the last item.
func (w *walk[T]) read(ctx context.Context, since, until uint64) (reached uint64, err error) {
	safe := until - min(until, unsettled)
	err = w.history(ctx, since, until, func(item Item[T]) error {
		reached = item.Slot
		for {
			earlier, ok, _ := w.Queue.take(item.Slot)
			if !ok {
				break
			}
			if err := w.emit(earlier.item, false); err != nil {
				return err
			}
		}
		if !w.States {
			w.settled = max(w.settled, min(item.Slot, safe))
		}
		return w.emit(item, false)
	})
	return reached, err
}

// history calls emit for the items of the asked slots, and of Margin more.
func (w *walk[T]) history(ctx context.Context, since, until uint64, emit func(Item[T]) error) error {
	if since > until { // a stream may resume at a slot that is yet to come
		return nil
	}
	seen := func(id string) bool {
		_, ok := w.seen[id]
		return ok
	}
	earlier := 0
	err := w.History(ctx, Reading[T]{since, until, seen, func(item Item[T]) error {
		switch {
		case item.Slot > until+Margin: // and all that follow
			return errEnd
		case item.Slot >= since:
			earlier = 0
			return emit(item)
		}
		earlier++
		if earlier == maxEarlier {
			return fmt.Errorf("%d items of the history in a row are before slot %d: %w", earlier, since, types.ErrIncomplete)
		}
		return nil
	}})
	if err == nil || errors.Is(err, errEnd) {
		w.refused = time.Time{}
		return nil
	}
	return err
}

// check is the second reading, in which a history has what it lacked in the first.
func (w *walk[T]) check(ctx context.Context) error {
	if w.doubt {
		w.filling(nil)
	}
	err := w.history(ctx, w.settled, w.until, func(item Item[T]) error {
		w.settled, w.failures = max(w.settled, item.Slot), 0 // if this reading fails, continue here
		return w.emit(item, true)
	})
	if err != nil {
		if final := w.final(ctx, err); final != nil {
			return final
		}
		if w.last > w.settled+maxUnchecked {
			return fmt.Errorf("the history could not be read again for %d slots: %w: %w", w.last-w.settled, err, types.ErrIncomplete)
		}
		w.failures++
		w.filling(err)
		w.checkAt = time.Now().Add(wait.Backoff(w.failures, 2*time.Second, maxBackoff))
		return nil
	}
	w.low, w.settled = max(w.low, w.until), 0
	w.report(nil, nil)
	more := w.doubts
	w.doubt, w.doubts = false, false
	if more {
		_, pulse, _ := w.Queue.told()
		w.readAgain(w.low, pulse)
	}
	return nil
}

// emit yields an item unless it has been yielded before.
func (w *walk[T]) emit(item Item[T], late bool) error {
	if _, repeated := w.seen[item.ID]; repeated {
		return nil
	}
	w.seen[item.ID] = item.Slot
	if w.low == 0 {
		w.low = item.Slot
		if start, _, _ := w.Queue.told(); start != 0 {
			w.low = min(start, item.Slot)
		}
	}
	late = late || item.Slot < w.last
	slot := item.Slot
	if _, pulse, _ := w.Queue.told(); pulse != 0 { // one that is far ahead is wrong
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
