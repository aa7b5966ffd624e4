package sim

import (
	"math"
	"testing"

	"contend/experiments/config/configtest"
)

// With self messages each of 16 nodes gets a 16th of its own messages, which cross no network
// channel.
func TestSelfMessages(t *testing.T) {
	s := configtest.Traffic()
	s.Workload.WindowCycles = 60000
	others := runOf(t, s)["mean_hops"]
	s.Workload.SelfMessages = true
	all := runOf(t, s)["mean_hops"]
	if math.Abs(others-8.0/3) > 0.03 || math.Abs(all-2.5) > 0.03 {
		t.Errorf("uniform traffic crosses %.3f channels, and %.3f with messages to itself, want 8/3 "+
			"and 5/2", others, all)
	}
	s.Workload.Traffic = "transpose"
	created := runOf(t, s)["created_load"]
	s.Workload.SelfMessages = false
	silent := runOf(t, s)["created_load"]
	if math.Abs(created-0.1) > 0.004 || math.Abs(silent-0.075) > 0.004 {
		t.Errorf("transpose creates %.4f flits, %.4f without the diagonal, want 0.1 and 0.075", created,
			silent)
	}
}
