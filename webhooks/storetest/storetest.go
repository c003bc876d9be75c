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
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/webhooks"
)

// script has the calls of a record and what they return, "claimed" for ErrClaimed. Records 0 and
// 1 are of one name, as two processes have them, 2 and 3 are of another name; each paragraph has
// new names. The arguments are
//
//	claim   number of an event, its slot and address
//	win     the same; claims until the event is new, for at most half a minute
//	race    how many events both processes claim at once; returns how many were won once
//	open    Limit, seconds of Idle, slot and number of After; returns Count, Slot, and of each
//	        event number, slot, address, attempts and error
//	add     facts
const script = `
claims
0 claim 1 5 A: new
1 claim 1 5 A: claimed
2 claim 1 5 A: new
1 release 1:
1 claim 1 5 A: claimed
0 renew 1:
0 release 1:
1 claim 1 5 A: new
0 renew 1: claimed
0 done 1:
0 claim 1 5 A: done
1 release 1:
1 claim 1 5 A: done

lapsed claims
0 claim 1 5 A: new
1 win 1 5 A: new
0 claim 1 5 A: claimed

concurrent claims
0 race 50: 50

open events
0 open 9: 0 0
0 claim 7: new
0 open: 1 0
0 claim 3 20 A: new
0 claim 2 20 A: new
0 claim 1 30 A: new
0 open 9: 4 20
0 release 7:
0 release 3:
0 release 2:
0 release 1:
0 open 9: 4 20 7/0//1/reason 2/20/A/1/reason 3/20/A/1/reason 1/30/A/1/reason
0 open 2: 4 20 7/0//1/reason 2/20/A/1/reason
0 open 9 0 20 2: 4 20 3/20/A/1/reason 1/30/A/1/reason
0 open 9 3600: 4 20
0 claim 2 20: new
0 release 2:
0 open 1 0 0 7: 4 20 2/20/A/2/reason
0 missing 8 7 9: 8 9
0 claim 7: new
0 done 3:
0 open 9: 3 20 2/20/A/2/reason 1/30/A/1/reason

facts
1 facts:
0 add a/1=one A/1=upper b%=LONG:
0 add a/1=again a/2=two:
1 facts a/: a/1=one a/2=two
2 facts:
0 put a/1=new a/2= a/3=three:
0 put a/1=new:
1 facts a: a/1=new a/3=three
1 facts %:
1 facts: A/1=upper a/1=new a/3=three b%=LONG
0 add MANY:
1 facts many/: MANY
0 add:

lock
0 lock 1m: true
0 lock 1m: true
1 lock 1m: false
2 lock 1m: true
1 lock 0s: false
1 lock 1m: false
0 lock 0s: true
1 lock 50ms: true
0 sleep 100ms:
0 lock 1m: true

Clean
0 claim 1 10 A: new
0 claim 2 11 A: new
0 claim 3 12 A: new
0 claim 4 13 A: new
0 done 1:
0 done 2:
0 done 4:
0 clean 1h 13: 0
0 clean 0s 13: 2
0 claim 1 10 A: new
0 claim 2 11 A: new
0 claim 3 12 A: claimed
0 claim 4 13 A: done
`

// TestStore tests a store with new records, for at most a minute: claims must lapse within half
// of it. It returns what is wrong.
func TestStore(ctx context.Context, s webhooks.Store) error {
	var many []string
	for i := range 500 {
		many = append(many, fmt.Sprintf("many/%03d=1", i))
	}
	calls := strings.NewReplacer("LONG", strings.Repeat("x", 1000), "MANY", strings.Join(many, " ")).Replace(strings.TrimSpace(script))
	for part := range strings.SplitSeq(calls, "\n\n") {
		lines := strings.Split(part, "\n")
		t := &test{name: rand.Text()}
		for i := range t.records {
			var err error
			if t.records[i], err = s.Record(ctx, fmt.Sprint("test ", t.name, i/2)); err != nil {
				return fmt.Errorf("%s: %w", lines[0], err)
			}
		}
		for _, line := range lines[1:] {
			call, want, _ := strings.Cut(line, ":")
			got, err := t.call(ctx, strings.Fields(call))
			if errors.Is(err, webhooks.ErrClaimed) {
				got, err = "claimed", nil
			}
			if want = strings.TrimSpace(want); err == nil && got != want {
				err = fmt.Errorf("returns %q, not %q", got, want)
			}
			if err != nil {
				return fmt.Errorf("%s: %s: %w", lines[0], call, err)
			}
		}
	}
	return nil
}

// A test is a part of the script.
type test struct {
	name    string
	records [4]webhooks.Record
}

