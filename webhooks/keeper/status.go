package keeper

import (
	"context"
	"encoding/json"
	"log/slog"
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/webhooks/internal/logbook"
)

// A Cause is the part of a Keeper that fails.
type Cause string

// The causes of problems.
const (
	CauseStore      Cause = "store"      // a process cannot start, or cannot store its record
	CauseClaims     Cause = "claims"     // events cannot be claimed: the Store fails or is slow
	CauseHandle     Cause = "handle"     // none of the calls of Handle has succeeded for a minute
	CauseDeliveries Cause = "deliveries" // deliveries are refused, or do not arrive
	CauseWebhook    Cause = "webhook"    // the webhook was wrong, or cannot be read or corrected
	CauseListing    Cause = "listing"    // the signatures of an address cannot be listed
	CauseEvents     Cause = "events"     // pending events cannot be requested
	CauseClean      Cause = "clean"      // old events cannot be deleted
	CauseSettings   Cause = "settings"   // a URL, filter or secret unlike the leader's for 15 minutes
)

// A Problem is the failure of a part of a Keeper. It ends when the part works again.
type Problem struct {
	Cause Cause      `json:"cause"`
	Since types.Time `json:"since"` // when the part began to fail
	Text  string     `json:"text"`  // of the last error, at most 200 bytes
}

// A Status is the state of a [Keeper] and of all processes that share its Store, updated every ten
// seconds. Alert on any Problems and DeadLetters, and on an Oldest or Delivered that is too long
// ago for your program.
type Status struct {
	Webhook     string     `json:"webhook"`     // its ID; empty until it is known
	Leader      string     `json:"leader"`      // ID of the process that leads; empty if none does
	Processes   int        `json:"processes"`   // active in the last minute, including this one
	Behind      int        `json:"behind"`      // addresses not listed for Interval plus 5 minutes
	Pending     int        `json:"pending"`     // being handled, or waiting for an attempt
	Oldest      types.Time `json:"oldest"`      // when the oldest pending event was stored; or zero
	DeadLetters int        `json:"deadLetters"` // events that were given up
	Delivered   types.Time `json:"delivered"`   // when an event was last delivered; zero for none
	Problems    []Problem  `json:"problems"`    // of all processes, the longest first; one per Cause
}

// ServeStatus responds with the [Status] as JSON, and with HTTP status 503 if there are Problems,
// else 200. It is for alerts, not for a load balancer: a process with a problem still receives
// deliveries.
func (k *Keeper) ServeStatus(w http.ResponseWriter, _ *http.Request) {
	s := k.Status()
	w.Header().Set("Content-Type", "application/json")
	if len(s.Problems) > 0 {
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	_ = json.NewEncoder(w).Encode(s)
}

// Status returns the state of a Keeper, and of the processes that share its Store, without a call
// of the Store.
func (k *Keeper) Status() Status {
	k.mu.Lock()
	defer k.mu.Unlock()
	s := Status{
		Webhook: k.shared.Webhook.ID, Leader: k.shared.Leader, Processes: 1 + len(k.shared.Processes),
		Pending: k.shared.Pending, DeadLetters: k.shared.DeadLetters, Delivered: types.Time{Time: k.lastDelivery()},
	}
	if s.Pending > 0 {
		s.Oldest = types.Time{Time: time.Now().Add(-k.shared.OldestAge)}
	}
	problems := make(map[Cause]Problem)
	for _, p := range slices.Concat(k.shared.Processes, []Process{k.own}) { // the last one counts
		if p.ID == s.Leader {
			s.Behind = p.Behind
		}
		maps.Copy(problems, p.Problems)
	}
	s.Problems = slices.SortedFunc(maps.Values(problems), func(a, b Problem) int { return a.Since.Compare(b.Since.Time) })
	return s
}

// problem records the failure of a part, or with a nil err that the part works. Errors after the
// end of ctx do not count.
func (k *Keeper) problem(ctx context.Context, cause Cause, err error) {
	if err != nil && ctx.Err() != nil {
		return
	}
	k.mu.Lock()
	all := maps.Clone(k.own.Problems) // the Store may have the previous map
	p, known := all[cause]
	delete(all, cause)
	if err != nil {
		if !known {
			p.Cause, p.Since = cause, types.Time{Time: time.Now()}
		}
		p.Text = logbook.Text(err)
		all[cause] = p
	}
	k.own.Problems = all
	k.mu.Unlock()
	if err != nil {
		k.log(ctx, slog.LevelError, "keeper failed, and will try again", slog.String("cause", string(cause)), slog.String("error", p.Text))
	}
}

func (k *Keeper) log(ctx context.Context, level slog.Level, message string, attrs ...slog.Attr) {
	k.logs.Add(ctx, k.cfg.Logger, level, message, attrs...)
}
