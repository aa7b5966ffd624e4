package sim

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"contend/allocation/mapping"
	"contend/experiments/config"
	"contend/experiments/config/configtest"
	"contend/experiments/metrics"
	"contend/internal/must"
	"contend/scheduler"
)

// A job alone is slowed by nobody, and at its contiguous place by nothing. At nodes of a subtree of
// their own, jobs are not slowed by each other. Scattered ones are, and by their places.
func TestSlowdownsOfJobsAlone(t *testing.T) {
	lone := togetherSpec("fft", "contiguous")
	lone.Workload.Background = configtest.Mix("idle")
	apart := togetherSpec("fft", "contiguous")
	for name, s := range map[string]config.Spec{"lone": lone, "apart": apart} {
		if _, ok := runOf(t, s)["slowdown_by_others"]; ok {
			t.Errorf("%s: slowdowns are measured unasked", name)
		}
		s.Alone = true
		r := runOf(t, s)
		wantMetrics(t, r, map[string]float64{"slowdown_by_others": 1, "slowdown_by_order": 1,
			"slowdown_by_placement": 1})
	}
	s := togetherSpec("fft", "scattered")
	s.Alone = true
	r := runOf(t, s)
	if r["slowdown_by_others"] < 1.1 || r["slowdown_by_placement"] < 1.1 {
		t.Errorf("scattered: slowed %v times by others and %v times by the place",
			r["slowdown_by_others"], r["slowdown_by_placement"])
	}
}

// The factors of a job are ratios of the times of four runs: with others, alone on its nodes, alone
// there in the order of node numbers, and alone on a contiguous place in that order. Their product
// is the ratio of the first time and the last one. A factor is 1 where both runs are the same, and
// these are simulated once. Runs that are made here for the times are independent of runs.alone:
// the mapping by rows has the order of node numbers. Machine, pattern, placement, mapping and seed
// are drawn.
func TestFactorsOfAJobAreThoseOfFourRuns(t *testing.T) {
	rng := rand.New(rand.NewPCG(59, 4))
	draw := func(list ...string) string { return list[rng.IntN(len(list))] }
	byOrder, byPlace, whole := 0, 0, 0
	for n := range 40 {
		s := config.DefaultSpec()
		s.Machine.Dims, s.Workload.Source = [][]int{{8, 4}, {4, 4, 2}, {5, 7}}[n%3], "together"
		nodes := []int{32, 32, 35}[n%3]
		s.Workload.Processes = []int{nodes, 8, 12}[n/3%3]
		s.Workload.Placement = configtest.Placement(draw("contiguous", "random", "scattered", "dealt"))
		s.Job.Pattern = configtest.Mix(draw("ring", "near-neighbour", "all-to-all", "n-body"))
		s.Job.Quota = config.QuotaSpec{Distribution: "fixed", Iterations: float64(1 + rng.IntN(4))}
		s.Job.Flits, s.Seed = 16, int64(rng.IntN(1000))
		s.Job.Mapping = draw(mapping.Allocated, mapping.Allocated, mapping.Random, mapping.Hilbert,
			mapping.Bisection)
		if s.Job.Mapping == mapping.Hilbert && n%3 > 0 {
			s.Job.Mapping = mapping.RowMajor
		}
		alone := func(name, placement string) float64 {
			of := s
			of.Workload.Background, of.Job.Mapping = configtest.Mix("idle"), name
			of.Workload.Placement = configtest.Placement(placement)
			return runOf(t, of)["service_time"]
		}
		placement := s.Workload.Placement.String()
		here, inOrder := alone(s.Job.Mapping, placement), alone(mapping.RowMajor, placement)
		contiguous := alone(mapping.Allocated, "contiguous")
		s.Alone = true
		sim, x := new(Simulator), &Extra{Records: withJobs}
		must.Have(configtest.Run(t.Context(), sim.Run, s, 0, x))
		rows := configtest.Rows(metrics.JobTable.Columns, metrics.JobTable.Rows(&x.Records))
		first := func(row map[string]float64) bool { return row["job"] == 1 }
		job := rows[slices.IndexFunc(rows, first)]
		want := []float64{job["service_time"] / here, here / inOrder, inOrder / contiguous}
		got := []float64{job["slowdown_by_others"], job["slowdown_by_order"],
			job["slowdown_by_placement"]}
		for i := range want {
			if !near(got[i], want[i]) {
				t.Errorf("%d %s %s %s: factors %v, want %v", n, s.Job.Pattern, placement, s.Job.Mapping, got,
					want)
				break
			}
		}
		if product := got[0] * got[1] * got[2]; !near(product, job["service_time"]/contiguous) {
			t.Errorf("%d: the product of %v is not %v over %v", n, got, job["service_time"], contiguous)
		}
		if got[1] != 1 {
			byOrder++
		}
		if got[2] != 1 {
			byPlace++
		}
		if s.Workload.Processes < nodes {
			continue
		}
		simulated := 2
		if s.Job.Mapping == mapping.RowMajor || s.Job.Mapping == mapping.Allocated &&
			(placement == "contiguous" || placement == "dealt") {
			simulated = 1 // processes are in the order of node numbers
		}
		whole++
		if times := len(sim.memos.aloneTimes.values); got[2] != 1 || times != simulated {
			t.Errorf("%d: its place makes a job of all nodes %v times as long; it was simulated alone %d "+
				"times, want %d", n, got[2], times, simulated)
		}
	}
	if byOrder < 10 || byPlace < 10 || whole < 10 {
		t.Errorf("of 40 jobs %d are slowed by the order, %d by the place, %d have all nodes: the test "+
			"sees little", byOrder, byPlace, whole)
	}
}

