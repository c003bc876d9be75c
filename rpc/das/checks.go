package das

import (
	"slices"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/types"
)

// The checks in this file look at the pages of a reading only. Assets that the service
// hides are in none of them: see the package comment.

// An order checks that the pages of a listing by ID continue each other.
type order struct {
	asked bool // whether the request says the direction
	sign  int  // the direction: 1 for ascending, -1 for descending, 0 as long as it is not known
}

// minSorted is the number of IDs from which on their order is not taken for chance.
const minSorted = 8

// continues reports whether the IDs of a page lie between two bounds, and follow the first
// one in the direction of the listing. Where the request does not say the direction, the
// service may have another order, so only a page shows it whose own IDs are in order.
func (o *order) continues(after, before types.Address, ids []types.Address) bool {
	if before != "" && slices.ContainsFunc(ids, func(id types.Address) bool { return argument.CompareBase58(id, before) >= 0 }) {
		return false
	}
	sign := direction(ids)
	if !o.asked {
		if sign == 0 || len(ids) < minSorted {
			return true
		}
		if o.sign == -sign {
			return false
		}
		o.sign = sign
	}
	if !o.asked && !isID(after) {
		after = "" // a position of another kind
	}
	return len(ids) == 0 || (len(ids) == 1 || sign == o.sign) && (after == "" || argument.CompareBase58(ids[0], after) == o.sign)
}

// direction returns 1 if ids ascend, -1 if they descend, and 0 if they do neither.
func direction(ids []types.Address) (sign int) {
	for i := 1; i < len(ids); i++ {
		step := argument.CompareBase58(ids[i], ids[i-1])
		if step == 0 || sign == -step {
			return 0
		}
		sign = step
	}
	return sign
}

// highest returns the highest ID, with which the next page of a range starts.
func highest(ids []types.Address) types.Address {
	if len(ids) == 0 {
		return ""
	}
	return slices.MaxFunc(ids, argument.CompareBase58)
}

// isID reports whether a is an address, as IDs and their cursors are.
func isID(a types.Address) bool {
	_, err := a.Bytes()
	return err == nil
}

// A repeats finds items that a listing by page number sends twice: the service ignores the
// number, or has no order, and then other items are in no page. But where the first items
// of a page are the last items of the previous page, none is missing: items were added
// before them, or the service has several rows for an item, next to each other.
type repeats struct {
	runs bool // items are kept although they repeat: a transaction can do the same several times
	run  int  // pages in a row that had nothing but the last item of the previous page

	last []types.Address // the previous page
	full bool            // whether it was as long as requested
	seen paging.Seen
}

// maxRun is the number of pages that a run of equal items can continue on. A transaction
// has up to 64 instructions.
const maxRun = 64

// check returns how many items at the start of a page to drop, and an item that shows that
// the pages overlap elsewhere.
func (r *repeats) check(ids []types.Address, shown int, full bool) (drop int, repeated types.Address) {
	overlap := r.overlap(ids[:shown])
	r.run++
	switch {
	case overlap == 0 || overlap < len(ids):
		r.run = 0
	case r.run > maxRun || r.runs && !r.full || ids[0] != ids[overlap-1]:
		return 0, ids[0]
	}
	for _, id := range ids[overlap:] {
		if r.seen.Has(string(id)) {
			return 0, id
		}
	}
	for _, id := range ids {
		r.seen.Add(string(id))
	}
	r.last, r.full = ids[:shown], full
	if r.runs {
		overlap = 0
	}
	return overlap, ""
}

// overlap returns how many of the first items are the last ones of the previous page.
func (r *repeats) overlap(ids []types.Address) int {
	n := min(len(ids), len(r.last))
	for n > 0 && !slices.Equal(ids[:n], r.last[len(r.last)-n:]) {
		n--
	}
	for n > 0 && n < len(ids) && ids[n] == ids[n-1] {
		n++
	}
	return n
}
