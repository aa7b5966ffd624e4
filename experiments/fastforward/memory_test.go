package fastforward

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"contend/experiments/sim/executor"
	"contend/patterns"
	"contend/router/topology"
	"contend/scheduler"
)

// The memory holds no more than its limit allows.
func TestMemoryForgets(t *testing.T) {
	m := newMemory(1 << 16)
	for i := range 10000 {
		m.put(fmt.Sprint(i), &knowledge{links: make([]linkUse, 20)})
		if n := len(m.entries); m.entries[fmt.Sprint(i)] == nil || n > 1<<16/(20*16) {
			t.Fatalf("%d trajectories are known after %d", n, i)
		}
	}
}

// Trajectories of the same programs at the same places are pooled, and what they show is recalled
// for as long as it is known well enough.
func TestMemoryPools(t *testing.T) {
	e := &Executor{memory: newMemory(1 << 20),
		isolated: &isolatedSimulation{config: Config{Tolerance: 0.1}}}
	jobs := []*jobState{{total: 1000, perIteration: 1, nodes: []topology.Node{3}}}
	learn := func(rate, half float64, cycles int64) *trajectory {
		c := &component{jobs: jobs}
		c.trajectory = &trajectory{steady: true, simulated: cycles, links: []linkUse{{1, 2}},
			progress: []progress{{estimate: estimate{rate: rate, halfWidth: half}, endTime: -1}}}
		e.addWindow(c, e.knowledgeOf(c), c.trajectory.windowAfter(nil, jobs))
		e.remember(c, c.trajectory, 2000)
		return c.trajectory
	}
	if c := learn(0.9, 0.2, 100); c.usable != 278 { // 1000/0.9 cycles, a quarter of them
		t.Errorf("one trajectory holds for %d cycles", c.usable)
	}
	c := learn(0.9, 0.2, 100)
	if g := c.progress[0]; math.Abs(g.rate-0.9) > 1e-9 ||
		math.Abs(g.halfWidth-0.2/math.Sqrt2) > 1e-9 {
		t.Errorf("rate %v, half %v of two trajectories", g.rate, g.halfWidth)
	}
	if c.usable != 556 {
		t.Errorf("two trajectories hold for %d cycles", c.usable)
	}
	c.knowledge.cyclesSince = 200
	again := &component{jobs: jobs}
	if r := e.recall(again, 300); r == nil || r.usable != 356 {
		t.Errorf("recalled %+v, want 356 cycles", r)
	}
	if r := e.recall(again, 357); r != nil {
		t.Errorf("recalled %+v for longer than it is known well enough", r)
	}
	if g := learn(0.6, 0, 400).progress[0]; math.Abs(g.rate-0.7) > 1e-9 {
		t.Errorf("a rate of %v, want the mean by length", g.rate)
	}
}

// Windows of phases that do not last tell of the same variance as short ones.
func TestWindowsTellOfTheVariance(t *testing.T) {
	const deviation, period = 0.02, 500
	rng := rand.New(rand.NewPCG(3, 4))
	sum, factor, squares := 0.0, 0.0, 0.0
	const runs = 4000
	for range runs {
		e := &Executor{isolated: &isolatedSimulation{}}
		c := &component{jobs: []*jobState{{perIteration: 1}, {perIteration: 1}}}
		k := &knowledge{}
		for _, cycles := range []float64{200, 500, 5000} {
			w := &window{pool: poolOf(cycles, period)}
			for range 2 {
				rate := 1 + deviation*math.Sqrt(min(1, period/cycles))*rng.NormFloat64()
				w.jobs = append(w.jobs, estimate{rate: rate})
			}
			e.addWindow(c, k, w)
		}
		sum += k.variance(k.jobs[0].squares) / runs
		factor = k.meanFactor()
		squares += (k.jobs[0].rate - 1) * (k.jobs[0].rate - 1) / runs
	}
	if math.Abs(sum/(deviation*deviation)-1) > 0.1 {
		t.Errorf("a variance of %v, want %v", sum, deviation*deviation)
	}
	if math.Abs(squares/(deviation*deviation*factor)-1) > 0.1 {
		t.Errorf("the means have a variance of %v, want %v", squares, deviation*deviation*factor)
	}
}

// What a jump does is estimated the better the longer its phases were seen and last.
func TestErrorOfAJump(t *testing.T) {
	c := &trajectory{progress: make([]progress, 2), pool: poolOf(1000, math.Inf(1)), period: 1e12}
	if got := c.errorFactor(500); got != 2 {
		t.Errorf("phases that last and are others: %v", got)
	}
	if c.observed = 1000; math.Abs(c.errorFactor(500)) > 1e-6 {
		t.Errorf("phases that last and were seen: %v", c.errorFactor(500))
	}
	c.pool, c.period = poolOf(1000, 10), 10
	if got := c.errorFactor(500); math.Abs(got-0.03) > 1e-3 {
		t.Errorf("phases that do not last: %v", got)
	}
}

// Rates of several jobs that repeat themselves are estimates when they are recalled.
func TestSeveralJobsAreNotExactWhenRecalled(t *testing.T) {
	s := &isolatedSimulation{net: grid(t, 2), config: Config{Tolerance: 0.1}}
	e := &Executor{memory: newMemory(1 << 20), isolated: s}
	for n, want := range map[int]bool{1: true, 2: false} {
		c := &component{trajectory: &trajectory{steady: true, exact: true, simulated: 500,
			links: []linkUse{{1, 2}}}}
		for i := range n {
			c.jobs = append(c.jobs, &jobState{total: 1000, perIteration: 1,
				nodes: []topology.Node{topology.Node(i)}, config: patterns.Config{Name: "ring"}})
			c.trajectory.progress = append(c.trajectory.progress,
				progress{estimate: estimate{rate: 1}, endTime: -1})
		}
		if n > 1 {
			e.addWindow(c, e.knowledgeOf(c), c.trajectory.windowAfter(nil, c.jobs))
		}
		if e.remember(c, c.trajectory, 1e6); c.trajectory.usable < 1<<60 {
			t.Errorf("%d jobs: an exact trajectory holds for %d cycles", n, c.trajectory.usable)
		}
		r := e.recall(&component{jobs: c.jobs}, 400)
		if r == nil || r.exact != want {
			t.Errorf("%d jobs: recalled %+v", n, r)
		}
	}
}

// A job alone whose trajectory is recalled ends in the cycle in which it ends in the full
// simulation, whether it computes for longer or shorter before its first messages than before the
// others.
func TestRecalledJobsBeginWithTheirLead(t *testing.T) {
	mix := []patterns.Config{{Name: "n-body", Flits: 16}}
	var jobs []started
	for id, lead := range []scheduler.Cycle{50, 90, 20, 0} {
		jobs = append(jobs, started{at: scheduler.Cycle(id) * 100_000, nodes: []topology.Node{2, 7},
			job: scheduler.Job{ID: scheduler.JobID(id + 1), Size: 2, Seed: 1, Compute: 50, Lead: lead,
				Quota: 400}})
	}
	full := drive(t, executor.New(grid(t, 4), mix, clock), jobs)
	e := New(grid(t, 4), mix, clock, Config{Tolerance: 0.1}, executor.Software{})
	if d := cmp.Diff(full, drive(t, e, jobs)); d != "" {
		t.Errorf("ends of jobs (-simulated +recalled):\n%s", d)
	}
	if e.sums.recalled < 3 {
		t.Errorf("%d trajectories are recalled, want 3", e.sums.recalled)
	}
}