// The contiguous place of a job of any size is in the order of node numbers, the reference of
// slowdown_by_order.
func TestContiguousPlacesAreInOrder(t *testing.T) {
	for _, text := range []string{"mesh:16x8", "torus:5x7x3", "hypercube:5", "tree:4x3",
		"fat-tree:4x2", "dragonfly:a4h2p3g7", "hyperx:4x4"} {
		m := configtest.Machine(t, text)
		for size := 1; size <= m.Nodes(); size++ {
			if nodes := ContiguousNodes(m, size); len(nodes) != size || !slices.IsSorted(nodes) {
				t.Errorf("%s: %d nodes: %v", text, size, nodes)
			}
		}
	}
}

// jumpedSpec is six jobs of some hundred iterations at random nodes of a mesh, which are submitted
// within few cycles, so that schedules do not depend on service times.
func jumpedSpec(pattern string, seed int64, fastForward float64) config.Spec {
	s := config.DefaultSpec()
	s.Machine.Dims, s.Network.BufferFlits, s.Workload.Jobs = []int{10, 10}, 4, 6
	s.Workload.Side = scheduler.SideConfig{Distribution: "uniform", Min: 2, Max: 4}
	s.Workload.Interarrival = scheduler.Distribution{Kind: "exponential", Mean: 500}
	s.Job.Pattern, s.Job.Flits, s.Job.ComputeCycles = configtest.Mix(pattern), 16, 100
	s.Job.Quota = config.QuotaSpec{Distribution: "exponential", Iterations: 400}
	s.Scheduler.Policy, s.Allocator = "fcfs", "random"
	s.Seed, s.FastForward = seed, fastForward
	return s
}

// A job that meets no other takes as long as alone, also under a routing that draws for each
// packet: its draws are the same. Links have one virtual channel, so that no arbiter remembers
// earlier jobs.
func TestAJobThatMeetsNobodyDrawsAsAlone(t *testing.T) {
	s := jumpedSpec("all-to-all", 3, 0)
	s.Machine, s.Workload.Processors = configtest.Tree().Machine, 8
	s.Network.Routing, s.Workload.Jobs, s.Job.Quota.Iterations = "random", 5, 4
	s.Workload.Interarrival.Mean, s.Alone = 1e6, true
	_, x := rowsOf(t, s, withJobs)
	for _, v := range jobColumn(t, x, "slowdown_by_others") {
		if v != 1 {
			t.Errorf("%v times as long as alone, want 1", v)
		}
	}
}

