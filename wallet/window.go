package wallet

import "time"

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
