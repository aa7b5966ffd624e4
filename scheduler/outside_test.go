package scheduler_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"contend/allocation"
	"contend/allocation/byname"
	"contend/internal/must"
	"contend/netsim/topology"
	"contend/scheduler"
)

// outsideEASY is aggressive backfilling as anybody can write it with what
// scheduler.State offers. It keeps nothing between two calls.
type outsideEASY struct{}

func (outsideEASY) Schedule(s *scheduler.State) {
	for s.Waiting() > 0 && s.Start(s.Head()) {
	}
	head := s.Head()
	if head == nil {
		return
	}
	r := reserve(s, head)
	for e := range s.Queue() {
		ends := s.Now()+s.Estimate(e) <= r.shadow
		switch {
		case e == head || !s.Place(e):
		case ends:
			s.Commit(e)
		case s.CountDecides() && len(e.Nodes) <= r.extra || !s.CountDecides() && r.leaves(s, head, e):
			s.Commit(e)
			r.extra -= len(e.Nodes)
		}
	}
}

// reservation is when the head of the queue can start, and what is free then.
type reservation struct {
	shadow scheduler.Cycle
	extra  int
	free   *allocation.FreeSet
}

func reserve(s *scheduler.State, head *scheduler.Entry) reservation {
	r := reservation{free: s.CopyFree(nil)}
	for e := range s.Running() {
		at := max(e.Estimated, s.Now()) // one that has passed its estimate ends now
		if at > r.shadow && s.Fits(head, r.free) {
			break // with all that end by r.shadow
		}
		r.free.Release(e.Nodes)
		r.shadow = at
	}
	r.extra = r.free.Count() - head.Job.Size
	return r
}

// leaves reports whether the head can still start at its reservation when e
// has the nodes that were found for it.
func (r *reservation) leaves(s *scheduler.State, head, e *scheduler.Entry) bool {
	r.free.Take(e.Nodes)
	if s.Fits(head, r.free) {
		return true
	}
	r.free.Release(e.Nodes)
	return false
}

// greedy lets any job go ahead that fits: not EASY.
type greedy struct{}

func (greedy) Schedule(s *scheduler.State) {
	for e := range s.Queue() {
		s.Start(e)
	}
}

// starts returns when each job of a log starts.
func starts(
	t *testing.T, jobs []scheduler.Job, allocator string, p scheduler.Policy,
) map[scheduler.JobID]scheduler.Cycle {
	t.Helper()
	machine := must.Have(topology.NewCube(topology.CubeConfig{Dims: []int{8, 8}}))
	config := must.Have(byname.Parse(allocator))
	a := must.Have(byname.New(config, machine, nil))
	clock, got := scheduler.Clock{CyclesPerSecond: 1}, map[scheduler.JobID]scheduler.Cycle{}
	sim := scheduler.Sim{Source: &scheduler.List{Jobs: jobs}, Policy: p, Allocator: a, Clock: clock,
		Executor: &scheduler.Fixed{Clock: clock}, Free: allocation.NewFreeSet(machine.Nodes()),
		Record: func(r *scheduler.Record) { got[r.Job.ID] = r.Start }}
	if _, err := sim.Run(); err != nil {
		t.Fatal(err)
	}
	return got
}

// generated draws a log of a busy machine, whose users estimate run times
// exactly, too high, or anyhow.
func generated(seed uint64, jobs int) []scheduler.Job {
	r := rand.New(rand.NewPCG(seed, 1))
	var list []scheduler.Job
	submit := 0.0
	for i := range jobs {
		submit += float64(r.IntN(12))
		run := float64(1 + r.IntN(100))
		estimates := [...]float64{run, run + float64(r.IntN(60)), float64(1 + r.IntN(100))}
		shape := []int{1 + r.IntN(6), 1 + r.IntN(6)}
		list = append(list, scheduler.Job{ID: scheduler.JobID(i + 1), Submit: submit, RunTime: run,
			Estimate: estimates[seed%3], Size: shape[0] * shape[1], Shape: shape})
	}
	return list
}

// EASY written outside of the package starts every job when the built-in one
// does, with allocators of either kind. That the logs can tell policies apart,
// a policy that lets all jobs go ahead shows.
func TestEASYFromOutside(t *testing.T) {
	allocators := []string{"mbs", "mc1x1", "paging:0", "paging:1", "first-fit", "best-fit",
		"frame-sliding"}
	for _, allocator := range allocators {
		differ := 0
		for seed := range uint64(30) {
			jobs := generated(seed, 120)
			want := starts(t, jobs, allocator, &scheduler.EASY{})
			if got := starts(t, jobs, allocator, outsideEASY{}); fmt.Sprint(got) != fmt.Sprint(want) {
				t.Fatalf("%s, seed %d: %v, want %v", allocator, seed, got, want)
			}
			if fmt.Sprint(starts(t, jobs, allocator, greedy{})) != fmt.Sprint(want) {
				differ++
			}
		}
		if differ < 25 {
			t.Errorf("%s: only %d of 30 logs tell EASY from a greedy policy", allocator, differ)
		}
	}
}

// stale commits a job on nodes that were found before another one started.
type stale struct{}

func (stale) Schedule(s *scheduler.State) {
	var found []*scheduler.Entry
	for e := range s.Queue() {
		if s.Place(e) {
			found = append(found, e)
		}
	}
	for _, e := range found {
		s.Commit(e)
	}
}

func TestCommitRefusesNodesThatMayBeGone(t *testing.T) {
	jobs := []scheduler.Job{{ID: 1, RunTime: 5, Size: 4}, {ID: 2, RunTime: 5, Size: 4}}
	const want = "scheduler: job 2 is started on nodes that were not just found for it"
	if got := must.Panic(func() { starts(t, jobs, "mbs", stale{}) }); got != want {
		t.Errorf("panic %q, want %s", got, want)
	}
}

// twice starts a job that runs already.
type twice struct{ first *scheduler.Entry }

func (p *twice) Schedule(s *scheduler.State) {
	if p.first == nil {
		p.first = s.Head()
	}
	s.Start(p.first)
}

// A policy that starts a job again is told so: the job would lose its nodes.
func TestPolicyStartsAJobTwice(t *testing.T) {
	jobs := []scheduler.Job{{ID: 1, Size: 1, RunTime: 9}, {ID: 2, Submit: 1, Size: 1, RunTime: 9}}
	const want = "scheduler: the policy starts job 1, which does not wait"
	if got := must.Panic(func() { starts(t, jobs, "sequential", &twice{}) }); got != want {
		t.Errorf("panic %q, want %s", got, want)
	}
}
