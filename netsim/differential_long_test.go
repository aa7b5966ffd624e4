//go:build long

package netsim_test

import (
	"testing"

	"pgregory.net/rapid"
)

// Headers that request the switch in vain have a way of sending of their own.
func TestLongSpeculativeRequestsAgreeWithReference(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		c := drawConfig(r)
		c.SpeculativeRequests, c.InputSpeedup = true, max(c.InputSpeedup, 1)
		compare(r, scenarioOf(r, c))
	})
}