// Slowdowns of jobs that jump over time are within their intervals of those of the full simulation,
// in 95 of 100 jobs if the intervals are right, and equal where nothing is an estimate.
func TestSlowdownsOfJobsThatJump(t *testing.T) {
	all, holds, means := 0, 0, 0
	for i, pattern := range []string{"ring", "n-body", "near-neighbour", "random", "one-to-all"} {
		s := jumpedSpec(pattern, int64(100+i), 0)
		s.Alone = true
		full, inFull := rowsOf(t, s, withJobs)
		s.FastForward = 0.02
		jumped, x := rowsOf(t, s, withJobs)
		for _, name := range []string{"slowdown_by_others", "slowdown_by_order",
			"slowdown_by_placement"} {
			got, halves := jobColumn(t, x, name), jobColumn(t, x, name+"_error")
			none := jobColumn(t, inFull, name+"_error")
			for j, want := range jobColumn(t, inFull, name) {
				off := math.Abs(got[j] - want)
				if halves[j] == 0 && off > 0 {
					t.Errorf("%s: %s of job %d is off by %v without an interval", pattern, name, j+1, off)
				}
				if halves[j] > 0 {
					all++
				}
				if halves[j] > 0 && off <= halves[j] {
					holds++
				}
				if !math.IsNaN(none[j]) {
					t.Errorf("%s: job %d that is simulated in full has an interval", pattern, j+1)
				}
			}
			half := jumped[name+"_error"]
			if name == "slowdown_by_others" {
				half = math.Hypot(half, jumped["service_time_error"])
			}
			if math.Abs(jumped[name]-full[name]) <= jumped[name]*half/100+1e-6 {
				means++
			}
		}
	}
	if all < 8 || holds < all*9/10 || means < 14 {
		t.Errorf("%d of %d slowdowns of jobs and %d of 15 means are within their intervals", holds, all,
			means)
	}
}

// slowdownsOf runs a spec and returns its slowdowns by "job by other", and the rows of the run.
func slowdownsOf(t *testing.T, s config.Spec, more metrics.Records) (map[string]float64, *Extra) {
	t.Helper()
	more.Slowdowns = true
	_, x := rowsOf(t, s, more)
	names, of := metrics.SlowdownTable.Names(), map[string]float64{}
	values := column(t, names, texts(x, metrics.SlowdownTable), "slowdown")
	beside, alone := column(t, names, texts(x, metrics.SlowdownTable), "time_beside"),
		column(t, names, texts(x, metrics.SlowdownTable), "time_alone")
	for i, row := range texts(x, metrics.SlowdownTable) {
		pair := row[0] + " by " + row[1]
		if _, again := of[pair]; again || !near(values[i]*alone[i], beside[i]) {
			t.Errorf("%s: again, or %v is not %v over %v", pair, values[i], beside[i], alone[i])
		}
		of[pair] = values[i]
	}
	return of, x
}

// near reports whether two numbers are equal but for the digits of a table.
func near(a, b float64) bool { return max(a-b, b-a) <= 1e-7*max(a, b) }

// listSpec is listed jobs on a mesh of 8x8 at random nodes, which also run alone.
func listSpec(t *testing.T, rows ...any) config.Spec {
	return specWith(t, map[string]any{"machine.dims": []any{int64(8), int64(8)},
		"workload.source": "list", "workload.list": rows, "allocator": "random", "job.flits": int64(16),
		"runs.alone": true})
}

// Of two jobs the slowdown by the other one is that by all others: the run with only these two is
// the run. It is drawn how they meet, and whether they do.
func TestTheOnlyOtherJobIsAllOthers(t *testing.T) {
	rng := rand.New(rand.NewPCG(48, 6))
	met, slowed := 0, 0
	for n := range 24 {
		rows := []any{}
		for range 2 {
			pattern := []string{"all-to-all", "ring", "n-body", "random", "near-neighbour"}[rng.IntN(5)]
			rows = append(rows, fmt.Sprintf("pattern = %s; processes = %d; iterations = %d; at = %d",
				pattern, 1<<(1+rng.IntN(5)), 1+rng.IntN(6), rng.IntN(600)))
		}
		s := listSpec(t, rows...)
		s.Seed = int64(n)
		s.Network.Routing = []string{"dimension-order", "minimal-adaptive"}[n%2]
		s.Network.VirtualChannels = 1 + n%2*2
		s.Network.BufferFlits = 2 + rng.IntN(9)
		s.Job.Mapping = []string{"allocated", "random"}[n/2%2]
		of, x := slowdownsOf(t, s, withJobs)
		starts, ends := jobColumn(t, x, "start"), jobColumn(t, x, "end")
		byOthers := jobColumn(t, x, "slowdown_by_others")
		if starts[0] >= ends[1] || starts[1] >= ends[0] {
			if len(of) > 0 {
				t.Errorf("%d: jobs that do not overlap have slowdowns %v", n, of)
			}
			continue
		}
		met++
		for i, row := range texts(x, metrics.JobTable) {
			other := texts(x, metrics.JobTable)[1-i][0]
			got, ok := of[row[0]+" by "+other]
			if !ok || !near(got, byOthers[i]) {
				t.Errorf("%d %v: job %s is slowed %v times by job %s, and %v times by all others", n, rows,
					row[0], got, other, byOthers[i])
			}
			if got > 1 {
				slowed++
			}
		}
	}
	if met < 12 || slowed < 6 {
		t.Errorf("%d of 24 pairs overlap, and %d jobs are slowed: the test sees little", met, slowed)
	}
}

