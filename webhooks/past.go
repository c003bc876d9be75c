package webhooks

import (
	"bytes"
	"container/heap"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/tx"
)

// A pastEvent is an event in a history, with its JSON.
type pastEvent struct{ *Event }

// UnmarshalJSON leaves null as it is.
func (p *pastEvent) UnmarshalJSON(b []byte) (err error) {
	if string(b) != "null" {
		p.Event, err = parseEvent(bytes.Clone(b))
	}
	return err
}

// pastEvents returns the events of an address from old to new. It ends at UntilSlot, or
// later.
func (c *Client) pastEvents(ctx context.Context, address types.Address, r BackfillRange) iter.Seq2[*Event, error] {
	o := HistoryOptions{Ascending: true, SinceSlot: r.SinceSlot, Since: r.Since}
	if r.SinceSlot != 0 { // the service does not take slots together with a time
		o.UntilSlot = r.UntilSlot
	}
	pages := historyPages(ctx, c, address, o, func(p *pastEvent) (types.Signature, uint64) {
		if p.Event == nil {
			return "", 0
		}
		return p.Signature, p.Slot
	})
	return func(yield func(*Event, error) bool) {
		for p, err := range paging.ListItems(pages) {
			if !yield(p.Event, err) {
				return
			}
		}
	}
}

// rawEvents makes events of transactions.
func rawEvents(transactions iter.Seq2[*tx.Transaction, error]) iter.Seq2[*Event, error] {
	return func(yield func(*Event, error) bool) {
		for t, err := range transactions {
			e := (*Event)(nil)
			if err == nil {
				e, err = rawEvent(t)
			}
			if !yield(e, err) || err != nil {
				return
			}
		}
	}
}

func rawEvent(t *tx.Transaction) (*Event, error) {
	signature := t.Signature()
	if err := argument.Signature("signature", signature); err != nil {
		return nil, fmt.Errorf("webhooks.Client.Backfill: a transaction of Raw cannot be identified: %w", err)
	}
	text, err := json.Marshal(t)
	if err != nil {
		return nil, fmt.Errorf("webhooks.Client.Backfill: %w", err)
	}
	return &Event{Kind: KindRaw, Signature: signature, Slot: t.Slot, BlockTime: t.BlockTime, Raw: *t, JSON: text}, nil
}

// A stream is a history with its next event.
type stream struct {
	head *Event
	next func() (*Event, error, bool)
}

// streams are sorted as a heap, by the slots of their heads.
type streams []*stream

func (s streams) Len() int           { return len(s) }
func (s streams) Less(i, j int) bool { return s[i].head.Slot < s[j].head.Slot }
func (s streams) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }

// Push adds a stream.
func (s *streams) Push(x any) {
	if added, ok := x.(*stream); ok {
		*s = append(*s, added)
	}
}

// Pop removes the last stream.
func (s *streams) Pop() any {
	last := len(*s) - 1
	x := (*s)[last]
	*s = (*s)[:last]
	return x
}

// merged returns the events of all histories in the order of their slots. A history
// that is out of order is an error.
func merged(histories []iter.Seq2[*Event, error]) iter.Seq2[*Event, error] {
	return func(yield func(*Event, error) bool) {
		var all streams
		var stops []func()
		defer func() {
			for _, stop := range stops {
				stop()
			}
		}()
		for _, h := range histories {
			next, stop := iter.Pull2(h)
			stops = append(stops, stop)
			s := &stream{next: next}
			more, err := s.advance()
			if err != nil {
				yield(nil, err)
				return
			}
			if more {
				heap.Push(&all, s)
			}
		}
		for len(all) > 0 {
			s := all[0]
			if !yield(s.head, nil) {
				return
			}
			more, err := s.advance()
			switch {
			case err != nil:
				yield(nil, err)
				return
			case more:
				heap.Fix(&all, 0)
			default:
				heap.Pop(&all)
			}
		}
	}
}

func (s *stream) advance() (more bool, err error) {
	before := s.head
	e, err, more := s.next()
	if err != nil {
		return false, err
	}
	if more && before != nil && e.Err == nil && e.Slot < before.Slot {
		return false, fmt.Errorf("webhooks.Client.Backfill: a history is not from old to new: %w", types.ErrIncomplete)
	}
	if more && e.Err != nil && before != nil { // its slot is unknown
		e.Slot = before.Slot
	}
	s.head = e
	return more, nil
}

// How the replay of an event ended.
type replayed int

const (
	replayEnded replayed = iota // with the context, the Receiver or Seen
	replayHandled
	replaySeen
	replaySkipped
	replayFailed
)

// claimedFor is how long a replay waits for a claim of another process to end.
const claimedFor = 5 * time.Minute

// replay handles an event of the past like one that was delivered, but for the queue
// and the deadline.
func (r *Receiver) replay(ctx context.Context, e *Event) (replayed, error) {
	if !r.begin() {
		return replayEnded, errors.New("webhooks.Client.Backfill: the Receiver is shut down")
	}
	defer r.end()
	if r.flights.enter(ctx, e.Signature) != nil {
		return replayEnded, fmt.Errorf("webhooks.Client.Backfill: %w", reason(ctx))
	}
	defer r.flights.leave(e.Signature)
	isNew, err := r.claimPatiently(ctx, e)
	switch {
	case err != nil:
		return replayEnded, fmt.Errorf("webhooks.Client.Backfill: Seen.Claim of event %s: %w", e.Signature, err)
	case !isNew:
		return replaySeen, nil
	}
	done := false
	defer func() {
		if !done {
			_ = r.settle(ctx, e, false) // logs its error
		}
	}()
	got, err := replaySkipped, e.Err
	if err == nil {
		var skipped bool
		switch skipped, err = r.handleClaimed(ctx, e); {
		case err == nil:
			got = replayHandled
		case !skipped:
			r.failed(ctx, e, "event not handled", err)
			return replayFailed, err
		}
	}
	if got == replaySkipped {
		r.skip(ctx, e, err)
	}
	done = true
	if err := r.settle(ctx, e, true); err != nil {
		return replayEnded, fmt.Errorf("webhooks.Client.Backfill: Seen.Done of event %s: %w", e.Signature, err)
	}
	return got, nil
}

// claimPatiently claims an event. It waits while another process is handling it.
func (r *Receiver) claimPatiently(ctx context.Context, e *Event) (isNew bool, err error) {
	giveUp := time.Now().Add(claimedFor)
	for {
		claimed := false
		err = guarded(func() (err error) {
			if err := r.openMissed(ctx); err != nil {
				return err
			}
			isNew, err = r.cfg.Seen.Claim(ctx, e.Signature, e.Slot)
			claimed = errors.Is(err, ErrClaimed)
			return err
		})
		if !claimed || time.Now().After(giveUp) {
			return isNew && err == nil, err
		}
		select {
		case <-time.After(time.Second):
		case <-ctx.Done():
			return false, reason(ctx)
		}
	}
}
