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
