// Package storetest tests an implementation of keeper.Store, which remembers the events of
// Helius webhooks and how far Solana accounts were listed:
//
//	func TestStore(t *testing.T) {
//		open := func() (keeper.Store, error) { return newStore(db), nil }
//		if err := storetest.TestStore(t.Context(), open); err != nil {
//			t.Fatal(err)
//		}
//	}
//
// A whole program:
//
//	// Check tests the store in memory.
//	package main
//
//	import (
//		"context"
//		"fmt"
//		"log"
//
//		"github.com/solwire/solwire-go/webhooks/keeper"
//		"github.com/solwire/solwire-go/webhooks/keeper/storetest"
//	)
//
//	func main() {
//		store := new(keeper.MemoryStore)
//		open := func() (keeper.Store, error) { return store.Share(), nil }
//		if err := storetest.TestStore(context.Background(), open); err != nil {
//			log.Fatal(err)
//		}
//		fmt.Println("the store is good")
//	}
package storetest

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/webhooks"
	"github.com/solwire/solwire-go/webhooks/keeper"
)

// TestStore tests a store that is empty, for at most a minute: claims must lapse within half of
// it. Open returns the store as another process has it. The error says what is wrong.
func TestStore(ctx context.Context, open func() (keeper.Store, error)) error {
	t := &test{ctx: ctx}
	for i := range t.stores {
		s, err := open()
		if err != nil {
			return err
		}
		t.stores[i] = s
	}
	for _, part := range []func(one, two keeper.Store){t.claims, t.added, t.moved, t.checkpoints, t.leaders, t.race, t.cleaned} {
		if t.err == nil {
			part(t.stores[0], t.stores[1])
		}
	}
	return t.err
}

// A test has the store as two processes have it, and the first thing that is wrong.
type test struct {
	ctx    context.Context //nolint:containedctx // of one call
	stores [2]keeper.Store
	err    error
}

// same notes the first field or value that is not as wanted.
func (t *test) same(what string, got, want any) {
	g, w := reflect.ValueOf(got), reflect.ValueOf(want)
	at, isTime := reflect.TypeAssert[time.Time](g)
	switch {
	case isTime:
		wanted, _ := reflect.TypeAssert[time.Time](w)
		t.same(what+" in milliseconds", at.UnixMilli(), wanted.UnixMilli())
	case w.Kind() == reflect.Struct:
		for i := range w.NumField() {
			t.same(what+"."+w.Type().Field(i).Name, g.Field(i).Interface(), w.Field(i).Interface())
		}
	case w.Kind() == reflect.Slice && g.Len() == w.Len():
		for i := range w.Len() {
			t.same(fmt.Sprintf("%s[%d]", what, i), g.Index(i).Interface(), w.Index(i).Interface())
		}
	case t.err == nil && !reflect.DeepEqual(got, want):
		t.err = fmt.Errorf("%s is %v, and should be %v", what, got, want)
	}
}

// must notes that a call failed.
func (t *test) must(call string, err error) {
	if t.err == nil && err != nil {
		t.err = fmt.Errorf("%s: %w", call, err)
	}
}

// young notes an age that is not some seconds, and returns none.
func (t *test) young(what string, age time.Duration) time.Duration {
	t.same("whether "+what+" is some seconds", age >= 0 && age < time.Minute, true)
	return 0
}

// sig makes a signature of a number.
func sig(n int) types.Signature { return types.Signature(fmt.Sprintf("%088d", n)) }

func event(n int) *webhooks.Event {
	return &webhooks.Event{Signature: sig(n), Slot: uint64(n), Address: "A"}
}

// claim wants the result of a claim to be "new", "known" or "claimed".
func (t *test) claim(what string, s keeper.Store, n int, want string) {
	isNew, err := s.Claim(t.ctx, event(n))
	got := map[bool]string{true: "new", false: "known"}[isNew]
	if errors.Is(err, webhooks.ErrClaimed) {
		got, err = "claimed", nil
	}
	t.must("Claim", err)
	t.same("the claim of "+what, got, want)
}

// eventually waits until f, for at most half a minute.
func (t *test) eventually(what string, f func() bool) {
	for begin := time.Now(); t.err == nil && !f(); time.Sleep(100 * time.Millisecond) {
		if time.Since(begin) > 30*time.Second {
			t.err = errors.New(what + " does not happen within 30 seconds")
		}
	}
}

