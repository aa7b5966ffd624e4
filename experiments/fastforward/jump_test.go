package fastforward

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"contend/experiments/sim/executor"
	"contend/internal/must"
	"contend/netsim"
	"contend/patterns"
	"contend/router/topology"
	"contend/scheduler"
)

// The memory holds no more than its limit allows.
func TestMemoryForgets(t *testing.T) {
	m := memory{limit: 1 << 16, entries: map[string]*forecast{}}
	for i := range 10000 {
		m.put(fmt.Sprint(i), &forecast{window: 1, links: make([]linkUse, 20)})
		if n := len(m.entries); m.entries[fmt.Sprint(i)] == nil || n > 1<<16/(20*16) {
			t.Fatalf("%d forecasts are known after %d", n, i)
		}
	}
}

// Of two forecasts of equal components that from the longer window is known.
func TestMemoryKeepsTheLongerWindow(t *testing.T) {
	m := memory{limit: 1 << 16, entries: map[string]*forecast{}}
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

// Jobs that are held at their first rates end when they would end if all went on beside each other
// as in a full simulation, within the tolerance, and all of their messages are counted. Drawn jobs
// on drawn nodes of a mesh.
func TestHeldRates(t *testing.T) {
	const from, until, tolerance = 40_000, 160_000, 0.05
	slower := 0
	for seed := range uint64(4) {
		jobs := scattered(rand.New(rand.NewPCG(seed, 5)), 64, mixed, 1)
		messages := int64(0)
		for i := range jobs {
			j := &jobs[i].job
			per := must.Have(patterns.MessagesPerIteration(mixed[j.Pattern], j.Size, nil))
			jobs[i].at, j.Quota = 0, 20_000*per
			messages += j.Quota
		}
		full := executor.New(grid(t, 8), mixed, clock)
		full.Ended = func(scheduler.JobID, netsim.Totals, bool) {} // else none are counted
		for i := range jobs {
			full.Start(&jobs[i].job, jobs[i].nodes)
		}
		arrived := func(until scheduler.Cycle) (list []float64) {
			must.Have(0, errOf(full.Advance(until, nil)))
			for slot := range jobs {
				list = append(list, float64(full.Totals(int32(slot)).Messages))
			}
			return list
		}
		before, after := arrived(from), arrived(until)
		e := New(grid(t, 8), mixed, clock, Config{Tolerance: tolerance, Holds: true},
			executor.Software{})
		held := drive(t, e, jobs)
		for i := range jobs {
			j := &jobs[i].job
			want := float64(j.Quota) * (until - from) / (after[i] - before[i])
			if off := float64(held[j.ID])/want - 1; off < -tolerance || off > tolerance {
				t.Errorf("seed %d, job %d of %d processes, %s: ends at %d, by its rate in full at %.0f", seed,
					j.ID, j.Size, mixed[j.Pattern].Name, held[j.ID], want)
			}
			alone := drive(t, executor.New(grid(t, 8), mixed, clock), []started{shortened(jobs[i], 250)})
			if want > 1.02*80*float64(alone[j.ID]) {
				slower++
			}
		}
		if got := e.sums.messages.Messages; got != messages {
			t.Errorf("seed %d: %d messages, not %d", seed, got, messages)
		}
	}
	if slower < 4 {
		t.Errorf("%d jobs are slowed by others", slower)
	}
}

// shortened returns a job with a number of iterations of its 20,000.
func shortened(s started, iterations int64) started {
	s.job.Quota = s.job.Quota / 20_000 * iterations
	return s
}

// errOf returns the error of an advance.
func errOf(_ scheduler.Cycle, _ []scheduler.JobID, err error) error { return err }
