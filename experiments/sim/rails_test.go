package sim

import (
	"math"
	"testing"

	"contend/experiments/config/configtest"
)

// Jobs whose messages take the rail of their destination, or that of their hosts, jump: they meet on
// the links of every rail, so they end near the cycle of the full simulation and have sent the same
// messages. Where the rail of a message depends on more than its nodes, jumps are refused.
func TestJumpsOverRails(t *testing.T) { jumpsOverRails(t, 1) }

func jumpsOverRails(t *testing.T, seeds int64) {
	keys := func(rail string, seed int64, jump float64) map[string]any {
		return map[string]any{"machine.topology": "fat-tree:4x4:1:r2", "network.rail": rail,
			"network.class_flit_cycles": []any{int64(3)}, "network.cycle": "1 ns",
			"network.virtual_channels": int64(2), "allocator": "random", "runs.seed": seed,
			"runs.fast_forward": jump, "workload.source": "list",
			"workload.list": []any{
				"pattern = ring; processes = 5; iterations = 60",
				"pattern = all-to-all; processes = 4; iterations = 40",
				"pattern = all-reduce-doubling; processes = 6; iterations = 50"}}
	}
	saved := int64(0)
	for _, rail := range []string{"destination", "host"} {
		for seed := range seeds {
			full := runOf(t, specWith(t, keys(rail, seed, 0)))
			jumped := runOf(t, specWith(t, keys(rail, seed, 0.05)))
			for _, name := range []string{"service_time", "finish_time"} {
				if off := jumped[name]/full[name] - 1; math.Abs(off) > 0.02 {
					t.Errorf("%s, seed %d: %s is off by %.3f", rail, seed, name, off)
				}
			}
			if jumped["messages"] != full["messages"] {
				t.Errorf("%s, seed %d: %v messages, in full %v", rail, seed, jumped["messages"],
					full["messages"])
			}
			if jumped["time_jumped"] > 50 {
				saved++
			}
		}
	}
	if saved < (4*seeds+2)/3 {
		t.Errorf("in %d of %d runs most of the time is jumped over", saved, 2*seeds)
	}
	for _, rail := range []string{"round-robin", "pair"} {
		s := specWith(t, keys(rail, 1, 0.05))
		if err := configtest.Check(new(Simulator), s); !contains(err, "depends on more") {
			t.Errorf("%s: %v", rail, err)
		}
	}
}
