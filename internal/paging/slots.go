package paging

import (
	"fmt"
	"strings"
)

// A Place is the place of a transaction in the chain. A zero is not known. With an ID, the
// listing has it once.
type Place struct {
	Slot, Index uint64
	ID          string
}

// InOrder refuses a page of transactions that does not continue the pages before it. Slots go
// one way; within a slot, indexes may ascend or descend. At returns the place of item i of n.
// Shared says that several items may be of one transaction. The place of its last item is in
// w.Known, so that a resumed walk checks the same.
func (w *Walk) InOrder(n int, at func(i int) Place, ascending, shared bool) error {
	var last Place
	way := 0 // of the indexes in the slot: 1 for up, -1 for down, 0 for not known
	_, _ = fmt.Sscanf(strings.ReplaceAll(w.Known, ":", " "), "%d %d %d %s", &last.Slot, &last.Index, &way, &last.ID)
	if last.ID != "" {
		w.Seen.Add(last.ID)
	}
	for i := range n {
		next := at(i)
		if next.ID != "" && w.Seen.Has(next.ID) {
			return w.Incomplete("transaction %s is repeated", next.ID)
		}
		if next.ID != "" {
			w.Seen.Add(next.ID)
			last.ID = next.ID
		}
		step := 0
		switch {
		case next.Slot == 0:
			continue
		case next.Slot != last.Slot:
			if last.Slot != 0 && next.Slot > last.Slot != ascending {
				return w.Incomplete("items are out of order at slot %d", next.Slot)
			}
			way = 0
		case next.Index == 0 || last.Index == 0 || next.Index == last.Index && shared:
		case next.Index > last.Index:
			step = 1
		case next.Index < last.Index:
			step = -1
		default:
			return w.Incomplete("items are out of order at slot %d", next.Slot) // repeated
		}
		if step*way < 0 {
			return w.Incomplete("items are out of order at slot %d", next.Slot)
		}
		if step != 0 {
			way = step
		}
		last = next
	}
	if last != (Place{}) {
		w.Known = strings.TrimSuffix(fmt.Sprintf("%d:%d:%d:%s", last.Slot, last.Index, way, last.ID), ":")
	}
	return nil
}
