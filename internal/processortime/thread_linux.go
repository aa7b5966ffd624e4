package processortime

import (
	"syscall"
	"time"
	"unsafe"
)

// Thread returns the processor time of the calling thread so far, where the system reports it, and
// otherwise that of the process. The caller holds its thread by runtime.LockOSThread. getrusage would
// count whole ticks of the system.
func Thread() time.Duration {
	const clockOfThread = 3 // CLOCK_THREAD_CPUTIME_ID of clock_gettime(2)
	var t syscall.Timespec
	_, _, e := syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, clockOfThread,
		uintptr(unsafe.Pointer(&t)), 0)
	if e != 0 {
		return Used()
	}
	return time.Duration(t.Nano())
}
