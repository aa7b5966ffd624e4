package scheduler_test

import (
	"fmt"
	"testing"

	"contend/allocation"
	"contend/allocation/submesh"
	"contend/allocation/tree"
	"contend/internal/must"
	"contend/router/topology"
	"contend/scheduler"
)

// starts returns when each job of a log starts.
func starts(
	t *testing.T, jobs []scheduler.Job, allocator string, p scheduler.Policy,
) map[scheduler.JobID]scheduler.Cycle {
	t.Helper()
	machine := must.Have(topology.NewCube(topology.CubeConfig{Dims: []int{8, 8}}))
	table := append(submesh.Allocators(), tree.Allocators()...)
	a := must.Have(allocation.Named(table, allocator, allocation.Site{Machine: machine}))
	clock, got := scheduler.Clock{CyclesPerSecond: 1}, map[scheduler.JobID]scheduler.Cycle{}
	sim := scheduler.Sim{Source: &scheduler.List{Jobs: jobs}, Policy: p, Allocator: a, Clock: clock,
		Executor: &scheduler.Fixed{Clock: clock}, Free: allocation.NewFreeSet(machine.Nodes()),
		Record: func(r *scheduler.Record) { got[r.Job.ID] = r.Start }}
	if _, err := sim.Run(); err != nil {
		t.Fatal(err)
	}
	return got
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

// watcher is first come, first served, and notes who comes and goes.
type watcher struct {
	scheduler.FCFS
	text string
}

func (w *watcher) Submitted(s *scheduler.State, e *scheduler.Entry) {
	w.text += fmt.Sprintf("%d: +%d, %d wait\n", s.Now(), e.Job.ID, s.Waiting())
}

func (w *watcher) Left(s *scheduler.State, e *scheduler.Entry, killed bool) {
	w.text += fmt.Sprintf("%d: -%d of %d nodes, %t\n", s.Now(), e.Job.ID, len(e.Nodes), killed)
}

// A policy is told of each job that comes and goes: in a cycle of the ends, of kills, of arrivals.
func TestWatcher(t *testing.T) {
	jobs := []scheduler.Job{{ID: 1, Size: 2, RunTime: 5, Estimate: 9},
		{ID: 2, Size: 3, RunTime: 9, Estimate: 5}, {ID: 3, Submit: 5, Size: 1, RunTime: 1, Estimate: 1}}
	machine := must.Have(topology.NewCube(topology.CubeConfig{Dims: []int{2, 4}}))
	a := tree.NewSequential(machine)
	w := &watcher{}
	sim := scheduler.Sim{Source: &scheduler.List{Jobs: jobs}, Policy: w, Allocator: a,
		Executor: &scheduler.Fixed{}, Free: allocation.NewFreeSet(8), KillOverruns: true}
	must.Have(sim.Run())
	const want = "0: +1, 1 wait\n0: +2, 2 wait\n5: -1 of 2 nodes, false\n5: -2 of 3 nodes, true\n" +
		"5: +3, 1 wait\n6: -3 of 1 nodes, false\n"
	if w.text != want {
		t.Errorf("%s\nwant\n%s", w.text, want)
	}
}
