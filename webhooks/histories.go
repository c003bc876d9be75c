package webhooks

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math"
	"slices"
	"strconv"
	"strings"
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
	opSlot         = transport.Op{Method: "webhooks.Client.Keep", Wire: "getSlot"}
	opEpoch        = transport.Op{Method: "webhooks.Client.Keep", Wire: "getEpochInfo"}
	opBlockTime    = transport.Op{Method: "webhooks.Client.Keep", Wire: "getBlockTime"}
	opGenesis      = transport.Op{Method: "webhooks.Client.Keep", Wire: "getGenesisHash"}
	opSignatures   = transport.Op{Method: "webhooks.Client.Keep", Wire: "getSignaturesForAddress"}
	opTransactions = transport.Op{Method: "webhooks.Client.Keep", Wire: "POST /v0/transactions"}
	opTransaction  = transport.Op{Method: "webhooks.Client.Keep", Wire: "getTransaction"}
)

// maxSlots returns at least how many slots ago it was a time ago, of which the latest are not
// finalized.
func maxSlots(ago time.Duration) uint64 { return 32 + uint64(ago/(300*time.Millisecond)) }

// slotMargin is how many slots a transaction may be added late to a history: ten minutes.
const slotMargin = 1500

// maxDisbelief is how often a history may lack an event that was delivered, which takes an
// hour.
const maxDisbelief = 8

// A historian reads the histories that are due. What may be missing up to now is a fact, with a
// slot: a history that was read within the hour is read up to there only if a node lists
// transactions that the record does not have.
type historian struct {
	*Keeper
	next   time.Time // when a history may be due
	looked time.Time // when an address was looked at in turn
	turn   int       // of wanted addresses
	known  map[types.Address]*history
}

// A history is what is known of one beyond its checkpoint.
type history struct {
	listed uint64   // the slot up to which a node lists only events of the record
	newer  bool     // a node lists transactions that the record does not have
	vain   patience // until a look, after readings of such transactions that are not wanted
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
	facts, err := k.record.Facts(ctx, "")
	if err != nil {
		return err
	}
	own, others, _ := checkpoints(facts, k.filter)
	since := time.Since(k.start)
	for _, f := range facts {
		if f.Name == factStart && len(own)+len(others) == 0 {
			since = max(since, f.Age)
		}
	}
	at := make(map[types.Address]uint64)
	for a := range k.wanted {
		if k.cfg.Since.IsZero() {
			at[a] = slot - min(slot, maxSlots(since))
		} else {
			at[a] = 0
		}
	}
	for _, c := range others {
		if begin, wanted := at[c.Address]; wanted && c.Slot > 0 {
			at[c.Address] = min(cmp.Or(begin, slot), c.Slot)
		}
	}
	for _, c := range own {
		delete(at, c.Address)
	}
	var missing []Fact
	for a, slot := range at {
		c := Checkpoint{Address: a, filter: k.filter}
		missing = append(missing, c.at(slot))
	}
	if len(missing) == 0 {
		return nil
	}
	return k.record.Add(ctx, missing...)
}

