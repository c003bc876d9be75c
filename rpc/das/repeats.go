package das

import (
	"fmt"
	"hash/maphash"

	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

// A repeats notices items that a listing sends twice: the service ignores the page number
// or the cursor, or has no order, and then the pages overlap and other items are in none
// of them. It is the state of one reading; nil for a
// single page.
type repeats[T any] struct {
	key    func(*T) string
	begins bool // compare the first items of pages only

	// runs allows a page to continue the run of equal items at the end of a full page: a
	// transaction can do the same several times.
	runs bool
	last string // the item at the end of the previous page, if it was full
	run  int    // pages that it continued on

	seed             maphash.Seed
	recent, previous map[uint64]struct{} // hashes
}

// maxRecent limits the hashes in each map: about 10 MiB altogether.
const maxRecent = 1 << 18

// maxRun is the number of pages that a run of equal items can continue on. A transaction
// has up to 64 instructions.
const maxRun = 64

// check adds the items of a page, and fails if an earlier page had one of them. Full says
// whether the page has as many items as requested.
func (r *repeats[T]) check(op transport.Op, items []T, full bool) error {
	if r == nil {
		return nil
	}
	if r.recent == nil {
		r.seed, r.recent = maphash.MakeSeed(), map[uint64]struct{}{}
	}
	if r.begins {
		items = items[:min(1, len(items))]
	}
	continued := false
	for i := range items {
		switch key := r.key(&items[i]); {
		case !r.has(key):
		case r.runs && key == r.last && r.run < maxRun:
			continued = true
		default:
			return fmt.Errorf("%s: the service sent %.60q again, so other items may be missing: %w", op, key, types.ErrIncomplete)
		}
	}
	for i := range items {
		r.add(r.key(&items[i]))
	}
	if continued {
		r.run++
	} else {
		r.run = 0
	}
	r.last = ""
	if full && len(items) > 0 {
		r.last = r.key(&items[len(items)-1])
	}
	return nil
}

func (r *repeats[T]) has(key string) bool {
	h := maphash.String(r.seed, key)
	_, recent := r.recent[h]
	_, previous := r.previous[h]
	return recent || previous
}

func (r *repeats[T]) add(key string) {
	if len(r.recent) == maxRecent {
		r.previous, r.recent = r.recent, map[uint64]struct{}{}
	}
	r.recent[maphash.String(r.seed, key)] = struct{}{}
}

// none reports whether there was no item.
func (r *repeats[T]) none() bool { return len(r.recent) == 0 }
