package compressed

import (
	"encoding/hex"
	"slices"
	"strconv"
	"strings"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/types"
)

// A part is the accounts that have certain bytes at the first offsets of a partition.
type part struct {
	path    []byte                                // the bytes
	pending *paging.Pending[*types.Page[Account]] // nil until it is requested
	page    *types.Page[Account]
	short   map[types.Hash]bool // accounts in page that have no byte at the next offset
}

// request starts to request a part, in a goroutine that partition.stop waits for.
func (w *partition) request(p *part) {
	if p.pending == nil {
		p.pending = paging.Go(func() (*types.Page[Account], error) {
			return w.client.ownerPage(w.ctx, w.owner, w.listing(p.path, w.options.DataSlice))
		})
	}
}

// listing are the options that select a part.
func (w *partition) listing(path []byte, slice *types.DataSlice) AccountsByOwnerOptions {
	o := AccountsByOwnerOptions{DataSlice: slice, Filters: slices.Clone(w.options.Filters)}
	for i, b := range path {
		o.Filters = append(o.Filters, types.Memcmp(w.offsets[i], []byte{b}))
	}
	return o
}

// sampledBytes is how much of the data is looked at to choose offsets, in bytes.
const sampledBytes = 256

// first requests the first page of all accounts. If there are more, it chooses the
// offsets and queues the parts, unless no byte tells the accounts apart.
func (w *partition) first() (*part, error) {
	root := &part{}
	var err error
	w.requests++
	if root.page, err = w.client.ownerPage(w.ctx, w.owner, w.listing(nil, w.options.DataSlice)); err != nil || !root.page.HasMore {
		return root, err
	}
	if w.options.DataSlice != nil {
		w.requests++
	}
	sample, err := w.sample(root)
	if err != nil {
		return nil, err
	}
	w.offsets = chooseOffsets(sample.Items, w.offsets, maxFilters-len(w.options.Filters))
	if len(w.offsets) > 0 {
		w.fork(root, sample)
	}
	return root, nil
}

// sample returns a page of a part with as much data as offsets need.
func (w *partition) sample(p *part) (*types.Page[Account], error) {
	if w.options.DataSlice == nil {
		return p.page, nil
	}
	length := uint64(sampledBytes)
	for _, offset := range w.offsets {
		length = max(length, offset+1)
	}
	return w.client.ownerPage(w.ctx, w.owner, w.listing(p.path, &types.DataSlice{Length: length}))
}

// split queues 256 smaller parts in place of a part that does not fit a page.
func (w *partition) split(p *part) error {
	sample, err := w.sample(p)
	if err != nil {
		return err
	}
	w.fork(p, sample)
	return nil
}

func (w *partition) fork(p *part, sample *types.Page[Account]) {
	p.short = map[types.Hash]bool{}
	w.forked[string(p.path)] = true
	for i := range sample.Items {
		if a := &sample.Items[i]; a.short(w.offsets[len(p.path)]) {
			p.short[a.Hash] = true
		}
	}
	w.queue = slices.Concat(partsFrom(p.path, 0), w.queue)
}

// short reports whether an account has no byte at an offset.
func (a *Account) short(offset uint64) bool {
	return a.Data == nil || uint64(len(a.Data.Bytes)) <= offset
}

// sampleSize is about how many accounts probe looks at. They have to fit a page.
const sampleSize = 900

// note remembers the highest hashes.
func (w *partition) note(accounts []Account) {
	for i := range accounts {
		if isHash(string(accounts[i].Hash)) {
			w.highest = append(w.highest, accounts[i].Hash)
		}
	}
	slices.SortFunc(w.highest, func(a, b types.Hash) int { return compareBase58(string(b), string(a)) })
	w.highest = w.highest[:min(len(w.highest), sampleSize)]
}

// probe looks for accounts in no part. The accounts with the highest hashes, which fit
// a page after a cursor, are a random sample of all accounts.
func (w *partition) probe() error {
	if len(w.highest) == 0 {
		return nil
	}
	last := len(w.highest) - 1
	if last < sampleSize-1 { // a resumed walk saw a part of the accounts only
		last /= 4
	}
	o := w.listing(nil, &types.DataSlice{Length: slices.Max(w.offsets) + 1})
	o.Cursor = string(w.highest[last])
	page, err := w.client.ownerPage(w.ctx, w.owner, o)
	if err != nil {
		return err
	}
	for i := range page.Items {
		switch a := &page.Items[i]; {
		case !w.inNoPart(a):
		case a.Lamports == 0:
			w.sums.rest = hiddenRest
		default:
			w.sums.rest = max(w.sums.rest, paidRest)
		}
	}
	return nil
}

// inNoPart reports whether an account is in a split part but in none of the smaller
// ones.
func (w *partition) inNoPart(a *Account) bool {
	var path []byte
	for w.forked[string(path)] {
		offset := w.offsets[len(path)]
		if a.short(offset) {
			return true
		}
		path = append(path, a.Data.Bytes[offset])
	}
	return false
}

