package stream

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"iter"

	"github.com/solwire/solwire-go/internal/decode"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/rpc/stream/internal/merge"
	"github.com/solwire/solwire-go/rpc/stream/internal/pubsub"
	"github.com/solwire/solwire-go/types"
)

// The most events, and bytes of their messages, that wait for a slow loop.
const (
	maxHeld      = 10_000
	maxHeldBytes = 64 << 20
)

// A Position says where an event stands in its stream.
type Position struct {
	Slot uint64 `json:"slot"` // of the event

	// Resume is the SinceSlot with which a stream continues after this event: see Resume in the
	// package comment.
	Resume uint64 `json:"resume"`

	// Late says that an event of a later slot came before, or that the history lacked this event
	// at the first reading.
	Late bool `json:"late"`

	Gap *Gap `json:"-"` // since the previous event; nil for none

	// Err says why the event is unreadable, and has its JSON; nil for readable events. The event
	// has its signature or address if that is readable, and no other data. If its slot is
	// unreadable, Slot is the slot of the previous event. The loop continues, and Resume advances.
	// An event without a readable signature may come twice.
	Err *types.ItemError `json:"-"`
}

// A Gap is a range of slots in which a loop may have missed events. To read them yourself, list a
// history with the same SinceSlot and UntilSlot.
type Gap struct {
	SinceSlot, UntilSlot uint64 // UntilSlot is excluded

	// Filled says that the loop continues with the missed events, if there are any, from the
	// history. If it is false, they are lost.
	Filled bool

	Reason error // why they were missed
}

// at returns the Position of an event that embeds it.
func (p *Position) at() *Position { return p }

// A subscription is the live source of events.
type subscription struct {
	op      transport.Op
	invalid error           // of the arguments
	subs    *pubsub.Manager // nil for the one of the nodes
	params  []any
}

// A sink decodes notifications into a queue.
type sink[E any] struct {
	*merge.Queue[E]

	item func(json.RawMessage) merge.Item[E]
}

// Notify queues a notification. Unreadable notifications are events too.
func (s sink[E]) Notify(result json.RawMessage) {
	item := s.item(result)
	item.Size = len(result)
	s.Push(item)
}

// follow subscribes for as long as the loop runs, and merges the items of the notifications with
// the history of m, if it has one. Name sets the signature or address of an unreadable event; it
// is nil for events without one.
func follow[E any, P interface {
	*E
	at() *Position
}](ctx context.Context, c *Client, s subscription, item func(json.RawMessage) merge.Item[E], name func(e *E, id string), m merge.Merge[E]) iter.Seq2[E, error] {
	return func(yield func(E, error) bool) {
		m := m // each range has its own
		m.Queue, m.Final = merge.NewQueue[E](maxHeld, maxHeldBytes), final
		err := c.run(ctx, s, sink[E]{m.Queue, item}, func(ctx context.Context, l *loop) error {
			m.Filling = func(g *merge.Gap, err error) {
				l.filling(g, err)
				if g != nil {
					c.logger.InfoContext(ctx, "stream fills", "method", s.op.Wire, "sinceSlot", g.SinceSlot, "untilSlot", g.UntilSlot, "error", err)
				}
			}
			for e, err := range m.All(ctx) {
				if ctx.Err() != nil { // also while a history is read
					return context.Cause(ctx)
				}
				if err != nil {
					return err
				}
				p := P(&e.Value).at()
				*p = Position{Slot: e.Slot, Resume: e.Resume, Late: e.Late, Gap: (*Gap)(e.Gap)}
				if errors.As(e.Err, &p.Err) {
					p.Err = c.api.CleanItem(p.Err)
					if name != nil {
						name(&e.Value, p.Err.ID)
					}
				}
				l.event(p)
				if !yield(e.Value, nil) {
					break
				}
			}
			return nil
		})
		if err != nil {
			var none E
			yield(none, err)
		}
	}
}

// notified returns a function that makes an item of a notification. A notification without
// an ID or a slot cannot be read.
func notified[In, E any](op transport.Op, item func(*In) merge.Item[E]) func(json.RawMessage) merge.Item[E] {
	return func(result json.RawMessage) (made merge.Item[E]) {
		var in In
		read := func(part []byte) error {
			in = *new(In)
			return decode.JSON(part, &in)
		}
		_, err := decode.Mended(result, read)
		if err == nil {
			if made = item(&in); made.ID != "" && (made.Slot != 0 || op.Method == opRoots.Method) {
				return made // the first root is 0
			}
			err = errors.New("the notification lacks its signature, account, status or slot")
		}
		all, _ := unreadableItems[E](transport.Unreadable(op, bytes.Clone(result), err, read))
		return all[0]
	}
}

// A notification is how nodes notify a value.
type notification[V any] struct {
	Context slotContext `json:"context"`
	Value   V           `json:"value"`
}

type slotContext struct {
	Slot uint64 `json:"slot"`
}

// A config is the last parameter of the requests to subscribe to nodes.
type config struct {
	Commitment types.Commitment `json:"commitment"`
	Encoding   types.Encoding   `json:"encoding,omitempty"`
	Filters    []types.Filter   `json:"filters,omitempty"`
	Details    string           `json:"transactionDetails,omitempty"`
	MaxVersion int              `json:"maxSupportedTransactionVersion,omitempty"`
}
