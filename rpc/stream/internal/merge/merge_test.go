package merge_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/rpc/stream/internal/merge"
	"github.com/solwire/solwire-go/types"
)

const (
	slotTime  = 400 * time.Millisecond
	firstSlot = 1000
	perSlot   = 20
)

// A chain produces perSlot items in each slot, which are confirmed some time after the
// slot has begun. Its history has an item up to lag later.
type chain struct {
	begun time.Time
	slots uint64
	lag   time.Duration
	fail  float64 // the share of items before which a reading of the history fails
}

func (c *chain) slot() uint64 { return firstSlot + uint64(time.Since(c.begun)/slotTime) }

func (c *chain) begins(slot uint64) time.Time {
	return c.begun.Add(time.Duration(slot-firstSlot) * slotTime)
}

func (c *chain) items(slot uint64) []merge.Item[int] {
	if slot < firstSlot || slot >= firstSlot+c.slots {
		return nil
	}
	items := make([]merge.Item[int], perSlot)
	for i := range items {
		n := int(slot-firstSlot)*perSlot + i
		items[i] = merge.Item[int]{ID: fmt.Sprint("signature ", n), Slot: slot, Size: 1000, Value: n}
	}
	return items
}

var errTransient = errors.New("try again")

func final(err error, _ bool) error {
	if errors.Is(err, errTransient) {
		return nil
	}
	return err
}

func (c *chain) history(r *rand.Rand) func(context.Context, merge.Reading[int]) error {
	return func(ctx context.Context, asked merge.Reading[int]) error {
		if time.Now().Before(c.begins(asked.Until).Add(2 * slotTime)) { // the node has not reached it
			return errTransient
		}
		for slot := max(asked.Since, firstSlot); slot <= min(asked.Until+merge.Margin, firstSlot+c.slots); slot++ {
			for _, item := range c.items(slot) {
				if c.lag > 0 && time.Since(c.begins(slot)) < time.Duration(item.Value)*7919*time.Millisecond%c.lag {
					continue
				}
				if ctx.Err() != nil {
					return ctx.Err()
				}
				if r.Float64() < c.fail {
					return errTransient
				}
				if err := asked.Emit(item); err != nil {
					return err
				}
			}
		}
		return nil
	}
}

// A live source delivers the items of the slots, with the faults of a bad network.
type live struct {
	*chain

	breaks, repeats, late float64         // shares of slots
	back                  float64         // how many slots pulses go back at most
	seen                  map[string]bool // the IDs of the events of the loop
}

func (l *live) run(ctx context.Context, q *merge.Queue[int], r *rand.Rand) {
	down := 0
	var delayed []merge.Item[int]
	for slot := l.slot(); ; slot++ {
		select {
		case <-ctx.Done():
			return
		case <-time.After(time.Until(l.begins(slot))):
		}
		switch {
		case down > 0:
			down--
			continue
		case r.Float64() < l.breaks:
			q.Break(io.ErrUnexpectedEOF)
			down, delayed = 1+r.IntN(8), nil
			continue
		}
		q.Pulse(slot - uint64(r.Float64()*l.back))
		items := l.items(slot - 1) // the items of slot are confirmed later
		if r.Float64() < l.late {
			delayed, items = append(delayed, items[:len(items)/2]...), items[len(items)/2:]
		} else {
			items, delayed = append(items, delayed...), nil
		}
		for _, item := range items {
			q.Push(item)
			if r.Float64() < l.repeats {
				q.Push(item)
			}
		}
	}
}

// follow reads the merge until stop says so, checks its order, and returns the Resume of
// the last event.
func (l *live) follow(t *testing.T, r *rand.Rand, since uint64, handle func(merge.Event[int]) (stop bool)) uint64 {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Hour)
	defer cancel()
	q := merge.NewQueue[int](500, 1<<20)
	go l.run(ctx, q, rand.New(rand.NewPCG(r.Uint64(), 2)))
	m := merge.Merge[int]{
		Queue: q, Since: since,
		History: l.history(rand.New(rand.NewPCG(r.Uint64(), 1))),
		Final:   final,
	}
	seen := map[string]bool{}
	l.seen = seen
	last, resume := uint64(0), since
	for e, err := range m.All(ctx) {
		require.NoError(t, err)
		require.False(t, seen[e.ID], "%s came twice", e.ID)
		seen[e.ID] = true
		if !e.Late {
			require.GreaterOrEqual(t, e.Slot, last)
		}
		last = max(last, e.Slot)
		require.GreaterOrEqual(t, e.Resume, resume)
		resume = e.Resume
		if e.Gap != nil {
			require.True(t, e.Gap.Filled)
			require.LessOrEqual(t, e.Gap.SinceSlot, e.Gap.UntilSlot)
		}
		if handle(e) {
			break
		}
	}
	return resume
}