// What a job takes beside another one does not depend on a third job that comes later. Jobs of
// trees in subtrees of their own share no channel, and take exactly as long as alone.
func TestPairsAreLeftToThemselves(t *testing.T) {
	rows := []any{"pattern = all-to-all; processes = 24; iterations = 2",
		"pattern = ring; processes = 16; iterations = 60; at = 100"}
	two, _ := slowdownsOf(t, listSpec(t, rows...), metrics.Records{})
	three, _ := slowdownsOf(t, listSpec(t, append(rows,
		"pattern = n-body; processes = 16; iterations = 20; at = 200")...), metrics.Records{})
	if len(two) != 2 || len(three) != 6 || two["2 by 1"] <= 1 || three["2 by 3"] <= 1 {
		t.Fatalf("two jobs: %v, three: %v", two, three)
	}
	for pair, v := range two {
		if three[pair] != v {
			t.Errorf("%s: %v, and with a third job in the run %v", pair, v, three[pair])
		}
	}
	s := togetherSpec("npb-mg", "contiguous")
	s.Workload.Jobs = 4
	apart, _ := slowdownsOf(t, s, metrics.Records{})
	if len(apart) != 4*3 {
		t.Errorf("%d slowdowns of 4 jobs", len(apart))
	}
	for pair, v := range apart {
		if v != 1 {
			t.Errorf("in subtrees of their own: job %s %v times", pair, v)
		}
	}
}

// Two jobs are simulated once for all runs in which they are on the same nodes at the same distance
// in time, and again where one starts later.
func TestEqualPairsAreSimulatedOnce(t *testing.T) {
	shared := new(Simulator)
	run := func(s *Simulator, at string) [][]string {
		spec := listSpec(t, "pattern = all-to-all; processes = 24; iterations = 2",
			"pattern = ring; processes = 16; iterations = 60; at = "+at)
		x := &Extra{Records: metrics.Records{Slowdowns: true}}
		must.Have(configtest.Run(t.Context(), s.Run, spec, 0, x))
		return texts(x, metrics.SlowdownTable)
	}
	for i, at := range []string{"100", "100", "900"} {
		got, want := run(shared, at), run(new(Simulator), at)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("run %d, at %s, after others: %s", i, at, diff)
		}
		if n := len(shared.memos.pairTimes.values); n != max(1, i) {
			t.Errorf("%d pairs are simulated up to run %d", n, i)
		}
	}
}

// Packets of a big job wait longest for others in sum, and it is slowed least: it has most packets.
// A small job that does nothing but send to its neighbours is slowed most.
func TestSlowdownsShowWhatSumsHide(t *testing.T) {
	s := listSpec(t, "pattern = all-to-all; processes = 40; iterations = 4",
		"pattern = ring; processes = 8; iterations = 200",
		"pattern = n-body; processes = 8; iterations = 100")
	of, x := slowdownsOf(t, s, metrics.Records{Interference: true})
	names, waits := metrics.InterferenceTable.Names(), map[string]float64{}
	held := column(t, names, texts(x, metrics.InterferenceTable), "held_cycles")
	behind := column(t, names, texts(x, metrics.InterferenceTable), "behind_cycles")
	for i, row := range texts(x, metrics.InterferenceTable) {
		if row[1] != "" && row[0] != row[1] {
			waits[row[0]] += held[i] + behind[i]
		}
	}
	if waits["1"] <= waits["2"] || waits["1"] <= waits["3"] {
		t.Errorf("jobs wait %v: the big one does not wait longest", waits)
	}
	small := min(of["2 by 1"], of["3 by 1"])
	if big := max(of["1 by 2"], of["1 by 3"]); big > 1.1 || small < 1.3 {
		t.Errorf("the big job is slowed at most %v times, the small ones at least %v times", big, small)
	}
}

