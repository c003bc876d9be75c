package stream

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"sync"
	"unicode/utf8"

	"github.com/solwire/solwire-go/internal/decode"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/rpc/stream/internal/merge"
	"github.com/solwire/solwire-go/rpc/stream/internal/pubsub"
	"github.com/solwire/solwire-go/types"
)

// How much waits for a slow loop.
const (
	maxHeld      = 10_000
	maxHeldBytes = 64 << 20
)

// A Position says where an event stands in its stream.
type Position struct {
	Slot uint64 `json:"slot"` // of the event

	// Resume is the SinceSlot with which a later loop loses nothing. Save it after you
	// handled the event.
	Resume uint64 `json:"resume"`

	Late bool `json:"late"` // whether an event of a later slot came before
	Gap  *Gap `json:"-"`    // what was missed before the event; nil for nothing
}

// A Gap is a range of slots in which live events were missed. A history with its bounds
// as SinceSlot and UntilSlot has them.
type Gap struct {
	SinceSlot, UntilSlot uint64 // UntilSlot is excluded; 0 when unknown

	// Filled says that the events in the gap follow, from the history. Otherwise they
	// are lost: see the comment of the method.
	Filled bool

	Reason error // why they were missed
}

// A feed is a subscription, and what is read where it was interrupted.
type feed[T any] struct {
	op      transport.Op
	invalid error           // of the arguments
	subs    *pubsub.Manager // nil for the one of the nodes
	params  []any
	item    func(json.RawMessage) (merge.Item[T], error)

	history    merge.History[T] // nil if there is none
	wants      func(*T) bool    // whether the subscription would have the item; nil for all
	ascending  bool             // whether late items are left out
	states     bool             // whether history returns current states, not events
	since      uint64
	commitment types.Commitment
}

// behind is the number of slots after which a transaction has a commitment, and some more:
// by as many, notifications are behind the slots of a connection.
func behind(c types.Commitment) uint64 {
	if c == types.CommitmentFinalized {
		return 48
	}
	return 4
}

// A sink decodes notifications into a queue.
type sink[T any] struct {
	*merge.Queue[T]

	item func(json.RawMessage) (merge.Item[T], error)
}

// Notify queues a notification. One that cannot be decoded is a gap.
func (s sink[T]) Notify(result json.RawMessage) {
	item, err := s.item(result)
	if err == nil && !utf8.Valid(result) {
		err = errors.New("it is not UTF-8")
	}
	if err != nil {
		s.Doubt(fmt.Errorf("unreadable notification of %d bytes: %w", len(result), err))
		return
	}
	item.Size = sizeOf(result)
	s.Push(item)
}

// sizeOf estimates the memory that a notification takes when it is decoded: an object of
// two bytes can become a struct of 200.
func sizeOf(result json.RawMessage) int {
	const perObject, perElement = 256, 24
	return len(result) + perObject*bytes.Count(result, []byte("{")) + perElement*bytes.Count(result, []byte(","))
}

// follow subscribes for as long as the loop runs.
func follow[T, E any](ctx context.Context, c *Client, f feed[T], event func(T, Position) E) iter.Seq2[E, error] {
	return func(yield func(E, error) bool) {
		var none E
		queue := merge.NewQueue[T](maxHeld, maxHeldBytes)
		ctx, loop, end, err := c.begin(ctx, f.op, cmp.Or(f.subs, c.subs), f.invalid, f.params, sink[T]{queue, f.item})
		if err != nil {
			yield(none, err)
			return
		}
		defer end()
		m := merge.Merge[T]{
			Queue: queue, History: f.history, Wants: f.wants, States: f.states, Since: f.since, Behind: behind(f.commitment),
			Final: final,
			Filling: func(g *merge.Gap, err error) {
				loop.filling(g, err)
				if g != nil {
					c.logger.InfoContext(ctx, "stream fills", "method", f.op.Wire, "sinceSlot", g.SinceSlot, "untilSlot", g.UntilSlot, "error", err)
				}
			},
		}
		for e, err := range m.All(ctx) {
			if ctx.Err() != nil { // also while a history is read
				err = context.Cause(ctx)
			}
			if err != nil {
				yield(none, loop.explain(err))
				return
			}
			if f.ascending && e.Late {
				continue
			}
			loop.event(e.Slot, e.Resume)
			if !yield(event(e.Value, Position{Slot: e.Slot, Resume: e.Resume, Late: e.Late, Gap: (*Gap)(e.Gap)}), nil) {
				return
			}
		}
	}
}