func TestNothingIsLostUnderFaults(t *testing.T) {
	for name, test := range map[string]struct {
		live
		slow, kill float64 // shares of events
		lag        time.Duration
	}{
		"cuts":      {live{breaks: 0.05, repeats: 0.01, late: 0.05}, 0.0002, 0.0005, 13 * time.Second},
		"lag":       {live{breaks: 0.003}, 0, 0.00002, 25 * time.Second},
		"disorder":  {live{repeats: 0.5, late: 0.5, back: 9}, 0, 0.0003, 0},
		"slow loop": {live{}, 0.001, 0.00002, 13 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := rand.New(rand.NewPCG(3, 7))
				l := test.live
				l.chain = &chain{begun: time.Now(), slots: 2500, lag: test.lag, fail: 0.001}
				all := perSlot * int(l.slots)
				got := map[int]bool{}
				for since := uint64(firstSlot); len(got) < all; {
					since = l.follow(t, r, since, func(e merge.Event[int]) bool {
						got[e.Value] = true
						if r.Float64() < test.slow {
							time.Sleep(time.Duration(r.IntN(60)) * time.Second)
						}
						return r.Float64() < test.kill || len(got) == all
					})
				}
			})
		})
	}
}

func TestMemoryIsFlat(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &live{chain: &chain{begun: time.Now(), slots: 20_000}, breaks: 0.001}
		events, heap := 0, uint64(0)
		l.follow(t, rand.New(rand.NewPCG(1, 1)), firstSlot, func(merge.Event[int]) bool {
			if events++; events%100_000 == 0 {
				var stats runtime.MemStats
				runtime.GC()
				runtime.ReadMemStats(&stats)
				if heap == 0 {
					heap = stats.HeapAlloc
				}
				require.Less(t, stats.HeapAlloc, heap+4<<20)
			}
			clear(l.seen) // of the test
			return events == 200_000
		})
	})
}

func TestLoopFromNowOnLosesNothingAfterItsFirstEvent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(1, 2))
		c := &chain{begun: time.Now(), slots: 1000, lag: 10 * time.Second}
		l := &live{chain: c, breaks: 0.2}
		time.Sleep(100*slotTime + 1)
		first, got := 0, 0
		l.follow(t, r, 0, func(e merge.Event[int]) bool {
			if got == 0 {
				first = e.Value
				require.Nil(t, e.Gap)
			}
			got++
			return first+got == perSlot*int(c.slots)
		})
		require.GreaterOrEqual(t, first, 99*perSlot)
	})
}

func TestGapsWithoutHistoryAreReported(t *testing.T) {
	q := merge.NewQueue[int](10, 1<<20)
	q.Push(merge.Item[int]{ID: "a", Slot: 10})
	q.Break(io.EOF)
	q.Break(io.ErrUnexpectedEOF) // of the same gap
	q.Pulse(48)
	q.Push(merge.Item[int]{ID: "b", Slot: 50})
	q.Push(merge.Item[int]{ID: "c", Slot: 49})
	q.Fail(io.ErrClosedPipe)
	var ids []string
	for e, err := range (&merge.Merge[int]{Queue: q}).All(t.Context()) {
		if err != nil {
			require.ErrorIs(t, err, io.ErrClosedPipe)
			break
		}
		ids = append(ids, e.ID)
		require.Equal(t, e.ID == "c", e.Late)
		if e.ID == "b" {
			require.Equal(t, &merge.Gap{SinceSlot: 10, UntilSlot: 49, Reason: io.EOF}, e.Gap)
		} else {
			require.Nil(t, e.Gap)
		}
	}
	require.Equal(t, []string{"a", "b", "c"}, ids)
}

