// Package storetest tests an implementation of webhooks.Store, which keeps what the receivers
// of Helius webhooks have handled of Solana accounts:
//
//	func TestStore(t *testing.T) {
//		if err := storetest.TestStore(t.Context(), &myStore{db}); err != nil {
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
//		"github.com/solwire/solwire-go/webhooks"
//		"github.com/solwire/solwire-go/webhooks/storetest"
//	)
//
//	func main() {
//		if err := storetest.TestStore(context.Background(), new(webhooks.MemoryStore)); err != nil {
//			log.Fatal(err)
//		}
//		fmt.Println("the store is good")
//	}
package storetest

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/webhooks"
)

// TestStore tests a store with new records, for at most a minute: claims must lapse within half
// of it. It returns what is wrong.
func TestStore(ctx context.Context, s webhooks.Store) error {
	for _, part := range []struct {
		name string
		f    func(*test)
	}{
		{"claims", (*test).claims},
		{"lapsed claims", (*test).lapse},
		{"concurrent claims", (*test).concurrent},
		{"open events", (*test).open},
		{"facts", (*test).facts},
		{"lock", (*test).lock},
		{"Clean", (*test).clean},
	} {
		t := &test{ctx: ctx, store: s, name: "test " + rand.Text()}
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			part.f(t)
		}()
		<-ended
		if t.err != nil {
			return fmt.Errorf("%s: step %d: %w", part.name, t.step, t.err)
		}
	}
	return nil
}

// A test is one part of TestStore, in a goroutine that ends at the first error.
type test struct {
	ctx   context.Context //nolint:containedctx // of one call of TestStore
	store webhooks.Store
	name  string
	step  int
	err   error
}

// check ends a step, and the test if there is an error, as testing.T.FailNow does.
func (t *test) check(err error) {
	t.step++
	if err != nil {
		t.err = err
		runtime.Goexit()
	}
}

// equal compares what a call returned with what it should.
func equal[T comparable](t *test, what string, got T, err error, want T) {
	if err == nil && got != want {
		err = fmt.Errorf("%s: got %v, not %v", what, got, want)
	}
	t.check(err)
}

// A record is a Record with its expectations.
type record struct {
	webhooks.Record
	*test
}

// records returns values of Record for one name, as several processes have them.
func (t *test) records(n int) (all []record) {
	for range n {
		r, err := t.store.Record(t.ctx, t.name)
		t.check(err)
		all = append(all, record{r, t})
	}
	return all
}

func event(n int, slot uint64) *webhooks.Event {
	return &webhooks.Event{Signature: types.Signature(fmt.Sprintf("%088d", n)), Slot: slot, Address: "address"}
}

// claim compares the result of Claim: new, claimed or done.
func (r record) claim(e *webhooks.Event, want string) {
	isNew, err := r.Claim(r.ctx, e)
	got := map[bool]string{true: "new", false: "done"}[isNew]
	if errors.Is(err, webhooks.ErrClaimed) && !isNew {
		got, err = "claimed", nil
	}
	equal(r.test, "Claim", got, err, want)
}

func (r record) release(n int, failure string) { r.check(r.Release(r.ctx, event(n, 0), failure)) }

func (r record) done(n int) { r.check(r.Done(r.ctx, event(n, 0))) }

func (t *test) claims() {
	r := t.records(2)
	e := event(1, 5)
	r[0].claim(e, "new")
	r[1].claim(e, "claimed")
	t.name += " of another program"
	t.records(1)[0].claim(e, "new")
	r[1].release(1, "not its claim")
	r[1].claim(e, "claimed")
	t.check(r[0].Renew(t.ctx, e))
	r[0].release(1, "no")
	r[1].claim(e, "new")
	if err := r[0].Renew(t.ctx, e); !errors.Is(err, webhooks.ErrClaimed) {
		t.check(fmt.Errorf("renewing a lost claim returns %w, not ErrClaimed", err))
	}
	r[0].done(1) // it was slow, but has handled the event
	r[0].claim(e, "done")
	r[1].release(1, "too late")
	r[1].claim(e, "done")
}

func (t *test) lapse() {
	r := t.records(2)
	e := event(1, 5)
	r[0].claim(e, "new")
	for begin := time.Now(); time.Since(begin) < 30*time.Second; time.Sleep(100 * time.Millisecond) {
		if isNew, err := r[1].Claim(t.ctx, e); isNew && err == nil {
			r[0].claim(e, "claimed")
			return
		}
	}
	r[1].claim(e, "new")
}

func (t *test) concurrent() {
	const events = 50
	var won [events]atomic.Int32
	var wg sync.WaitGroup
	for _, r := range t.records(4) {
		wg.Go(func() {
			for i := range events {
				if isNew, err := r.Claim(t.ctx, event(i, 1)); err == nil && isNew {
					won[i].Add(1)
				}
			}
		})
	}
	wg.Wait()
	for i := range events {
		equal(t, fmt.Sprintf("claims of event %d at once", i), won[i].Load(), nil, 1)
	}
}

// query compares the result of OpenEvents.
func (r record) query(q webhooks.OpenQuery, count int, slot uint64, numbers ...int) *webhooks.OpenEvents {
	got, err := r.OpenEvents(r.ctx, q)
	r.check(err)
	var want, has []types.Signature
	for _, n := range numbers {
		want = append(want, event(n, 0).Signature)
	}
	for _, e := range got.Events {
		has = append(has, e.Signature)
	}
	if got.Count != count || got.Slot != slot || !slices.Equal(has, want) || got.Oldest < 0 || got.Oldest > time.Minute {
		r.check(fmt.Errorf("OpenEvents(%+v) returns %+v, not %d with the lowest slot %d and %v", q, got, count, slot, want))
	}
	return got
}

