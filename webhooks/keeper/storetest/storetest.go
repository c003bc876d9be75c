// Package storetest tests an implementation of keeper.Store, which stores the events of Helius
// webhooks and the checkpoints of Solana addresses:
//
//	func TestStore(t *testing.T) {
//		if err := storetest.TestStore(t.Context(), newStore(db), newStore(db)); err != nil {
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
//		if err := storetest.TestStore(context.Background(), new(keeper.MemoryStore), nil); err != nil {
//			log.Fatal(err)
//		}
//		fmt.Println("the store is good")
//	}
package storetest

import (
	"bytes"
	"cmp"
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

// The steps are calls of process 1 or 2, their arguments and results. A step with ~ is repeated
// until it has the result. An event is a number, with w if it was delivered.
const (
	alone = `
1 claim 1 = new
1 renew 1 = ok
1 release 1 no_space = ok
1 claim 1 = new
1 done 1 = ok
1 claim 1 = known
1 claim 2 = new
1 done 2 = ok
1 lock a 1m = leads a
1 lock a 0s = follows a
`
	both = `
1 add f 10 11w 1 = 2
1 add f 10 = 0
1 due 9 =
1 claim 10 = new
1 release 10 no_space = ok
1 pending 9 = 11/0//true/0/ 10/10/A/true/1/no_space
1 pending 1 = 11/0//true/0/
1 due 9 =
1 totals = 2 0 10

1 done 10 = ok
1 move pending not_returned 11 1 = ok
1 claim 1 = known
1 pending 9 = 11/0//true/1/not_returned
1 add f 12 = 1
1 move unwanted f 11 12 1 = ok
1 claim 1 = known
1 pending 9 = 11/0//true/1/not_returned
1 add f 12 = 0
1 add g 12 = 1
1 done 12 = ok
1 move dead too_old 11 1 = ok
1 claim 1 = known
1 dead 9 = 11/0//true/1/too_old
1 totals = 0 1 0
1 move pending again 11 = ok
1 due 9 = 11/0//true/2/again
1 done 11 = ok

1 checkpoint A0 7 = 1
1 checkpoint a0 0 = 2
1 checkpoint a0 9007199254740992 = 2
1 checkpoint b 0 -1h = 3

1 claim 119 = new
1 done 119 = ok
1 claim 120 = new
1 done 120 = ok
1 claim 5 = new
1 release 5 x = ok
1 clean 1m = 0
1 checkpoint A0 120 = 2
1 clean 0s = 6
1 pending 9 = 5/5//true/1/x
1 claim 120 = known
1 claim 119 = new
`
	shared = `
1 claim 1 = new
2 claim 1 = claimed
2 renew 1 = claimed
2 release 1 not_mine = ok
2 move pending not_mine 1 = ok
2 move unwanted f 1 = ok
2 move dead not_mine 1 = ok
2 claim 1 = claimed
1 release 1 no_space = ok
2 claim 1 = new
2 done 1 = ok
1 claim 1 = known
1 claim 2 = new
2 claim 2 ~ new
1 done 2 = ok
2 claim 2 = known
2 race = ok

1 lock a 1m = leads a
2 lock b 1m = follows a b
1 lock a 1m = leads a b
1 lock a 0s = follows a b
2 lock b 50ms = leads a b
1 lock a 1m ~ leads a b
1 lock a 0s ~ follows a b
2 lock b 0s ~ follows a b
`
)

// TestStore tests an empty store for at most a minute. Its claims must lapse within 30 seconds.
// Other is a Store of another process with the same database, or nil if only one process can use
// the store. The error names the call with a wrong result.
func TestStore(ctx context.Context, store, other keeper.Store) error {
	script := alone + both
	if other != nil {
		script = shared + both
	}
	for line := range strings.Lines(strings.ReplaceAll(script, "\n\n", "\n")[1:]) {
		step, want, repeated := strings.Cut(line, " ~")
		if !repeated {
			step, want, _ = strings.Cut(line, " =")
		}
		words := strings.Fields(step)
		want = strings.TrimSpace(want)
		s := store
		if words[0] == "2" {
			s = other
		}
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
	args = append(args, "", "", "")
	var events []keeper.Pending
	var signatures []types.Signature
	for _, arg := range args {
		var n uint64
		if _, err := fmt.Sscan(arg, &n); err != nil {
			continue
		}
		e := keeper.Pending{Signature: types.Signature(fmt.Sprintf("%088d", n)), Wanted: strings.HasSuffix(arg, "w")}
		e.Attempts, e.Error = 9, "not used by Add"
		if !e.Wanted {
			e.Slot, e.Address = n, "A"
		}
		events, signatures = append(events, e), append(signatures, e.Signature)
	}
	e := &webhooks.Event{}
	if len(events) > 0 {
		e.Signature, e.Slot = events[0].Signature, events[0].Slot
	}
	switch name {
	case "claim":
		isNew, err := s.Claim(ctx, e)
		return map[bool]string{true: "new", false: "known"}[isNew], err
	case "renew":
		return "ok", s.Renew(ctx, e)
	case "release":
		return "ok", s.Release(ctx, e, args[1])
	case "done":
		return "ok", s.Done(ctx, e)
	case "add":
		n, err := s.Add(ctx, args[0], events...)
		return strconv.Itoa(n), err
	case "move":
		state := map[string]keeper.State{"pending": keeper.StatePending, "unwanted": keeper.StateUnwanted, "dead": keeper.StateDead}[args[0]]
		return "ok", s.Move(ctx, state, args[1], signatures...)
	case "pending", "due", "dead":
		all, err := s.Pending(ctx, keeper.Query{Due: name == "due", Dead: name == "dead", Limit: int(e.Slot)})
		var texts []string
		for _, p := range all {
			texts = append(texts, fmt.Sprintf("%s/%d/%s/%t/%d/%s", strings.TrimLeft(string(p.Signature), "0"), p.Slot, p.Address, p.Wanted, p.Attempts, p.Error)+old(p.Age))
		}
		return strings.Join(texts, " "), err
	case "totals":
		t, err := s.Lock(ctx, process("b"), 0)
		if err != nil {
			return "", err
		}
		return fmt.Sprintf("%d %d %d", t.Pending, t.DeadLetters, t.LowestSlot) + old(t.OldestAge), nil
	case "checkpoint":
		age, _ := time.ParseDuration(cmp.Or(args[2], "1h"))
		want := keeper.Checkpoint{Address: types.Address(args[0]), Slot: events[0].Slot, Since: moment(), Listed: time.Now().Add(age).Truncate(time.Millisecond).UTC()}
		err := s.SetCheckpoints(ctx, want)
		if err != nil {
			return "", err
		}
		all, err := s.Checkpoints(ctx)
		got := all[want.Address]
		if got.Since, got.Listed = got.Since.UTC(), got.Listed.UTC(); got != want {
			return fmt.Sprint("with ", got), err
		}
		return strconv.Itoa(len(all)), err
	case "lock":
		return lock(ctx, s, args)
	case "race":
		return race(ctx, s)
	}
	age, _ := time.ParseDuration(args[0]) // of clean
	total := 0
	for {
		n, err := s.Clean(ctx, age)
		total += n
		if n == 0 || err != nil {
			return strconv.Itoa(total), err
		}
	}
}

// old describes an age of an event that is not between 0 and a minute, for a result.
func old(age time.Duration) string {
	if age < 0 || age > time.Minute {
		return fmt.Sprintf(" with an age of %v", age)
	}
	return ""
}

func moment() time.Time { return time.UnixMilli(1_735_689_600_123).UTC() }

func process(id string) keeper.Process {
	return keeper.Process{
		ID: id, URLHash: "u", FilterHash: "t", AuthHash: "s", Delivered: moment(), Asked: 3, Behind: 2,
		Problems: map[keeper.Cause]keeper.Problem{keeper.CauseHandle: {Since: types.Time{Time: moment().Truncate(time.Second)}, Text: `é " \`}},
	}
}

// lock returns whether a process leads, and the IDs of all processes. Process a has a webhook.
func lock(ctx context.Context, s keeper.Store, args []string) (string, error) {
	hold, _ := time.ParseDuration(args[1])
	own := process(args[0])
	webhook := keeper.Webhook{ID: "582dcf85-7a44-4b31-a8ee-2be9d8ec9bcf", Creating: "c", Created: moment()}
	if own.ID == "a" {
		own.Webhook = webhook
	}
	shared, err := s.Lock(ctx, own, hold)
	if err != nil {
		return "", err
	}
	if shared.Webhook.Created = shared.Webhook.Created.UTC(); shared.Webhook != webhook {
		return fmt.Sprint("webhook ", shared.Webhook), nil
	}
	want, _ := json.Marshal(own)
	var ids []string
	for _, p := range shared.Processes {
		p.Delivered = p.Delivered.UTC()
		if got, _ := json.Marshal(p); !bytes.Equal(got, want) {
			return "process " + string(got), nil
		}
		ids = append(ids, p.ID)
	}
	slices.Sort(ids)
	leads := map[bool]string{true: "leads", false: "follows"}[shared.Leader == own.ID]
	return strings.Join(append([]string{leads}, ids...), " "), nil
}

// race claims each of 50 events four times at once.
func race(ctx context.Context, s keeper.Store) (string, error) {
	for n := 300; n < 350; n++ {
		e := &webhooks.Event{Signature: types.Signature(fmt.Sprintf("%088d", n)), Slot: uint64(n)}
		var won atomic.Int32
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				if isNew, err := s.Claim(ctx, e); err == nil && isNew {
					won.Add(1)
				}
			})
		}
		wg.Wait()
		if won.Load() != 1 {
			return fmt.Sprintf("%d of four claims of an event", won.Load()), nil
		}
		if err := s.Done(ctx, e); err != nil {
			return "", err
		}
	}
	return "ok", nil
}
