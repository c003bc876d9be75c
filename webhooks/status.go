package webhooks

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/types"
)

// Counts are what the processes of a record have done since it was made, to a minute. Those of
// a process that ended may lack its last minute. The keys are
//
//   - delivered: events of deliveries, repeated ones included
//   - handled: events that were handled or skipped
//   - backfilled: of these, events that were found in a history, as they were not delivered
//   - retried: of these, events that were requested by their signatures, or by Replay
//   - skipped: of these, events for which Handle returned ErrSkip
//   - undecodable: of these, events with an Err
//   - failed: calls of Handle that failed or panicked
//   - given_up: events that were given up
//   - corrected: times that the webhook was not as wanted
//   - duplicates_deleted: webhooks that creations left behind which seemed to fail
//   - refused_401, refused_400, …: deliveries that were refused, by the status of the response
type Counts map[string]int

// A Problem is why something does not work.
type Problem struct {
	// Cause is the part that fails: store, lock, node, webhook, histories, retries, missed or
	// clean.
	Cause   string        `json:"cause"`
	Address types.Address `json:"address,omitempty"` // whose history cannot be read; empty if it is not about one
	Since   types.Time    `json:"since"`             // of the first failure in a row
	Text    string        `json:"text"`              // of the last error
}

func (p Problem) key() string { return strings.TrimSuffix(p.Cause+"/"+string(p.Address), "/") }

// A Status is the state of a [Keeper] and of all processes that share its record. Alert on
// Problems, on a Delivered that is too old, on OpenSince and Missed if they stay, and on
// counts that grow, such as backfilled: deliveries were lost.
type Status struct {
	Webhook     string       `json:"webhook"`     // ID; empty until Run knows it
	Open        int          `json:"open"`        // events that are being handled, or wait for another attempt
	OldestOpen  uint64       `json:"oldestOpen"`  // the lowest slot of an open event; 0 if there is none
	OpenSince   types.Time   `json:"openSince"`   // first attempt for the oldest open event; zero if there is none
	OpenError   string       `json:"openError"`   // of the last attempt for the open event with the lowest slot
	GivenUp     int          `json:"givenUp"`     // events that were given up
	Missed      int          `json:"missed"`      // events that this process received and could not record
	Delivered   types.Time   `json:"delivered"`   // the last event that was delivered, to a minute
	Checked     types.Time   `json:"checked"`     // the webhook was found or made as wanted
	Backfilled  types.Time   `json:"backfilled"`  // all histories were read at this time or later; zero if one was never read
	Due         bool         `json:"due"`         // whether a history is to be read
	Processes   int          `json:"processes"`   // that run, to two minutes
	Counts      Counts       `json:"counts"`      // of all processes
	Problems    []Problem    `json:"problems"`    // of this process, and two of each other one; empty if all is well
	Checkpoints []Checkpoint `json:"checkpoints"` // of the wanted addresses; Slot is not after OldestOpen
}

