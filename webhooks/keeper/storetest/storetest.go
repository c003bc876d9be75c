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
	one, err := open()
	if err != nil {
		return err
	}
	two, err := open()
	if err != nil {
		return err
	}
	t := &test{ctx: ctx, one: one, two: two}
	for _, part := range []func(){t.claims, t.added, t.moved, t.checkpoints, t.leaders, t.webhook, t.race, t.cleaned} {
		if part(); t.err != nil {
			return t.err
		}
	}
	return nil
}

// A test has the store as two processes have it, and the first thing that is wrong.
type test struct {
	ctx      context.Context //nolint:containedctx // of one call
	one, two keeper.Store
	err      error
}

// sig makes a signature of a number.
func sig(n int) types.Signature { return types.Signature(fmt.Sprintf("%088d", n)) }

func event(n int) *webhooks.Event {
	return &webhooks.Event{Signature: sig(n), Slot: uint64(n), Address: "A"}
}

// check notes what is wrong unless two values are equal.
func check[T comparable](t *test, what string, got, want T) {
	if t.err == nil && got != want {
		t.err = fmt.Errorf("%s is %v, and should be %v", what, got, want)
	}
}

// must notes that a call failed.
func (t *test) must(call string, err error) {
	if t.err == nil && err != nil {
		t.err = fmt.Errorf("%s: %w", call, err)
	}
}

// claim returns "new", "known" or "claimed".
func (t *test) claim(s keeper.Store, n int) string {
	isNew, err := s.Claim(t.ctx, event(n))
	switch {
	case errors.Is(err, webhooks.ErrClaimed):
		return "claimed"
	case err != nil:
		t.must("Claim", err)
	case isNew:
		return "new"
	}
	return "known"
}

// eventually waits until f, for at most half a minute.
func (t *test) eventually(what string, f func() bool) {
	for begin := time.Now(); t.err == nil && !f(); time.Sleep(100 * time.Millisecond) {
		if time.Since(begin) > 30*time.Second {
			t.err = errors.New(what + " does not happen within 30 seconds")
		}
	}
}

func (t *test) claims() {
	check(t, "the first claim of an event", t.claim(t.one, 1), "new")
	check(t, "the claim of an event that another process claims", t.claim(t.two, 1), "claimed")
	t.must("Renew", t.one.Renew(t.ctx, event(1)))
	if t.err == nil && !errors.Is(t.two.Renew(t.ctx, event(1)), webhooks.ErrClaimed) {
		t.err = errors.New("Renew of a claim of another process does not return ErrClaimed")
	}
	t.must("Release", t.two.Release(t.ctx, event(1), "not mine"))
	check(t, "the claim after a Release by another process", t.claim(t.two, 1), "claimed")
	t.must("Release", t.one.Release(t.ctx, event(1), "no space"))
	check(t, "the claim of a released event", t.claim(t.two, 1), "new")
	t.must("Done", t.two.Done(t.ctx, event(1)))
	check(t, "the claim of an event that is done", t.claim(t.one, 1), "known")

	check(t, "the first claim of another event", t.claim(t.one, 2), "new")
	t.eventually("the end of a claim that is not renewed", func() bool { return t.claim(t.two, 2) == "new" })
	t.must("Done", t.one.Done(t.ctx, event(2)))
	check(t, "the claim after Done of a claim that has lapsed", t.claim(t.two, 2), "known")
}

// pending returns the pending events by number.
func (t *test) pending(q keeper.Query) map[int]keeper.Pending {
	q.Limit = max(q.Limit, 1)
	all, err := t.two.Pending(t.ctx, q)
	t.must("Pending", err)
	found := make(map[int]keeper.Pending)
	for _, p := range all {
		n := 0
		_, _ = fmt.Sscan(strings.TrimLeft(string(p.Signature), "0"), &n)
		found[n] = p
	}
	return found
}

