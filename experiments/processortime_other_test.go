//go:build !unix

package experiments

import "time"

var began = time.Now()

// processorTime is the time on the clock where the system tells no other.
func processorTime() time.Duration { return time.Since(began) }
