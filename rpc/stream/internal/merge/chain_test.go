package merge_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/wait"
	"github.com/solwire/solwire-go/rpc/stream/internal/merge"
)

const (
	slotTime  = 400 * time.Millisecond
	firstSlot = 1000
	perSlot   = 20
)

// A chain produces perSlot items in each slot, which are confirmed a slot later. Its history
// has an item up to lag later.
type chain struct {
	begun time.Time
	lag   time.Duration
	seen  map[string]bool // the IDs of the events of the loop
}

func (c *chain) slot() uint64 { return firstSlot + uint64(time.Since(c.begun)/slotTime) }

func (c *chain) begins(slot uint64) time.Time {
	return c.begun.Add(time.Duration(slot-firstSlot) * slotTime)
}

func (c *chain) items(slot uint64) []merge.Item[int] {
	items := make([]merge.Item[int], perSlot)
	for i := range items {
		n := int(slot-firstSlot)*perSlot + i
		items[i] = merge.Item[int]{ID: fmt.Sprint("signature ", n), Slot: slot, Value: n}
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

func filling(*merge.Gap, error) {}

func (c *chain) history(_ context.Context, asked merge.Range[int]) error {
	if c.slot() < asked.Until+2 { // the node has not reached it
		return errTransient
	}
	for slot := asked.Since; slot <= min(asked.Until+merge.Margin, c.slot()-2); slot++ {
		for _, item := range c.items(slot) {
			if c.lag > 0 && time.Since(c.begins(slot)) < time.Duration(item.Value)*7919*time.Millisecond%c.lag {
				continue
			}
			if err := asked.Emit(item); err != nil {
				return err
			}
		}
	}
	return nil
}

// live delivers the items of the slots, with breaks in a share of them.
func (c *chain) live(ctx context.Context, q *merge.Queue[int], breaks float64) {
	r := rand.New(rand.NewPCG(1, 2))
	for slot := c.slot(); wait.For(ctx, time.Until(c.begins(slot))) == nil; slot++ {
		if r.Float64() < breaks {
			q.Break(io.ErrUnexpectedEOF)
			slot += uint64(r.IntN(8))
			continue
		}
		q.Pulse(slot)
		for _, item := range c.items(slot - 1) {
			q.Push(item)
		}
	}
}

// follow reads the merge until handle says so, and checks its order.
func (c *chain) follow(t *testing.T, since uint64, breaks float64, handle func(merge.Event[int]) (stop bool)) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	q := merge.NewQueue[int](500, 1<<20)
	go c.live(ctx, q, breaks)
	c.seen = map[string]bool{}
	last, resume := uint64(0), since
	for e, err := range (&merge.Merge[int]{Queue: q, Since: since, History: c.history, Final: final, Filling: filling}).All(ctx) {
		require.NoError(t, err)
		require.False(t, c.seen[e.ID], "%s came twice", e.ID)
		c.seen[e.ID] = true
		require.True(t, e.Late || e.Slot >= last)
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
}
