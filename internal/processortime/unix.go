//go:build unix

// Package processortime measures the processor time of this process. On a shared machine elapsed
// time would also count the work of other processes.
package processortime

import (
	"syscall"
	"time"
)

// Used returns the processor time of this process so far, user and system time together.
func Used() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
