package bench

import (
	"testing"
	"time"
)

// CompareBriefly is [Compare] with turns that are just long enough.
func CompareBriefly(b *testing.B, callers int, ours, other func() error) {
	b.Helper()
	compare(b, 10*time.Millisecond, callers, ours, other)
}
