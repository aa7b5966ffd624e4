//go:build !unix

package processortime

import "time"

var began = time.Now()

// Used is the time on the clock where the system tells no other.
func Used() time.Duration { return time.Since(began) }