func (t *test) added() {
	n, err := t.one.Add(t.ctx, "filter", keeper.Pending{Signature: sig(10), Slot: 10, Address: "A"}, keeper.Pending{Signature: sig(11), Wanted: true}, keeper.Pending{Signature: sig(1), Slot: 1})
	t.must("Add", err)
	check(t, "the number of events that Add added, of two new ones and one that is done", n, 2)
	n, err = t.two.Add(t.ctx, "filter", keeper.Pending{Signature: sig(10), Slot: 10})
	t.must("Add", err)
	check(t, "the number of events that Add added, of one that is pending", n, 0)
	check(t, "the number of events that are due as soon as they were added", len(t.pending(keeper.Query{Due: true, Limit: 9})), 0)
	all := t.pending(keeper.Query{Limit: 9})
	check(t, "the number of pending events", len(all), 2)
	check(t, "Slot", all[10].Slot, 10)
	check(t, "Address", all[10].Address, "A")
	check(t, "Wanted of an event that was listed", all[10].Wanted, false)
	check(t, "Wanted of an event that was added so", all[11].Wanted, true)
	check(t, "Attempts of an added event", all[10].Attempts, 0)
	check(t, "whether Age is some seconds", all[10].Age >= 0 && all[10].Age < time.Minute, true)
	check(t, "the number of events with a Limit of 1", len(t.pending(keeper.Query{Limit: 1})), 1)

	check(t, "the claim of an added event", t.claim(t.one, 10), "new")
	t.must("Release", t.one.Release(t.ctx, event(10), "no space"))
	p := t.pending(keeper.Query{Limit: 9})[10]
	check(t, "Attempts after a claim", p.Attempts, 1)
	check(t, "Error after Release", p.Error, "no space")
	check(t, "Wanted after a claim", p.Wanted, true)
	check(t, "the number of events that are due as soon as they were released", len(t.pending(keeper.Query{Due: true, Limit: 9})), 0)
	_, fewest := t.pending(keeper.Query{Limit: 1})[11]
	check(t, "whether the event with the fewest attempts is first", fewest, true)

	totals, err := t.two.Totals(t.ctx)
	t.must("Totals", err)
	check(t, "Totals.Pending", totals.Pending, 2)
	check(t, "Totals.LowestSlot, where one slot is unknown", totals.LowestSlot, 10)
	check(t, "whether Totals.Oldest is some seconds", totals.Oldest >= 0 && totals.Oldest < time.Minute, true)
}

func (t *test) moved() {
	t.must("Move", t.one.Move(t.ctx, keeper.StatePending, "not returned", sig(11), sig(1)))
	p := t.pending(keeper.Query{Limit: 9})[11]
	check(t, "Attempts after Move to StatePending", p.Attempts, 1)
	check(t, "Error after Move to StatePending", p.Error, "not returned")
	check(t, "the claim of an event that was done, after Move", t.claim(t.one, 1), "known")

	t.must("Move", t.one.Move(t.ctx, keeper.StateUnwanted, "filter", sig(11)))
	check(t, "the number of pending events after one was moved to StateUnwanted", len(t.pending(keeper.Query{Limit: 9})), 1)
	n, err := t.one.Add(t.ctx, "filter", keeper.Pending{Signature: sig(11)})
	t.must("Add", err)
	check(t, "the number of events that Add added, of one that is unwanted with the same filter", n, 0)
	n, err = t.one.Add(t.ctx, "another", keeper.Pending{Signature: sig(11)})
	t.must("Add", err)
	check(t, "the number of events that Add added, of one that is unwanted with another filter", n, 1)

	t.must("Move", t.one.Move(t.ctx, keeper.StateDead, "too old", sig(11)))
	dead := t.pending(keeper.Query{Dead: true, Limit: 9})
	check(t, "the number of dead letters", len(dead), 1)
	check(t, "Error of a dead letter", dead[11].Error, "too old")
	totals, err := t.two.Totals(t.ctx)
	t.must("Totals", err)
	check(t, "Totals.Pending without a dead letter", totals.Pending, 1)
	check(t, "Totals.DeadLetters", totals.DeadLetters, 1)
	check(t, "the claim of a dead letter", t.claim(t.one, 11), "new")
	t.must("Move", t.two.Move(t.ctx, keeper.StatePending, "not mine", sig(11)))
	check(t, "the claim after Move to StatePending by another process", t.claim(t.two, 11), "claimed")
	t.must("Done", t.one.Done(t.ctx, event(11)))
	t.must("Done", t.one.Done(t.ctx, event(10)))
}

func (t *test) checkpoints() {
	since := time.UnixMilli(1_735_689_600_123)
	var many []keeper.Checkpoint
	for i := range 500 {
		many = append(many, keeper.Checkpoint{Address: types.Address(fmt.Sprint("a", i)), Filter: "f", Slot: uint64(i)})
	}
	many = append(many, keeper.Checkpoint{Address: "A0", Filter: "f", Slot: 7}, keeper.Checkpoint{Address: "a0", Filter: "g", Slot: 8, Since: since})
	t.must("SetCheckpoints", t.one.SetCheckpoints(t.ctx, many...))
	t.must("SetCheckpoints", t.one.SetCheckpoints(t.ctx, keeper.Checkpoint{Address: "a1", Filter: "f", Slot: 1 << 53}))
	all, err := t.two.Checkpoints(t.ctx)
	t.must("Checkpoints", err)
	check(t, "the number of checkpoints", len(all), len(many))
	of := func(address types.Address, filter string) keeper.Checkpoint {
		i := slices.IndexFunc(all, func(c keeper.Checkpoint) bool { return c.Address == address && c.Filter == filter })
		if i < 0 {
			return keeper.Checkpoint{}
		}
		return all[i]
	}
	check(t, "Slot of a checkpoint", of("a499", "f").Slot, 499)
	check(t, "Slot of a checkpoint that was stored again", of("a1", "f").Slot, 1<<53)
	check(t, "Slot of a checkpoint whose address differs in case", of("A0", "f").Slot, 7)
	check(t, "Slot of a checkpoint with another filter", of("a0", "g").Slot, 8)
	check(t, "whether Since is kept to the millisecond", of("a0", "g").Since.Equal(since), true)
	check(t, "whether a zero Since is kept", of("a0", "f").Since.IsZero(), true)
	age := of("a0", "f").Age
	check(t, "whether Age of a checkpoint is some seconds", age >= 0 && age < time.Minute, true)
}

