package experiments

import (
	"context"
	"math"
	"sync"
	"testing"

	"gonum.org/v1/gonum/stat"

	"contend/experiments/config"
	"contend/experiments/config/configtest"
	"contend/experiments/metrics"
	"contend/experiments/sim"
	"contend/experiments/study"
	"contend/internal/must"
	"contend/netsim"
	"contend/router/topology"
)

// Reference: Lo, Windisch, Liu, Nitzberg, CIS-TR-94-11, 1994, sec. 5: round-trip
// times on a Paragon. The paper draws them and prints none, so each sentence
// about them is a test.

// paragonPoint is a point of the study paragon-contend.
type paragonPoint struct {
	system       string
	flits, pairs int
}

// flitsPerKB is the number of flits of 2 bytes in a kilobyte.
const flitsPerKB = 512

// paragonResults runs the study once for all tests.
var paragonResults = sync.OnceValue(func() map[paragonPoint]metrics.Result {
	st := must.Have(study.Load("paragon-contend", config.Builtin()))
	results := map[paragonPoint]metrics.Result{}
	var simulator sim.Simulator
	for _, p := range must.Have(st.Points()) {
		results[paragonPoint{p.Variant, p.Spec.Job.Flits, p.Spec.Workload.Jobs}] = must.Have(
			configtest.Run(context.Background(), simulator.Run, p.Spec, 0, nil))
	}
	return results
})

// paragon returns a metric of a point.
func paragon(t *testing.T, metric, system string, flits, pairs int) float64 {
	t.Helper()
	r := paragonResults()[paragonPoint{system, flits, pairs}]
	return configtest.Value(t, &r, metric)
}

// slowdown is the time of a round trip with a number of pairs over that with one.
func slowdown(t *testing.T, system string, flits, pairs int) float64 {
	t.Helper()
	return paragon(t, "round_trip_time", system, flits, pairs) / paragon(t, "round_trip_time",
		system, flits, 1)
}

// paragonSizes are the lengths of the messages of the study, in flits.
var paragonSizes = []int{1, 128, 256, 512, 1024, 2048, 4096, 8192, 12288, 16384, 24576, 32768}

// "virtually no contention is noticeable (RPC times are flat) through six pairs
// of communicating nodes": six ask for 180 of 175 MB/s, 2.9% too much. "Starting with seven pairs,
// contention begins to slow message-passing performance, but only for messages larger than 16
// kilobytes." Under SUNMOS "the effects of contention are significant with only two pairs of
// communicating nodes". "However, small messages (less than one kilobyte) appear to be little
// effected by contention, even with nine pairs of communicating nodes."
func TestParagonContention(t *testing.T) {
	flat := map[int]float64{2: 1.005, 3: 1.005, 4: 1.005, 5: 1.01, 6: 1.05}
	check := func(system string, flits, pairs int, least, most float64) {
		t.Helper()
		if got := slowdown(t, system, flits, pairs); got < least || got > most {
			t.Errorf("%s, %d flits: %d pairs take %.3f times as long as one, want %v to %v", system,
				flits, pairs, got, least, most)
		}
	}
	for _, flits := range paragonSizes {
		for pairs, most := range flat {
			check("Paragon OS", flits, pairs, 1, most)
		}
		switch {
		case flits < 16*flitsPerKB:
			check("Paragon OS", flits, 7, 1, 1.03)
		case flits > 16*flitsPerKB:
			check("Paragon OS", flits, 7, 1.1, math.Inf(1))
			for pairs := 7; pairs <= 9; pairs++ {
				check("Paragon OS", flits, pairs, 0.05+slowdown(t, "Paragon OS", flits, pairs-1),
					math.Inf(1))
			}
		}
		if flits >= 16*flitsPerKB {
			check("SUNMOS", flits, 2, 1.3, math.Inf(1))
		}
		for _, system := range []string{"Paragon OS", "SUNMOS"} {
			if flits <= flitsPerKB {
				check(system, flits, 9, 1, 1.02)
			}
		}
	}
}

// They "increase linearly with the number of pairs". The slowest pair has waited
// for all others, so its time grows by that of a message on the link.
func TestSUNMOSGrowsLinearly(t *testing.T) {
	for _, flits := range []int{32 * flitsPerKB, 64 * flitsPerKB} {
		for metric, want := range map[string]float64{"round_trip_time": 0.56,
			"slowest_round_trip_time": 1.03} {
			var x, y []float64
			for pairs := 2; pairs <= 9; pairs++ {
				x = append(x, float64(pairs))
				y = append(y, paragon(t, metric, "SUNMOS", flits, pairs))
			}
			alpha, slope := stat.LinearRegression(x, y, nil, false)
			r2 := stat.RSquared(x, y, nil, alpha, slope)
			slope /= float64(2*flits) / 175 // microseconds of the message on the link
			if math.Abs(slope-want) > 0.04 || r2 < 0.99 {
				t.Errorf("%s, %d flits: every pair adds %.3f times a message's time on the link "+
					"(R² %.4f), want %v (0.99)", metric, flits, slope, r2, want)
			}
		}
	}
}

