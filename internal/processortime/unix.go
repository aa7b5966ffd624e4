//go:build unix

// Package processortime is for machines that others use too: it tells the time for which
// processors have worked for this process.
package processortime

import (
	"syscall"
	"time"
)

// Used is the time for which processors have worked for this process, which does not
// count the time for which others have them.
func Used() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
