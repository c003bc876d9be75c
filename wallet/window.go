package wallet

import (
	"time"

	"github.com/solwire/solwire-go/types"
)

// A window selects the items at or after since and before until. A zero bound is
// open.
type window struct{ since, until time.Time }

// tolerance is how far block times, which nodes estimate, may be out of order.
const tolerance = time.Minute

func (w window) has(t time.Time) bool {
	return (w.since.IsZero() || !t.Before(w.since)) && (w.until.IsZero() || t.Before(w.until))
}

// endsBefore reports whether t is so long before w that no later item is in w.
func (w window) endsBefore(t time.Time) bool {
	return !w.since.IsZero() && t.Before(w.since.Add(-tolerance))
}

// restrict removes the items outside of w from a page, which is sorted from new to old,
// and makes it the last page if no later item can be in w. The newest items have no
// time yet: the first one then counts as new, the others as the one before them.
func restrict[T any](p *types.Page[T], w window, at func(*T) types.Time) {
	last := time.Now()
	inside := p.Items[:0]
	for i := range p.Items {
		if t := at(&p.Items[i]); !t.IsZero() {
			last = t.Time
		}
		if w.endsBefore(last) {
			p.Cursor, p.HasMore = "", false
			break
		}
		if w.has(last) {
			inside = append(inside, p.Items[i])
		}
	}
	p.Items = inside
}
