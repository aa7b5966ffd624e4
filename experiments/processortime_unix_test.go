//go:build unix

package experiments

import (
	"syscall"
	"time"
)

// processorTime is the time for which processors have worked for this process, which does not
// count the time for which others have them.
func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