// read reads the histories that are due, a few at the same time. Those of addresses that
// failed have their turn after the others.
func (h *historian) read(ctx context.Context) error {
	look := time.Since(h.looked) >= pace.Of(keepCheck)
	needs, err := h.record.Facts(ctx, factNeed)
	if err != nil || len(needs) == 0 && !look && time.Now().Before(h.next) {
		return err
	}
	facts, err := h.record.Facts(ctx, "")
	if err != nil {
		return err
	}
	all, _, needs := checkpoints(facts, h.filter)
	all = slices.DeleteFunc(all, func(c Checkpoint) bool { return !h.wanted[c.Address] })
	never := func(c Checkpoint) bool { return c.Reached == 0 }
	if len(all) < len(h.wanted) || len(needs) == 0 && slices.ContainsFunc(all, never) { // such as of a process that waited
		return h.needNow(ctx)
	}
	for _, c := range all {
		if h.known[c.Address] == nil {
			h.known[c.Address] = new(history)
		}
	}
	var turn types.Address
	if look {
		if turn, err = h.lookInTurn(ctx, all); err != nil {
			return err
		}
	}
	settled, need := settle(needs)
	first := len(settled) > 0
	overdue := func(c Checkpoint) bool {
		return h.known[c.Address].newer || c.Reached > 0 && c.age >= h.interval || c.Reached == 0 && first
	}
	if need > 0 || slices.ContainsFunc(all, overdue) {
		slot, err := h.slot(ctx, types.CommitmentFinalized)
		if err != nil {
			return err
		}
		if slot < need { // histories have finalized transactions only: they would have to be read once more
			need, settled = 0, nil
		}
		due := slices.DeleteFunc(slices.Clone(all), func(c Checkpoint) bool {
			return !overdue(c) && (c.Reached >= need || h.known[c.Address].listed >= need)
		})
		if h.readAll(ctx, due, facts, need, slot, turn) && len(settled) > 0 {
			err = h.record.Put(ctx, settled...)
		}
		if err != nil {
			return err
		}
	}
	rest := pace.Of(keepCheck)
	for _, c := range all {
		if c.Reached > 0 && c.age < h.interval {
			rest = min(rest, h.interval-c.age)
		}
	}
	h.next = time.Now().Add(rest)
	return nil
}

// lookInTurn looks at one history.
func (h *historian) lookInTurn(ctx context.Context, all []Checkpoint) (types.Address, error) {
	h.looked = time.Now()
	h.turn++
	c := all[h.turn%len(all)]
	found, err := h.look(ctx, c, false)
	x := h.known[c.Address]
	x.newer = x.newer || found && x.vain.due()
	return c.Address, err
}

// settle returns the facts to delete once the histories are read up to a slot. What is newer may
// not be in them yet.
func settle(needs []Fact) (settled []Fact, need uint64) {
	for _, f := range needs {
		if f.Age >= pace.Of(keepSettle) {
			settled = append(settled, Fact{Name: f.Name})
			need = max(need, number(f.Name[len(factNeed):]))
		}
	}
	return settled, need
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
		Signature types.Signature `json:"signature"`
		Slot      uint64          `json:"slot"`
		Err       json.RawMessage `json:"err"`
	}
	list, err := transport.Result(ctx, h.client.node, transport.Query[[]item]{Op: opSignatures, Params: []any{c.Address, options}})
	if err != nil {
		return false, err
	}
	var signatures []types.Signature
	failures := h.cfg.Settings.Type.raw() && h.cfg.Settings.Outcome != types.OutcomeSucceeded
	for _, x := range *list {
		if failed := len(x.Err) > 0 && string(x.Err) != "null"; x.Slot > c.Reached && (failures || !failed) {
			signatures = append(signatures, x.Signature)
		}
	}
	missing, err := h.record.Missing(ctx, signatures)
	if err != nil {
		return false, err
	}
	return len(missing) > 0 || all && len(*list) == options.Limit && (*list)[options.Limit-1].Slot > c.Reached, nil
}

