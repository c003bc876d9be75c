package merge_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/rpc/stream/internal/merge"
	"github.com/solwire/solwire-go/types"
)

func TestMemoryIsFlat(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &chain{begun: time.Now()}
		events, heap := 0, uint64(0)
		c.follow(t, firstSlot, 0.001, func(merge.Event[int]) bool {
			if events++; events%50_000 == 0 {
				var stats runtime.MemStats
				runtime.GC()
				runtime.ReadMemStats(&stats)
				if heap == 0 {
					heap = stats.HeapAlloc
				}
				require.Less(t, stats.HeapAlloc, heap+2<<20)
			}
			clear(c.seen) // of the test
			return events == 100_000
		})
	})
}

func TestLoopFromNowOnLosesNothingAfterItsFirstEvent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &chain{begun: time.Now(), lag: 10 * time.Second}
		time.Sleep(100*slotTime + 1)
		first, highest, got := 0, 0, 0
		c.follow(t, 0, 0.2, func(e merge.Event[int]) bool {
			if got == 0 {
				first = e.Value
				require.Nil(t, e.Gap)
			}
			got++
			highest = max(highest, e.Value)
			return got > 10_000 && got == highest-first+1 // nothing between is missing
		})
		require.GreaterOrEqual(t, first, 99*perSlot)
	})
}

func TestFillContinuesWithinASlot(t *testing.T) {
	n := 0
	events, _, _ := all(t, merge.Merge[int]{Since: 900, History: func(_ context.Context, r merge.Range[int]) error {
		for i := range 2 {
			if err := r.Emit(merge.Item[int]{ID: fmt.Sprint(i), Slot: 950}); err != nil {
				return err
			}
			if n++; n == 1 {
				return errTransient
			}
		}
		return nil
	}}, func(q *merge.Queue[int]) { q.Pulse(1400) })
	require.Equal(t, []string{"0", "1"}, ids(events))
	require.False(t, events[1].Late)
}

func TestFillThatFailsForLongRepeatsNothing(t *testing.T) {
	var began time.Time
	events, reads, _ := all(t, merge.Merge[int]{History: func(ctx context.Context, r merge.Range[int]) error {
		if since := time.Since(began); since > 20*time.Second && since < 30*time.Minute {
			return errTransient
		}
		return listed(1001, 1002, 1003)(ctx, r)
	}}, func(q *merge.Queue[int]) {
		began = time.Now()
		for slot := uint64(1000); slot < 7000; slot++ {
			if slot == 1004 {
				q.Break(io.EOF)
			}
			q.Pulse(slot)
			q.Push(at(slot))
			time.Sleep(slotTime)
		}
	})
	require.Len(t, events, 6000)
	require.Greater(t, len(reads), 50)
}

// all runs a merge with a queue that live fills, until live fails or for three hours. It returns
// the events, the slots read from the history, and the error.
func all(t *testing.T, m merge.Merge[int], live func(q *merge.Queue[int])) (events []merge.Event[int], reads [][2]uint64, err error) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Hour)
		defer cancel()
		m.Queue, m.Final = merge.NewQueue[int](1000, 2500), final
		// DeadlineExceeded is the end of ctx
		m.Filling = func(_ *merge.Gap, err error) { require.NotErrorIs(t, err, context.DeadlineExceeded) }
		if history := m.History; history != nil {
			m.History = func(ctx context.Context, r merge.Range[int]) error {
				reads = append(reads, [2]uint64{r.Since, r.Until})
				return history(ctx, r)
			}
		}
		go live(m.Queue)
		var e merge.Event[int]
		for e, err = range m.All(ctx) {
			if err == nil {
				events = append(events, e)
			}
		}
	})
	return events, reads, err
}

// listed is a history of items, one per slot.
func listed(slots ...uint64) merge.History[int] {
	return func(_ context.Context, r merge.Range[int]) error {
		for _, slot := range slots {
			if err := r.Emit(at(slot)); err != nil {
				return err
			}
		}
		return nil
	}
}

func at(slot uint64) merge.Item[int] { return merge.Item[int]{ID: fmt.Sprint(slot), Slot: slot} }

func failing(err error) merge.History[int] {
	return func(context.Context, merge.Range[int]) error { return err }
}

// cancelled is a history that is being read when the loop ends.
func cancelled(ctx context.Context, _ merge.Range[int]) error {
	<-ctx.Done()
	return errors.Join(ctx.Err(), errTransient)
}

// slowly is a history that fails after each further item, and has n.
func slowly(n uint64) merge.History[int] {
	return func(_ context.Context, r merge.Range[int]) error {
		if r.Since >= n {
			return nil
		}
		return errors.Join(r.Emit(at(r.Since+1)), errTransient)
	}
}

func ids(events []merge.Event[int]) (list []string) {
	for _, e := range events {
		list = append(list, e.ID)
	}
	return list
}

