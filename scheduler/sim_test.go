package scheduler

import (
	"errors"
	"io"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"contend/allocation"
	"contend/internal/must"
	"contend/router/topology"
)

func TestTotals(t *testing.T) {
	sim := fixedSim(&List{Jobs: []Job{job(1, 2, 10, 3), job(2, 3, 5, 2), job(3, 3, 1, 1)}}, 4)
	sim.Allocator = firstFree{nodes: 4, page: 2}
	got := must.Have(sim.Run())
	want := Totals{Jobs: 3, Nodes: 4, FirstSubmit: 2, LastSubmit: 3, Finish: 17, LongestQueue: 2,
		Used: NodeCycles{lo: 30 + 10 + 1}, Reserved: NodeCycles{lo: 40 + 10 + 2}}
	if d := cmp.Diff(want, got, cmp.AllowUnexported(NodeCycles{})); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	if u := got.Utilization(); u != 41.0/(4*17) {
		t.Errorf("utilization %v", u)
	}
	if f := got.InternalFragmentation(); math.Abs(f-11.0/52) > 1e-15 {
		t.Errorf("internal fragmentation %v", f)
	}
	if sim.Free.Count() != 4 {
		t.Errorf("%d nodes free at the end", sim.Free.Count())
	}
}

func TestNodeCyclesBeyond64Bits(t *testing.T) {
	var c NodeCycles
	for range 8 {
		c.add(1<<20, 1<<45) // 2^65 each
	}
	if got := c.Float64(); got != 1<<68 {
		t.Errorf("got %v, want 2^68", got)
	}
}

func TestStop(t *testing.T) {
	sim := fixedSim(&List{Jobs: []Job{job(1, 0, 1, 1), job(2, 5, 1, 1)}}, 4)
	asked := 0
	sim.Stop = func() bool { asked++; return asked == 3 }
	totals, err := sim.Run()
	if !errors.Is(err, ErrStopped) || totals.Jobs != 1 {
		t.Errorf("%d jobs, error %v", totals.Jobs, err)
	}
}

func TestSourceErrorEndsTheRun(t *testing.T) {
	sim := fixedSim(broken{}, 4)
	if _, err := sim.Run(); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("got %v", err)
	}
}

// broken is a source that fails.
type broken struct{}

func (broken) Next() (Job, error) { return Job{}, io.ErrUnexpectedEOF }

// counting counts the requests it receives.
type counting struct {
	firstFree
	asked *int
}

// Allocate counts and refuses a request.
func (a counting) Allocate(dst []topology.Node, free *allocation.FreeSet,
	req allocation.Request) ([]topology.Node, bool) {
	*a.asked++
	return dst, false
}

// TestRefusedJobIsNotAskedForAgain: a refused request is repeated only after the free
// set has changed.
func TestRefusedJobIsNotAskedForAgain(t *testing.T) {
	asked := 0
	s := State{version: 1, free: allocation.NewFreeSet(4), allocator: counting{firstFree{}, &asked},
		byID: map[JobID]*Entry{}}
	if err := s.submit(job(1, 0, 1, 2), 0); err != nil {
		t.Fatal(err)
	}
	s.Start(s.Head())
	s.Start(s.Head())
	if asked != 1 {
		t.Errorf("asked %d times, want 1", asked)
	}
}

func TestBoundedSlowdown(t *testing.T) {
	r := Record{Submit: 10, Start: 30, End: 34}
	for threshold, want := range map[Cycle]float64{0: 6, 8: 3, 100: 1} {
		if got := r.BoundedSlowdown(r.Service(), threshold); got != want {
			t.Errorf("threshold %d: %v, want %v", threshold, got, want)
		}
	}
}

// TestNoAllocationPerJob: under every policy ten times the jobs cost no more memory
// allocations than the growth of the queues, far less than one for each job.
func TestNoAllocationPerJob(t *testing.T) {
	jobs := make([]Job, 5000)
	for i := range jobs {
		jobs[i] = job(JobID(i+1), float64(i), float64(i%20), 1+i%12)
		jobs[i].Estimate += float64(i % 11)
	}
	for name, p := range allPolicies {
		longest := 0
		allocations := testing.AllocsPerRun(1, func() {
			sim := fixedSim(&List{Jobs: jobs}, 64)
			sim.Policy = p.make()
			sim.Record = func(*Record) {}
			totals := must.Have(sim.Run())
			longest = totals.LongestQueue
		})
		if allocations > float64(500+4*longest) || longest == 0 {
			t.Errorf("%s: %v allocations for %d jobs, %d in the queue", name, allocations,
				len(jobs), longest)
		}
	}
}
