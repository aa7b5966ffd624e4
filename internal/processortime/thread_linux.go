package processortime

import "time"

// Thread returns the processor time of the calling thread so far, where the system reports it, and
// otherwise that of the process. The caller holds its thread by runtime.LockOSThread.
func Thread() time.Duration {
	const rusageThread = 1 // RUSAGE_THREAD of getrusage(2)
	return of(rusageThread)
}
