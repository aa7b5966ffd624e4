//go:build !unix

package processortime

import "time"

// began is the time at which the program started.
var began = time.Now()

// Used returns the time since the program started, because these systems do not report processor
// time.
func Used() time.Duration { return time.Since(began) }
