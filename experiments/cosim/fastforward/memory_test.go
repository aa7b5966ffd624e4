package fastforward

import (
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"contend/experiments/cosim/run"
	"contend/netsim/topology"
	"contend/patterns"
	"contend/scheduler"
)

// The memory holds no more than its limit allows.
func TestMemoryForgets(t *testing.T) {
	m := newMemory(1 << 16)
	for i := range 10000 {
		m.keep(fmt.Sprint(i), &knowledge{use: make([]linkUse, 20)})
		if n := len(m.known); m.known[fmt.Sprint(i)] == nil || n > 1<<16/(20*16) {
			t.Fatalf("%d trajectories are known after %d", n, i)
		}
	}
}

// Trajectories of the same programs at the same places are pooled, and what they show is recalled
// for as long as it is known well enough.
func TestMemoryPools(t *testing.T) {
	e := &Executor{memory: newMemory(1 << 20), stage: &stage{config: Config{Tolerance: 0.1}}}
	jobs := []*jobState{{total: 1000, perIteration: 1}}
	learn := func(rate, half float64) *trajectory {
		c := &component{jobs: jobs,
			trajectory: &trajectory{steady: true, legs: []leg{{rate: rate, half: half, end: -1}}}}
		e.remember(c)
		return c.trajectory
	}
	if c := learn(0.9, 0.2); c.holds != 278 { // 1000/0.9 cycles, a quarter of them
		t.Errorf("one trajectory holds for %d cycles", c.holds)
	}
	c := learn(1.1, 0.2)
	if g := c.legs[0]; math.Abs(g.rate-1) > 1e-9 || math.Abs(g.half-0.2/math.Sqrt2) > 1e-9 {
		t.Errorf("rate %v, half %v of two trajectories", g.rate, g.half)
	}
	if c.holds != 500 {
		t.Errorf("two trajectories hold for %d cycles", c.holds)
	}
	c.known.used = 200
	again := &component{jobs: jobs}
	if r := e.recall(again, 300); r == nil || r.holds != 300 {
		t.Errorf("recalled %+v, want 300 cycles", r)
	}
	if r := e.recall(again, 301); r != nil {
		t.Errorf("recalled %+v for longer than it is known well enough", r)
	}
}

// Rates that do not vary and are the same in two trajectories have been watched for all of the
// time. If they differ, each trajectory is a batch, and so they are where only one varies.
func TestMemoryPoolsRatesThatDoNotVary(t *testing.T) {
	k := &knowledge{legs: make([]leg, 1)}
	learn := func(rate, half, watched float64) *trajectory {
		c := &trajectory{watched: watched, legs: []leg{{rate: rate, half: half}}}
		k.pool(c)
		return c
	}
	learn(0.5, 0, 100)
	k.spend(&trajectory{}, 300)
	if c := learn(0.5, 0, 100); c.watched != 500 || c.spent != 300 || c.legs[0].half != 0 {
		t.Errorf("watched for %v, used for %v, half %v", c.watched, c.spent, c.legs[0].half)
	}
	k.spend(&trajectory{exact: true}, 40)
	if k.used != 300 || k.watched != 540 {
		t.Errorf("an exact jump: used %v, watched %v", k.used, k.watched)
	}
	c := learn(0.5*1.01, 0, 100)
	// The half width of the interval of two values is 6.353 times their difference.
	want := 6.353102 * 0.01 / 1.005
	if g := c.legs[0]; math.Abs(g.rate-0.5*1.005) > 1e-12 || math.Abs(g.half-want) > 1e-6 {
		t.Errorf("rates that differ: %v, half %v, want %v", g.rate, g.half, want)
	}
	if c := learn(0.5, 0, 100); math.Abs(c.legs[0].half-want*math.Sqrt(10)/4) > 1e-6 {
		t.Errorf("one more: half %v", c.legs[0].half)
	}
}

// A rate that does not vary is watched through all trajectories, whether the rates of other jobs
// vary in some of them or differ.
func TestRatesAreWatchedBesideOthersThatVary(t *testing.T) {
	k := &knowledge{legs: make([]leg, 2)}
	others := []leg{{rate: 0.4, half: 0.1}, {rate: 0.4}, {rate: 0.3}, {rate: 0.4, half: 0.2}}
	for i, other := range others {
		c := &trajectory{watched: 100, legs: []leg{other, {rate: 0.5}}}
		k.pool(c)
		want := 100 + 300*float64(i)
		if g := c.legs; c.watched != want || g[0].half == 0 || g[1].half != 0 || g[1].rate != 0.5 {
			t.Errorf("trajectory %d: watched for %v, want %v; %+v", i, c.watched, want, g)
		}
		k.spend(&trajectory{}, 200)
	}
}

// What several jobs have done for ever is no more than an estimate when they meet again.
func TestSeveralJobsAreNotExactWhenRecalled(t *testing.T) {
	s := &stage{net: grid(t, 2), config: Config{Tolerance: 0.1}}
	e := &Executor{memory: newMemory(1 << 20), stage: s}
	for n, want := range map[int]bool{1: true, 2: false} {
		c := &component{trajectory: &trajectory{steady: true, exact: true, until: 500}}
		for i := range n {
			c.jobs = append(c.jobs, &jobState{total: 1000, perIteration: 1,
				nodes: []topology.Node{topology.Node(i)}, config: patterns.Config{Name: "ring"}})
			c.trajectory.legs = append(c.trajectory.legs, leg{rate: 1, end: -1})
		}
		if e.remember(c); c.trajectory.holds < 1<<60 {
			t.Errorf("%d jobs: an exact trajectory holds for %d cycles", n, c.trajectory.holds)
		}
		r := e.recall(&component{jobs: c.jobs}, 400)
		if r == nil || r.exact != want || !want && r.holds != 500 {
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
	clock := scheduler.Clock{CyclesPerSecond: 1}
	full := drive(t, run.New(grid(t, 4), mix, clock), jobs)
	e := New(grid(t, 4), mix, clock, Config{Tolerance: 0.1}, run.Software{})
	if d := cmp.Diff(full, drive(t, e, jobs)); d != "" {
		t.Errorf("ends of jobs (-simulated +recalled):\n%s", d)
	}
	if e.sums.recalled < 3 {
		t.Errorf("%d trajectories are recalled, want 3", e.sums.recalled)
	}
}
