//go:build long

package netsim_test

import "testing"

// In windows of 5,000 cycles.
func TestLongTransients(t *testing.T) { transients(t, 400, 5_000) }
