package partition

import (
	"encoding/base64"
	"encoding/json"
	"slices"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/types"
)

// A state is what a cursor carries.
type state struct {
	Offsets   []uint64 `json:"offsets"`
	Next      []byte   `json:"next"`      // the bytes of the next part
	Balance   uint64   `json:"balance"`   // of the owner when the listing began; 0 with filters
	Lamports  uint64   `json:"lamports"`  // of all accounts so far
	Outside   bool     `json:"outside"`   // whether an account in no part was seen
	Unpaid    bool     `json:"unpaid"`    // whether it had no lamports, which their sum would show
	Unchecked bool     `json:"unchecked"` // whether the listing is over, and Balance has changed
}

// cursor returns where the queue starts, with what was seen before.
func (w *walk) cursor() string {
	w.Next = nil
	if len(w.queue) > 0 {
		w.Next = w.queue[0].path
	}
	text, _ := json.Marshal(w.state)
	return base64.RawURLEncoding.EncodeToString(text)
}

// resume sets the state that a cursor without its mark describes.
func (w *walk) resume(cursor string) error {
	if cursor == "" {
		return nil
	}
	var s state
	text, err := base64.RawURLEncoding.DecodeString(cursor)
	if err == nil {
		err = json.Unmarshal(text, &s)
	}
	if err != nil || len(s.Next) > len(s.Offsets) || len(s.Next) == 0 && !s.Unchecked || len(s.Offsets) > maxFilters-len(w.options.Filters) {
		return argument.Invalid("Cursor", "is not the Cursor of a page of partition.AccountsByOwner")
	}
	w.state = s
	for level, b := range slices.Backward(s.Next) {
		first := int(b)
		if level < len(s.Next)-1 {
			first++
		}
		w.split[string(s.Next[:level])] = true
		w.queue = append(w.queue, partsFrom(s.Next[:level], first)...)
	}
	return nil
}

// partsFrom returns the parts below a path, from a byte on.
func partsFrom(path []byte, first int) (parts []*part) {
	for b := first; b < 256; b++ {
		parts = append(parts, &part{path: append(slices.Clone(path), byte(b))})
	}
	return parts
}

// divide queues 256 smaller parts in place of a part that does not fit a page, and returns
// the accounts of the page that are in none of them.
func (w *walk) divide(path []byte, page []compressed.Account) (outside []compressed.Account) {
	w.split[string(path)] = true
	w.queue = slices.Concat(partsFrom(path, 0), w.queue)
	for _, a := range page {
		if isShort(&a, w.Offsets[len(path)]) {
			w.outside(&a)
			outside = append(outside, a)
		}
	}
	return outside
}

// isShort reports whether an account has no byte at an offset.
func isShort(a *compressed.Account, offset uint64) bool {
	return a.Data == nil || uint64(len(a.Data.Bytes)) <= offset
}

// outside notes an account in no part.
func (w *walk) outside(a *compressed.Account) {
	w.Outside = true
	w.Unpaid = w.Unpaid || a.Lamports == 0
}

// sampleSize is about how many accounts probe looks at. They have to fit a page.
const sampleSize = 900

// note adds the lamports of a page, and remembers the highest hashes, at least.
func (w *walk) note(accounts []compressed.Account) {
	for i := range accounts {
		w.Lamports += accounts[i].Lamports
		w.highest = append(w.highest, accounts[i].Hash)
	}
	if len(w.highest) > 10*sampleSize {
		w.keepHighest()
	}
}

// keepHighest sorts the highest hashes, descending, and drops the others.
func (w *walk) keepHighest() {
	slices.SortFunc(w.highest, func(a, b types.Hash) int { return argument.CompareBase58(b, a) })
	w.highest = w.highest[:min(len(w.highest), sampleSize)]
}

// probe looks for accounts in no part. The accounts with the highest hashes, which fit
// a page after a cursor, are a random sample of all accounts.
func (w *walk) probe() error {
	if len(w.highest) == 0 {
		return nil
	}
	w.keepHighest()
	last := len(w.highest) - 1
	if last < sampleSize-1 { // a resumed walk saw some of the accounts only
		last /= 4
	}
	page, err := w.request(nil, &w.highest[last]).Page()
	if err != nil {
		return err
	}
	for i := range page.Items {
		a := &page.Items[i]
		var path []byte
		for w.split[string(path)] {
			offset := w.Offsets[len(path)]
			if isShort(a, offset) {
				w.outside(a)
				break
			}
			path = append(path, a.Data.Bytes[offset])
		}
	}
	return nil
}

// sampledBytes is how many bytes of the data are looked at to choose offsets.
const sampledBytes = 256

// chooseOffsets adds to given offsets those that split a sample of accounts best: the
// largest part shrinks to half or less, the fewest accounts have no byte there, and then
// the largest part is the smallest.
func chooseOffsets(sample []compressed.Account, offsets []uint64, most int) []uint64 {
	groups := make([]int, len(sample)) // of accounts with the same bytes so far; -1 for too few bytes
	size := len(sample)                // of the largest group
	for _, offset := range offsets {
		groups, _, size = regroup(sample, groups, offset)
	}
	for len(offsets) < most && size > 1 {
		best := []int{2} // to compare; the last element is the offset
		for offset := range sampledBytes {
			_, short, largest := regroup(sample, groups, uint64(offset))
			weak, left := 0, max(largest, short)
			if 2*left > size {
				weak = 1
			}
			if score := []int{weak, short, largest, offset}; left < size && slices.Compare(score, best) < 0 {
				best = score
			}
		}
		if len(best) == 1 {
			break
		}
		offsets = append(offsets, uint64(best[3]))
		groups, _, size = regroup(sample, groups, uint64(best[3]))
	}
	return offsets
}

// regroup splits groups by the byte at an offset. It returns how many accounts have no
// such byte, and the size of the largest group.
func regroup(sample []compressed.Account, groups []int, offset uint64) (split []int, short, largest int) {
	sizes := map[int]int{}
	split = make([]int, len(groups))
	for i, group := range groups {
		switch {
		case group < 0:
			split[i] = -1
		case isShort(&sample[i], offset):
			split[i] = -1
			short++
		default:
			split[i] = group<<8 | int(sample[i].Data.Bytes[offset])
			sizes[split[i]]++
			largest = max(largest, sizes[split[i]])
		}
	}
	return split, short, largest
}
