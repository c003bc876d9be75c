// Package wait waits between attempts, with exponential backoff and jitter.
//
//	err := wait.For(ctx, wait.Backoff(failures, time.Second, 30*time.Second))
package wait

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/solwire/solwire-go/types"
)

// For waits for d. It returns [Ended] if ctx ends first.
func For(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return Ended(ctx)
	}
}

// Ended returns the error of ctx joined with its cause; nil while ctx is active. Its
// deadline counts at once, although ctx may notice it a moment later.
func Ended(ctx context.Context) error {
	err := ctx.Err()
	if deadline, ok := ctx.Deadline(); err == nil && ok && time.Until(deadline) <= 0 {
		err = context.DeadlineExceeded
	}
	if cause := context.Cause(ctx); cause != nil && !errors.Is(err, cause) {
		return fmt.Errorf("%w: %w", err, cause)
	}
	return err
}

// Backoff returns the wait after a number of failures, from 1: first, doubled by each
// further one up to longest. Half of it is random.
func Backoff(failures int, first, longest time.Duration) time.Duration {
	d := first
	for ; failures > 1 && d < longest; failures-- {
		d *= 2
	}
	d = min(d, longest)
	return d/2 + rand.N(d/2+1)
}

// finalTime is how long a failure lasts before waiting for its end is useless.
const finalTime = 2 * time.Minute

// Lasting finds out which failures last. The zero value has none.
type Lasting struct{ since time.Time }

// Final returns the error after which trying again is useless, or nil, for the latest
// failure. Where it has worked before, the error has to last: restarting balancers respond with
// anything for a while. A spent budget stays spent.
func (l *Lasting) Final(err error, worked bool) error {
	switch {
	case err == nil:
		l.since = time.Time{}
	case l.since.IsZero():
		l.since = time.Now()
	}
	if worked && time.Since(l.since) < finalTime && !errors.Is(err, types.ErrBudget) {
		return nil
	}
	return err
}