func (t *test) claims(one, two keeper.Store) {
	t.claim("an event", one, 1, "new")
	t.claim("an event that another process claims", two, 1, "claimed")
	t.must("Renew", one.Renew(t.ctx, event(1)))
	t.same("whether Renew of a claim of another process returns ErrClaimed", errors.Is(two.Renew(t.ctx, event(1)), webhooks.ErrClaimed), true)
	t.must("Release", two.Release(t.ctx, event(1), "not mine"))
	t.claim("an event that another process released, which did not claim it", two, 1, "claimed")
	t.must("Release", one.Release(t.ctx, event(1), "no space"))
	t.claim("a released event", two, 1, "new")
	t.must("Done", two.Done(t.ctx, event(1)))
	t.claim("an event that is done", one, 1, "known")
	t.claim("another event", one, 2, "new")
	t.eventually("the end of a claim that is not renewed", func() bool {
		isNew, _ := two.Claim(t.ctx, event(2))
		return isNew
	})
	t.must("Done", one.Done(t.ctx, event(2)))
	t.claim("an event that is done although the claim had lapsed", two, 2, "known")
}

// pending wants the selected events to be as wanted, apart from their ages.
func (t *test) pending(what string, q keeper.Query, want ...keeper.Pending) {
	q.Limit = max(q.Limit, 1)
	all, err := t.stores[1].Pending(t.ctx, q)
	t.must("Pending", err)
	for i := range all {
		all[i].Age = t.young("Age", all[i].Age)
	}
	t.same("the number of "+what, len(all), len(want))
	t.same(what, all, want)
}

func (t *test) add(what, filter string, want int, events ...keeper.Pending) {
	n, err := t.stores[0].Add(t.ctx, filter, events...)
	t.must("Add", err)
	t.same("the number that Add returns for "+what, n, want)
}

func (t *test) totals(want keeper.Totals) {
	got, err := t.stores[1].Totals(t.ctx)
	t.must("Totals", err)
	got.Oldest = t.young("Totals.Oldest", got.Oldest)
	t.same("Totals", got, want)
}

func (t *test) added(one, _ keeper.Store) {
	listed, delivered := keeper.Pending{Signature: sig(10), Slot: 10, Address: "A"}, keeper.Pending{Signature: sig(11), Wanted: true}
	t.add("two new events and one that is done", "f", 2, listed, delivered, keeper.Pending{Signature: sig(1), Slot: 1})
	t.add("an event that is pending", "f", 0, listed)
	t.pending("events that are due when they were just added", keeper.Query{Due: true, Limit: 9})
	t.claim("an added event", one, 10, "new")
	t.must("Release", one.Release(t.ctx, event(10), "no space"))
	listed.Wanted, listed.Attempts, listed.Error = true, 1, "no space"
	t.pending("pending events, those with the fewest attempts first", keeper.Query{Limit: 9}, delivered, listed)
	t.pending("pending events with a Limit of 1", keeper.Query{Limit: 1}, delivered)
	t.pending("events that are due when they were just released", keeper.Query{Due: true, Limit: 9})
	t.totals(keeper.Totals{Pending: 2, LowestSlot: 10})
}

func (t *test) moved(one, two keeper.Store) {
	move := func(to keeper.State, note string) {
		t.must("Move", one.Move(t.ctx, to, note, sig(11), sig(1)))
		t.claim("an event that was done, after Move", one, 1, "known")
	}
	t.must("Done", one.Done(t.ctx, event(10)))
	e := keeper.Pending{Signature: sig(11), Wanted: true, Attempts: 1, Error: "not returned"}
	move(keeper.StatePending, e.Error)
	t.pending("events after Move to StatePending", keeper.Query{Limit: 9}, e)
	move(keeper.StateUnwanted, "f")
	t.pending("events after Move to StateUnwanted", keeper.Query{Limit: 9})
	t.add("an event that is unwanted with the same filter", "f", 0, e)
	t.add("an event that is unwanted with another filter", "g", 1, e)
	e.Error = "too old"
	move(keeper.StateDead, e.Error)
	t.pending("dead letters", keeper.Query{Dead: true, Limit: 9}, e)
	t.totals(keeper.Totals{DeadLetters: 1})
	t.claim("a dead letter", one, 11, "new")
	t.must("Move", two.Move(t.ctx, keeper.StatePending, "not mine", sig(11)))
	t.claim("an event that another process claims, after Move to StatePending", two, 11, "claimed")
	t.must("Done", one.Done(t.ctx, event(11)))
}

// sorted returns all checkpoints but their ages, in an order.
func (t *test) sorted() []keeper.Checkpoint {
	all, err := t.stores[1].Checkpoints(t.ctx)
	t.must("Checkpoints", err)
	slices.SortFunc(all, func(a, b keeper.Checkpoint) int {
		return strings.Compare(string(a.Address)+a.Filter, string(b.Address)+b.Filter)
	})
	return all
}