// call calls a method of a record, and returns its result as text.
func (t *test) call(ctx context.Context, words []string) (got string, err error) {
	i, _ := strconv.Atoi(words[0])
	r, args := t.records[i], words[2:]
	switch e := event(args); words[1] {
	case "claim":
		isNew, err := r.Claim(ctx, e)
		return map[bool]string{true: "new", false: "done"}[isNew], err
	case "win":
		err = webhooks.ErrClaimed
		for begin := time.Now(); errors.Is(err, webhooks.ErrClaimed) && time.Since(begin) < 30*time.Second; time.Sleep(100 * time.Millisecond) {
			got, err = t.call(ctx, append([]string{words[0], "claim"}, args...))
		}
	case "renew":
		return "", r.Renew(ctx, e)
	case "release":
		return "", r.Release(ctx, e, "reason")
	case "done":
		return "", r.Done(ctx, e)
	case "race":
		return t.race(ctx, integer(args, 0)), nil
	case "open":
		return open(ctx, r, args)
	case "missing":
		var all []types.Signature
		for i := range args {
			all = append(all, event(args[i:]).Signature)
		}
		all, err = r.Missing(ctx, all)
		var numbers []string
		for _, s := range all {
			numbers = append(numbers, number(s))
		}
		return strings.Join(numbers, " "), err
	case "facts":
		return facts(ctx, r, append(args, "")[0])
	case "add", "put":
		var all []webhooks.Fact
		for _, pair := range args {
			name, value, _ := strings.Cut(pair, "=")
			all = append(all, webhooks.Fact{Name: name, Value: value})
		}
		if words[1] == "add" {
			return "", r.Add(ctx, all...)
		}
		return "", r.Put(ctx, all...)
	case "lock":
		locked, err := r.Lock(ctx, duration(args))
		return strconv.FormatBool(locked), err
	case "sleep":
		time.Sleep(duration(args))
	case "clean":
		n, err := r.Clean(ctx, duration(args), uint64(integer(args, 1)))
		return strconv.FormatInt(n, 10), err
	}
	return got, err
}

func integer(args []string, i int) (n int) {
	if i < len(args) {
		n, _ = strconv.Atoi(args[i])
	}
	return n
}

func duration(args []string) time.Duration {
	d, _ := time.ParseDuration(args[0])
	return d
}

// event returns the event with a number, and, if args has them, a slot and an address.
func event(args []string) *webhooks.Event {
	e := &webhooks.Event{Signature: types.Signature(fmt.Sprintf("%088d", integer(args, 0))), Slot: uint64(integer(args, 1))}
	if len(args) > 2 {
		e.Address = types.Address(args[2])
	}
	return e
}

// number returns the number of an event.
func number(s types.Signature) string { return strings.TrimLeft(string(s), "0") }

// race returns how many of n events were claimed by one of two processes.
func (t *test) race(ctx context.Context, n int) string {
	won, once := make([]atomic.Int32, n), 0
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for n := range won {
				if isNew, err := t.records[i%2].Claim(ctx, event([]string{strconv.Itoa(n)})); err == nil && isNew {
					won[n].Add(1)
				}
			}
		})
	}
	wg.Wait()
	for i := range won {
		if won[i].Load() == 1 {
			once++
		}
	}
	return strconv.Itoa(once)
}

// stored returns an error unless an age is of an event or a fact that was stored now.
func stored(age time.Duration) error {
	if age < 0 || age > time.Minute {
		return fmt.Errorf("the age is %v", age)
	}
	return nil
}

func open(ctx context.Context, r webhooks.Record, args []string) (string, error) {
	q := webhooks.OpenQuery{Limit: integer(args, 0), Idle: time.Duration(integer(args, 1)) * time.Second}
	if len(args) > 2 {
		q.After = webhooks.OpenEvent{Slot: uint64(integer(args, 2)), Signature: event(args[3:]).Signature}
	}
	all, err := r.OpenEvents(ctx, q)
	if err != nil {
		return "", err
	}
	words := []string{fmt.Sprintf("%d %d", all.Count, all.Slot)}
	err = stored(all.Oldest)
	for _, e := range all.Events {
		words = append(words, fmt.Sprintf("%s/%d/%s/%d/%s", number(e.Signature), e.Slot, e.Address, e.Attempts, e.Error))
		err = errors.Join(err, stored(e.Age))
	}
	return strings.Join(words, " "), err
}

// facts returns facts in the order of their names.
func facts(ctx context.Context, r webhooks.Record, prefix string) (string, error) {
	all, err := r.Facts(ctx, prefix)
	var pairs []string
	for _, f := range all {
		pairs = append(pairs, f.Name+"="+f.Value)
		err = errors.Join(err, stored(f.Age))
	}
	slices.Sort(pairs)
	return strings.Join(pairs, " "), err
}
