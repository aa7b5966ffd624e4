package fastforward

import (
	"math"
	"slices"
	"testing"

	"contend/experiments/sim/executor"
	"contend/internal/must"
	"contend/patterns"
	"contend/router/topology"
	"contend/scheduler"
)

// A trajectory of 100 simulated cycles is used for 600. Its messages load the links as the
// simulated ones did, and its rates are used for 500 cycles, with their variance.
func TestAccountOfAJump(t *testing.T) {
	e := &Executor{now: 1600, isolated: &isolatedSimulation{},
		sums: runSums{linkFlits: make([]float64, 5)}}
	k := &jobState{total: 1000, perIteration: 10, origin: 1000, variance: 9}
	known := &knowledge{cyclesSince: 40}
	c := &component{start: 1000, jobs: []*jobState{k}, trajectory: &trajectory{
		simulated: 100, steady: true, knowledge: known, period: 100,
		pool:  pool{windows: 2, sumL: 200, sumLS: 200, sumL2S: 20000},
		links: []linkUse{{3, 200}, {4, 40}}, flits: 160,
		progress: []progress{{iterationEnds: []int64{100}, arrivedAtStop: 10, stopTime: 100,
			anchor: 100, anchorMessages: 10, endTime: -1,
			estimate: estimate{rate: 0.1, halfWidth: 0.02, squares: 0.01,
				perMessage: messageSums{messages: 1, flits: 16}}}}}}
	e.endTrajectory(c)
	// 10 messages and 500 cycles at 0.1; 960 flits, of which 160 were simulated.
	if math.Abs(k.done-60) > 1e-9 || k.base != 60 || k.stream != 1 {
		t.Errorf("%v messages, %d in whole iterations, %d trajectories", k.done, k.base, k.stream)
	}
	if want := []float64{0, 0, 0, 1200, 240}; !slices.Equal(e.sums.linkFlits, want) {
		t.Errorf("flits of links %v, want %v", e.sums.linkFlits, want)
	}
	// The variance of the rate, 0.0001, counts half for the mean of two windows, and a fifth for the
	// phases in five periods. A block of an iteration takes 12.5 cycles.
	if math.Abs(k.variance-(9+500*500*0.0001/2+12.5*12.5/12)) > 1e-9 ||
		math.Abs(k.drift.variance-500*500*0.0001*0.2) > 1e-9 || e.sums.jumpedCycles != 500 ||
		e.sums.exactCycles != 0 {
		t.Errorf("a variance of %v, jumped %v, exactly %v", k.variance, e.sums.jumpedCycles,
			e.sums.exactCycles)
	}
	if known.cyclesSince != 540 {
		t.Errorf("the rates have been used for %v cycles, want 540", known.cyclesSince)
	}
}

// A job ends when all messages that it has not sent before have arrived at its rate.
func TestEndOfAJob(t *testing.T) {
	rate := estimate{rate: 0.1}
	for _, c := range []struct {
		base, total int64
		progress    progress
		want        int64
	}{
		{0, 100, progress{anchor: 50, anchorMessages: 10, estimate: rate, endTime: -1}, 950},
		{20, 100, progress{anchor: 50, anchorMessages: 10, estimate: rate, endTime: -1}, 750},
		{90, 100, progress{anchor: 50, anchorMessages: 10, estimate: rate, endTime: -1}, 50},
		{20, 100, progress{anchor: 50, anchorMessages: 10, estimate: rate, endTime: 700}, 700},
		{0, 100, progress{endTime: -1}, math.MaxInt64 / 4},
	} {
		if got := c.progress.endOf(&jobState{base: c.base, total: c.total}); got != c.want {
			t.Errorf("%+v: %d, want %d", c, got, c.want)
		}
	}
}

// A job is over in the cycle in which its trajectory ends it, whatever the rounding of its rate has
// lost by then. If a fraction of a message were left, it would end in the same cycle for ever.
func TestJobsAreOverWhereTheyEnd(t *testing.T) {
	for _, k := range []struct {
		total int64
		rate  float64
	}{
		{50_000, 50_000 / 1000.0000005},
		{3_000_000_000_007, 29.7},
		{7_777_777_777_777_777, 0.3},
	} {
		e := &Executor{isolated: &isolatedSimulation{}, sums: runSums{linkFlits: make([]float64, 1)}}
		j := &jobState{total: k.total, perIteration: 1}
		c := &component{jobs: []*jobState{j}, trajectory: &trajectory{steady: true,
			progress: []progress{{estimate: estimate{rate: k.rate, halfWidth: 0.01}, endTime: -1}}}}
		e.now = c.trajectory.progress[0].endOf(j)
		if e.endTrajectory(c); j.done != float64(k.total) {
			t.Errorf("%d messages at %v a cycle: %v are left in the last cycle", k.total, k.rate,
				float64(k.total)-j.done)
		}
	}
}