func TestFullQueueDropsItemsAsAGap(t *testing.T) { synctest.Test(t, fullQueue) }

func fullQueue(t *testing.T) {
	q := merge.NewQueue[int](10, 2500)
	for slot := range uint64(5) { // two fit
		q.Push(merge.Item[int]{ID: fmt.Sprint(slot), Slot: 10 + slot, Size: 1000})
	}
	var ids []string
	for e, err := range (&merge.Merge[int]{Queue: q}).All(t.Context()) {
		require.NoError(t, err)
		ids = append(ids, e.ID)
		if e.ID == "1" {
			time.AfterFunc(10*time.Millisecond, func() { q.Pulse(19); q.Push(merge.Item[int]{ID: "last", Slot: 20}) })
		}
		if e.Gap != nil {
			require.ErrorIs(t, e.Gap.Reason, merge.ErrOverflow)
			break
		}
	}
	require.Equal(t, []string{"0", "1", "last"}, ids)
}

func TestPermanentErrorOfTheHistoryEndsTheLoop(t *testing.T) {
	q := merge.NewQueue[int](10, 1<<20)
	q.Pulse(20)
	m := merge.Merge[int]{
		Queue: q, Since: 10,
		History: func(context.Context, merge.Reading[int]) error { return io.EOF },
		Final:   final,
	}
	n := 0
	for _, err := range m.All(t.Context()) {
		require.ErrorIs(t, err, io.EOF)
		n++
	}
	require.Equal(t, 1, n)
}

func TestHistoryThatStaysUnreadableEndsTheLoop(t *testing.T) {
	for name, test := range map[string]struct {
		fail   error         // of the live source, after a minute
		within time.Duration // of the end of the loop
		want   error
	}{
		"while the stream goes on":  {nil, 3 * time.Hour, types.ErrIncomplete},
		"when the stream has ended": {io.ErrClosedPipe, 2 * time.Minute, io.ErrClosedPipe},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				q := merge.NewQueue[int](10, 1<<20)
				q.Pulse(20)
				if test.fail != nil {
					time.AfterFunc(time.Minute, func() { q.Fail(test.fail) })
				}
				m := merge.Merge[int]{
					Queue: q, Since: 10,
					History: func(context.Context, merge.Reading[int]) error { return errTransient },
					Final:   final,
				}
				ctx, cancel := context.WithTimeout(t.Context(), test.within)
				defer cancel()
				for _, err := range m.All(ctx) {
					require.ErrorIs(t, err, test.want)
				}
				require.NoError(t, ctx.Err())
			})
		})
	}
}

func TestStatesAreReadOnceAndTheirGapsAreNotFilled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := merge.NewQueue[string](10, 1<<20)
		q.Pulse(100)
		var reads [][2]uint64
		m := merge.Merge[string]{Queue: q, Since: 1, States: true, Final: final}
		m.History = func(_ context.Context, r merge.Reading[string]) error {
			if reads = append(reads, [2]uint64{r.Since, r.Until}); len(reads) == 2 {
				return errTransient
			}
			return r.Emit(merge.Item[string]{ID: fmt.Sprint("read ", len(reads)), Slot: r.Until})
		}
		go func() {
			time.Sleep(time.Second)
			q.Push(merge.Item[string]{ID: "live", Slot: 200})
			q.Break(io.EOF)
			time.Sleep(time.Minute)
			q.Break(io.ErrUnexpectedEOF) // of the same gap
			q.Pulse(400)
			time.Sleep(time.Minute)
			q.Fail(io.ErrClosedPipe)
		}()
		var ids []string
		for e, err := range m.All(t.Context()) {
			if err != nil {
				require.ErrorIs(t, err, io.ErrClosedPipe)
				break
			}
			ids = append(ids, e.ID)
			if e.ID == "read 3" {
				require.Equal(t, &merge.Gap{SinceSlot: 168, UntilSlot: 401, Reason: io.EOF}, e.Gap)
				require.Equal(t, uint64(168), e.Resume)
			} else {
				require.Nil(t, e.Gap)
			}
		}
		require.Equal(t, []string{"read 1", "live", "read 3"}, ids)
		require.Equal(t, [][2]uint64{{1, 100}, {168, 400}, {168, 400}}, reads)
	})
}

