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
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/webhooks"
)

// TestStore tests a store with new records, for at most a minute: claims must lapse within half
// of it. It returns what is wrong.
func TestStore(ctx context.Context, s webhooks.Store) error {
	t := &test{ctx: ctx, store: s, name: "test " + rand.Text()}
	for _, part := range []struct {
		name string
		f    func() error
	}{
		{"claims", t.claims},
		{"lapsed claims", t.lapse},
		{"concurrent claims", t.concurrent},
		{"open events", t.open},
		{"facts", t.facts},
		{"lock", t.lock},
		{"Clean", t.clean},
	} {
		if err := part.f(); err != nil {
			return fmt.Errorf("%s: %w", part.name, err)
		}
	}
	return nil
}

type test struct {
	ctx   context.Context //nolint:containedctx // of one call of TestStore
	store webhooks.Store
	name  string
}

// A record is a Record with its expectations.
type record struct {
	webhooks.Record
	ctx context.Context //nolint:containedctx // of one call of TestStore
}

// records returns values of Record for one name, as several processes have them.
func (t *test) records(name string, n int) (all []record, err error) {
	for range n {
		r, err := t.store.Record(t.ctx, t.name+" "+name)
		if err != nil {
			return nil, err
		}
		all = append(all, record{r, t.ctx})
	}
	return all, nil
}

func event(n int, slot uint64) *webhooks.Event {
	return &webhooks.Event{Signature: types.Signature(fmt.Sprintf("%088d", n)), Slot: slot, Address: "address"}
}

// claim compares the result of Claim: new, claimed or done.
func (r record) claim(e *webhooks.Event, want string) error {
	isNew, err := r.Claim(r.ctx, e)
	got := map[bool]string{true: "new", false: "done"}[isNew]
	if errors.Is(err, webhooks.ErrClaimed) && !isNew {
		got, err = "claimed", nil
	}
	if err == nil && got != want {
		err = fmt.Errorf("the event is %s, not %s", got, want)
	}
	return err
}

// all returns the first error of steps, which stop at it.
func all(steps ...func() error) error {
	for i, step := range steps {
		if err := step(); err != nil {
			return fmt.Errorf("step %d: %w", i+1, err)
		}
	}
	return nil
}

func (t *test) claims() error {
	r, err := t.records("claims", 2)
	if err != nil {
		return err
	}
	other, err := t.records("claims of another program", 1)
	if err != nil {
		return err
	}
	e := event(1, 5)
	return all(
		func() error { return r[0].claim(e, "new") },
		func() error { return r[1].claim(e, "claimed") },
		func() error { return other[0].claim(e, "new") },
		func() error { return r[1].Release(t.ctx, e, "not its claim") },
		func() error { return r[1].claim(e, "claimed") },
		func() error { return r[0].Renew(t.ctx, e) },
		func() error { return r[0].Release(t.ctx, e, "no") },
		func() error { return r[1].claim(e, "new") },
		func() error {
			if err := r[0].Renew(t.ctx, e); !errors.Is(err, webhooks.ErrClaimed) {
				return fmt.Errorf("renewing a lost claim returns %w, not ErrClaimed", err)
			}
			return nil
		},
		func() error { return r[0].Done(t.ctx, e) }, // it was slow, but has handled the event
		func() error { return r[0].claim(e, "done") },
		func() error { return r[1].Release(t.ctx, e, "too late") },
		func() error { return r[1].claim(e, "done") },
	)
}

func (t *test) lapse() error {
	r, err := t.records("lapse", 2)
	if err != nil {
		return err
	}
	e := event(1, 5)
	if err := r[0].claim(e, "new"); err != nil {
		return err
	}
	for begin := time.Now(); time.Since(begin) < 30*time.Second; time.Sleep(100 * time.Millisecond) {
		if err = r[1].claim(e, "new"); err == nil {
			return r[0].claim(e, "claimed")
		}
	}
	return err
}

