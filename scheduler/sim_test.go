package scheduler

import (
	"errors"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"contend/allocation"
	"contend/internal/must"
	"contend/router/topology"
)

// Jobs that finish in one cycle do so in the order of their numbers.
func TestFinishesOfOneCycle(t *testing.T) {
	got := simulatePolicy(t, []Job{job(7, 0, 3, 1), job(5, 0, 3, 1), job(6, 1, 2, 1)}, 4, FCFS{})
	want := []recordOf{{5, 0, 0, 3}, {6, 1, 1, 3}, {7, 0, 0, 3}}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

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

// TestNotInstalledNodes: nodes taken before the run are not part of the machine.
func TestNotInstalledNodes(t *testing.T) {
	sim := fixedSim(&List{Jobs: []Job{job(1, 0, 1, 3)}}, 4)
	sim.Free.Take([]topology.Node{1})
	sim.Record = func(r *Record) {
		if d := cmp.Diff([]topology.Node{0, 2, 3}, r.Nodes); d != "" {
			t.Error(d)
		}
	}
	if totals, err := sim.Run(); err != nil || totals.Utilization() != 1 {
		t.Errorf("utilization %v, error %v", totals.Utilization(), err)
	}
	sim.Source = &List{Jobs: []Job{job(1, 0, 1, 4)}}
	if _, err := sim.Run(); err == nil {
		t.Error("a job larger than the machine ran")
	}
}

func TestRunErrors(t *testing.T) {
	tooLarge := job(17, 0, 1, 9)
	tooLarge.Line = 23
	tests := []struct {
		name string
		jobs []Job
		log  string
		want string
	}{
		{"too large", []Job{tooLarge}, "kth.swf",
			"kth.swf:23: job 17: it asks for 9 processors: it must be from 1 to 8"},
		{"too large, no file", []Job{tooLarge}, "", "job 17 (line 23 of the log): it asks for 9"},
		{"no size", []Job{job(1, 0, 1, 0)}, "", "job 1: it asks for 0 processors"},
		{"out of order", []Job{job(1, 5, 1, 1), job(2, 4, 1, 1)}, "",
			"job 2: it is submitted at 4, before"},
		{"number in use", []Job{job(1, 0, 10, 1), job(1, 4, 1, 1)}, "",
			"job 1: a job with this number is still"},
		{"beyond the clock", []Job{job(1, 1e19, 1, 1)}, "",
			"job 1: its submit time 1e+19 and run time 1 do not fit"},
		{"negative run time", []Job{job(1, 1, -1, 1)}, "",
			"job 1: its submit time 1 and run time -1 do not fit"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			sim := fixedSim(&List{Jobs: test.jobs}, 8)
			sim.Log = test.log
			if _, err := sim.Run(); err == nil || !strings.HasPrefix(err.Error(), test.want) {
				t.Errorf("got %v, want %s...", err, test.want)
			}
		})
	}
}

// refuses never places jobs of size 3, although Check accepts them.
type refuses struct{ firstFree }

func (a refuses) Allocate(dst []topology.Node, free *allocation.FreeSet,
	req allocation.Request) ([]topology.Node, bool) {
	if req.Size == 3 {
		return dst, false
	}
	return a.firstFree.Allocate(dst, free, req)
}

func TestJobThatNeverFitsIsAnError(t *testing.T) {
	sim := fixedSim(&List{Jobs: []Job{job(1, 0, 1, 1), job(2, 0, 1, 3)}}, 4)
	sim.Allocator = refuses{firstFree{nodes: 4}}
	if _, err := sim.Run(); err == nil ||
		err.Error() != "job 2: it waits although the whole machine of 4 nodes is free" {
		t.Errorf("got %v", err)
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

type broken struct{}

func (broken) Next() (Job, error) { return Job{}, io.ErrUnexpectedEOF }

// counting counts the requests it receives.
type counting struct {
	firstFree
	asked *int
}

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

// Decided is called once for each job, at its start, while its nodes are still free and
// those of running jobs are not.
func TestDecided(t *testing.T) {
	var jobs []Job
	for i := range 200 {
		jobs = append(jobs, Job{ID: JobID(i + 1), Submit: float64(i), RunTime: float64(1 + i*7%30),
			Estimate: 30, Size: 1 + i*5%13})
	}
	for _, policy := range []Policy{FCFS{}, &EASY{}, &Conservative{}} {
		sim := fixedSim(&List{Jobs: jobs}, 16)
		sim.Policy = policy
		starts, ends, busy := map[JobID]int{}, 0, 0
		sim.Decided = func(j *Job, free *allocation.FreeSet, chosen []topology.Node) {
			if starts[j.ID]++; len(chosen) != j.Size || free.Count() != 16-busy {
				t.Errorf("%T: job %d of %d gets %d, %d are free and %d busy", policy, j.ID, j.Size, len(chosen),
					free.Count(), busy)
			}
			for _, n := range chosen {
				if !free.Free(n) {
					t.Errorf("%T: job %d gets node %d, which is not free", policy, j.ID, n)
				}
			}
			busy += j.Size
		}
		sim.Record = func(r *Record) {
			busy -= r.Job.Size
			if ends++; starts[r.Job.ID] != 1 {
				t.Errorf("%T: job %d started %d times", policy, r.Job.ID, starts[r.Job.ID])
			}
		}
		if _, err := sim.Run(); err != nil || ends != 200 {
			t.Fatalf("%T: %d jobs ended, %v", policy, ends, err)
		}
	}
}
