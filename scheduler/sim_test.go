package scheduler

import (
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
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

func TestFixedBeyondTheLastCycle(t *testing.T) {
	x := Fixed{now: MaxCycle - 5}
	x.Start(&Job{ID: 3, RunTime: 10}, nil)
	if _, _, err := x.Advance(MaxCycle, nil); err == nil ||
		!strings.HasPrefix(err.Error(), "job 3 ends after") {
		t.Errorf("got %v", err)
	}
}

// estimated returns a job with another estimate.
func estimated(j Job, estimate float64) Job { j.Estimate = estimate; return j }

// Under every policy, killing at the estimate gives the same schedule as run times cut to the
// estimate.
func TestKillOverrunsCutsRunTimes(t *testing.T) {
	for name, policy := range allPolicies {
		for seed := range uint64(100) {
			jobs := drawJobs(rand.New(rand.NewPCG(seed, 4)), 12, 60, anyhow)
			killing := fixedSim(&List{Jobs: jobs}, 12)
			killing.Policy, killing.KillOverruns = policy.make(), true
			got, totals := recorded(t, killing)
			overruns := 0
			for i := range jobs {
				if j := &jobs[i]; j.RunTime > j.Estimate {
					j.RunTime = j.Estimate
					overruns++
				}
			}
			want := simulatePolicy(t, jobs, 12, policy.make())
			slices.SortFunc(got, byID) // at a cycle jobs end before jobs are killed
			slices.SortFunc(want, byID)
			if !slices.Equal(got, want) || totals.Killed != overruns {
				t.Fatalf("%s, seed %d: %d killed, want %d: %s", name, seed, totals.Killed, overruns,
					cmp.Diff(want, got))
			}
		}
	}
}

// Killing without a Killer is a caller's bug.
func TestCannotKill(t *testing.T) {
	sim := fixedSim(&List{Jobs: []Job{estimated(job(1, 0, 10, 2), 4)}}, 4)
	sim.KillOverruns, sim.Executor = true, struct{ Executor }{&Fixed{}}
	got := must.Panic(func() { sim.Run() })
	if !strings.HasPrefix(got, "scheduler: job 1 cannot be killed") {
		t.Errorf("panic %q", got)
	}
}

// TestQueueAgainstSlice starts jobs at random places of the queue and compares the
// queue with a plain slice.
func TestQueueAgainstSlice(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	s := State{version: 1, free: allocation.NewFreeSet(100_000), allocator: firstFree{nodes: 100_000},
		executor: &Fixed{}, byID: map[JobID]*Entry{}}
	s.checks.begin(&Sim{})
	var want []JobID
	for id := JobID(1); id <= 5000; id++ {
		if err := s.submit(job(id, 0, 1, 1), 0); err != nil {
			t.Fatal(err)
		}
		want = append(want, id)
		for len(want) > 0 && r.IntN(100) < 49 {
			i := r.IntN(min(len(want), 20))
			if !s.Start(slices.Collect(s.Queue())[i]) {
				t.Fatal("a job that fits did not start")
			}
			want = append(want[:i], want[i+1:]...)
		}
		if s.Waiting() != len(want) {
			t.Fatalf("%d wait, want %d", s.Waiting(), len(want))
		}
		for i, e := range slices.Collect(s.Queue()) {
			if e.Job.ID != want[i] {
				t.Fatalf("job %d waits at %d, want %d", e.Job.ID, i, want[i])
			}
		}
	}
	if len(s.queue.entries) > 2*len(want)+2*blockPlaces {
		t.Errorf("%d places, %d jobs wait", len(s.queue.entries), len(want))
	}
}

// scheduling is a policy that is a function.
type scheduling func(*State)

// Schedule implements Policy.
func (p scheduling) Schedule(s *State) { p(s) }

// A policy that starts a job again, or on nodes that another job may have, panics.
func TestWrongPolicies(t *testing.T) {
	jobs := []Job{job(1, 0, 5, 2), job(2, 0, 5, 2)}
	var first *Entry
	for want, policy := range map[string]scheduling{
		"scheduler: job 2 is started on nodes that were not just found for it": func(s *State) {
			found := slices.Collect(s.Queue())
			for _, e := range found {
				s.Place(e)
			}
			for _, e := range found {
				s.Commit(e)
			}
		},
		"scheduler: the policy starts job 1, which does not wait": func(s *State) {
			if first == nil {
				first = s.Head()
			}
			s.Start(first)
		},
	} {
		if got := must.Panic(func() { simulatePolicy(t, jobs, 4, policy) }); got != want {
			t.Errorf("panic %q, want %s", got, want)
		}
	}
}

// BenchmarkEASYTree runs 200,000 jobs of Lublin and Feitelson's model, at 80% of a 4-ary 6-tree,
// under EASY with trial placements. Estimates are up to ten times the run times.
func BenchmarkEASYTree(b *testing.B) {
	const nodes = 4096
	jobs := lublin(b, LublinConfig{Jobs: 200_000, Processors: nodes, Kind: "all", Seed: 1})
	must.Have(ScaleToLoad(jobs, nodes, 0.8))
	r := rand.New(rand.NewPCG(1, 1))
	for i := range jobs {
		jobs[i].Estimate *= 1 + 9*r.Float64()*r.Float64()
	}
	for _, allocator := range []string{"sequential", "contiguous", "quasi-contiguous:40"} {
		b.Run(allocator, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				sim := treeSim(4, 6, allocator)
				sim.Source, sim.Policy = &List{Jobs: jobs}, &EASY{}
				totals := must.Have(sim.Run())
				b.ReportMetric(float64(totals.LongestQueue), "longest-queue")
			}
			b.ReportMetric(float64(len(jobs)*b.N)/b.Elapsed().Seconds(), "jobs/s")
		})
	}
}