// partsFrom are the parts below a path, from a byte on.
func partsFrom(path []byte, first int) (parts []*part) {
	for b := first; b < 256; b++ {
		parts = append(parts, &part{path: append(slices.Clone(path), byte(b))})
	}
	return parts
}

// restOf returns the accounts of a split part that are in none of the smaller ones.
func (w *partition) restOf(p *part) *types.Page[Account] {
	page := *p.page
	page.Items = slices.DeleteFunc(page.Items, func(a Account) bool { return !p.short[a.Hash] })
	w.sums.addRest(page.Items)
	return &page
}

// chooseOffsets adds to given offsets those that split a sample of accounts best: the
// largest part shrinks to half or less, the fewest accounts have no byte there, and then
// the largest part is the smallest.
func chooseOffsets(sample []Account, given []uint64, maxOffsets int) []uint64 {
	offsets := slices.Clone(given)
	groups := make([]int, len(sample)) // of accounts with the same bytes so far; -1 without data
	size := 0                          // of the largest group
	for i, a := range sample {
		size++
		if a.Data == nil {
			groups[i] = -1
			size--
		}
	}
	for _, offset := range given {
		groups, _, size = regroup(sample, groups, offset)
	}
	for len(offsets) < maxOffsets && size > 1 {
		var best []int // to compare; the last element is the offset
		for offset := range sampledBytes {
			_, short, largest := regroup(sample, groups, uint64(offset))
			weak := 0
			if 2*largest > size {
				weak = 1
			}
			if score := []int{weak, short, largest, offset}; largest < size && (best == nil || slices.Compare(score, best) < 0) {
				best = score
			}
		}
		if best == nil {
			break
		}
		offset := uint64(best[3])
		offsets = append(offsets, offset)
		groups, _, size = regroup(sample, groups, offset)
	}
	return offsets
}

// regroup splits groups by the byte at an offset. It returns how many accounts have no
// such byte, and the size of the largest group.
func regroup(sample []Account, groups []int, offset uint64) (split []int, short, largest int) {
	type key struct {
		group int
		b     byte
	}
	places := map[key]int{}
	sizes := []int{}
	split = make([]int, len(groups))
	for i, group := range groups {
		split[i] = group
		if group < 0 {
			continue
		}
		k := key{group: group}
		if data := sample[i].Data.Bytes; uint64(len(data)) > offset {
			k.b = data[offset]
		} else {
			short++
		}
		place, known := places[k]
		if !known {
			place = len(sizes)
			places[k] = place
			sizes = append(sizes, 0)
		}
		sizes[place]++
		largest = max(largest, sizes[place])
		split[i] = place
	}
	return split, short, largest
}

// partCursor starts the cursors of partitioned walks, which have six fields.
const partCursor = "parts2"

// cursor returns where the queue starts, with what was seen before.
func (w *partition) cursor() string {
	if len(w.queue) == 0 {
		return ""
	}
	var offsets []string
	for _, offset := range w.offsets {
		offsets = append(offsets, strconv.FormatUint(offset, 10))
	}
	seen := int(w.sums.rest) << 1
	if w.sums.overflow {
		seen |= 1
	}
	return w.selection.Marked(strings.Join([]string{
		partCursor, strings.Join(offsets, "_"), hex.EncodeToString(w.queue[0].path),
		strconv.FormatUint(w.sums.balance, 10), strconv.FormatUint(w.sums.lamports, 10), strconv.Itoa(seen),
	}, "."))
}

// resume sets the state that a cursor without its mark describes.
func (w *partition) resume(cursor string) error {
	if cursor == "" {
		return nil
	}
	invalid := argument.Invalid("Cursor", "is not the Cursor of a page of PartitionedAccountsByOwner")
	fields := strings.Split(cursor, ".")
	if len(fields) != 6 || fields[0] != partCursor {
		return invalid
	}
	w.offsets = nil
	for text := range strings.SplitSeq(fields[1], "_") {
		offset, err := strconv.ParseUint(text, 10, 31)
		if err != nil {
			return invalid
		}
		w.offsets = append(w.offsets, offset)
	}
	path, errPath := hex.DecodeString(fields[2])
	balance, errBalance := strconv.ParseUint(fields[3], 10, 64)
	lamports, errLamports := strconv.ParseUint(fields[4], 10, 64)
	seen, errSeen := strconv.ParseUint(fields[5], 10, 3)
	if rest(seen>>1) > hiddenRest || errPath != nil || errBalance != nil || errLamports != nil || errSeen != nil ||
		len(path) == 0 || len(path) > len(w.offsets) || len(w.offsets) > maxFilters-len(w.options.Filters) {
		return invalid
	}
	w.resumed = true
	w.sums = sums{balance, lamports, seen&1 == 1, rest(seen >> 1)}
	for level, b := range slices.Backward(path) {
		w.forked[string(path[:level])] = true
		first := int(b)
		if level < len(path)-1 {
			first++
		}
		w.queue = append(w.queue, partsFrom(path[:level], first)...)
	}
	return nil
}
