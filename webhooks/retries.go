package webhooks

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/internal/wait"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/webhooks/internal/pace"
)

const (
	maxAbsent   = 12              // responses that may lack an event before it is given up
	retryAtOnce = 100             // events that one request returns
	keepWorkers = 8               // events that are retried, or histories that are read, at the same time
	keepWait    = 5 * time.Second // for a Handle that takes long; the event is open then
)

// A patience is when to try something again.
type patience struct {
	next  time.Time
	times int // that it failed in a row
}

// failed waits, longer each time.
func (p *patience) failed(least, most time.Duration) {
	p.times++
	p.next = time.Now().Add(wait.Backoff(p.times, pace.Of(least), pace.Of(most)))
}

// due reports whether the wait is over.
func (p *patience) due() bool { return !time.Now().Before(p.next) }

// A retrier requests events by their signatures and handles them. An event is tried less and
// less often while it fails; one that failed less often has its turn before the others.
type retrier struct {
	*Keeper
	events map[types.Signature]*attempts
	batch  int       // how many events are requested at once
	woken  time.Time // when all of them were due, since Handle worked again
}

type attempts struct {
	patience
	absent int // in a row for which the service did not return the event
}

// retryOpen retries those events of the Store whose time has come, for a quarter of a minute: new
// ones are to have their turn.
func (r *retrier) retryOpen(ctx context.Context) (first error) {
	if len(r.events) > 100*retryAtOnce || time.Since(r.woken) >= pace.Of(keepWake) && r.recovered.Swap(false) {
		r.woken = time.Now()
		clear(r.events)
	}
	open, err := r.record.OpenEvents(ctx, OpenQuery{Idle: pace.Of(keepIdle), Limit: 100 * retryAtOnce})
	if err != nil {
		return err
	}
	due := slices.DeleteFunc(open.Events, func(o OpenEvent) bool {
		if r.events[o.Signature] == nil {
			r.events[o.Signature] = new(attempts)
		}
		return !r.events[o.Signature].due() || r.receiver.Load().flights.claimed(o.Signature) // such as in a Handle that hangs
	})
	slices.SortStableFunc(due, func(a, b OpenEvent) int { return cmp.Compare(r.events[a.Signature].times, r.events[b.Signature].times) })
	for begin := time.Now(); len(due) > 0 && ctx.Err() == nil && time.Since(begin) < keepTick; {
		n := min(r.batch, len(due))
		first = cmp.Or(first, r.retryThese(ctx, due[:n]))
		due = due[n:]
	}
	return first
}

// retryThese gives up those events that the service does not return for a day.
func (r *retrier) retryThese(ctx context.Context, all []OpenEvent) error {
	var signatures []types.Signature
	for _, o := range all {
		r.events[o.Signature].failed(keepIdle, keepRetry)
		signatures = append(signatures, o.Signature)
	}
	events, err := r.fetch(ctx, signatures)
	if r.batch = min(2*r.batch, retryAtOnce); err != nil && len(events) == 0 { // one of them may be why
		r.batch = max(len(all)/2, 1)
	}
	var mu sync.Mutex
	atOnce(ctx, events, func(e *Event) {
		got := r.receiver.Load().process(ctx, []*Event{e}, limit{fillHandle, keepWait, fromRetry})[0]
		mu.Lock()
		defer mu.Unlock()
		if got.outcome.effect().final {
			delete(r.events, e.Signature)
		}
	})
	if err != nil && (len(all) > 1 || !refused(err)) {
		return err
	}
	for _, o := range all {
		a := r.events[o.Signature]
		if a == nil { // it is done
			continue
		}
		a.absent++
		if slices.ContainsFunc(events, func(e *Event) bool { return e.Signature == o.Signature }) {
			a.absent = 0
		}
		if a.absent >= maxAbsent && o.Age >= keepAbsent {
			err = r.giveUp(ctx, o.Signature, cmp.Or(err, errors.New("the service does not return it")))
		}
	}
	return err
}

// atOnce calls f for each item, a few at the same time, until ctx ends.
func atOnce[T any](ctx context.Context, items []T, f func(T)) {
	free := make(chan struct{}, keepWorkers)
	var workers sync.WaitGroup
	for _, item := range items {
		free <- struct{}{}
		workers.Go(func() {
			defer func() { <-free }()
			if ctx.Err() == nil {
				f(item)
			}
		})
	}
	workers.Wait()
}

// refused reports whether the service refused a request as it is.
func refused(err error) bool {
	var refusal *types.APIError
	return errors.As(err, &refusal) && refusal.StatusCode == http.StatusBadRequest
}

// errNotOpen is the error of a Keeper that has no record yet.
var errNotOpen = errors.New("webhooks.Keeper: Run has not opened the Store")

// OpenEvents returns the events that are open in the Store. Its Count, Slot and Oldest are of
// all of them; its Events are those that wait for another attempt, without those that are being
// handled at the moment.
func (k *Keeper) OpenEvents(ctx context.Context, q OpenQuery) (*OpenEvents, error) {
	if k.receiver.Load() == nil {
		return nil, errNotOpen
	}
	return k.record.OpenEvents(ctx, q)
}