// readAll reads histories up to a finalized slot, those that were not read for longest first. It
// reports whether it has read them all. It stops when three fail in a row.
func (h *historian) readAll(ctx context.Context, due []Checkpoint, facts []Fact, need, slot uint64, turn types.Address) bool {
	slices.SortStableFunc(due, func(a, b Checkpoint) int {
		return cmp.Or(h.known[a.Address].failed.times-h.known[b.Address].failed.times, cmp.Compare(a.Reached, b.Reached))
	})
	expected := make(map[types.Address]Fact)
	for _, f := range facts {
		if a, ok := strings.CutPrefix(f.Name, factExpect); ok {
			expected[types.Address(a)] = f
		}
	}
	total, start := new(BackfillReport), time.Now()
	read, failed, inRow, complete := 0, 0, 0, true
	var mu sync.Mutex
	atOnce(ctx, due, func(c Checkpoint) {
		x := h.known[c.Address]
		mu.Lock()
		skip := inRow >= 3 || !x.failed.due()
		complete = complete && !skip
		mu.Unlock()
		if skip {
			return
		}
		report, isRead, err := h.readDue(ctx, c, expected[c.Address], need, slot)
		h.problem(ctx, "histories", c.Address, err)
		mu.Lock()
		defer mu.Unlock()
		total.add(report)
		if err != nil {
			x.failed.failed(pace.Of(30*time.Second), pace.Of(keepAgain))
			complete = false
			failed++
			inRow++
			return
		}
		x.failed, inRow = patience{}, 0
		if !isRead {
			return
		}
		read++
		switch {
		case report.Handled > 0 && c.Address == turn: // deliveries are lost, and other histories have more
			h.mu.Lock()
			h.unread = true
			h.mu.Unlock()
			fallthrough
		case report.Handled > 0:
			x.vain = patience{}
		case x.newer:
			x.vain.failed(pace.Of(keepCheck), h.interval)
		}
		x.newer = false
	})
	if read+failed > 0 {
		h.log(ctx, slog.LevelInfo, "backfill", slog.Int("addresses", read), slog.Int("failed_addresses", failed), slog.Duration("duration", time.Since(start)),
			slog.Int("handled", total.Handled), slog.Int("seen", total.Seen), slog.Int("failed", total.Failed))
	}
	return complete && ctx.Err() == nil
}

// readDue reads a history, but one that was read within the hour only if a node lists
// transactions that the record does not have. It reports whether it read it.
func (h *historian) readDue(ctx context.Context, c Checkpoint, expected Fact, need, slot uint64) (report *BackfillReport, isRead bool, err error) {
	x := h.known[c.Address]
	if !x.newer && c.Reached > 0 && c.age < min(pace.Of(keepAgain), h.interval) {
		found, err := h.look(ctx, c, true)
		if err != nil {
			return new(BackfillReport), false, err
		}
		if !found {
			x.listed = need
			return new(BackfillReport), false, nil
		}
		x.newer = true
	}
	report, err = h.readOne(ctx, c, expected, x.failed.times >= maxDisbelief, slot)
	return report, true, err
}

// readOne backfills an address up to a finalized slot. A history is not believed if it lacks an
// event that was delivered.
func (h *historian) readOne(ctx context.Context, c Checkpoint, expected Fact, believe bool, slot uint64) (*BackfillReport, error) {
	safe := slot - min(slot, slotMargin)
	moved, report := time.Now(), new(BackfillReport)
	at, signature := expectation(expected)
	lacks := at > 0 && at >= c.Slot && !believe
	check := func(slot uint64) error {
		if lacks && slot > at {
			return fmt.Errorf("the history of %s lacks event %s of slot %d, which was delivered: %w", c.Address, signature, at, types.ErrIncomplete)
		}
		return nil
	}
	b := &filling{
		client: h.client, receiver: h.receiver.Load(), settings: h.cfg.Settings, raw: h.cfg.Raw, report: report, unattended: true,
		read: func(s types.Signature) { lacks = lacks && s != signature },
		passed: func(slot uint64) error { // so that another process need not begin again
			if err := check(slot); err != nil || time.Since(moved) < time.Second {
				return err
			}
			moved = time.Now()
			return h.record.Put(ctx, c.at(max(c.Slot, min(slot, safe))))
		},
		strange: func(name string, err error) error { return h.giveUp(ctx, types.Signature(name), err) },
	}
	r := BackfillRange{SinceSlot: c.Slot, UntilSlot: slot + 1} // new transactions would extend it for ever
	if c.Slot == 0 {
		r.Since = h.cfg.Since.Truncate(time.Second)
		if h.cfg.Since.IsZero() { // its configuration was changed
			r.SinceSlot = slot
		}
	}
	if err := cmp.Or(b.fill(ctx, c.Address, r), check(slot)); err != nil {
		return report, err
	}
	next := max(c.Slot, safe, 1)
	done := []Fact{c.at(next), c.read(max(c.Reached, slot))}
	if at > 0 && at < next {
		done = append(done, Fact{Name: expected.Name})
	}
	return report, h.record.Put(ctx, done...)
}