// listed is a history of items, one per slot, that notes what was read.
func listed(reads *[][2]uint64, slots ...uint64) func(context.Context, merge.Reading[int]) error {
	return func(_ context.Context, r merge.Reading[int]) error {
		*reads = append(*reads, [2]uint64{r.Since, r.Until})
		for _, slot := range slots {
			if err := r.Emit(merge.Item[int]{ID: fmt.Sprint(slot), Slot: slot}); err != nil {
				return err
			}
		}
		return nil
	}
}

// Live items that are finalized are 32 slots behind the pulse.
func TestCutBeforeTheFirstEventLosesNothing(t *testing.T) {
	var reads [][2]uint64
	q := merge.NewQueue[int](10, 1<<20)
	q.Pulse(1000)
	q.Break(io.EOF)
	q.Pulse(1010)
	for e, err := range (&merge.Merge[int]{Queue: q, History: listed(&reads, 960), Behind: 48}).All(t.Context()) {
		require.NoError(t, err)
		require.Equal(t, &merge.Gap{SinceSlot: 952, UntilSlot: 1011, Filled: true, Reason: io.EOF}, e.Gap)
		break
	}
	require.Equal(t, [][2]uint64{{952, 1010}}, reads)
}

func TestItemsOutsideTheAskedSlotsAreLeftOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var reads [][2]uint64
		q := merge.NewQueue[int](10, 1<<20)
		q.Pulse(1000)
		time.AfterFunc(time.Minute, func() { q.Fail(io.ErrClosedPipe) }) // after the second reading
		var slots []uint64
		for e, err := range (&merge.Merge[int]{Queue: q, Since: 900, History: listed(&reads, 5, 950, 1032, 1033, 2000)}).All(t.Context()) {
			if err == nil {
				slots = append(slots, e.Slot)
			}
		}
		require.Equal(t, []uint64{950, 1032}, slots)
		require.Len(t, reads, 2)
	})
}

// A slot that no chain has reached, such as of a wrong node, is no position.
func TestPositionAheadOfTheChainIsNotBelieved(t *testing.T) {
	for name, test := range map[string]struct{ since, slot uint64 }{"Since": {1 << 50, 1001}, "item": {0, 1 << 50}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var reads [][2]uint64
				q := merge.NewQueue[int](10, 1<<20)
				q.Pulse(1000)
				time.AfterFunc(time.Second, func() { q.Push(merge.Item[int]{ID: "a", Slot: test.slot}) })
				for e, err := range (&merge.Merge[int]{Queue: q, Since: test.since, History: listed(&reads)}).All(t.Context()) {
					require.NoError(t, err)
					require.Less(t, e.Resume, uint64(1301))
					break
				}
			})
		})
	}
}

func TestUnreadableItemsAreOneGapThatIsReadOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var reads [][2]uint64
		q := merge.NewQueue[int](1000, 1<<20)
		go func() {
			for slot := uint64(1000); slot < 1100; slot++ {
				q.Pulse(slot)
				q.Push(merge.Item[int]{ID: fmt.Sprint(slot), Slot: slot})
				if slot >= 1010 && slot < 1020 {
					q.Doubt(io.ErrUnexpectedEOF)
				}
				time.Sleep(slotTime)
			}
			time.Sleep(time.Minute)
			q.Fail(io.ErrClosedPipe)
		}()
		late, gaps := 0, 0
		for e, err := range (&merge.Merge[int]{Queue: q, History: listed(&reads, 1005, 1010)}).All(t.Context()) {
			if err != nil {
				require.ErrorIs(t, err, io.ErrClosedPipe)
				break
			}
			if e.Gap != nil {
				require.True(t, e.Gap.Filled)
				gaps++
			}
			if e.Late {
				late++
			}
		}
		require.Zero(t, late) // the items of the history were live too
		require.Equal(t, 10, gaps)
		require.Len(t, reads, 2) // the first one, and once for all that followed
	})
}