// GiveUp ends the attempts for an open event. [Keeper.GivenUp] lists it until
// [Keeper.Retry] handles it.
func (k *Keeper) GiveUp(ctx context.Context, signature types.Signature) error {
	if k.receiver.Load() == nil {
		return errNotOpen
	}
	return k.giveUp(ctx, signature, errors.New("GiveUp was called"))
}

func (k *Keeper) giveUp(ctx context.Context, name types.Signature, reason error) error {
	fact := Fact{Name: factGivenUp + string(name), Value: failureText(reason)}
	known, err := k.record.Facts(ctx, fact.Name)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(known, func(f Fact) bool { return f.Name == fact.Name }) {
		k.log(ctx, slog.LevelWarn, "event given up", slog.String("error", reason.Error()), slog.String("signature", string(name)))
		if err := k.record.Add(ctx, fact); err != nil {
			return err
		}
		k.count("given_up")
	}
	k.receiver.Load().settle(ctx, &Event{Signature: name}, result{outcome: outcomeHandled})
	return nil
}

// GivenUp returns the events that were given up. Age is since then, and Error says why. An item
// of a history that has no signature is among them, with "address/slot" in place of it.
func (k *Keeper) GivenUp(ctx context.Context) ([]OpenEvent, error) {
	if k.receiver.Load() == nil {
		return nil, errNotOpen
	}
	facts, err := k.record.Facts(ctx, factGivenUp)
	var all []OpenEvent
	for _, f := range facts {
		all = append(all, OpenEvent{Signature: types.Signature(strings.TrimPrefix(f.Name, factGivenUp)), Age: f.Age, Error: f.Value})
	}
	return all, err
}

// Retry handles an event now, also if it was handled before or given up. It costs 100
// credits, and fails with [types.ErrNotFound] if the service does not return the event.
func (k *Keeper) Retry(ctx context.Context, signature types.Signature) error {
	r, err := k.again()
	if err != nil {
		return err
	}
	events, err := k.fetch(ctx, []types.Signature{signature})
	if err != nil {
		return err
	}
	if len(events) == 0 {
		return fmt.Errorf("webhooks.Keeper.Retry: event %s: %w", signature, types.ErrNotFound)
	}
	if got := r.process(ctx, events[:1], limit{fillHandle, fillWait, fromRetry})[0]; !got.outcome.effect().final {
		return fmt.Errorf("webhooks.Keeper.Retry: event %s: %w", signature, got.err)
	}
	return k.record.Put(ctx, Fact{Name: factGivenUp + string(signature)})
}

// Replay passes the events of a range to Handle again, also those that were handled before. An
// event that fails is counted and left as it was; it is open if its record was deleted.
func (k *Keeper) Replay(ctx context.Context, r BackfillRange) (*BackfillReport, error) {
	receiver, err := k.again()
	if err != nil {
		return nil, err
	}
	return k.client.Backfill(ctx, BackfillConfig{
		Receiver: receiver, Settings: k.cfg.Settings, Raw: k.cfg.Raw,
		Since: r.Since, SinceSlot: r.SinceSlot, UntilSlot: r.UntilSlot,
	})
}

// again returns a Receiver that handles events although they were handled before.
func (k *Keeper) again() (*Receiver, error) {
	if k.receiver.Load() == nil {
		return nil, errNotOpen
	}
	return &Receiver{cfg: ReceiverConfig{Handle: k.cfg.Handle, Seen: again{k.record}, Logger: k.cfg.Logger}, keeper: k}, nil
}

// An again is a Record for which every event is new.
type again struct{ Record }

func (a again) Claim(ctx context.Context, e *Event) (bool, error) {
	_, err := a.Record.Claim(ctx, e)
	return err == nil, err
}

func (a again) Renew(ctx context.Context, e *Event) error {
	_ = a.Record.Renew(ctx, e) // there is no claim if the event was handled before
	return nil
}

// fetch requests events by their signatures. The service may leave some out.
func (k *Keeper) fetch(ctx context.Context, signatures []types.Signature) (events []*Event, first error) {
	var list []json.RawMessage
	if k.cfg.Settings.Type.raw() {
		latest := struct {
			Encoding   types.Encoding   `json:"encoding"`
			Commitment types.Commitment `json:"commitment"`
			MaxVersion int              `json:"maxSupportedTransactionVersion"`
		}{types.EncodingJSON, types.CommitmentConfirmed, 1}
		for _, signature := range signatures {
			raw, err := ask[json.RawMessage](ctx, k, transport.NullIsAnswer, "getTransaction", signature, latest)
			if err == nil && raw != nil {
				list = append(list, *raw)
			}
			first = cmp.Or(first, err)
		}
	} else {
		in := struct {
			Transactions []types.Signature `json:"transactions"`
		}{signatures}
		all, err := transport.Fetch[[]json.RawMessage](ctx, k.client.api, transport.Request{
			Op: opTransactions, Query: url.Values{"commitment": {string(types.CommitmentConfirmed)}}, Body: in,
		}, nil)
		if err != nil {
			return nil, err
		}
		list = *all
	}
	for _, raw := range list { // one that cannot be identified does not keep the others from being handled
		if e, err := parseEvent(raw); err == nil && slices.Contains(signatures, e.Signature) {
			events = append(events, e)
		}
	}
	return events, first
}