// named puts the method of the stream before an error that does not name one.
func named(op string, err error) error {
	var refusal *types.APIError
	if errors.As(err, &refusal) {
		return err
	}
	return fmt.Errorf("%s: %w", op, err)
}

// maxEmpty is the number of pages in a row without an item of the asked slots, after which
// a history counts as endless.
const maxEmpty = 100

// items iterates over the items of a history from a slot on. One without a slot, which could
// not be read, has the slot of the one before.
func items[T any](list types.List[T], since uint64, item func(T) merge.Item[T]) iter.Seq2[merge.Item[T], error] {
	return func(yield func(merge.Item[T], error) bool) {
		empty, slot := 0, since
		for page, err := range list.Pages() {
			empty++
			if err == nil && empty > maxEmpty {
				err = fmt.Errorf("%d pages of the history in a row have nothing in the asked slots: %w", maxEmpty, types.ErrIncomplete)
			}
			if err != nil {
				yield(merge.Item[T]{}, err)
				return
			}
			for _, value := range page.Items {
				next := item(value)
				slot = cmp.Or(next.Slot, slot)
				if next.Slot = slot; slot < since {
					continue
				}
				empty = 0
				if !yield(next, nil) {
					return
				}
			}
		}
	}
}

// A head is the first item of a history that is not used yet, or its error, which has slot 0.
// The end of a history has the last slot of all.
type head[T any] struct {
	item merge.Item[T]
	err  error
	next func() (merge.Item[T], error, bool)
}

func (h *head[T]) advance() {
	var more bool
	if h.item, h.err, more = h.next(); !more {
		h.item.Slot = math.MaxUint64
	}
}

// ofAccounts is the history of accounts whose histories ascend: their items by slot and
// index. It opens all at once.
func ofAccounts[T any](
	accounts []types.Address, item func(T) merge.Item[T], list func(context.Context, types.Address, merge.Reading[T]) types.List[T],
) merge.History[T] {
	return func(ctx context.Context, r merge.Reading[T]) error {
		heads := make([]*head[T], len(accounts))
		var all sync.WaitGroup
		for i, account := range accounts {
			next, stop := iter.Pull2(items(list(ctx, account, r), r.Since, item))
			defer stop() //nolint:gocritic // of all histories, when the merge ends
			h := &head[T]{next: next}
			heads[i] = h
			all.Go(h.advance)
		}
		all.Wait()
		for {
			first := slices.MinFunc(heads, func(a, b *head[T]) int {
				return cmp.Or(cmp.Compare(a.item.Slot, b.item.Slot), cmp.Compare(a.item.Index, b.item.Index))
			})
			if first.err != nil || first.item.Slot == math.MaxUint64 {
				return first.err
			}
			if err := r.Emit(first.item); err != nil {
				return err
			}
			first.advance()
		}
	}
}

// notified returns a function that makes an item of a notification. A notification without
// an ID or a slot is an error.
func notified[In, T any](item func(*In) merge.Item[T]) func(json.RawMessage) (merge.Item[T], error) {
	return func(result json.RawMessage) (merge.Item[T], error) {
		var in In
		if err := decode.JSON(result, &in); err != nil {
			return merge.Item[T]{}, err
		}
		made := item(&in)
		if made.ID == "" || made.Slot == 0 {
			return made, errors.New("the notification lacks its signature, account, status or slot")
		}
		return made, nil
	}
}

// A slotContext is a part of the notifications of nodes.
type slotContext struct {
	Slot uint64 `json:"slot"`
}

// A config is the last parameter of the requests to subscribe to nodes.
type config struct {
	Commitment types.Commitment `json:"commitment"`
	Encoding   types.Encoding   `json:"encoding,omitempty"`
	Filters    []types.Filter   `json:"filters,omitempty"`
}
