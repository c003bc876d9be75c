package bench

import (
	"testing"
	"time"
)

// CompareBy is [Compare] by another clock.
func CompareBy(b *testing.B, clock func() time.Duration, ours, other func() error) {
	b.Helper()
	compare(b, time.Second, 1, clock, ours, other)
}
