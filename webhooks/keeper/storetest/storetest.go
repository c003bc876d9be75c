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
	"bytes"
	"context"
	"encoding/json"
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
	"github.com/solwire/solwire-go/webhooks/keeper"
)

// The steps are calls of two processes, their arguments and results. A step with ~ is repeated
// until it has the result. An event is a number, with w if it was delivered.
const script = `
1 claim 1 = new
2 claim 1 = claimed
1 renew 1 = ok
2 renew 1 = claimed
2 release 1 not_mine = ok
2 claim 1 = claimed
1 release 1 no_space = ok
2 claim 1 = new
2 done 1 = ok
1 claim 1 = known
1 claim 2 = new
2 claim 2 ~ new
1 done 2 = ok
2 claim 2 = known

1 add f 10 11w 1 = 2
1 add f 10 = 0
2 due 9 =
1 claim 10 = new
1 release 10 no_space = ok
2 pending 9 = 11/0//true/0/ 10/10/A/true/1/no_space
2 pending 1 = 11/0//true/0/
2 due 9 =
2 totals = 2 0 10

1 done 10 = ok
1 move pending not_returned 11 1 = ok
1 claim 1 = known
2 pending 9 = 11/0//true/1/not_returned
1 move unwanted f 11 1 = ok
1 claim 1 = known
2 pending 9 =
1 add f 11w = 0
1 add g 11w = 1
1 move dead too_old 11 1 = ok
1 claim 1 = known
2 dead 9 = 11/0//true/1/too_old
2 totals = 0 1 0
1 claim 11 = new
2 move pending not_mine 11 = ok
2 claim 11 = claimed
1 done 11 = ok

1 checkpoint A0 f 7 = 1
1 checkpoint a0 f 0 = 2
1 checkpoint a0 g 8 = 3
2 checkpoint a0 g 9007199254740992 = 3
1 fill = 503
2 record = ok

1 lock a 1m = leads a*
2 lock b 1m = follows a* b
1 lock a 1m = leads a* b
1 lock a 0s = follows b
2 lock b 50ms = leads b*
1 lock a 1m ~ leads a* b
1 lock a 0s ~ follows b
2 lock b 0s ~ follows

1 race = ok
1 claim 5 = new
1 clean 1m all = 0
1 checkpoint a f 120 = 1
1 clean 0s = 24
2 claim 5 = claimed
2 claim 120 = known
2 claim 119 = new
`

// TestStore tests a store that is empty, for at most a minute: claims must lapse within half of
// it. Open returns the store as another process has it. The error names the failed promise.
func TestStore(ctx context.Context, open func() (keeper.Store, error)) error {
	var stores [2]keeper.Store
	for i := range stores {
		s, err := open()
		if err != nil {
			return err
		}
		stores[i] = s
	}
	for line := range strings.Lines(strings.ReplaceAll(script, "\n\n", "\n")[1:]) {
		step, want, repeated := strings.Cut(line, " ~")
		if !repeated {
			step, want, _ = strings.Cut(line, " =")
		}
		words := strings.Fields(step)
		s := stores[words[0][0]-'1']
		want = strings.TrimSpace(want)
		for begun := time.Now(); ; time.Sleep(100 * time.Millisecond) {
			got, err := call(ctx, s, words[1], words[2:])
			switch {
			case errors.Is(err, webhooks.ErrClaimed):
				got = "claimed"
			case err != nil:
				return fmt.Errorf("process %s: %w", step, err)
			}
			if got == want {
				break
			}
			if !repeated || time.Since(begun) > 30*time.Second {
				return fmt.Errorf("process %s: the result is %q, and should be %q", step, got, want)
			}
		}
	}
	return nil
}

// call makes a call of a step, and returns its result.
func call(ctx context.Context, s keeper.Store, name string, args []string) (string, error) {
	switch name {
	case "claim":
		isNew, err := s.Claim(ctx, event(args[0]))
		return map[bool]string{true: "new", false: "known"}[isNew], err
	case "renew":
		return "ok", s.Renew(ctx, event(args[0]))
	case "release":
		return "ok", s.Release(ctx, event(args[0]), args[1])
	case "done":
		return "ok", s.Done(ctx, event(args[0]))
	case "add":
		var events []keeper.Pending
		for _, arg := range args[1:] {
			e := event(arg)
			events = append(events, keeper.Pending{Signature: e.Signature, Slot: e.Slot, Address: e.Address, Wanted: e.Slot == 0})
		}
		n, err := s.Add(ctx, args[0], events...)
		return strconv.Itoa(n), err
	case "move":
		state := map[string]keeper.State{"pending": keeper.StatePending, "unwanted": keeper.StateUnwanted, "dead": keeper.StateDead}[args[0]]
		var signatures []types.Signature
		for _, arg := range args[2:] {
			signatures = append(signatures, event(arg).Signature)
		}
		return "ok", s.Move(ctx, state, args[1], signatures...)
	case "pending", "due", "dead":
		limit, _ := strconv.Atoi(args[0])
		all, err := s.Pending(ctx, keeper.Query{Due: name == "due", Dead: name == "dead", Limit: limit})
		var texts []string
		for _, p := range all {
			texts = append(texts, fmt.Sprintf("%s/%d/%s/%t/%d/%s", strings.TrimLeft(string(p.Signature), "0"), p.Slot, p.Address, p.Wanted, p.Attempts, p.Error)+old(p.Age))
		}
		return strings.Join(texts, " "), err
	case "totals":
		t, err := s.Totals(ctx)
		return fmt.Sprintf("%d %d %d", t.Pending, t.DeadLetters, t.LowestSlot) + old(t.Oldest), err
	case "checkpoint", "fill":
		return checkpoint(ctx, s, args)
	case "record":
		return record(ctx, s)
	case "lock":
		return lock(ctx, s, args)
	case "race":
		return race(ctx, s)
	}
	age, _ := time.ParseDuration(args[0]) // of clean
	var former []keeper.Checkpoint
	if len(args) > 1 {
		former, _ = s.Checkpoints(ctx)
	}
	total := 0
	for {
		n, err := s.Clean(ctx, age, former...)
		total += n
		if n == 0 || err != nil {
			return strconv.Itoa(total), err
		}
	}
}

