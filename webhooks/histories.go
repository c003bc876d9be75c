package webhooks

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/webhooks/internal/pace"
)

// Operations of a Keeper.
var (
	opKeep         = transport.Op{Method: "webhooks.Client.Keep", Wire: "GET /v0/addresses/{address}/transactions"}
	opTransactions = transport.Op{Method: "webhooks.Client.Keep", Wire: "POST /v0/transactions"}
)

// ask calls a method of a node. Its result is nil only if null is an answer.
func ask[T any](ctx context.Context, k *Keeper, null transport.Null, method string, params ...any) (*T, error) {
	op := transport.Op{Method: opKeep.Method, Wire: method}
	return transport.Result(ctx, k.client.node, transport.Query[T]{Op: op, Null: null, Params: append([]any{}, params...)})
}

const (
	slotMargin   = 1500 // slots that a transaction may be added late to a history: ten minutes
	maxDisbelief = 8    // readings that may lack an event that was delivered: an hour
	maxRate      = 5    // slots in a second
)

// A historian reads the histories that are due. What may be missing up to now is a fact, with a
// slot: a history that was read within the hour is read up to there only if a node lists
// transactions that the record does not have.
type historian struct {
	*Keeper
	passed time.Time // when all histories were last considered, and the next address looked at
	turn   int       // of wanted addresses
	known  map[types.Address]*history
}

// A history is what is known of one beyond its checkpoint.
type history struct {
	listed uint64   // the slot up to which it was read, or a node lists only events of the record
	lacks  bool     // whether a node lists transactions that the record does not have
	vain   patience // until a look in turn, after readings of transactions that are not wanted
	failed patience // until the next reading, after those that failed
}

// needNow makes all histories due up to now, once they have the events until now. It adds the
// checkpoints that the addresses lack, for what this process looks for.
func (k *Keeper) needNow(ctx context.Context) error {
	slot, err := k.slot(ctx, types.CommitmentConfirmed)
	if err != nil {
		return err
	}
	if err := k.begin(ctx, slot); err != nil {
		return err
	}
	return k.record.Add(ctx, Fact{Name: factNeed + strconv.FormatUint(slot, 10), Value: "1"})
}

// begin adds the checkpoints of addresses that have none, and for types that were not looked
// for. What was looked for before is continued from where it was; everything else begins at the
// start of this process, or at the first start of a process if none has added any since.
func (k *Keeper) begin(ctx context.Context, slot uint64) error {
	facts, err := k.facts(ctx, "")
	if err != nil {
		return err
	}
	all, _ := checkpoints(facts)
	since := time.Since(k.start)
	if len(all) == 0 {
		since = max(since, facts[factStart].Age)
	}
	at, first := make(map[types.Address]uint64), uint64(0)
	if k.cfg.Since.IsZero() {
		first = slot - min(slot, 32+uint64(since/(300*time.Millisecond))) // 32 slots are not finalized yet, and each takes at least 300 ms
	}
	for a := range k.wanted {
		at[a] = first
	}
	for _, c := range all {
		switch begin, wanted := at[c.Address]; {
		case k.owns(c):
			delete(at, c.Address)
		case wanted && c.Slot > 0:
			at[c.Address] = min(cmp.Or(begin, slot), c.Slot)
		}
	}
	var missing []Fact
	for a, slot := range at {
		c := Checkpoint{Address: a, filter: k.filter}
		missing = append(missing, c.fact(factAt, slot))
	}
	return k.record.Add(ctx, missing...)
}

// read reads the histories that are due, a few at the same time. Those of addresses that
// failed have their turn after the others.
func (h *historian) read(ctx context.Context) error {
	facts, err := h.facts(ctx, factNeed)
	inTurn := time.Since(h.passed) >= min(pace.Of(keepCheck), h.interval)
	if err != nil || len(facts) == 0 && !inTurn {
		return err
	}
	if facts, err = h.facts(ctx, ""); err != nil {
		return err
	}
	all, needs := checkpoints(facts)
	all = slices.DeleteFunc(all, func(c Checkpoint) bool { return !h.owns(c) })
	never := func(c Checkpoint) bool { return c.Reached == 0 }
	if len(all) < len(h.wanted) || len(needs) == 0 && slices.ContainsFunc(all, never) { // such as of a process that waited
		return h.needNow(ctx)
	}
	for _, c := range all {
		if h.known[c.Address] == nil {
			h.known[c.Address] = new(history)
		}
	}
	if inTurn {
		if err := h.lookInTurn(ctx, all); err != nil {
			return err
		}
	}
	var settled []Fact // to delete once the histories are read up to need; what is newer may not be in them yet
	need := uint64(0)
	for _, f := range needs {
		if f.Age >= pace.Of(keepSettle) {
			settled = append(settled, Fact{Name: f.Name})
			need = max(need, number(f.Name[len(factNeed):]))
		}
	}
	first := need > 0
	due := func(c Checkpoint) bool {
		x := h.known[c.Address]
		return x.lacks || x.failed.times > 0 || c.age >= h.interval || c.Reached == 0 && first
	}
	if need == 0 && !slices.ContainsFunc(all, due) {
		return nil
	}
	slot, err := h.slot(ctx, types.CommitmentFinalized)
	if err != nil {
		return err
	}
	if slot < need { // histories have finalized transactions only: they would have to be read once more
		need, settled = 0, nil
	}
	all = slices.DeleteFunc(all, func(c Checkpoint) bool {
		return !due(c) && (c.Reached >= need || h.known[c.Address].listed >= need)
	})
	if h.readAll(ctx, all, facts, need, slot) && len(settled) > 0 {
		return h.record.Put(ctx, settled...)
	}
	return nil
}