// Only the same programs at the same places share a name, and so recall rates.
func TestNamesOfComponents(t *testing.T) {
	name := func(change func(k *jobState)) string {
		k := &jobState{job: scheduler.Job{ID: 1, Pattern: 1, Compute: 7, Shape: []int{2, 2}, Seed: 3},
			nodes: []topology.Node{1, 2, 5, 6}, total: 90}
		change(k)
		return (&component{jobs: []*jobState{k}}).key()
	}
	same := name(func(*jobState) {})
	for field, change := range map[string]func(k *jobState){
		"pattern": func(k *jobState) { k.job.Pattern = 2 },
		"compute": func(k *jobState) { k.job.Compute = 8 },
		"shape":   func(k *jobState) { k.job.Shape = []int{4, 1} },
		"no shape": func(k *jobState) {
			k.job.Shape = nil
		},
		"nodes":         func(k *jobState) { k.nodes[3] = 9 },
		"order of them": func(k *jobState) { slices.Reverse(k.nodes) },
	} {
		if name(change) == same {
			t.Errorf("another %s has the same name", field)
		}
	}
	if name(func(k *jobState) { k.job.ID, k.job.Seed, k.total, k.done = 5, 9, 70, 60 }) != same {
		t.Error("equal programs at equal places have different names")
	}
}

// Each trajectory of a job draws other messages, and the same trajectory always the same.
func TestTrajectoriesDrawAnew(t *testing.T) {
	mix := []patterns.Config{{Name: "random", Flits: 16}}
	follow := func(draws uint64) []int64 {
		e := New(grid(t, 4), mix, clock, Config{Tolerance: 1e-9},
			executor.Software{})
		j := scheduler.Job{ID: 1, Size: 8, Seed: 5, Quota: 4000}
		e.Start(&j, []topology.Node{0, 1, 2, 3, 8, 9, 10, 11})
		e.components[0].jobs[0].stream = draws
		c := must.Have(e.isolated.follow(e.components[0], 2000))
		return c.progress[0].blockEnds
	}
	first, again, next := follow(0), follow(0), follow(1)
	if len(first) < 8 || !slices.Equal(first, again) {
		t.Errorf("the same trajectory takes %v and %v", first, again)
	}
	if slices.Equal(first, next) {
		t.Errorf("two trajectories take %v", first)
	}
}

// Where jobs have iterations of different lengths, an interval of the faster one is made of times
// no shorter than an iteration of the slowest: differences within its beat are no variance.
func TestBatchesAreNoShorterThanTheSlowest(t *testing.T) {
	k := &jobState{perIteration: 1}
	times := []int64{0}
	for i := range 32 { // four beats of eight iterations
		times = append(times, times[i]+10+int64(i%8)*5)
	}
	g := progress{iterationEnds: times, blockEnds: times}
	if g.estimateRate(k, 4, 0.95); g.halfWidth != 0 || math.Abs(g.rate-8.0/220) > 1e-12 {
		t.Errorf("four beats that are alike: rate %v, half %v", g.rate, g.halfWidth)
	}
	if g.estimateRate(k, 16, 0.95); g.halfWidth == 0 {
		t.Error("iterations that differ within a beat have no scatter where the slowest is as fast")
	}
}

// A component may begin where iterations end. Messages of the iterations before and after that
// moment count alike.
func TestIterationThatEndsWhereAComponentBegins(t *testing.T) {
	e := jumping(t, 4, 0.05)
	const ring, messages = 4, 4
	job := func() *component {
		k := &jobState{job: scheduler.Job{ID: 1, Size: messages, Pattern: ring},
			nodes: []topology.Node{0, 1, 5, 4}, config: mixed[ring], perIteration: messages,
			total: 1000 * messages}
		must.Have(0, e.findLinks(k))
		return &component{jobs: []*jobState{k}}
	}
	first := must.Have(e.isolated.follow(job(), 1e6))
	for late := range int64(3) {
		c := job()
		c.start = first.progress[0].iterationEnds[0] + late - 1
		trajectory := must.Have(e.isolated.follow(c, 1e6))
		want := first.progress[0].perMessage
		if got := trajectory.progress[0].perMessage; got != want || want[packets] != 1 {
			t.Errorf("a component that begins in cycle %d: %+v a message, want %+v", c.start, got, want)
		}
	}
}
