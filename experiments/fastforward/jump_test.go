package fastforward

import (
	"fmt"
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
		m.put(fmt.Sprint(i), &forecast{window: 1, links: make([]linkUse, 20)})
		if n := len(m.entries); m.entries[fmt.Sprint(i)] == nil || n > 1<<16/(20*16) {
			t.Fatalf("%d forecasts are known after %d", n, i)
		}
	}
}

// Of two forecasts of equal components that from the longer window is known.
func TestMemoryKeepsTheLongerWindow(t *testing.T) {
	m := newMemory(1 << 16)
	for _, window := range []float64{20, 10, 30, 25} {
		m.put("x", &forecast{window: window})
	}
	if got := m.entries["x"].window; got != 30 {
		t.Errorf("a window of %v is known", got)
	}
}

// Rates of several jobs that repeat themselves are estimates when they are recalled.
func TestSeveralJobsAreNotExactWhenRecalled(t *testing.T) {
	for n, want := range map[int]bool{1: true, 2: false} {
		e := New(grid(t, 2), nil, clock, Config{Tolerance: 0.1}, executor.Software{})
		c, f := &component{}, &forecast{exact: true, window: 500}
		for i := range n {
			c.jobs = append(c.jobs, &jobState{perIteration: 1, live: liveState{sends: 9},
				nodes: []topology.Node{topology.Node(i)}, config: patterns.Config{Name: "ring"}})
			f.jobs = append(f.jobs, period{iterations: 2, cycles: 30})
		}
		e.remember(c, f)
		r := e.recall(c)
		if r == nil || r.exact != want || r.jobs[0].iteration() != 15 {
			t.Errorf("%d jobs: recalled %+v", n, r)
		}
	}
}

// A job alone whose forecast is recalled ends in the cycle in which it ends in the full
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
		t.Errorf("%d forecasts are recalled, want 3", e.sums.recalled)
	}
}

// Rates of a graph of tasks whose slow ranks are drawn are those of the job's seed. Rates of other
// patterns do not depend on it.
func TestRatesOfDrawnTasksHaveTheSeed(t *testing.T) {
	for _, draws := range []bool{false, true} {
		key := func(seed uint64) string {
			return (&component{jobs: []*jobState{{job: scheduler.Job{Seed: seed}, config: patterns.Config{
				Work: pipeline, OwnDraws: draws}}}}).key()
		}
		if equal := key(1) == key(2); equal == draws {
			t.Errorf("draws %v: the keys of two seeds are equal: %v", draws, equal)
		}
	}
}