func TestGapsWithoutHistoryAreReported(t *testing.T) {
	events, _, err := all(t, merge.Merge[int]{}, func(q *merge.Queue[int]) {
		q.Push(at(10))
		q.Break(io.EOF)
		q.Break(io.ErrUnexpectedEOF) // of the same gap
		q.Pulse(48)
		q.Push(at(50))
		q.Push(at(49))
		q.Fail(io.ErrClosedPipe)
	})
	require.ErrorIs(t, err, io.ErrClosedPipe)
	require.Equal(t, []string{"10", "50", "49"}, ids(events))
	require.Equal(t, []bool{false, false, true}, []bool{events[0].Late, events[1].Late, events[2].Late})
	require.Equal(t, []*merge.Gap{nil, {SinceSlot: 10, UntilSlot: 49, Reason: io.EOF}, nil}, []*merge.Gap{events[0].Gap, events[1].Gap, events[2].Gap})
}

// A source may deliver before it first tells a slot.
func TestItemsDoNotWaitForTheFirstPulse(t *testing.T) {
	q := merge.NewQueue[int](10, 2500)
	q.Push(at(10))
	for e, err := range (&merge.Merge[int]{Queue: q}).All(t.Context()) {
		require.NoError(t, err)
		require.Equal(t, uint64(10), e.Resume)
		break
	}
}

// Its slot is about the slot of its neighbours. Items without an ID are all different.
func TestItemWithoutIDAndSlotIsAnEvent(t *testing.T) {
	events, reads, err := all(t, merge.Merge[int]{History: listed()}, func(q *merge.Queue[int]) {
		q.Pulse(1000)
		q.Push(at(1001))
		q.Push(merge.Item[int]{Err: io.ErrUnexpectedEOF})
		q.Push(merge.Item[int]{Err: io.ErrUnexpectedEOF})
		q.Push(at(1050))
		q.Fail(io.EOF)
	})
	require.ErrorIs(t, err, io.EOF)
	require.Equal(t, []string{"1001", "", "", "1050"}, ids(events))
	require.Equal(t, uint64(1001), events[1].Slot)
	require.Equal(t, uint64(1018), events[3].Resume)
	require.Empty(t, reads)
}

// The node that a restart connects to may be behind: it notifies all slots from Since on.
func TestNoEventIsOlderThanSinceAndNoneIsSkipped(t *testing.T) {
	live := func(q *merge.Queue[int]) {
		for slot := uint64(1000); slot < 1010; slot++ {
			q.Pulse(slot)
			q.Push(at(slot))
			time.Sleep(slotTime)
		}
		q.Fail(io.EOF)
	}
	for since, first := range map[uint64]uint64{1003: 1003, 1000: 1000, 998: 998} {
		events, reads, err := all(t, merge.Merge[int]{Since: since, History: listed(996, 997, 998, 999, 1000)}, live)
		require.ErrorIs(t, err, io.EOF)
		var want []string
		for slot := first; slot < 1010; slot++ {
			want = append(want, fmt.Sprint(slot))
		}
		require.Equal(t, want, ids(events))
		require.Equal(t, since > 1000, len(reads) == 0)
		for _, e := range events {
			require.GreaterOrEqual(t, e.Resume, since)
			require.Nil(t, e.Gap)
		}
	}
	events, _, err := all(t, merge.Merge[int]{Since: 380_000_000, History: listed()}, func(q *merge.Queue[int]) { q.Pulse(1000) })
	require.ErrorIs(t, err, types.ErrInvalid)
	require.EqualError(t, err, "SinceSlot 380000000 is far ahead of the node, which has reached slot 1000; it may be of another network: invalid argument")
	require.Empty(t, events)
}

// After a break, the next node may be behind the last event.
func TestNodeBehindAfterABreakHasMissedNothing(t *testing.T) {
	events, reads, err := all(t, merge.Merge[int]{History: listed(900, 950)}, func(q *merge.Queue[int]) {
		q.Pulse(990)
		q.Push(at(1000))
		q.Break(io.EOF)
		q.Pulse(900)
		q.Push(at(1000))
		q.Push(at(1001))
		q.Fail(io.ErrClosedPipe)
	})
	require.ErrorIs(t, err, io.ErrClosedPipe)
	require.Equal(t, []string{"1000", "1001"}, ids(events))
	require.Nil(t, events[1].Gap)
	require.Empty(t, reads)
}

func TestFullQueueDropsItemsAsAGap(t *testing.T) {
	events, _, _ := all(t, merge.Merge[int]{}, func(q *merge.Queue[int]) {
		for slot := uint64(10); slot < 15; slot++ { // two fit
			item := at(slot)
			item.Size = 1000
			q.Push(item)
		}
		time.Sleep(time.Second)
		q.Pulse(19)
		q.Push(at(20))
		q.Fail(io.EOF)
	})
	require.Equal(t, []string{"10", "11", "20"}, ids(events))
	require.ErrorIs(t, events[2].Gap.Reason, merge.ErrOverflow)
}

