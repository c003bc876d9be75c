//go:build unix

package bench

import (
	"syscall"
	"time"
)

// cpuTime is the CPU time of this process, so that others on the machine do not count.
func cpuTime() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