func (t *test) lock(s keeper.Store, p keeper.Process, hold time.Duration) *keeper.Shared {
	shared, err := s.Lock(t.ctx, p, hold)
	t.must("Lock", err)
	if shared == nil {
		return new(keeper.Shared)
	}
	return shared
}

func (t *test) leaders() {
	delivered := types.Time{Time: time.UnixMilli(1_735_689_600_123)}
	a := keeper.Process{
		ID: "a", Settings: "s", Delivered: delivered.Time, Asked: 3, Behind: 2,
		Problems: []keeper.Problem{{Cause: keeper.CauseHandle, Since: delivered, Text: "é \" \\"}},
	}
	b := keeper.Process{ID: "b"}
	check(t, "Leads of the first process", t.lock(t.one, a, time.Minute).Leads, true)
	shared := t.lock(t.two, b, time.Minute)
	check(t, "Leads of the second process", shared.Leads, false)
	check(t, "the number of processes", len(shared.Processes), 2)
	for _, p := range shared.Processes {
		if p.ID != "a" {
			continue
		}
		check(t, "Leads of the process that leads", p.Leads, true)
		check(t, "Settings", p.Settings, "s")
		check(t, "whether Delivered is kept to the millisecond", p.Delivered.Equal(delivered.Time), true)
		check(t, "Asked", p.Asked, 3)
		check(t, "Behind", p.Behind, 2)
		check(t, "the number of Problems", len(p.Problems), 1)
		if len(p.Problems) == 1 {
			check(t, "Cause", p.Problems[0].Cause, keeper.CauseHandle)
			check(t, "Text", p.Problems[0].Text, "é \" \\")
		}
	}
	check(t, "Leads of the leader, again", t.lock(t.one, a, time.Minute).Leads, true)
	t.lock(t.one, a, 0)
	shared = t.lock(t.two, b, 50*time.Millisecond)
	check(t, "Leads of the next process after the leader ended", shared.Leads, true)
	check(t, "the number of processes after one ended", len(shared.Processes), 1)
	t.eventually("a new leader after the lead has lapsed", func() bool { return t.lock(t.one, a, time.Minute).Leads })
	t.lock(t.one, a, 0)
	t.lock(t.two, b, 0)
}

func (t *test) webhook() {
	check(t, "Webhook.ID before one is stored", t.lock(t.one, keeper.Process{ID: "a"}, time.Minute).Webhook.ID, "")
	t.must("SetWebhook", t.one.SetWebhook(t.ctx, keeper.Webhook{ID: "582dcf85-7a44-4b31-a8ee-2be9d8ec9bcf", Creating: "c"}))
	w := t.lock(t.two, keeper.Process{ID: "b"}, time.Minute).Webhook
	check(t, "Webhook.ID", w.ID, "582dcf85-7a44-4b31-a8ee-2be9d8ec9bcf")
	check(t, "Webhook.Creating", w.Creating, "c")
	check(t, "whether Webhook.Age is some seconds", w.Age >= 0 && w.Age < time.Minute, true)
}

// race notes unless each of 50 events is claimed by one of two processes, once.
func (t *test) race() {
	var won [50]atomic.Int32
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for n := range won {
				if isNew, err := []keeper.Store{t.one, t.two}[i%2].Claim(t.ctx, event(100+n)); err == nil && isNew {
					won[n].Add(1)
				}
			}
		})
	}
	wg.Wait()
	for n := range won {
		check(t, "the number of concurrent claims of an event that succeed", won[n].Load(), 1)
		t.must("Done", t.one.Done(t.ctx, event(100+n)))
	}
}

func (t *test) cleaned() {
	check(t, "the claim of an event that stays pending", t.claim(t.one, 5), "new")
	clean := func(age time.Duration, former ...keeper.Checkpoint) (total int) {
		for {
			n, err := t.one.Clean(t.ctx, age, former...)
			t.must("Clean", err)
			if total += n; n == 0 || t.err != nil {
				return total
			}
		}
	}
	all, err := t.one.Checkpoints(t.ctx)
	t.must("Checkpoints", err)
	check(t, "the number of young events that Clean deletes", clean(time.Minute, all...), 0)
	t.must("SetCheckpoints", t.one.SetCheckpoints(t.ctx, keeper.Checkpoint{Address: "a", Filter: "f", Slot: 120}))
	left, err := t.one.Checkpoints(t.ctx)
	t.must("Checkpoints", err)
	check(t, "the number of checkpoints after Clean of the former ones", len(left), 1)
	check(t, "the number of done events before the checkpoint that Clean deletes", clean(0), 24)
	check(t, "the claim of a pending event after Clean", t.claim(t.two, 5), "claimed")
	check(t, "the claim of a done event at the checkpoint after Clean", t.claim(t.two, 120), "known")
	check(t, "the claim of a deleted event", t.claim(t.two, 119), "new")
}