func TestErrorsThatEndTheLoop(t *testing.T) {
	for name, test := range map[string]struct {
		history merge.History[int]
		live    error // after a minute
		want    error
	}{
		"permanent":                  {failing(io.EOF), nil, io.EOF},
		"transient, for three hours": {failing(errTransient), nil, context.DeadlineExceeded},
		"when the stream has ended":  {failing(errTransient), io.ErrClosedPipe, io.ErrClosedPipe},
		"when the loop has ended":    {cancelled, nil, context.DeadlineExceeded},
		"none while it advances":     {slowly(300), nil, context.DeadlineExceeded},
	} {
		t.Run(name, func(t *testing.T) {
			_, reads, err := all(t, merge.Merge[int]{Since: 10, History: test.history}, func(q *merge.Queue[int]) {
				q.Pulse(1000)
				if test.live != nil {
					time.Sleep(time.Minute)
					q.Fail(test.live)
				}
			})
			require.ErrorIs(t, err, test.want)
			require.NotEmpty(t, reads)
		})
	}
}

func TestStatesAreReadOnceAndTheirGapsAreNotFilled(t *testing.T) {
	n := 0
	m := merge.Merge[int]{Since: 1, States: true, History: func(_ context.Context, r merge.Range[int]) error {
		if n++; n == 2 {
			return errTransient
		}
		return r.Emit(merge.Item[int]{ID: "state", Slot: r.Until + 64}) // by a node that is ahead
	}}
	events, reads, err := all(t, m, func(q *merge.Queue[int]) {
		q.Pulse(100)
		time.Sleep(time.Second)
		q.Push(at(200))
		q.Break(io.EOF)
		time.Sleep(time.Minute)
		q.Break(io.ErrUnexpectedEOF) // of the same gap
		q.Pulse(400)
		time.Sleep(time.Minute)
		q.Fail(io.ErrClosedPipe)
	})
	require.ErrorIs(t, err, io.ErrClosedPipe)
	require.Equal(t, []string{"state read at 100", "200", "state read at 400"}, ids(events))
	require.Equal(t, [][2]uint64{{1, 100}, {168, 400}, {168, 400}}, reads)
	require.Nil(t, events[0].Gap)
	require.Equal(t, &merge.Gap{SinceSlot: 168, UntilSlot: 401, Reason: io.EOF}, events[2].Gap)
	require.Equal(t, uint64(168), events[2].Resume)
}

// Live items that are finalized are 32 slots behind the pulse.
func TestCutBeforeTheFirstEventLosesNothing(t *testing.T) {
	events, reads, _ := all(t, merge.Merge[int]{History: listed(960), Finalized: true}, func(q *merge.Queue[int]) {
		q.Pulse(1000)
		q.Break(io.EOF)
		q.Pulse(1010)
	})
	require.Equal(t, &merge.Gap{SinceSlot: 952, UntilSlot: 1011, Filled: true, Reason: io.EOF}, events[0].Gap)
	require.Equal(t, [2]uint64{952, 1010}, reads[0])
}

func TestItemsBeforeTheAskedSlotsAreLeftOut(t *testing.T) {
	events, reads, _ := all(t, merge.Merge[int]{Since: 900, History: listed(5, 950, 1032)}, func(q *merge.Queue[int]) { q.Pulse(1000) })
	require.Equal(t, []string{"950", "1032"}, ids(events))
	require.Len(t, reads, 2)
}

// A balancer that restarts answers anything for a while.
func TestFinalErrorsEndALoopThatWorkedAfterTwoMinutes(t *testing.T) {
	for name, test := range map[string]struct {
		refusals time.Duration
		worked   bool
		want     error
		within   float64 // seconds, give or take the wait between two fills
	}{
		"at first":   {time.Hour, false, io.ErrUnexpectedEOF, 0},
		"for good":   {time.Hour, true, io.ErrUnexpectedEOF, 120},
		"for a time": {time.Minute, true, context.DeadlineExceeded, 0},
	} {
		t.Run(name, func(t *testing.T) {
			var began, ended time.Time
			m := merge.Merge[int]{History: func(context.Context, merge.Range[int]) error {
				if ended = time.Now(); ended.Sub(began) < test.refusals {
					return io.ErrUnexpectedEOF
				}
				return nil
			}}
			if !test.worked {
				m.Since = 900
			}
			_, _, err := all(t, m, func(q *merge.Queue[int]) {
				began = time.Now()
				if test.worked {
					q.Pulse(990)
					q.Push(at(990))
				}
				q.Break(io.EOF)
				q.Pulse(1000)
			})
			require.ErrorIs(t, err, test.want)
			if errors.Is(err, io.ErrUnexpectedEOF) {
				require.InDelta(t, test.within, ended.Sub(began).Seconds(), 31)
			}
		})
	}
}
