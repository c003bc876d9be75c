package webhooks

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/txtype"
)

// The names of the facts of a Keeper.
const (
	factStart   = "start"    // the first start of a process
	factSlot    = "slot"     // the latest finalized slot
	factCheck   = "check"    // the last check of the webhook
	factWebhook = "webhook/" // with an ID: a webhook that was used
	factAt      = "at/"      // with an address and a filter: Checkpoint.Slot
	factRead    = "read/"    // the same: Checkpoint.Reached
)

// A Checkpoint is how far the history of an address was handled.
type Checkpoint struct {
	Address types.Address `json:"address"`

	// Slot is where the next backfill of the address begins: all of its earlier events are
	// handled or open. 0 means [KeepConfig.Since].
	Slot uint64 `json:"slot"`

	Reached uint64        `json:"reached"` // the slot up to which the history was read; 0 means never
	Age     time.Duration `json:"age"`     // since then, in nanoseconds; 0 if it was never read

	filter string        // what was looked for
	put    time.Duration // since Slot was stored
}

func (c *Checkpoint) at(slot uint64) Fact {
	return Fact{Name: factAt + string(c.Address) + "/" + c.filter, Value: strconv.FormatUint(slot, 10)}
}

func (c *Checkpoint) read(slot uint64) Fact {
	return Fact{Name: factRead + string(c.Address) + "/" + c.filter, Value: strconv.FormatUint(slot, 10)}
}

// filter names what a Keeper looks for in histories. A checkpoint says nothing about
// transactions that were not looked for.
func (s *Settings) filter() string {
	var wanted []string
	for _, t := range s.TransactionTypes {
		if strings.EqualFold(string(t), string(txtype.Any)) {
			wanted = nil
			break
		}
		wanted = append(wanted, string(t))
	}
	if s.Type.raw() {
		wanted = []string{"raw"}
	}
	slices.Sort(wanted)
	outcome := s.Outcome
	if outcome == types.OutcomeAll {
		outcome = ""
	}
	sum := sha256.Sum256([]byte(strings.Join(slices.Compact(wanted), ",") + " " + string(outcome)))
	return hex.EncodeToString(sum[:8])
}

// checkpoints returns the checkpoints for what this Keeper looks for, and for anything else,
// such as of another version of the program.
func (k *Keeper) checkpoints(ctx context.Context) (own, others []Checkpoint, err error) {
	facts, err := k.record.Facts(ctx, "")
	if err != nil {
		return nil, nil, err
	}
	read := make(map[string]Fact)
	for _, f := range facts {
		if name, ok := strings.CutPrefix(f.Name, factRead); ok {
			read[name] = f
		}
	}
	for _, f := range facts {
		name, ok := strings.CutPrefix(f.Name, factAt)
		if !ok {
			continue
		}
		address, filter, _ := strings.Cut(name, "/")
		c := Checkpoint{Address: types.Address(address), Slot: number(f), Reached: number(read[name]), filter: filter, put: f.Age}
		if c.Reached > 0 {
			c.Age = max(read[name].Age, 1)
		}
		if filter == k.filter {
			own = append(own, c)
		} else {
			others = append(others, c)
		}
	}
	return own, others, nil
}

// number returns the value of a fact as a number.
func number(f Fact) uint64 {
	n, _ := strconv.ParseUint(f.Value, 10, 64)
	return n
}

// storeWithin limits the calls of a Record.
const storeWithin = 10 * time.Second

// A guardedRecord bounds the calls of a Record, and makes their panics errors.
type guardedRecord struct{ Record }

func bounded[T any](ctx context.Context, f func(context.Context) (T, error)) (result T, err error) {
	ctx, cancel := context.WithTimeout(ctx, storeWithin)
	defer cancel()
	err = guarded(func() (err error) {
		result, err = f(ctx)
		return err
	})
	return result, err
}

func (g guardedRecord) Done(ctx context.Context, e *Event) error {
	_, err := bounded(ctx, func(ctx context.Context) (any, error) { return nil, g.Record.Done(ctx, e) })
	return err
}

func (g guardedRecord) OpenEvents(ctx context.Context, q OpenQuery) (*OpenEvents, error) {
	return bounded(ctx, func(ctx context.Context) (*OpenEvents, error) { return g.Record.OpenEvents(ctx, q) })
}

func (g guardedRecord) Facts(ctx context.Context, prefix string) ([]Fact, error) {
	return bounded(ctx, func(ctx context.Context) ([]Fact, error) { return g.Record.Facts(ctx, prefix) })
}

func (g guardedRecord) Add(ctx context.Context, facts ...Fact) error {
	_, err := bounded(ctx, func(ctx context.Context) (any, error) { return nil, g.Record.Add(ctx, facts...) })
	return err
}

func (g guardedRecord) Put(ctx context.Context, facts ...Fact) error {
	_, err := bounded(ctx, func(ctx context.Context) (any, error) { return nil, g.Record.Put(ctx, facts...) })
	return err
}

func (g guardedRecord) Lock(ctx context.Context, hold time.Duration) (bool, error) {
	return bounded(ctx, func(ctx context.Context) (bool, error) { return g.Record.Lock(ctx, hold) })
}

func (g guardedRecord) Clean(ctx context.Context, age time.Duration, before uint64) (int64, error) {
	return bounded(ctx, func(ctx context.Context) (int64, error) { return g.Record.Clean(ctx, age, before) })
}