// lookInTurn looks at one history.
func (h *historian) lookInTurn(ctx context.Context, all []Checkpoint) (err error) {
	h.passed = time.Now()
	h.turn++
	c := all[h.turn%len(all)]
	if x := h.known[c.Address]; c.Reached > 0 && x.vain.due() {
		x.lacks, err = h.look(ctx, c, false)
	}
	return err
}

// look reports whether a node lists transactions of an address, after those that were read, that
// the record does not have. It costs one credit. All says whether those before the latest 1000
// count, too. Several goroutines call it.
func (h *historian) look(ctx context.Context, c Checkpoint, all bool) (bool, error) {
	options := struct {
		Commitment types.Commitment `json:"commitment"`
		Limit      int              `json:"limit"`
	}{types.CommitmentFinalized, 1000}
	type item struct {
		Signature types.Signature  `json:"signature"`
		Slot      uint64           `json:"slot"`
		Err       *json.RawMessage `json:"err"`
	}
	list, err := ask[[]item](ctx, h.Keeper, transport.NullIsError, "getSignaturesForAddress", c.Address, options)
	if err != nil {
		return false, err
	}
	var signatures []types.Signature
	failures := h.cfg.Settings.Type.raw() && h.cfg.Settings.Outcome != types.OutcomeSucceeded
	for _, x := range *list {
		if x.Slot > c.Reached && (failures || x.Err == nil) {
			signatures = append(signatures, x.Signature)
		}
	}
	missing, err := h.record.Missing(ctx, signatures)
	if err != nil {
		return false, err
	}
	return len(missing) > 0 || all && len(*list) == options.Limit && (*list)[options.Limit-1].Slot > c.Reached, nil
}

// readAll reads histories up to a finalized slot, those that were not read for longest first; but
// one that was read within the hour only if a node lists transactions that the record does not
// have. It reports whether none is due any more. It stops when three fail.
func (h *historian) readAll(ctx context.Context, due []Checkpoint, facts map[string]Fact, need, slot uint64) bool {
	slices.SortStableFunc(due, func(a, b Checkpoint) int {
		return cmp.Or(h.known[a.Address].failed.times-h.known[b.Address].failed.times, cmp.Compare(a.Reached, b.Reached))
	})
	start, read, failed, handled := time.Now(), 0, 0, 0
	var mu sync.Mutex
	atOnce(ctx, due, func(c Checkpoint) {
		x := h.known[c.Address]
		mu.Lock()
		skip := failed >= 3 || !x.failed.due()
		mu.Unlock()
		if skip {
			return
		}
		found, n, err := x.lacks, 0, error(nil)
		x.lacks = false
		if !found && x.failed.times == 0 && c.Reached > 0 && c.age < min(pace.Of(keepAgain), h.interval) { // it was read within the hour
			if found, err = h.look(ctx, c, true); err == nil && !found {
				x.listed = need
				return
			}
		}
		if err == nil {
			n, err = h.readOne(ctx, c, facts[factExpect+string(c.Address)], x.failed.times >= maxDisbelief, slot)
		}
		h.problem(ctx, "histories", c.Address, err)
		mu.Lock()
		defer mu.Unlock()
		handled += n
		if err != nil {
			x.failed.failed(30*time.Second, keepAgain)
			failed++
			return
		}
		read++
		switch {
		case found && n > 0: // deliveries are lost, and other histories may have more
			x.vain = patience{}
			h.dueAgain(pace.Of(keepAgain))
		case found:
			x.vain.failed(keepCheck, h.interval)
		}
		x.listed, x.failed = slot, patience{}
	})
	if read > 0 {
		h.log(ctx, slog.LevelInfo, "backfill", slog.Int("addresses", read), slog.Int("handled", handled), slog.Duration("duration", time.Since(start)))
	}
	return !slices.ContainsFunc(due, func(c Checkpoint) bool { return h.known[c.Address].listed < need })
}

