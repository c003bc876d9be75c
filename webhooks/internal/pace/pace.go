// Package pace shortens the waits of a Keeper for tests in real time.
package pace

import "time"

// Most bounds each wait. Only tests set it, before they start a Keeper.
var Most time.Duration

// Of returns a wait, shortened where a test says so.
func Of(d time.Duration) time.Duration {
	if Most > 0 {
		return min(d, Most)
	}
	return d
}
