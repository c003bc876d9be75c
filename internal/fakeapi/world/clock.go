package world

import (
	"math"
	"time"
)

// The time of a world without a clock, and the slot of that time.
const epochSlot = 344_112_233

func epoch() time.Time { return time.Date(2025, time.June, 2, 15, 4, 5, 0, time.UTC) }

const (
	slotsPerSecond = 2.5
	skippedSlots   = 21_400_000 // without a block, all before the slots of the world

	// SlotsPerEpoch is the number of slots of an epoch.
	SlotsPerEpoch = 432_000

	// The first slots take a second each, so that they begin with the chain, in March 2020.
	slowSlots = 44_000_000
)

// How many slots after its own a block is confirmed and finalized.
const (
	confirmedAfter = 1
	finalizedAfter = 32
)

// settled is the least age of the transactions before the start of a world, so that they are
// finalized. Transactions with a time of their own may be younger.
const settled = 13 * time.Second

// untimedFor is how long a transaction has no block time.
const untimedFor = 10 * time.Second

// Now returns the time of the world.
func (w *World) Now() time.Time {
	if w.Clock == nil {
		return epoch()
	}
	return w.Clock().UTC()
}

// SlotAt returns the slot of a time.
func (w *World) SlotAt(t time.Time) uint64 {
	slot := w.startSlot() + t.Sub(w.start).Seconds()*slotsPerSecond
	if slot < slowSlots {
		slot = slowSlots - (slowSlots-slot)/slotsPerSecond
	}
	return uint64(max(1, slot))
}

// startSlot returns the slot of the start, and the part of it that had passed. Slots continue
// the real ones, unless the clock is behind them, as in a bubble of testing/synctest.
func (w *World) startSlot() float64 {
	past := w.start.Sub(epoch())
	return epochSlot + max(0, past.Seconds())*slotsPerSecond
}

// Slot returns the newest finalized slot.
func (w *World) Slot() uint64 { return w.SlotOf("finalized") }

// SlotOf returns the newest slot at a commitment; empty means finalized. While time stands
// still, all commitments have the same one, since a cluster finalizes all confirmed slots.
func (w *World) SlotOf(commitment string) uint64 {
	slot := w.SlotAt(w.Now())
	switch {
	case w.Clock == nil || commitment == "processed":
		return slot
	case commitment == "confirmed":
		return slot - min(slot, confirmedAfter)
	}
	return slot - min(slot, finalizedAfter)
}

// TimeOf returns the time of the block in a slot as it is sent, nil while it is not known.
func (w *World) TimeOf(slot uint64) any {
	if block := w.Block(slot); len(block) > 0 {
		return w.BlockTime(block[0])
	}
	middle := float64(slot) + 0.5
	if middle < slowSlots {
		middle = slowSlots - (slowSlots-middle)*slotsPerSecond
	}
	since := (middle - w.startSlot()) / slotsPerSecond
	return w.start.Add(time.Duration(since * float64(time.Second))).Unix()
}

// BlockTime returns the block time of x as it is sent, nil while it is not known.
func (w *World) BlockTime(x *Transaction) any {
	if x.Fresh && w.Now().Sub(w.start) < untimedFor {
		return nil
	}
	return x.Time.Unix()
}

// SlotsIn returns the number of slots in some seconds.
func SlotsIn(seconds float64) uint64 { return uint64(seconds * slotsPerSecond) }

// Height returns the number of blocks before a slot.
func Height(slot uint64) uint64 { return slot - min(slot, skippedSlots) }

// Epoch returns the epoch of a slot, and the place of the slot in it.
func Epoch(slot uint64) (epoch, index uint64) { return slot / SlotsPerEpoch, slot % SlotsPerEpoch }

// TransactionCount returns the number of transactions of the chain up to a slot.
func TransactionCount(slot uint64) uint64 { return 1130*slot + slot%7 }

// Blockhash returns the hash of the block in a slot.
func Blockhash(slot uint64) string {
	s := Seed(41).Item(int(slot))
	return s.Address()
}

// IsRecent reports whether a blockhash is one of the last 150 blocks.
func IsRecent(hash string, slot uint64) bool {
	for back := range uint64(150) {
		if Blockhash(slot-back) == hash {
			return true
		}
	}
	return false
}

// Rent returns the lamports that exempt an account of some bytes from rent.
func Rent(space int) uint64 {
	const header, perByteYear, years = 128, 3480, 2
	return uint64(min(header+space, math.MaxInt32)) * perByteYear * years
}

// fiftyDays is how long ago the first assets and compressed accounts were created.
const fiftyDays = 50 * 24 * time.Hour