// readOne backfills an address up to a finalized slot, and returns how many events were handled.
// A history is not believed if it lacks an event that was delivered.
func (h *historian) readOne(ctx context.Context, c Checkpoint, expected Fact, believe bool, slot uint64) (int, error) {
	safe := slot - min(slot, slotMargin)
	moved := time.Now()
	var at uint64 // slot and signature of an event that was delivered
	var signature types.Signature
	_, _ = fmt.Sscan(expected.Value, &at, &signature)
	lacks := at > 0 && at >= c.Slot && !believe
	check := func(slot uint64) error {
		if lacks && slot > at {
			return fmt.Errorf("the history of %s lacks event %s of slot %d, which was delivered: %w", c.Address, signature, at, types.ErrIncomplete)
		}
		return nil
	}
	b := &filling{
		BackfillConfig: BackfillConfig{
			Receiver: h.receiver.Load(), Settings: h.cfg.Settings, Raw: h.cfg.Raw,
			SinceSlot: c.Slot, Since: h.cfg.Since, UntilSlot: slot + 1, // new transactions would extend it for ever
		},
		client: h.client,
		each: func(e *Event) error {
			lacks = lacks && e.Signature != signature
			if err := check(e.Slot); err != nil || time.Since(moved) < time.Second {
				return err
			}
			moved = time.Now()
			return h.record.Put(ctx, c.fact(factAt, max(c.Slot, min(e.Slot, safe)))) // another process need not begin again
		},
		strange: func(name string, err error) error { return h.giveUp(ctx, types.Signature(name), err) },
	}
	if c.Slot == 0 && h.cfg.Since.IsZero() { // its configuration was changed
		b.SinceSlot = slot
	}
	filled := guarded(func() error { return b.fill(ctx, c.Address) }) // Raw may panic
	if err := cmp.Or(filled, check(slot)); err != nil {
		return b.report.Handled, err
	}
	next := max(c.Slot, safe, 1)
	done := []Fact{c.fact(factAt, next), c.fact(factRead, max(c.Reached, slot))}
	if at > 0 && at < next {
		done = append(done, Fact{Name: expected.Name})
	}
	return b.report.Handled, h.record.Put(ctx, done...)
}

// clean deletes what is not needed any more. Done events are kept for a backfill from the
// lowest checkpoint, which would handle them again.
func (k *Keeper) clean(ctx context.Context) error {
	facts, err := k.facts(ctx, "")
	if err != nil {
		return err
	}
	if err := k.adopt(ctx, facts); err != nil {
		return err
	}
	all, _ := checkpoints(facts)
	before := uint64(math.MaxInt64)
	for _, c := range all {
		if !k.owns(c) && c.put >= keepDone {
			if err := k.record.Put(ctx, Fact{Name: c.fact(factAt, 0).Name}, Fact{Name: c.fact(factRead, 0).Name}); err != nil {
				return err
			}
			continue
		}
		before = min(before, c.Slot)
	}
	for {
		start := time.Now()
		n, err := k.record.Clean(ctx, keepDone, before)
		if err != nil || n == 0 || ctx.Err() != nil {
			return err
		}
		pause(ctx, time.Since(start)) // while others claim events
	}
}

// slot returns the latest slot of a commitment. A checkpoint never goes back, so that one wrong
// slot would skip events for good: the lower one of two responses counts, if the node has its
// block, and only as far as the time since the latest slot of the record allows. While a node
// gives wrong slots in all of these, the Keeper skips events, up to three times as long.
func (k *Keeper) slot(ctx context.Context, commitment types.Commitment) (uint64, error) {
	if err := k.checkNetwork(ctx); err != nil {
		return 0, err
	}
	config := struct {
		Commitment types.Commitment `json:"commitment"`
	}{commitment}
	got, err := ask[uint64](ctx, k, transport.NullIsError, "getSlot", config)
	if err != nil {
		return 0, err
	}
	type epoch struct {
		Slot uint64 `json:"absoluteSlot"`
	}
	second, err := ask[epoch](ctx, k, transport.NullIsError, "getEpochInfo", config)
	if err != nil {
		return 0, err
	}
	slot := min(*got, second.Slot)
	if slot == 0 {
		return 0, errors.New("getSlot: slot 0")
	}
	if _, err := ask[int64](ctx, k, transport.NullIsAnswer, "getBlockTime", slot); err != nil {
		return 0, err
	}
	facts, err := k.facts(ctx, factSlot)
	if err != nil {
		return 0, err
	}
	if f, has := facts[factSlot]; has {
		latest := number(f.Value)
		slot = min(slot, latest+slotMargin/5+uint64(f.Age.Seconds()*float64(maxRate*pace.Speed)))
		if slot <= latest {
			return slot, nil
		}
	}
	return slot, k.record.Put(ctx, Fact{Name: factSlot, Value: strconv.FormatUint(slot, 10)})
}

// checkNetwork refuses a node of another network, whose slots would have the Keeper skip
// events.
func (k *Keeper) checkNetwork(ctx context.Context) error {
	hash, err := ask[types.Hash](ctx, k, transport.NullIsError, "getGenesisHash")
	if err != nil {
		return err
	}
	names := map[types.Hash]types.Network{
		types.MainnetGenesisHash: types.NetworkMainnet,
		types.DevnetGenesisHash:  types.NetworkDevnet,
		types.TestnetGenesisHash: "testnet",
	}
	if name, known := names[*hash]; known && name != k.client.network {
		return fmt.Errorf("webhooks.Keeper.Run: %w", argument.Invalid("Config.RPCURL", fmt.Sprintf("is a node of %s, and the webhook is of %s", name, k.client.network)))
	}
	return nil
}