// In a run that ends with the first job, that one has slowdowns by the others, which have none.
// With two jobs it is that by all others.
func TestSlowdownsByABackground(t *testing.T) {
	s := togetherSpec("npb-mg", "scattered")
	s.Workload.Background, s.Alone, s.Workload.Jobs = configtest.Mix("ring"), true, 4
	of, x := slowdownsOf(t, s, withJobs)
	if len(of) != 3 || of["1 by 4"] == 0 {
		t.Errorf("%v", of)
	}
	patterns := texts(x, metrics.SlowdownTable)[0][2:4]
	if !slices.Equal(patterns, []string{"npb-mg", "ring"}) {
		t.Errorf("of patterns %v", patterns)
	}
	s.Workload.Jobs = 2
	of, x = slowdownsOf(t, s, withJobs)
	if byOthers := jobColumn(t, x, "slowdown_by_others")[0]; byOthers <= 1 ||
		!near(of["1 by 2"], byOthers) || len(of) != 1 {
		t.Errorf("%v, by all others %v", of, byOthers)
	}
}

// Runs whose jobs have no slowdowns by single jobs are refused.
func TestSlowdownsAreRefused(t *testing.T) {
	fixed, jumping := config.DefaultSpec(), jumpedSpec("ring", 1, 0.02)
	fixed.Job.Run = config.RunFixed
	traffic := specWith(t, map[string]any{"workload.source": "traffic"})
	failing := failingPlan(t, nil, "nodes = 1; at = 5; for = 7")
	wanted := &metrics.Records{Slowdowns: true}
	for want, plan := range map[string]*config.Plan{
		"job.run is fixed":            configtest.Plan(t, fixed),
		"runs.fast_forward is 0.02":   configtest.Plan(t, jumping),
		"workload.source is traffic":  configtest.Plan(t, traffic),
		"machine.failures has failur": failing,
	} {
		if err := CheckJumps(plan, wanted); !contains(err, want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// A message of 8 MiB alone on a switch takes the time without control under all of them, with the
// defaults of networks of today.
func TestFlowsAloneOnNetworksOfToday(t *testing.T) {
	for _, preset := range []string{"ndr", "ethernet-400", "slingshot-11"} {
		var want float64
		for _, control := range []string{"none", "dcqcn", "ib-cca", "throttle"} {
			m := runOf(t, specWith(t, map[string]any{"network.preset": preset,
				"machine.topology": "tree", "machine.arity": int64(8), "machine.levels": int64(1),
				"network.source_queues": "destination", "network.congestion_control": control,
				"workload.source": "together", "workload.processes": int64(2),
				"workload.placement": "contiguous", "job.pattern": "incast", "job.flits": "8 MiB",
				"job.quota.iterations": int64(1), "runs.replications": int64(1)}))
			if control == "none" {
				want = m["service_time"]
			}
			if got := m["service_time"]; got != want {
				t.Errorf("%s: %v cycles under %s, %v without control", preset, got, control, want)
			}
		}
	}
}

// The geometric mean of service times is that of the rows of jobs, where they have several patterns.
func TestGeometricMeanOfServiceTimes(t *testing.T) {
	for _, pattern := range []string{"ring+one-to-all", "ring"} {
		s := jumpedSpec(pattern, 5, 0)
		got, x := rowsOf(t, s, withJobs)
		product, n := 1.0, 0
		for _, v := range jobColumn(t, x, "service_time") {
			product, n = product*v, n+1
		}
		want := math.Pow(product, 1/float64(n))
		if v, ok := got["service_time_geomean"]; ok != (pattern != "ring") || n < 6 ||
			ok && math.Abs(v/want-1) > 1e-9 {
			t.Errorf("%s: geometric mean %v of %d jobs, %v, want %v", pattern, v, n, ok, want)
		}
	}
}