func (t *test) concurrent() error {
	r, err := t.records("concurrent", 4)
	if err != nil {
		return err
	}
	const events = 50
	var mu sync.Mutex
	won := make(map[int]int)
	var wg sync.WaitGroup
	for _, r := range r {
		wg.Go(func() {
			for i := range events {
				if isNew, err := r.Claim(t.ctx, event(i, 1)); err == nil && isNew {
					mu.Lock()
					won[i]++
					mu.Unlock()
				}
			}
		})
	}
	wg.Wait()
	for i := range events {
		if won[i] != 1 {
			return fmt.Errorf("event %d was claimed %d times at once", i, won[i])
		}
	}
	return nil
}

func (t *test) open() error {
	r, err := t.records("open", 1)
	if err != nil {
		return err
	}
	query := func(q webhooks.OpenQuery, count int, slot uint64, numbers ...int) func() error {
		return func() error {
			got, err := r[0].OpenEvents(t.ctx, q)
			if err != nil {
				return err
			}
			var want []types.Signature
			for _, n := range numbers {
				want = append(want, event(n, 0).Signature)
			}
			var has []types.Signature
			for _, e := range got.Events {
				has = append(has, e.Signature)
			}
			if got.Count != count || got.Slot != slot || !slices.Equal(has, want) || got.Oldest < 0 || got.Oldest > time.Minute {
				return fmt.Errorf("OpenEvents(%+v) returns %+v, not %d with the lowest slot %d and %v", q, got, count, slot, want)
			}
			return nil
		}
	}
	claim := func(n int, slot uint64) func() error {
		return func() error { return r[0].claim(event(n, slot), "new") }
	}
	release := func(n int) func() error { return func() error { return r[0].Release(t.ctx, event(n, 0), "reason") } }
	return all(
		query(webhooks.OpenQuery{Limit: 9}, 0, 0),
		claim(7, 0), query(webhooks.OpenQuery{}, 1, 0),
		claim(3, 20), claim(2, 20), claim(1, 30),
		query(webhooks.OpenQuery{Limit: 9}, 4, 20), // they are claimed
		release(7), release(3), release(2), release(1),
		query(webhooks.OpenQuery{Limit: 9}, 4, 20, 7, 2, 3, 1),
		query(webhooks.OpenQuery{Limit: 2}, 4, 20, 7, 2),
		query(webhooks.OpenQuery{Limit: 9, After: webhooks.OpenEvent{Slot: 20, Signature: event(2, 0).Signature}}, 4, 20, 3, 1),
		query(webhooks.OpenQuery{Limit: 9, Idle: time.Hour}, 4, 20),
		func() error {
			got, err := r[0].OpenEvents(t.ctx, webhooks.OpenQuery{Limit: 1})
			if err == nil && (got.Events[0].Attempts != 1 || got.Events[0].Error != "reason" || got.Events[0].Age > time.Minute || got.Events[0].Address != "address") {
				err = fmt.Errorf("an event released after an attempt is %+v", got.Events[0])
			}
			return err
		},
		func() error { // a form that cannot be decoded says no address
			return r[0].claim(&webhooks.Event{Signature: event(2, 0).Signature, Slot: 20}, "new")
		},
		func() error {
			got, err := r[0].OpenEvents(t.ctx, webhooks.OpenQuery{Limit: 9})
			if err == nil && got.Events[1].Address != "address" {
				err = fmt.Errorf("an event claimed again without its address is %+v", got.Events[1])
			}
			return err
		},
		release(2),
		func() error {
			missing, err := r[0].Missing(t.ctx, []types.Signature{event(8, 0).Signature, event(7, 0).Signature, event(9, 0).Signature})
			if err == nil && !slices.Equal(missing, []types.Signature{event(8, 0).Signature, event(9, 0).Signature}) {
				err = fmt.Errorf("the result of Missing is %v", missing)
			}
			return err
		},
		claim(7, 0),
		func() error { return r[0].Done(t.ctx, event(3, 0)) },
		query(webhooks.OpenQuery{Limit: 9}, 3, 20, 2, 1),
	)
}

