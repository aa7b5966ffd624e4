package scheduler_test

import (
	"testing"

	"contend/allocation"
	"contend/allocation/byname"
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

// A policy that starts a job again panics: the job would lose its nodes.
func TestPolicyStartsAJobTwice(t *testing.T) {
	jobs := []scheduler.Job{{ID: 1, Size: 1, RunTime: 9}, {ID: 2, Submit: 1, Size: 1, RunTime: 9}}
	const want = "scheduler: the policy starts job 1, which does not wait"
	if got := must.Panic(func() { starts(t, jobs, "sequential", &twice{}) }); got != want {
		t.Errorf("panic %q, want %s", got, want)
	}
}
