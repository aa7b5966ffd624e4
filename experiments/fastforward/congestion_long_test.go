//go:build long

package fastforward

import "testing"

func TestLongJobsJumpUnderCongestionControl(t *testing.T) { jumpControlled(t, 5, 600) }