func (t *test) checkpoints(one, _ keeper.Store) {
	want := []keeper.Checkpoint{{Address: "A0", Filter: "f", Slot: 7}, {Address: "a0", Filter: "f"}, {Address: "a0", Filter: "g", Slot: 8, Since: time.UnixMilli(1_735_689_600_123)}}
	for i := range 500 {
		want = append(want, keeper.Checkpoint{Address: types.Address(fmt.Sprintf("b%03d", i)), Filter: "f", Slot: uint64(i)})
	}
	t.must("SetCheckpoints", one.SetCheckpoints(t.ctx, want...))
	want[3].Slot = 1 << 53
	t.must("SetCheckpoints", one.SetCheckpoints(t.ctx, want[3]))
	got := t.sorted()
	t.same("the number of checkpoints", len(got), len(want))
	t.same("Checkpoints", got, want)
}

func (t *test) lock(s keeper.Store, p keeper.Process, hold time.Duration) keeper.Shared {
	shared, err := s.Lock(t.ctx, p, hold)
	t.must("Lock", err)
	if shared == nil {
		return keeper.Shared{}
	}
	slices.SortFunc(shared.Processes, func(a, b keeper.Process) int { return strings.Compare(a.ID, b.ID) })
	return *shared
}

func (t *test) leaders(one, two keeper.Store) {
	a := keeper.Process{
		ID: "a", Settings: "s", Delivered: time.UnixMilli(1_735_689_600_123), Asked: 3, Behind: 2,
		Problems: []keeper.Problem{{Cause: keeper.CauseHandle, Since: types.Time{Time: time.Unix(1_735_689_600, 0)}, Text: "é \" \\"}},
	}
	b := keeper.Process{ID: "b"}
	w := keeper.Webhook{ID: "582dcf85-7a44-4b31-a8ee-2be9d8ec9bcf", Creating: "c", Created: time.UnixMilli(1_735_689_600_124)}
	t.same("Leads of the first process", t.lock(one, a, time.Minute).Leads, true)
	t.must("SetWebhook", one.SetWebhook(t.ctx, w))
	led := a
	led.Leads = true
	t.same("Shared of the second process", t.lock(two, b, time.Minute), keeper.Shared{Processes: []keeper.Process{led, b}, Webhook: w})
	t.same("Leads of the leader, again", t.lock(one, a, time.Minute).Leads, true)
	t.lock(one, a, 0)
	b.Leads = true
	t.same("Shared after the leader has ended", t.lock(two, b, 50*time.Millisecond), keeper.Shared{Leads: true, Processes: []keeper.Process{b}, Webhook: w})
	t.eventually("a new leader after the lead has lapsed", func() bool { return t.lock(one, a, time.Minute).Leads })
	t.lock(one, a, 0)
	t.lock(two, b, 0)
}

// race notes unless each of 50 events is claimed by one of two processes, once.
func (t *test) race(one, _ keeper.Store) {
	var won [50]atomic.Int32
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for n := range won {
				if isNew, err := t.stores[i%2].Claim(t.ctx, event(100+n)); err == nil && isNew {
					won[n].Add(1)
				}
			}
		})
	}
	wg.Wait()
	for n := range won {
		t.same("the number of concurrent claims of an event that succeed", won[n].Load(), int32(1))
		t.must("Done", one.Done(t.ctx, event(100+n)))
	}
}

func (t *test) cleaned(one, two keeper.Store) {
	t.claim("a further event", one, 5, "new")
	clean := func(what string, age time.Duration, want int, former ...keeper.Checkpoint) {
		total := 0
		for n := 1; n > 0 && t.err == nil; total += n {
			var err error
			n, err = one.Clean(t.ctx, age, former...)
			t.must("Clean", err)
		}
		t.same("the number of events that Clean deletes, "+what, total, want)
	}
	clean("where none is old", time.Minute, 0, t.sorted()...)
	left := keeper.Checkpoint{Address: "a", Filter: "f", Slot: 120}
	t.must("SetCheckpoints", one.SetCheckpoints(t.ctx, left))
	t.same("Checkpoints after Clean of the former ones", t.sorted(), []keeper.Checkpoint{left})
	clean("of done ones before the checkpoint", 0, 24)
	t.claim("a pending event after Clean", two, 5, "claimed")
	t.claim("a done event at the checkpoint after Clean", two, 120, "known")
	t.claim("a deleted event", two, 119, "new")
}