// A balancer that restarts answers anything for a while.
func TestFinalErrorsEndALoopThatWorkedAfterTwoMinutes(t *testing.T) {
	for name, test := range map[string]struct {
		refusals time.Duration
		worked   bool
		after    time.Duration // the end of the loop; 0 for never
	}{
		"at first":   {time.Hour, false, 0},
		"for good":   {time.Hour, true, 2 * time.Minute},
		"for a time": {time.Minute, true, -1},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				q := merge.NewQueue[int](10, 1<<20)
				began := time.Now()
				if test.worked {
					q.Pulse(990)
					q.Push(merge.Item[int]{ID: "1", Slot: 990})
				}
				q.Break(io.EOF)
				q.Pulse(1000)
				ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
				defer cancel()
				since := uint64(900)
				if test.worked {
					since = 0
				}
				for _, err := range (&merge.Merge[int]{Queue: q, Since: since, Final: final, History: func(context.Context, merge.Reading[int]) error {
					if time.Since(began) < test.refusals {
						return io.ErrUnexpectedEOF
					}
					return nil
				}}).All(ctx) {
					switch {
					case err == nil:
					case test.after < 0:
						require.ErrorIs(t, err, context.DeadlineExceeded)
					default:
						require.ErrorIs(t, err, io.ErrUnexpectedEOF)
						require.InDelta(t, test.after.Seconds(), time.Since(began).Seconds(), 31)
					}
				}
			})
		})
	}
}

func TestUnreadableItemBeforeTheFirstPulseIsAGap(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var reads [][2]uint64
		q := merge.NewQueue[int](10, 1<<20)
		q.Doubt(io.ErrUnexpectedEOF)
		time.AfterFunc(time.Second, func() {
			q.Pulse(1000)
			q.Push(merge.Item[int]{ID: "a", Slot: 1000})
		})
		for e, err := range (&merge.Merge[int]{Queue: q, History: listed(&reads), Behind: 4}).All(t.Context()) {
			require.NoError(t, err)
			require.Equal(t, &merge.Gap{SinceSlot: 996, UntilSlot: 1001, Filled: true, Reason: io.ErrUnexpectedEOF}, e.Gap)
			require.LessOrEqual(t, e.Resume, uint64(996))
			break
		}
	})
}

// Some come while the connection is down at the time of the reading.
func TestUnreadableItemsAreReadAfterABreak(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var reads [][2]uint64
		q := merge.NewQueue[int](1000, 1<<20)
		go func() {
			for slot := uint64(1000); slot < 1150; slot++ {
				if slot == 1000 || slot == 1025 {
					q.Pulse(slot)
					q.Doubt(io.ErrUnexpectedEOF)
				}
				if slot < 1074 || slot > 1080 {
					q.Pulse(slot)
					q.Push(merge.Item[int]{ID: fmt.Sprint(slot), Slot: slot})
				} else {
					q.Break(io.EOF)
				}
				time.Sleep(slotTime)
			}
			q.Fail(io.ErrClosedPipe)
		}()
		for e, err := range (&merge.Merge[int]{Queue: q, History: listed(&reads)}).All(t.Context()) {
			if err != nil {
				require.ErrorIs(t, err, io.ErrClosedPipe)
			}
			if e.Slot == 1073 { // the reading is due when the loop knows of no break yet
				time.Sleep(2 * time.Second)
			}
		}
		require.Equal(t, [][2]uint64{{1000, 1000}, {1000, 1081}}, reads)
	})
}

// A connection to a node of another cluster tells slots that no history reaches.
func TestPulseAheadOfTheChainIsNotWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := merge.NewQueue[int](10, 1<<20)
		q.Pulse(1 << 50)
		time.AfterFunc(time.Minute, func() { q.Break(io.EOF); q.Pulse(1000) })
		began := time.Now()
		for e, err := range (&merge.Merge[int]{Queue: q, Since: 900, Final: final, History: func(_ context.Context, r merge.Reading[int]) error {
			if r.Until > 1000 {
				return errTransient
			}
			return r.Emit(merge.Item[int]{ID: "a", Slot: 950})
		}}).All(t.Context()) {
			require.NoError(t, err)
			require.Equal(t, uint64(950), e.Slot)
			require.Less(t, time.Since(began), 2*time.Minute)
			break
		}
	})
}
