package das

import (
	"cmp"
	"slices"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/types"
)

// The checks in this file look at the pages of a walk only. Assets that the service
// hides are in none of them: see the package comment.

// minSorted is the smallest number of IDs whose order is not taken for chance.
const minSorted = 8

// continues reports whether the IDs of a page lie between two bounds, and follow the first one
// in the direction of the listing. If the request does not set the direction, it comes from the
// first page whose IDs are in order; other pages are accepted.
func (r *source[T]) continues(s *state, start, end types.Address, ids []types.Address) bool {
	order := r.order
	if order == 0 {
		if order = direction(ids); order == 0 || len(ids) < minSorted {
			return true
		}
	}
	if s.sign = cmp.Or(s.sign, order); len(ids) == 0 {
		return true
	}
	chain := slices.Clone(ids)
	if isID(start) { // not a position of another kind
		chain = append([]types.Address{start}, chain...)
	}
	if end != "" {
		chain = append(chain, end)
	}
	return len(chain) == 1 || direction(chain) == s.sign
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

// furthest returns the highest or the lowest ID, with which the next page of a range starts.
func furthest(ids []types.Address, sign int) types.Address {
	if len(ids) == 0 {
		return ""
	}
	return slices.MaxFunc(ids, func(a, b types.Address) int { return sign * argument.CompareBase58(a, b) })
}

// isID reports whether a is an address, as IDs and their cursors are.
func isID(a types.Address) bool {
	_, err := a.Bytes()
	return err == nil
}

// maxRun is the largest number of pages in a row with one repeated item. A transaction has up to
// 64 instructions.
const maxRun = 64

// repeats finds items that a listing by page number sends twice. A page may begin with the last
// items of the previous page, if items were added before them, or an item has several rows. Then,
// none is missing. Otherwise others may be missing, since the service ignores the number, or has
// no order. It returns the number of items to drop at the start of the page, and an item that is
// repeated elsewhere.
func (r *source[T]) repeats(w *paging.Walk, s *state, ids []types.Address, shown int, full bool) (drop int, repeated types.Address) {
	if w.Last == nil { // resumed, or new
		w.Last = s.prints
		for _, hash := range s.prints {
			w.Seen.AddPrint(hash)
		}
	}
	prints := make([]uint64, len(ids))
	for i, id := range ids {
		prints[i] = paging.Print(string(id))
	}
	overlap := overlapOf(w.Last, prints[:shown])
	s.run++
	switch {
	case overlap == 0 || overlap < len(ids):
		s.run = 0
	case s.run > maxRun || r.runs && s.full == 0 || ids[0] != ids[overlap-1]:
		return 0, ids[0]
	}
	for _, id := range ids[overlap:] {
		if w.Seen.Has(string(id)) {
			return 0, id
		}
	}
	for _, hash := range prints {
		w.Seen.AddPrint(hash)
	}
	if w.Last, s.full = prints[:shown], 0; full {
		s.full = 1
	}
	if s.prints = append(s.prints, prints...); r.runs {
		overlap = 0
	}
	return overlap, ""
}

// overlapOf returns how many of the first items are the last ones of the previous page.
func overlapOf(last, items []uint64) int {
	n := min(len(items), len(last))
	for n > 0 && !slices.Equal(items[:n], last[len(last)-n:]) {
		n--
	}
	for n > 0 && n < len(items) && items[n] == items[n-1] {
		n++
	}
	return n
}