func (t *test) open() {
	r, all := t.records(1)[0], webhooks.OpenQuery{Limit: 9}
	r.query(all, 0, 0)
	r.claim(event(7, 0), "new")
	r.query(webhooks.OpenQuery{}, 1, 0)
	for n, slot := range map[int]uint64{3: 20, 2: 20, 1: 30} {
		r.claim(event(n, slot), "new")
	}
	r.query(all, 4, 20) // they are claimed
	for _, n := range []int{7, 3, 2, 1} {
		r.release(n, "reason")
	}
	r.query(all, 4, 20, 7, 2, 3, 1)
	r.query(webhooks.OpenQuery{Limit: 2}, 4, 20, 7, 2)
	r.query(webhooks.OpenQuery{Limit: 9, After: webhooks.OpenEvent{Slot: 20, Signature: event(2, 0).Signature}}, 4, 20, 3, 1)
	r.query(webhooks.OpenQuery{Limit: 9, Idle: time.Hour}, 4, 20)
	r.claim(&webhooks.Event{Signature: event(2, 0).Signature, Slot: 20}, "new") // a form that cannot be decoded says no address
	r.release(2, "reason")
	got := r.query(all, 4, 20, 7, 2, 3, 1).Events[1]
	got.Age = got.Age.Truncate(time.Minute)
	equal(t, "an event that was released twice", got, nil,
		webhooks.OpenEvent{Slot: 20, Signature: event(2, 0).Signature, Address: "address", Attempts: 2, Error: "reason"})
	missing, err := r.Missing(t.ctx, []types.Signature{event(8, 0).Signature, event(7, 0).Signature, event(9, 0).Signature})
	equal(t, "Missing", fmt.Sprint(missing), err, fmt.Sprint([]types.Signature{event(8, 0).Signature, event(9, 0).Signature}))
	r.claim(event(7, 0), "new")
	r.done(3)
	r.query(all, 3, 20, 2, 1)
}

// facts makes facts of names and values.
func facts(pairs ...string) (all []webhooks.Fact) {
	for pair := range slices.Chunk(pairs, 2) {
		all = append(all, webhooks.Fact{Name: pair[0], Value: pair[1]})
	}
	return all
}

// has compares the result of Facts with facts in the order of their names.
func (r record) has(prefix string, want ...webhooks.Fact) {
	got, err := r.Facts(r.ctx, prefix)
	slices.SortFunc(got, func(a, b webhooks.Fact) int { return strings.Compare(a.Name, b.Name) })
	for i := range got {
		got[i].Age = got[i].Age.Truncate(time.Minute) // it was stored now
	}
	if err == nil && !slices.Equal(got, want) {
		err = fmt.Errorf("Facts(%q) returns %v, not %v", prefix, got, want)
	}
	r.check(err)
}

func (t *test) facts() {
	r := t.records(2)
	long := strings.Repeat("x", 1000)
	r[1].has("")
	t.check(r[0].Add(t.ctx, facts("a/1", "one", "A/1", "upper", "b%", long)...))
	t.check(r[0].Add(t.ctx, facts("a/1", "again", "a/2", "two")...))
	r[1].has("a/", facts("a/1", "one", "a/2", "two")...)
	t.check(r[0].Put(t.ctx, facts("a/1", "new", "a/2", "", "a/3", "three")...))
	t.check(r[0].Put(t.ctx, facts("a/1", "new")...))
	r[1].has("a", facts("a/1", "new", "a/3", "three")...)
	r[1].has("%")
	r[1].has("", facts("A/1", "upper", "a/1", "new", "a/3", "three", "b%", long)...)
	var many []string
	for i := range 500 {
		many = append(many, fmt.Sprintf("many/%03d", i), "1")
	}
	t.check(r[0].Add(t.ctx, facts(many...)...))
	r[1].has("many/", facts(many...)...)
	t.check(r[0].Add(t.ctx))
}

func (t *test) lock() {
	r := t.records(2)
	lock := func(n int, hold time.Duration, want bool) {
		locked, err := r[n].Lock(t.ctx, hold)
		equal(t, "Lock", locked, err, want)
	}
	lock(0, time.Minute, true)
	lock(0, time.Minute, true)
	lock(1, time.Minute, false)
	_, err := r[1].Lock(t.ctx, 0) // not its own
	t.check(err)
	lock(1, time.Minute, false)
	lock(0, 0, true)
	lock(1, 50*time.Millisecond, true)
	time.Sleep(100 * time.Millisecond)
	lock(0, time.Minute, true)
}

func (t *test) clean() {
	r := t.records(1)[0]
	const events = 300
	for i := range events {
		r.claim(event(i, uint64(i+1)), "new")
		if i != 10 {
			r.done(i)
		}
	}
	for _, row := range []struct {
		age          time.Duration
		before, want int
	}{
		{time.Hour, events, 0},
		{0, 251, 249}, // but the open one
	} {
		n, err := r.Clean(t.ctx, row.age, uint64(row.before))
		equal(t, "Clean", n, err, int64(row.want))
	}
	r.claim(event(0, 1), "new")
	r.claim(event(10, 11), "claimed")
	r.claim(event(250, 251), "done")
}
