package transport

import "sync/atomic"

const (
	budgetSize = 500
	retryCost  = 5
)

// A budget limits the retries of a client: each retry costs five tokens, each success
// returns one. In an outage it is soon exhausted, so retries do not multiply the
// load on the service.
type budget struct{ tokens atomic.Int64 }

func (b *budget) take() bool {
	if b.tokens.Add(-retryCost) >= 0 {
		return true
	}
	b.tokens.Add(retryCost)
	return false
}
