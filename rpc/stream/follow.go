package stream

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"slices"

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

func positionOf[T any](e *merge.Event[T]) Position {
	return Position{Slot: e.Slot, Resume: e.Resume, Late: e.Late, Gap: (*Gap)(e.Gap)}
}

// A history is the History of a merge.
type history[T any] func(ctx context.Context, since, until uint64) iter.Seq2[merge.Item[T], error]

// A feed is a subscription, and what is read where it was interrupted.
type feed[T any] struct {
	op     transport.Op
	subs   *pubsub.Manager
	method string
	params []any
	item   func(json.RawMessage) (merge.Item[T], error)

	history history[T] // nil if there is none
	states  bool       // whether history returns current states, not events
	since   uint64
}

// A sink decodes notifications into a queue.
type sink[T any] struct {
	*merge.Queue[T]

	item func(json.RawMessage) (merge.Item[T], error)
}

// Notify queues a notification. One that cannot be decoded is a gap.
func (s sink[T]) Notify(result json.RawMessage) {
	item, err := s.item(result)
	if err != nil {
		s.Break(fmt.Errorf("unreadable notification of %d bytes: %w", len(result), err))
		return
	}
	item.Size = len(result)
	s.Push(item)
}

// follow subscribes for as long as the loop runs.
func follow[T, E any](ctx context.Context, c *Client, f feed[T], event func(*merge.Event[T]) E) iter.Seq2[E, error] {
	return func(yield func(E, error) bool) {
		if err := cancelled(ctx); err != nil {
			var none E
			yield(none, named(f.op, err))
			return
		}
		queue := merge.NewQueue[T](maxHeld, maxHeldBytes)
		defer f.subs.Subscribe(f.method, f.params, sink[T]{queue, f.item})()
		m := merge.Merge[T]{
			Queue: queue, History: f.history, States: f.states, Since: f.since,
			Permanent: func(err error) bool {
				c.logger.LogAttrs(ctx, slog.LevelInfo, "stream not filled", slog.String("method", f.method), slog.String("reason", err.Error()))
				return permanent(err)
			},
			Filled: func(g merge.Gap) {
				c.logger.LogAttrs(ctx, slog.LevelInfo, "stream filled", slog.String("method", f.method),
					slog.Uint64("sinceSlot", g.SinceSlot), slog.Uint64("untilSlot", g.UntilSlot))
			},
		}
		for e, err := range m.All(ctx) {
			if err != nil {
				var none E
				yield(none, named(f.op, planned(err)))
				return
			}
			if !yield(event(&e), nil) {
				return
			}
		}
	}
}

// failed returns a sequence of one error.
func failed[E any](err error) iter.Seq2[E, error] {
	return func(yield func(E, error) bool) {
		var none E
		yield(none, err)
	}
}

// named puts the method of the stream before an error that does not name one.
func named(op transport.Op, err error) error {
	var refusal *types.APIError
	if errors.As(err, &refusal) {
		return err
	}
	return fmt.Errorf("%s: %w", op, err)
}

// Codes of errors that stay.
const (
	codeInvalidRequest = -32600 // also of methods that are not in the plan
	codeNoMethod       = -32601
	codeInvalidParams  = -32602
)

// permanent reports whether reading the history again is useless.
func permanent(err error) bool {
	var refusal *types.APIError
	if errors.As(err, &refusal) {
		return errors.Is(err, types.ErrUnauthorized) || errors.Is(err, types.ErrQuotaExceeded) ||
			refusal.Code == codeInvalidRequest || refusal.Code == codeNoMethod || refusal.Code == codeInvalidParams
	}
	return errors.Is(err, types.ErrInvalid)
}

// planned adds what to do to a refusal by the plan.
func planned(err error) error {
	var refusal *types.APIError
	if errors.As(err, &refusal) && refusal.Op == methodTransactions && (refusal.Code == codeInvalidRequest || refusal.Code == codeNoMethod) {
		return fmt.Errorf("%w (the plan may not include %s; Logs of an address works on every plan)", err, methodTransactions)
	}
	return err
}

// only leaves out the items of a history that a filter refuses.
func only[T any](h history[T], wants func(*T) bool) history[T] {
	return func(ctx context.Context, since, until uint64) iter.Seq2[merge.Item[T], error] {
		return func(yield func(merge.Item[T], error) bool) {
			for item, err := range h(ctx, since, until) {
				if err == nil && !wants(&item.Value) {
					continue
				}
				if !yield(item, err) {
					return
				}
			}
		}
	}
}

// items makes an item of each element of a sequence.
func items[T any](list iter.Seq2[T, error], item func(T) merge.Item[T]) iter.Seq2[merge.Item[T], error] {
	return func(yield func(merge.Item[T], error) bool) {
		for value, err := range list {
			if err != nil {
				yield(merge.Item[T]{}, err)
				return
			}
			if !yield(item(value), nil) {
				return
			}
		}
	}
}

// sorted merges ascending sequences by slot and position.
func sorted[T any](lists []iter.Seq2[merge.Item[T], error], compare func(a, b *T) int) iter.Seq2[merge.Item[T], error] {
	type head struct {
		merge.Item[T]

		next func() (merge.Item[T], error, bool)
	}
	return func(yield func(merge.Item[T], error) bool) {
		var heads []*head
		advance := func(h *head) bool { // false for an error
			item, err, ok := h.next()
			switch {
			case err != nil:
				yield(merge.Item[T]{}, err)
				return false
			case ok:
				h.Item = item
			default:
				heads = slices.DeleteFunc(heads, func(other *head) bool { return other == h })
			}
			return true
		}
		for _, list := range lists {
			next, stop := iter.Pull2(list)
			defer stop() //nolint:gocritic // of all lists, when the merge ends
			h := &head{next: next}
			heads = append(heads, h)
			if !advance(h) {
				return
			}
		}
		for len(heads) > 0 {
			h := slices.MinFunc(heads, func(a, b *head) int {
				return cmp.Or(cmp.Compare(a.Slot, b.Slot), compare(&a.Value, &b.Value))
			})
			if !yield(h.Item, nil) || !advance(h) {
				return
			}
		}
	}
}

// errIncomplete is the error of a notification without what it is known by.
var errIncomplete = errors.New("the notification has no signature or slot")

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
