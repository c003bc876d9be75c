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

	secondReading = 30 * time.Second
	maxBackoff    = 30 * time.Second
	maxFailures   = 250 // in a row of one reading, which take two hours
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

// A Merge joins a Queue with a history.
type Merge[T any] struct {
	Queue *Queue[T]

	// History returns the items from slot since to slot until, both included, and of Margin
	// more slots, in the order of slots, as a source that has reached until knows them. It
	// may leave out the items that are seen. Nil means that gaps are reported and not filled.
	History func(ctx context.Context, since, until uint64, seen func(id string) bool) iter.Seq2[Item[T], error]

	// States says that the history has the states at until of what changed since, not
	// events: states between are lost. It is read once, and gaps do not count as filled.
	States bool

	Since  uint64 // the first slot; 0 means from now on
	Behind uint64 // slots by which live items are behind the pulse

	// Permanent reports whether an error of the history is final. Others are retried.
	Permanent func(error) bool

	// Filling is called before a history is read, when that fails, and with nil when it
	// has been read.
	Filling func(*Gap, error)
}

// errBreak ends a merge whose loop has ended.
var errBreak = errors.New("the loop has ended")

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
	e, ok, err := w.Queue.take(func(*entry[T]) bool { return true })
	switch {
	case err != nil:
		return err
	case !ok:
		return w.wait(ctx)
	case e.reason == nil:
		return w.emit(e.item, false)
	}
	if w.low == 0 {
		start := w.Queue.start()
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
	pulse := w.Queue.last()
	switch {
	case pulse == 0: // the source has been interrupted since
		return w.fill(ctx)
	case w.doubt:
		w.doubts = true
	default:
		w.settled, w.until, w.doubt = w.resume(), max(w.until, pulse), true
		w.checkAt = time.Now().Add(secondReading)
	}
	w.gap.UntilSlot = max(w.gap.UntilSlot, pulse+1)
	return nil
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
	gap := &Gap{SinceSlot: since, UntilSlot: until + 1, Filled: true}
	w.report(gap, nil)
	w.settled, w.until, w.doubt, w.doubts = since, max(until, w.until), false, false
	for failures := 0; ; failures++ {
		reached, err := w.read(ctx, since, until)
		switch {
		case err == nil && w.States:
			w.settled, w.low = 0, max(w.low, until-min(until, Margin))
			w.report(nil, nil)
			return nil
		case err == nil:
			w.settled = max(w.settled, until-min(until, unsettled))
			w.checkAt, w.failures = time.Now().Add(secondReading), 0
			w.report(nil, nil)
			return nil
		case w.final(ctx, err):
			return err
		case failures == maxFailures:
			return fmt.Errorf("the history could not be read for two hours: %w: %w", err, types.ErrIncomplete)
		}
		if err := w.Queue.failed(); err != nil {
			return err
		}
		if reached > since && !w.States { // the second reading covers what the history lacked before
			since, failures = reached, 0
		}
		w.report(gap, err)
		if wait.For(ctx, wait.Backoff(failures+1, time.Second, maxBackoff)) != nil {
			return context.Cause(ctx)
		}
	}
}

func (w *walk[T]) report(gap *Gap, err error) {
	if w.Filling != nil {
		w.Filling(gap, err)
	}
}

func (w *walk[T]) final(ctx context.Context, err error) bool {
	return err == errBreak || ctx.Err() != nil || w.Permanent(err) //nolint:errorlint // never wrapped
}

// read emits the history, and before each item the live items of earlier slots. It returns
// the slot of the last item.
func (w *walk[T]) read(ctx context.Context, since, until uint64) (reached uint64, err error) {
	safe := until - min(until, unsettled)
	for item, err := range w.history(ctx, since, until) {
		if err != nil {
			return reached, err
		}
		if item.Slot > until+Margin { // and all that follow
			break
		}
		if item.Slot < since {
			continue
		}
		reached = item.Slot
		for {
			earlier, ok, _ := w.Queue.take(func(e *entry[T]) bool { return e.reason == nil && e.item.Slot < item.Slot })
			if !ok {
				break
			}
			if err := w.emit(earlier.item, false); err != nil {
				return reached, err
			}
		}
		if !w.States {
			w.settled = max(w.settled, min(item.Slot, safe))
		}
		if err := w.emit(item, false); err != nil {
			return reached, err
		}
	}
	return reached, nil
}

func (w *walk[T]) history(ctx context.Context, since, until uint64) iter.Seq2[Item[T], error] {
	if since > until { // a stream may resume at a slot that is yet to come
		return func(func(Item[T], error) bool) {}
	}
	return w.History(ctx, since, until, func(id string) bool {
		_, ok := w.seen[id]
		return ok
	})
}

// check is the second reading, in which a history has what it lacked in the first.
func (w *walk[T]) check(ctx context.Context) error {
	if w.doubt {
		w.report(&Gap{SinceSlot: w.settled, UntilSlot: w.until + 1, Filled: true}, nil)
	}
	for item, err := range w.history(ctx, w.settled, w.until) {
		if err == nil && item.Slot > w.until+Margin {
			break
		}
		if err == nil {
			w.settled = max(w.settled, item.Slot) // if this reading fails, go on from here
			err = w.emit(item, true)
		}
		switch {
		case err == nil:
			w.failures = 0
		case w.final(ctx, err):
			return err
		case w.last > w.settled+maxUnchecked:
			return fmt.Errorf("the history could not be read again for %d slots: %w: %w", w.last-w.settled, err, types.ErrIncomplete)
		default:
			w.failures++
			w.report(&Gap{SinceSlot: w.settled, UntilSlot: w.until + 1, Filled: true}, err)
			w.checkAt = time.Now().Add(wait.Backoff(w.failures, 2*time.Second, maxBackoff))
			return nil
		}
	}
	w.low, w.settled = max(w.low, w.until), 0
	w.report(nil, nil)
	if more := w.doubts; w.doubt {
		w.doubt, w.doubts = false, false
		if pulse := w.Queue.last(); more && pulse != 0 {
			w.settled, w.until, w.doubt = w.low, max(w.until, pulse), true
			w.checkAt = time.Now().Add(secondReading)
		}
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
		if start := w.Queue.start(); start != 0 {
			w.low = min(start, item.Slot)
		}
	}
	late = late || item.Slot < w.last
	if w.last = max(w.last, item.Slot); w.last > w.pruned+kept/4 {
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
