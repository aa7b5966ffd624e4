package fastforward

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"contend/experiments/sim/executor"
	"contend/internal/laws"
	"contend/internal/must"
	"contend/netsim"
	"contend/patterns"
	"contend/router"
	"contend/router/topology"
	"contend/scheduler"
)

// Only what nothing is left of between two iterations repeats exactly.
func TestRegenerates(t *testing.T) {
	phases, drawn := patterns.Config{Name: "ring"}, patterns.Config{Name: "random"}
	code := patterns.Config{Name: "npb-cg"}
	for _, c := range []struct {
		name    string
		pattern patterns.Config
		pause   int64
		set     func(c *netsim.Config)
		draws   bool
		want    bool
	}{
		{"phases", phases, 0, func(*netsim.Config) {}, false, true},
		{"drawn ways", phases, 0, func(*netsim.Config) {}, true, false},
		{"drawn receivers", drawn, 0, func(*netsim.Config) {}, false, false},
		{"a code", code, 0, func(*netsim.Config) {}, false, false},
		{"slow links", phases, 1, func(c *netsim.Config) { c.FlitCycles = 3 }, false, false},
		{"slow links and a pause", phases, 2, func(c *netsim.Config) { c.FlitCycles = 3 }, false, true},
		{"slow credits", phases, 4, func(c *netsim.Config) { c.CreditCycles = 6 }, false, false},
		{"two channels", phases, 9, func(c *netsim.Config) { c.VirtualChannels = 2 }, false, false},
		{"round-robin", phases, 9,
			func(c *netsim.Config) { c.Arbiter = router.RoundRobin }, false, false},
	} {
		machine := must.Have(topology.NewCube(topology.CubeConfig{Dims: []int{2, 2}}))
		config := netsim.Default(machine)
		c.set(&config)
		n := must.Have(netsim.New(config))
		e := New(n, nil, clock, Config{DrawsRoute: c.draws}, executor.Software{})
		if got := e.regenerates(&jobState{config: c.pattern, laterCompute: c.pause}); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// The interval of a rate is that of batch means: of 4 batches of two iterations here, with
// Student's t of 3 degrees of freedom, 3.182446.
func TestBatchMeans(t *testing.T) {
	times := []int64{-500, 0, 90, 200, 290, 400, 520, 600, 690, 800} // means 100, 100, 100, 100
	if got := batchMeans(times, 4, student(4, 0.95)); got != 0 {
		t.Errorf("equal batches: %v", got)
	}
	times[9] = 840 // the last of 120: a mean of 105, a deviation of 10, over the root of 4
	got, want := batchMeans(times, 4, student(4, 0.95)), 3.182446*10/2/105
	if math.Abs(got-want) > 1e-6 {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := batchMeans(times, 1, 2); !math.IsInf(got, 1) {
		t.Errorf("one batch: %v", got)
	}
}

// A rate that is used for a small part of a service time may be known less well.
func TestGreatestHalf(t *testing.T) {
	c := Config{Tolerance: 0.02}
	for cycles, want := range map[float64]float64{100: 0.02, 25: 0.04, 1: 0.2, 0.01: 0.2} {
		if got := c.greatestHalf(cycles, 100); math.Abs(got-want) > 1e-12 {
			t.Errorf("for %v of 100 cycles %v, want %v", cycles, got, want)
		}
	}
}

// Job 1 has 0.02·√(200/100) = 0.028 for 100 cycles of 200, and job 2 0.02·√(400/100) = 0.04 of 400.
// From 30 times the cycles of all phases on both have 0.5.
func TestPreciseRates(t *testing.T) {
	e := &Executor{config: Config{Tolerance: 0.02}, now: 1_000_300}
	c := &component{jobs: []*jobState{{start: 1_000_200}, {start: 1_000_000}}}
	for _, test := range []struct {
		window        float64
		first, second float64
		want          bool
	}{
		{299, 0.028, 0.039, true}, {299, 0.029, 0.039, false}, {299, 0.028, 0.041, false},
		{300, 0.029, 0.041, true}, {300, 0.5, 0.5, true}, {300, 0.51, 0.5, false},
		{1e6, 0.5, 0.51, false},
	} {
		f := &forecast{window: test.window,
			jobs: []period{{halfWidth: test.first}, {halfWidth: test.second}}}
		if got := e.precise(c, f, 100, 10); got != test.want {
			t.Errorf("%+v: got %v", test, got)
		}
	}
}

// Rates are tested after one more iteration of the slowest job if a state may recur then, and else
// not before their next test.
func TestTargets(t *testing.T) {
	job := func(iterations int) *jobState {
		return &jobState{live: liveState{ends: make([]int64, iterations+1)}}
	}
	for _, test := range []struct {
		recurs                   bool
		nextTest, target, behind int
	}{{true, 9, 4, 1}, {false, 9, 9, 3}, {false, 5, 5, 1}, {false, 6, 6, 2}, {false, 2, 4, 1}} {
		c := &component{jobs: []*jobState{job(5), job(3), job(7)},
			window:     window{nextTest: test.nextTest, behind: 8},
			recurrence: recurrence{enabled: test.recurs}}
		new(Executor).setTarget(c)
		if w := &c.window; w.target != test.target || w.behind != test.behind {
			t.Errorf("%+v: target %d, %d jobs behind", test, w.target, w.behind)
		}
	}
}

// Jobs with iterations of 100 and 110 cycles pass through all phases in 10 iterations of one and 11
// of the other; those of 100 and 101 take 10100 cycles, and equal ones never do.
func TestBeat(t *testing.T) {
	f := &forecast{}
	for _, cycles := range []float64{100, 220, 101, 100} {
		f.jobs = append(f.jobs, period{iterations: 1, cycles: cycles})
	}
	f.jobs[1].iterations = 2
	for within, want := range map[float64]float64{1000: 0, 1e4: 101 * 110 / 9.0, 1e5: 10100} {
		if got := f.beat(within); math.Abs(got-want) > 1e-9 {
			t.Errorf("within %v cycles: %v, want %v", within, got, want)
		}
	}
}

// repeating are patterns that draw nothing: phases, codes, and graphs of tasks of four ranks.
var repeating = []patterns.Config{{Name: "all-to-all", Flits: 16}, {Name: "ring", Flits: 32},
	{Name: "near-neighbour", Flits: 48}, {Name: "n-body", Flits: 16},
	{Name: "all-reduce-ring", Bytes: 512, PadFlits: 16},
	{Name: "all-reduce-ring", Bytes: 512, PadFlits: 16, Collective: patterns.Collective{Channels: 2}},
	{Name: "npb-cg", Class: "S", Scale: 0.01, PadFlits: 16},
	{Name: "npb-lu", Class: "S", PadFlits: 16},
	{Name: "pipeline", Work: pipeline, Tasks: true, PadFlits: 16},
	{Name: "pipeline", Work: pipeline, Tasks: true, PadFlits: 16, RendezvousFlits: 16}}

// drawnNetwork draws a small network, of any engine.
func drawnNetwork(r *rapid.T) *netsim.Network {
	machine := must.Have(topology.NewCube(topology.CubeConfig{
		Dims: []int{rapid.IntRange(2, 5).Draw(r, "width"), rapid.IntRange(2, 4).Draw(r, "height")}}))
	c := netsim.Default(machine)
	if rapid.Bool().Draw(r, "tree") {
		arity := rapid.IntRange(2, 4).Draw(r, "arity")
		c.Topology = must.Have(topology.NewTree(topology.TreeConfig{Arity: arity, Levels: 2}))
	}
	c.PacketFlits, c.BufferFlits = 16, rapid.SampledFrom([]int{1, 2, 4, 16}).Draw(r, "buffer")
	c.FlitCycles = rapid.IntRange(1, 3).Draw(r, "flit")
	c.CreditCycles = rapid.IntRange(1, 3).Draw(r, "credit")
	c.MessageMultiple = 16
	c.Engine = rapid.SampledFrom([]string{"auto", "cycle"}).Draw(r, "engine")
	c.FlitByFlit = rapid.Bool().Draw(r, "flit by flit")
	c.VirtualChannels = rapid.IntRange(1, 3).Draw(r, "channels")
	c.NodeVirtualChannels = rapid.IntRange(1, c.VirtualChannels).Draw(r, "channels of nodes")
	c.InputSpeedup = rapid.IntRange(0, 2).Draw(r, "input speedup")
	c.VCSelect = rapid.SampledFrom([]router.VCSelect{router.SelectMostCredits,
		router.SelectRoundRobin, router.SelectFirst}).Draw(r, "vc select")
	if rapid.Bool().Draw(r, "cut through") {
		c.Switching, c.BufferFlits = router.VirtualCutThrough, rapid.IntRange(16, 40).Draw(r, "places")
		c.PacketsHoldLinks = c.Engine == "auto"
		if c.PacketsHoldLinks {
			c.VCAllocCycles = rapid.IntRange(0, 1).Draw(r, "allocation")
		}
	}
	if rapid.Bool().Draw(r, "adaptive") {
		c.Routing = "west-first"
		if c.VirtualChannels > 1 {
			c.Routing = "minimal-adaptive"
		}
		if _, cube := c.Topology.(*topology.Cube); !cube {
			c.Routing = "adaptive"
		}
	}
	c.Arbiter = rapid.SampledFrom([]router.Arbiter{router.FirstCome, router.RoundRobin}).
		Draw(r, "arbiter")
	n := must.Have(netsim.New(c))
	return n
}

// drawnTogether draws jobs of which several have one size and one computing time, or multiples of
// it, and that begin within a short time.
func drawnTogether(r *rapid.T, nodes int) []started {
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(r, "seed"), 3))
	perm := rng.Perm(nodes)
	size := rapid.IntRange(2, max(2, nodes/2)).Draw(r, "size")
	if rapid.Bool().Draw(r, "four") {
		size = min(size, 4)
	}
	pattern, compute := rng.IntN(len(repeating)), scheduler.Cycle(rng.IntN(60))
	var list []started
	for id := scheduler.JobID(1); len(perm) >= size && id <= 6; id++ {
		j := scheduler.Job{ID: id, Size: size, Pattern: pattern, Seed: 1,
			Compute: compute * scheduler.Cycle(1+rng.IntN(2))}
		if rng.IntN(4) == 0 {
			j.Pattern = rng.IntN(len(repeating))
		}
		per, err := patterns.MessagesPerIteration(repeating[j.Pattern], size, nil)
		if err != nil || per == 0 || repeating[j.Pattern].Tasks && size != 4 {
			continue
		}
		j.Quota = per * int64(30+rng.IntN(100))
		j.Lead = scheduler.Cycle(rng.IntN(int(j.Compute) + 1))
		s := started{job: j}
		for _, i := range perm[:size] {
			s.nodes = append(s.nodes, topology.Node(i))
		}
		perm = perm[size:]
		list = append(list, s)
	}
	return list
}

// A job that is printed without an error ends in the cycle in which it ends in the full simulation,
// with the same waits, on all engines, also where the states of components
// come back while other components are simulated beside them.
func TestRecurrenceIsExact(t *testing.T) { recurrenceIsExact(t, 60) }

func recurrenceIsExact(t *testing.T, checks int) {
	laws.AtMost(t, checks)
	several, of := 0, make([]int, len(repeating))
	rapid.Check(t, func(r *rapid.T) {
		n := drawnNetwork(r)
		jobs := drawnTogether(r, n.Config().Topology.Nodes())
		software := rapid.SampledFrom([]executor.Software{{}, {Send: 3, Receive: 2}}).Draw(r,
			"software")
		x := executor.New(must.Have(netsim.New(n.Config())), repeating, clock)
		x.Software = software
		sums := map[scheduler.JobID]netsim.Totals{}
		x.Ended = func(id scheduler.JobID, all netsim.Totals, _ bool) { sums[id] = all }
		full := drive(t, x, jobs)
		e := New(n, repeating, clock, Config{Tolerance: 1e-9, DrawsRoute: n.DrawsPaths()}, software)
		half := map[scheduler.JobID]float64{}
		e.Unsure = func(id scheduler.JobID, cycles, carry float64) { half[id] = cycles + carry }
		e.Ended = func(id scheduler.JobID, all netsim.Totals, estimated bool) {
			if half[id] == 0 && all != sums[id] {
				r.Errorf("job %d has %+v, in full %+v", id, all, sums[id])
			}
		}
		together := map[scheduler.JobID]bool{} // in exact jumps of several jobs
		for i := range jobs {
			e.Start(&jobs[i].job, jobs[i].nodes)
		}
		for ended := 0; ended < len(jobs); {
			now, done, err := e.Advance(scheduler.Cycle(e.now)+200, nil)
			if err != nil {
				r.Fatal(err)
			}
			for _, id := range done {
				if ended++; half[id] == 0 && now != full[id] {
					r.Errorf("job %d ends at %d, in full at %d", id, now, full[id])
				} else if half[id] == 0 && together[id] {
					several++
					ended := slices.IndexFunc(jobs, func(s started) bool { return s.job.ID == id })
					of[jobs[ended].job.Pattern]++
				}
			}
			for _, c := range e.components {
				for _, k := range c.jobs {
					if c.jump != nil && c.jump.exact && len(c.jobs) > 1 {
						together[k.job.ID] = true
					}
				}
			}
		}
	})
	t.Logf("%d jobs end in exact jumps of several, by pattern %d", several, of)
	if several == 0 {
		t.Error("no job ends in an exact jump of several")
	}
}

// killing drives an executor with jobs that start together. One of them is killed in a cycle, if it
// still runs, and starts again at once. It returns the cycles in which jobs end.
func killing(r *rapid.T, x scheduler.Executor, jobs []started, victim int, at scheduler.Cycle,
) map[scheduler.JobID]scheduler.Cycle {
	ends := map[scheduler.JobID]scheduler.Cycle{}
	for i := range jobs {
		x.Start(&jobs[i].job, jobs[i].nodes)
	}
	for killed := false; len(ends) < len(jobs); {
		until := scheduler.MaxCycle
		if !killed {
			until = at
		}
		now, done, err := x.Advance(until, nil)
		if err != nil {
			r.Fatal(err)
		}
		for _, id := range done {
			ends[id] = now
		}
		if j := &jobs[victim]; !killed && now >= at {
			if killed = true; ends[j.job.ID] == 0 {
				x.(scheduler.Killer).Kill(j.job.ID)
				x.Start(&j.job, j.nodes)
			}
		}
	}
	return ends
}

// Jobs that are printed without an error end as in the full simulation, also after one was killed
// whose messages leave the network beside them.
func TestKilledJobsAreExact(t *testing.T) { killedJobsAreExact(t, 40) }

func killedJobsAreExact(t *testing.T, checks int) {
	laws.AtMost(t, checks)
	exact, jumped := 0, 0.0
	rapid.Check(t, func(r *rapid.T) {
		c := drawnNetwork(r).Config()
		c.Drops = true
		n := must.Have(netsim.New(c))
		jobs := drawnTogether(r, n.Config().Topology.Nodes())
		if len(jobs) == 0 {
			return
		}
		victim := rapid.IntRange(0, len(jobs)-1).Draw(r, "victim")
		at := scheduler.Cycle(rapid.IntRange(1, 60_000).Draw(r, "at"))
		full := killing(r, executor.New(must.Have(netsim.New(c)), repeating, clock), jobs, victim, at)
		e := New(n, repeating, clock, Config{Tolerance: 1e-9, DrawsRoute: n.DrawsPaths()},
			executor.Software{})
		half := map[scheduler.JobID]float64{}
		e.Unsure = func(id scheduler.JobID, cycles, carry float64) { half[id] = cycles + carry }
		for id, end := range killing(r, e, jobs, victim, at) {
			if half[id] == 0 && end != full[id] {
				r.Errorf("job %d ends at %d, in full at %d", id, end, full[id])
			} else if half[id] == 0 && end > at {
				exact++
			}
		}
		used := func(l []*jobState) bool { return len(l) > 0 }
		if len(e.killed) > 0 || slices.ContainsFunc(e.users, used) {
			r.Errorf("%d killed jobs have links when all have ended", len(e.killed))
		}
		jumped += e.sums.exactCycles / e.sums.serviceCycles
	})
	t.Logf("%d jobs end in the same cycle after the kill, %.1f runs are jumped over", exact, jumped)
	if exact < checks/5 || jumped < float64(checks)/20 {
		t.Errorf("%d jobs end in the same cycle, %.1f runs are jumped over", exact, jumped)
	}
}

// A job that meets others at first and is then alone keeps the round-robin pointers that they left,
// which are in the state that recurs.
func TestRecurrenceOfAnotherPeriod(t *testing.T) {
	config := grid(t, 6).Config()
	config.PacketFlits, config.BufferFlits, config.Arbiter = 8, 1, router.RoundRobin
	job := func(at scheduler.Cycle, id scheduler.JobID, pattern int, compute scheduler.Cycle,
		messages int64, nodes ...topology.Node) started {
		return started{at: at, nodes: nodes, job: scheduler.Job{ID: id, Size: len(nodes), Seed: 1,
			Pattern: pattern, Quota: messages, Lead: compute, Compute: compute}}
	}
	jobs := []started{job(143, 2, 0, 264, 240, 3, 4, 5, 6, 7),
		job(232, 3, 2, 183, 2400, 8, 9, 10, 11, 12),
		job(473, 4, 4, 43, 1440, 13, 14, 15, 16, 17, 18), job(1151, 7, 3, 69, 4320, 29, 30, 31, 32)}
	network := func() *netsim.Network {
		n := must.Have(netsim.New(config))
		return n
	}
	full := drive(t, executor.New(network(), mixed, clock), jobs)
	e := New(network(), mixed, clock, Config{Tolerance: 0.1}, executor.Software{})
	half := map[scheduler.JobID]float64{}
	e.Unsure = func(id scheduler.JobID, cycles, carry float64) { half[id] = 0.1*cycles + carry }
	for id, end := range drive(t, e, jobs) {
		if off := math.Abs(float64(end - full[id])); off > half[id] {
			t.Errorf("job %d ends at %d ± %.0f, in full at %d", id, end, half[id], full[id])
		}
	}
	if e.sums.jumpedCycles < 1e5 {
		t.Errorf("%v cycles are jumped over", e.sums.jumpedCycles)
	}
}

// States are compared as far as hops of packets pay for it: here are few, on a network of many
// links and virtual channels that jobs may use.
func TestStatesAreAffordable(t *testing.T) {
	config := grid(t, 6).Config()
	config.Routing, config.VirtualChannels = "minimal-adaptive", 2
	e := New(newNetwork(t, config), mixed, clock, Config{Tolerance: 1e-9}, executor.Software{})
	for id := range scheduler.JobID(4) {
		j := scheduler.Job{ID: id + 1, Size: 4, Seed: 1, Quota: 4 * 1000,
			Compute: 100 + 37*scheduler.Cycle(id)}
		n := topology.Node(id)
		e.Start(&j, []topology.Node{n, n + 8, n + 17, n + 31})
	}
	left := 0
	for range 200 {
		if _, done, err := e.Advance(scheduler.Cycle(e.now)+200, nil); err != nil || len(done) > 0 {
			break
		}
		for _, c := range e.components {
			r := &c.recurrence
			most := e.affordable(c) + float64(len(r.state.Words))
			if c.jump == nil && r.enabled && float64(r.words) > most {
				t.Fatalf("%d words, %g are affordable", r.words, e.affordable(c))
			}
			left = max(left, r.rounds-len(r.at))
		}
	}
	if left < 10 {
		t.Errorf("%d states are left out", left)
	}
}