// Unlike the paper's words have it, that is nothing about small messages: they
// contend as large ones do once the software takes no time.
func TestSmallMessagesContendWithoutSoftware(t *testing.T) {
	s := must.Have(study.Load("paragon-contend", config.Builtin())).Base
	s.Job.Flits, s.Job.ComputeCycles, s.Network.InjectionFlitCycles = flitsPerKB, 0, 2*175./170
	trip := map[int]float64{}
	for _, s.Workload.Jobs = range []int{1, 9} {
		r := configtest.MustRun(t, new(sim.Simulator).Run, s, 0)
		trip[s.Workload.Jobs] = configtest.Value(t, r, "round_trip_time")
	}
	if got := trip[9] / trip[1]; got < 5 {
		t.Errorf("nine pairs take %.2f times as long as one, want at least 5", got)
	}
}

// "pairing nodes from the middle outward ... all messages must traverse the
// network link in the center": pair i is 2i-1 channels apart, and the middle
// channel carries every message.
func TestPairsShareTheMiddleLink(t *testing.T) {
	const calls = 20
	s := must.Have(study.Load("paragon-contend", config.Builtin())).Base
	for pairs := 1; pairs <= 9; pairs++ {
		s.Workload.Jobs = pairs
		extra := &sim.Extra{Records: metrics.Records{Links: true}}
		r := must.Have(configtest.Run(context.Background(), new(sim.Simulator).Run, s, 0, extra))
		if got := configtest.Value(t, &r, "mean_hops"); got != float64(pairs) {
			t.Errorf("%d pairs: %v hops, want the mean of 1, 3, 5, ...", pairs, got)
		}
		for _, row := range extra.LinkRows {
			want := map[[2]topology.Router]int64{{8, 9}: calls * int64(pairs) * flitsPerKB,
				{9, 8}: calls * int64(pairs)}[[2]topology.Router{row.From, row.To}]
			if row.Kind == "network" && want > 0 && row.Flits != want {
				t.Errorf("%d pairs: from %d to %d %d flits, want %d", pairs, row.From, row.To, row.Flits,
					want)
			}
		}
	}
}

// One pair's round trip is the zero-load latency of message and reply, and the
// software's time before each but the first.
func TestRoundTripOfOnePair(t *testing.T) {
	c := netsim.Default(must.Have(topology.NewCube(topology.CubeConfig{Dims: []int{18}})))
	c.FlitCycles, c.RoutingCycles, c.BufferFlits = 2, 6, 1
	for system, software := range map[string]float64{"Paragon OS": 100, "SUNMOS": 70} {
		for _, flits := range []int{1, 128, 512} { // a packet each
			want := float64(c.ZeroLoadLatency(1, flits)+c.ZeroLoadLatency(1, 1))/175 +
				software*39/20
			for _, metric := range []string{"round_trip_time", "slowest_round_trip_time"} {
				if got := paragon(t, metric, system, flits, 1); math.Abs(got-want) > 1e-9*want {
					t.Errorf("%s, %d flits: %s %v, want %v", system, flits, metric, got, want)
				}
			}
		}
	}
	// Longer messages come at the node's own rate.
	for system, rate := range map[string]float64{"Paragon OS": 30, "SUNMOS": 170} {
		more := paragon(t, "round_trip_time", system, 64*flitsPerKB, 1) - paragon(t,
			"round_trip_time", system, 32*flitsPerKB, 1)
		if got := 32 * 1024 / more; math.Abs(got-rate) > rate/500 {
			t.Errorf("%s: %.2f MB/s, want %v", system, got, rate)
		}
	}
}

// Of three pairs on a machine for two, the last one has the link to itself, so
// the slowest is not the last to end. Mean and slowest are those of the jobs.
func TestRoundTripsAreThoseOfTheJobs(t *testing.T) {
	s := must.Have(study.Load("paragon-contend", config.Builtin())).Base
	s.Machine.Dims, s.Workload.Jobs, s.Job.Flits = []int{4}, 3, 64*flitsPerKB
	extra := &sim.Extra{Records: metrics.Records{Jobs: true}}
	r := must.Have(configtest.Run(context.Background(), new(sim.Simulator).Run, s, 0, extra))
	var sum, slowest, last float64
	for _, job := range configtest.Rows(metrics.JobTable.Columns,
		metrics.JobTable.Rows(&extra.Records)) {
		last = (job["end"] - job["start"]) / 20
		sum, slowest = sum+last, max(slowest, last)
	}
	if got := configtest.Value(t, &r, "round_trip_time"); math.Abs(got-sum/3) > 1e-9*sum {
		t.Errorf("round_trip_time %v, want %v", got, sum/3)
	}
	got := configtest.Value(t, &r, "slowest_round_trip_time")
	if math.Abs(got-slowest) > 1e-9*slowest || last > 0.9*slowest {
		t.Errorf("slowest_round_trip_time %v, want %v, more than the last one's %v", got, slowest,
			last)
	}
	if got := metrics.UnitOf("round_trip_time", &s); got != "time units" {
		t.Errorf("the unit is %q, where job.cycles_per_second gives another", got)
	}
}