// expect adds the facts that an event was delivered, for the addresses that have none yet.
func (k *Keeper) expect(e *Event) {
	for _, a := range e.about(k.wanted) {
		if e.Slot > 0 && !slices.ContainsFunc(k.expected, func(f Fact) bool { return f.Name == factExpect+string(a) }) {
			k.expected = append(k.expected, Fact{Name: factExpect + string(a), Value: strconv.FormatUint(e.Slot, 10) + " " + string(e.Signature)})
		}
	}
}

// clean deletes what is not needed any more. Done events are kept for a backfill from the
// lowest checkpoint, which would handle them again.
func (k *Keeper) clean(ctx context.Context) error {
	facts, err := k.record.Facts(ctx, "")
	if err != nil {
		return err
	}
	if err := k.adopt(ctx, facts); err != nil {
		return err
	}
	own, others, _ := checkpoints(facts, k.filter)
	var dropped []Fact
	before := uint64(math.MaxInt64)
	for i, c := range slices.Concat(own, others) {
		if (i >= len(own) || !k.wanted[c.Address]) && c.put >= keepDone {
			dropped = append(dropped, Fact{Name: c.at(0).Name}, Fact{Name: c.read(0).Name})
			continue
		}
		before = min(before, c.Slot)
	}
	if len(dropped) > 0 {
		if err := k.record.Put(ctx, dropped...); err != nil {
			return err
		}
	}
	for { // a call that deletes many events ends before
		n, err := k.record.Clean(ctx, keepDone, before)
		if n > 0 {
			k.log(ctx, slog.LevelInfo, "old events deleted", slog.Int64("events", n))
		}
		if n == 0 || err == nil || ctx.Err() != nil {
			return err
		}
	}
}

// checkNetwork refuses a node of another network, whose slots would have the Keeper skip
// events.
func (k *Keeper) checkNetwork(ctx context.Context) error {
	hash, err := transport.Result(ctx, k.client.node, transport.Query[types.Hash]{Op: opGenesis})
	if err != nil {
		return err
	}
	names := map[types.Hash]string{
		"5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d": "mainnet",
		"EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxkZrBkG": "devnet",
		"4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY": "testnet",
	}
	want := "mainnet"
	if k.client.devnet {
		want = "devnet"
	}
	if name, known := names[*hash]; known && name != want {
		return fmt.Errorf("webhooks.Keeper.Run: %w", argument.Invalid("Config.RPCURL", "is a node of "+name+", and the webhook is of "+want))
	}
	return nil
}

// maxRate is at most how many slots there are in a second.
const maxRate = 5

// slot returns the latest slot of a commitment. A checkpoint never goes back, so that one wrong
// slot would skip events for good: the lower one of two responses counts, if the node has its
// block, and only as far as the time since the latest slot of the record allows.
func (k *Keeper) slot(ctx context.Context, commitment types.Commitment) (uint64, error) {
	config := struct {
		Commitment types.Commitment `json:"commitment"`
	}{commitment}
	got, err := transport.Result(ctx, k.client.node, transport.Query[uint64]{Op: opSlot, Params: []any{config}})
	if err != nil {
		return 0, err
	}
	type epoch struct {
		Slot uint64 `json:"absoluteSlot"`
	}
	second, err := transport.Result(ctx, k.client.node, transport.Query[epoch]{Op: opEpoch, Params: []any{config}})
	if err != nil {
		return 0, err
	}
	slot := min(*got, second.Slot)
	if slot == 0 {
		return 0, fmt.Errorf("%s: slot 0", opSlot)
	}
	_, err = transport.Result(ctx, k.client.node, transport.Query[int64]{Op: opBlockTime, Null: transport.NullIsAnswer, Params: []any{slot}})
	if err != nil {
		return 0, err
	}
	facts, err := k.record.Facts(ctx, factSlot)
	if err != nil {
		return 0, err
	}
	for _, f := range facts {
		latest := number(f.Value)
		slot = min(slot, latest+slotMargin/5+uint64(f.Age.Seconds()*float64(maxRate*pace.Speed)))
		if slot <= latest {
			return slot, nil
		}
	}
	return slot, k.record.Put(ctx, Fact{Name: factSlot, Value: strconv.FormatUint(slot, 10)})
}