func (t *test) facts() error {
	r, err := t.records("facts", 2)
	if err != nil {
		return err
	}
	var many []webhooks.Fact
	for i := range 500 {
		many = append(many, webhooks.Fact{Name: fmt.Sprint("many/", i), Value: "1"})
	}
	read := func(prefix string, want map[string]string) func() error {
		return func() error {
			list, err := r[1].Facts(t.ctx, prefix)
			if err != nil {
				return err
			}
			got := make(map[string]string)
			for _, f := range list {
				got[f.Name] = f.Value
				if f.Age < 0 || f.Age > time.Minute {
					return fmt.Errorf("a fact that was stored now is %v old", f.Age)
				}
			}
			if !reflect.DeepEqual(got, want) || len(list) != len(want) {
				return fmt.Errorf("Facts(%q) returns %v, not %v", prefix, got, want)
			}
			return nil
		}
	}
	long := strings.Repeat("x", 1000)
	return all(
		read("", map[string]string{}),
		func() error {
			return r[0].Add(t.ctx, webhooks.Fact{Name: "a/1", Value: "one"}, webhooks.Fact{Name: "A/1", Value: "upper"}, webhooks.Fact{Name: "b%", Value: long})
		},
		func() error {
			return r[0].Add(t.ctx, webhooks.Fact{Name: "a/1", Value: "again"}, webhooks.Fact{Name: "a/2", Value: "two"})
		},
		read("a/", map[string]string{"a/1": "one", "a/2": "two"}),
		func() error {
			return r[0].Put(t.ctx, webhooks.Fact{Name: "a/1", Value: "new"}, webhooks.Fact{Name: "a/2"}, webhooks.Fact{Name: "a/3", Value: "three"})
		},
		func() error { return r[0].Put(t.ctx, webhooks.Fact{Name: "a/1", Value: "new"}) },
		read("a", map[string]string{"a/1": "new", "a/3": "three"}),
		read("%", map[string]string{}),
		read("", map[string]string{"a/1": "new", "a/3": "three", "A/1": "upper", "b%": long}),
		func() error { return r[0].Add(t.ctx, many...) },
		func() error {
			list, err := r[1].Facts(t.ctx, "many/")
			if err == nil && len(list) != len(many) {
				err = fmt.Errorf("%d of %d facts are there", len(list), len(many))
			}
			return err
		},
		func() error { return r[0].Add(t.ctx) },
	)
}

func (t *test) lock() error {
	r, err := t.records("lock", 2)
	if err != nil {
		return err
	}
	lock := func(n int, hold time.Duration, want bool) func() error {
		return func() error {
			locked, err := r[n].Lock(t.ctx, hold)
			if err == nil && locked != want {
				err = fmt.Errorf("the result of Lock is %v", locked)
			}
			return err
		}
	}
	return all(
		lock(0, time.Minute, true), lock(0, time.Minute, true), lock(1, time.Minute, false),
		func() error { _, err := r[1].Lock(t.ctx, 0); return err }, // not its own
		lock(1, time.Minute, false), lock(0, 0, true),
		lock(1, 50*time.Millisecond, true),
		func() error { time.Sleep(100 * time.Millisecond); return nil },
		lock(0, time.Minute, true),
	)
}

func (t *test) clean() error {
	r, err := t.records("clean", 1)
	if err != nil {
		return err
	}
	const events = 300
	for i := range events {
		if err := r[0].claim(event(i, uint64(i+1)), "new"); err != nil {
			return err
		}
		if i == 10 {
			continue
		}
		if err := r[0].Done(t.ctx, event(i, 0)); err != nil {
			return err
		}
	}
	clean := func(age time.Duration, before uint64, want int64) func() error {
		return func() error {
			n, err := r[0].Clean(t.ctx, age, before)
			if err == nil && n != want {
				err = fmt.Errorf("Clean(%v, %d) deletes %d events, not %d", age, before, n, want)
			}
			return err
		}
	}
	return all(
		clean(time.Hour, events, 0),
		clean(0, 251, 249), // but the open one
		func() error { return r[0].claim(event(0, 1), "new") },
		func() error { return r[0].claim(event(10, 11), "claimed") },
		func() error { return r[0].claim(event(250, 251), "done") },
	)
}