// ServeStatus responds with the [Status] as JSON: with status 200 if there are no Problems,
// else with 503. It has no secret, but lists the addresses.
func (k *Keeper) ServeStatus(w http.ResponseWriter, req *http.Request) {
	s, err := k.Status(req.Context())
	if err != nil {
		s.Problems = append(s.Problems, Problem{Cause: "store", Since: ago(0), Text: err.Error()})
	}
	w.Header().Set("Content-Type", "application/json")
	if len(s.Problems) > 0 {
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	_ = json.NewEncoder(w).Encode(s)
}

// Status returns the state of a Keeper, and of the processes that share its record. If the
// Store fails, it returns the error with what this process knows.
func (k *Keeper) Status(ctx context.Context) (*Status, error) {
	k.mu.Lock()
	s := &Status{Missed: len(k.missed), Due: k.isDue(), Counts: maps.Clone(k.counts)}
	problems := maps.Clone(k.problems)
	k.mu.Unlock()
	var err error
	if k.receiver.Load() != nil {
		err = k.status(ctx, s, problems)
	}
	s.Problems = sorted(problems)
	return s, err
}

// sorted returns problems, the longest first.
func sorted(problems map[string]Problem) []Problem {
	return slices.SortedFunc(maps.Values(problems), func(a, b Problem) int {
		return cmp.Or(a.Since.Compare(b.Since.Time), cmp.Compare(a.Cause, b.Cause))
	})
}

// status adds what the record says.
func (k *Keeper) status(ctx context.Context, s *Status, problems map[string]Problem) error {
	facts, err := k.facts(ctx, "")
	if err != nil {
		return err
	}
	open, err := k.record.OpenEvents(ctx, OpenQuery{Limit: 1}) // after the checkpoints, which do not pass what opens until then
	if err != nil {
		return err
	}
	s.Open, s.OldestOpen = open.Count, open.Slot
	if open.Count > 0 {
		s.OpenSince = ago(open.Oldest)
	}
	if len(open.Events) > 0 {
		s.OpenError = open.Events[0].Error
	}
	s.Webhook = append(usedWebhooks(facts), "")[0]
	for _, f := range facts {
		switch {
		case f.Name == factDelivered:
			s.Delivered = ago(f.Age)
		case f.Name == factCheck:
			s.Checked = ago(f.Age)
		case strings.HasPrefix(f.Name, factGivenUp):
			s.GivenUp++
		case strings.HasPrefix(f.Name, factProcess):
			other, runs := reportOf(f.Value), f.Age < 2*time.Minute
			if runs {
				s.Processes++
			}
			if f.Name != factProcess+k.process {
				s.Counts.add(other.Counts)
				for _, p := range other.Problems {
					if _, known := problems[p.key()]; runs && !known {
						problems[p.key()] = p
					}
				}
			}
		}
	}
	all, need := checkpoints(facts)
	oldest, read := time.Duration(0), 0
	for _, c := range all {
		if !k.owns(c) {
			continue
		}
		if s.OldestOpen > 0 {
			c.Slot = min(c.Slot, s.OldestOpen)
		}
		if c.Reached > 0 {
			read++
			oldest = max(oldest, c.age)
			c.Read = ago(c.age)
		}
		s.Checkpoints = append(s.Checkpoints, c)
	}
	if read == len(k.wanted) {
		s.Backfilled = ago(oldest)
	}
	s.Due = s.Due || read < len(k.wanted) || oldest >= k.interval || len(need) > 0
	return nil
}

func ago(d time.Duration) types.Time { return types.Time{Time: time.Now().Add(-d)} }

func (c Counts) add(other Counts) {
	for key, n := range other {
		c[key] += n
	}
}

func (k *Keeper) count(key string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.counts[key]++
}

// problem records why something does not work; a nil err means that it does.
func (k *Keeper) problem(ctx context.Context, cause string, a types.Address, err error) {
	if ctx.Err() != nil { // err only says so
		return
	}
	p := Problem{cause, a, ago(0), failureText(err)}
	key := p.key()
	k.mu.Lock()
	if known, was := k.problems[key]; was {
		p.Since = known.Since
	}
	k.problems[key] = p
	if err == nil {
		delete(k.problems, key)
	}
	k.mu.Unlock()
	if err == nil {
		return
	}
	logger, attrs := traced(err, k.cfg.Logger, []slog.Attr{slog.String("cause", key), slog.String("error", p.Text)})
	k.logs.add(ctx, logger, slog.LevelError, "keeper failed, and will try again", attrs...)
}

// A report is what a process says of itself in the record, at most 1000 bytes as JSON.
type report struct {
	Counts   Counts    `json:"counts"`
	Problems []Problem `json:"problems,omitempty"` // the first two
}

func reportOf(text string) (r report) {
	_ = json.Unmarshal([]byte(text), &r)
	return r
}

// enter refuses the record of another program: one that has another URL, and none of the
// addresses.
func (k *Keeper) enter(ctx context.Context) error {
	facts, err := k.facts(ctx, "")
	if err != nil {
		return err
	}
	url := hashOf(k.cfg.Settings.URL)
	all, _ := checkpoints(facts)
	if before := facts[factURL].Value; before != "" && before != url && len(all) > 0 && !slices.ContainsFunc(all, func(c Checkpoint) bool { return k.wanted[c.Address] }) {
		return fmt.Errorf("webhooks.Keeper.Run: %w", argument.Invalid("Name", "names the record of a program that has another URL and other addresses; set another one"))
	}
	return k.record.Put(ctx, Fact{Name: factURL, Value: url})
}

// report records what this process counted, that it runs, and which events were delivered.
func (k *Keeper) report(ctx context.Context) error {
	k.mu.Lock()
	own := report{maps.Clone(k.counts), sorted(k.problems)[:min(len(k.problems), 2)]}
	for i, p := range own.Problems {
		own.Problems[i].Text = p.Text[:min(len(p.Text), 100)]
	}
	text, _ := json.Marshal(own) // which cannot fail
	for ; len(text) > maxFact; text, _ = json.Marshal(own) {
		own.Problems = own.Problems[1:]
	}
	now := []Fact{{Name: factProcess + k.process, Value: string(text)}}
	if k.lately {
		now = append(now, Fact{Name: factDelivered, Value: "1"})
	}
	lately, expected := k.lately, k.expected
	k.lately, k.expected = false, make(map[types.Address]Fact)
	k.mu.Unlock()
	var err error
	if len(expected) > 0 {
		err = k.record.Add(ctx, slices.Collect(maps.Values(expected))...)
	}
	if err == nil {
		err = k.record.Put(ctx, now...)
	}
	if err != nil { // the next report has them
		k.mu.Lock()
		maps.Copy(expected, k.expected)
		k.lately, k.expected = k.lately || lately, expected
		k.mu.Unlock()
	}
	return err
}

// adopt takes over the counts of processes that ended.
func (k *Keeper) adopt(ctx context.Context, facts map[string]Fact) error {
	for _, f := range facts {
		if !strings.HasPrefix(f.Name, factProcess) || f.Age < keepEnded || f.Name == factProcess+k.process {
			continue
		}
		if err := k.record.Put(ctx, Fact{Name: f.Name}); err != nil {
			return err
		}
		k.mu.Lock()
		k.counts.add(reportOf(f.Value).Counts)
		k.mu.Unlock()
	}
	return k.report(ctx)
}

func (k *Keeper) log(ctx context.Context, level slog.Level, message string, attrs ...slog.Attr) {
	k.logs.add(ctx, k.cfg.Logger, level, message, attrs...)
}