// event returns the event of a number. A delivered one has no slot and address here.
func event(text string) *webhooks.Event {
	number, delivered := strings.CutSuffix(text, "w")
	e := &webhooks.Event{Signature: types.Signature(strings.Repeat("0", 88-len(number)) + number)}
	if !delivered {
		e.Address = "A"
		e.Slot, _ = strconv.ParseUint(number, 10, 64)
	}
	return e
}

// old is a part of a result with an age that is not some seconds.
func old(age time.Duration) string {
	if age < 0 || age > time.Minute {
		return fmt.Sprintf(" with an age of %v", age)
	}
	return ""
}

func moment() time.Time { return time.UnixMilli(1_735_689_600_123).UTC() }

// checkpoint stores a checkpoint, or 500 without arguments, and returns how many there are.
func checkpoint(ctx context.Context, s keeper.Store, args []string) (string, error) {
	set := make([]keeper.Checkpoint, 500)
	for i := range set {
		set[i] = keeper.Checkpoint{Address: types.Address(fmt.Sprintf("b%03d", i)), Filter: "f", Slot: uint64(i)}
	}
	if len(args) > 0 {
		slot, _ := strconv.ParseUint(args[2], 10, 64)
		set = []keeper.Checkpoint{{Address: types.Address(args[0]), Filter: args[1], Slot: slot, Since: moment(), Listed: moment().Add(time.Millisecond)}}
	}
	err := s.SetCheckpoints(ctx, set...)
	if err != nil {
		return "", err
	}
	all, err := s.Checkpoints(ctx)
	known := make(map[string]bool)
	for _, c := range all {
		known[text(c)] = true
	}
	for _, c := range set {
		if !known[text(c)] {
			return "without " + text(c), err
		}
	}
	return strconv.Itoa(len(all)), err
}

func text(c keeper.Checkpoint) string {
	return fmt.Sprint(c.Address, " ", c.Filter, " ", c.Slot, " ", c.Since.UnixMilli(), " ", c.Listed.UnixMilli())
}

// record stores the record of a process and a webhook, and returns the records that another
// process reads, unless they are the same.
func record(ctx context.Context, s keeper.Store) (string, error) {
	w := keeper.Webhook{ID: "582dcf85-7a44-4b31-a8ee-2be9d8ec9bcf", Creating: "c", Created: moment()}
	p := keeper.Process{
		ID: "p", Settings: "s", Delivered: moment(), Asked: 3, Behind: 2,
		Problems: []keeper.Problem{{Cause: keeper.CauseHandle, Since: types.Time{Time: moment().Truncate(time.Second)}, Text: "é \" \\"}},
	}
	_, err := s.Lock(ctx, p, time.Minute)
	if err == nil {
		err = s.SetWebhook(ctx, w)
	}
	if err != nil {
		return "", err
	}
	shared, err := s.Lock(ctx, keeper.Process{ID: "q"}, 0)
	if err != nil {
		return "", err
	}
	p.Leads = true
	want, _ := json.Marshal([]any{p, w})
	shared.Webhook.Created = shared.Webhook.Created.UTC()
	for _, q := range shared.Processes {
		q.Delivered = q.Delivered.UTC()
		if got, _ := json.Marshal([]any{q, shared.Webhook}); !bytes.Equal(got, want) {
			return string(got), nil
		}
	}
	_, err = s.Lock(ctx, p, 0)
	return "ok", err
}

// lock returns whether a process leads, and all processes, with a * at the leader.
func lock(ctx context.Context, s keeper.Store, args []string) (string, error) {
	hold, _ := time.ParseDuration(args[1])
	shared, err := s.Lock(ctx, keeper.Process{ID: args[0]}, hold)
	if err != nil {
		return "", err
	}
	var ids []string
	for _, p := range shared.Processes {
		ids = append(ids, p.ID+map[bool]string{true: "*"}[p.Leads])
	}
	slices.Sort(ids)
	return strings.Join(append([]string{map[bool]string{true: "leads", false: "follows"}[shared.Leads]}, ids...), " "), nil
}

// race claims each of 50 events four times at once.
func race(ctx context.Context, s keeper.Store) (string, error) {
	for n := 100; n < 150; n++ {
		var won atomic.Int32
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				if isNew, err := s.Claim(ctx, event(strconv.Itoa(n))); err == nil && isNew {
					won.Add(1)
				}
			})
		}
		wg.Wait()
		if won.Load() != 1 {
			return fmt.Sprintf("%d of four claims of an event", won.Load()), nil
		}
		if err := s.Done(ctx, event(strconv.Itoa(n))); err != nil {
			return "", err
		}
	}
	return "ok", nil
}
