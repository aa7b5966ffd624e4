package sim

import (
	"math"
	"testing"

	"contend/experiments/config/configtest"
)

// The entry latency and the entry blocking time of a run are the means of those of its jobs over
// packets, and of a job both exceed the network's own by the same wait for a slot in the router.
func TestEntryTimesOfJobsMakeThoseOfTheRun(t *testing.T) {
	s := configtest.Net(8, 8, 8)
	s.Allocator, s.Workload.Jobs, s.Job.Flits = "random", 60, 24
	m, x := rowsOf(t, s, withJobs)
	const rounded = 0.0005 // half of the last digit of a time in a row
	packets := jobColumn(t, x, "packets")
	var all float64
	for _, n := range packets {
		all += n
	}
	entry := map[string]float64{}
	for _, name := range []string{"entry_latency", "entry_blocking_time", "network_latency",
		"packet_blocking_time"} {
		sum := 0.0
		for i, v := range jobColumn(t, x, name) {
			if packets[i] > 0 {
				sum += v * packets[i]
			}
		}
		entry[name] = sum / all
		if math.Abs(entry[name]-m[name]) > rounded || !(m[name] > 0) {
			t.Errorf("%s: jobs make %v, the run has %v", name, entry[name], m[name])
		}
	}
	wait := entry["entry_latency"] - entry["network_latency"]
	if other := entry["entry_blocking_time"] - entry["packet_blocking_time"]; !(wait > 0) ||
		math.Abs(wait-other) > 2*rounded {
		t.Errorf("latencies differ by %v, blocking times by %v", wait, other)
	}
	waits := jobColumn(t, x, "entry_blocking_time")
	for i, blocked := range jobColumn(t, x, "packet_blocking_time") {
		if waits[i] < blocked {
			t.Errorf("job %d: entry_blocking_time %v, packet_blocking_time %v", i, waits[i], blocked)
		}
	}
}
