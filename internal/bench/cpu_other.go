//go:build !unix

package bench

import "time"

var start = time.Now()

func cpuTime() time.Duration { return time.Since(start) }
