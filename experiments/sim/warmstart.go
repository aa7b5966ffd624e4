package sim

import (
	"context"
	"errors"
	"slices"

	"contend/allocation"
	"contend/experiments/config"
	"contend/internal/lifetime"
	"contend/router/topology"
	"contend/scheduler"
)

// A window of a log may begin warm (workload.warm_start): with the jobs that run and wait when its
// first job is submitted. The jobs of the log before the window run for their run times, without
// messages, under the scheduler and the allocator of the run. Those that run then are submitted in
// cycle 0, with the rest of their run times, and get the nodes that they hold. The window begins in
// cycle 1, in which those that wait are submitted: a policy that does not keep the order of
// submission cannot start one of them before.

// errWindow ends the simulation of the jobs before a window.
var errWindow = errors.New("the window begins")

// startWarm puts the jobs that run and wait when a window begins before those of the window.
func (s *Simulator) startWarm(
	ctx context.Context, u *Setup, plan *config.Plan, replication int, life *lifetime.Run,
) error {
	start := plan.Workload.Start + replication*plan.Workload.Window
	window := u.Work.Source.(*scheduler.List).Jobs
	if start == 0 || len(window) == 0 {
		return nil
	}
	m := s.maker(ctx, u.Work, plan, replication)
	notes := m.notes // those on the window stand for all
	before, begins, err := m.jobsBefore(start)
	if err != nil {
		return err
	}
	state, err := s.stateOf(ctx, plan, replication, life, before, begins)
	if err != nil {
		return err
	}
	lead := state.jobs(begins, m.clock)
	if plan.Job.Run == config.RunMessages {
		if err := m.giveTimes(lead, m.newCalibration()); err != nil {
			return err
		}
	}
	m.notes = notes
	cycle := m.clock.Seconds(1)
	for i := range window {
		window[i].Submit += cycle
	}
	m.lead = len(lead)
	m.Source = &scheduler.List{Jobs: append(lead, window...)}
	u.givePlaces(state.places)
	return nil
}

// givePlaces gives jobs that run at a moment of a log the nodes that they hold.
func (u *Setup) givePlaces(places []givenPlace) {
	u.places = &givenPlaces{Allocator: u.alloc, places: places}
	u.alloc = u.places
}

// stateOf returns the jobs of a list that run and wait at a time, under a scheduler and an allocator
// of their own.
func (s *Simulator) stateOf(ctx context.Context, plan *config.Plan, replication int,
	life *lifetime.Run, jobs []scheduler.Job, at float64) (warmState, error) {
	u := Setup{machine: plan.Machine, life: life}
	if err := s.setScheduler(&u, plan, replication); err != nil {
		return warmState{}, err
	}
	return u.stateAt(ctx, jobs, at, plan)
}

// jobsBefore returns the jobs of the log before number start, with their patterns, and the time at
// which that one is submitted.
func (m *workMaker) jobsBefore(start int) (jobs []scheduler.Job, begins float64, err error) {
	whole := *m.plan
	whole.Workload.Jobs, whole.Workload.Transform.First = start+1, start+1
	jobs, err = m.logJobs(&whole, 0, m.weights, m.seed)
	if err == nil {
		err = m.givePatterns(jobs)
	}
	if err != nil {
		return nil, 0, err
	}
	m.plan.Scheduler.AssumeEstimates(jobs)
	if m.plan.Scheduler.OnOverrun == config.OverrunRaise {
		raiseEstimates(jobs)
	}
	return jobs[:start], jobs[start].Submit, nil
}

// warmState is the jobs in the system when a window begins.
type warmState struct {
	running, waiting []scheduler.Job // in the order of their starts, and of their submissions
	starts           []float64       // of those that run
	places           []givenPlace
}

// stateAt runs jobs for their run times up to the time at which a window begins.
func (u *Setup) stateAt(
	ctx context.Context, jobs []scheduler.Job, begins float64, plan *config.Plan,
) (state warmState, err error) {
	clock := scheduler.Clock{CyclesPerSecond: milliseconds}
	type started struct {
		at    scheduler.Cycle
		nodes []topology.Node
	}
	running, ended := map[scheduler.JobID]started{}, map[scheduler.JobID]bool{}
	x := &untilWindow{Fixed: scheduler.Fixed{Clock: clock}, begins: clock.Cycles(begins)}
	sim := scheduler.Sim{Source: &scheduler.List{Jobs: jobs}, Policy: u.policy, Allocator: u.alloc,
		Executor: x, Free: allocation.NewFreeSet(u.machine.Nodes()), Clock: clock,
		Decided: func(j *scheduler.Job, _ *allocation.FreeSet, chosen []topology.Node) {
			running[j.ID] = started{x.now, slices.Clone(chosen)}
		},
		Record: func(r *scheduler.Record) {
			delete(running, r.Job.ID)
			ended[r.Job.ID] = true
		},
		Stop: func() bool { return ctx.Err() != nil },
	}
	if _, err := sim.Run(); !errors.Is(err, errWindow) {
		return state, runError(ctx, err)
	}
	for i := range jobs {
		j := &jobs[i]
		if k, ok := running[j.ID]; ok {
			state.running, state.starts = append(state.running, *j), append(state.starts,
				clock.Seconds(k.at))
			state.places = append(state.places, givenPlace{j.Size, k.nodes})
		} else if !ended[j.ID] {
			state.waiting = append(state.waiting, *j)
		}
	}
	return state, nil
}

// milliseconds is the rate of the clock by which the jobs before a window run: log times are in
// seconds, and load_scale makes fractions of them.
const milliseconds = 1000

// jobs returns the jobs with which a window begins: the rest of those that run, which are submitted
// in cycle 0, and those that wait, in cycle 1.
func (w *warmState) jobs(begins float64, clock scheduler.Clock) (list []scheduler.Job) {
	cycle := clock.Seconds(1)
	for i, j := range w.running {
		rest := w.starts[i] - begins + cycle // beside the whole time of the job
		j.Submit, j.RunTime = 0, max(cycle, j.RunTime+rest)
		j.Estimate = max(cycle, j.Estimate+rest)
		list = append(list, j)
	}
	for _, j := range w.waiting {
		j.Submit = cycle
		list = append(list, j)
	}
	return list
}

// untilWindow runs jobs for their run times until a window begins.
type untilWindow struct {
	scheduler.Fixed
	now, begins scheduler.Cycle
}

// Advance implements scheduler.Executor.
func (x *untilWindow) Advance(
	until scheduler.Cycle, done []scheduler.JobID,
) (scheduler.Cycle, []scheduler.JobID, error) {
	if x.now == x.begins {
		return x.now, done, errWindow
	}
	before := len(done)
	now, done, err := x.Fixed.Advance(min(until, x.begins), done)
	x.now = now
	if err == nil && now == x.begins && len(done) == before && now != until {
		err = errWindow
	}
	return now, done, err
}

// givenPlaces gives jobs that run when a window begins the nodes that they hold, and leaves others
// to another allocator. Jobs of one size may get each other's.
type givenPlaces struct {
	allocation.Allocator
	places []givenPlace // of jobs that have not started
}

// givenPlace is the nodes of a job of a size, with those that are reserved with them.
type givenPlace struct {
	size  int
	nodes []topology.Node
}

// Allocate implements allocation.Allocator.
func (a *givenPlaces) Allocate(
	dst []topology.Node, free *allocation.FreeSet, req allocation.Request,
) ([]topology.Node, bool) {
	for _, k := range a.places {
		if k.size == req.Size && !slices.ContainsFunc(k.nodes,
			func(n topology.Node) bool { return !free.Free(n) }) {
			return append(dst, k.nodes...), true
		}
	}
	return a.Allocator.Allocate(dst, free, req)
}

// CountDecides implements allocation.Counting.
func (a *givenPlaces) CountDecides() bool { return allocation.CountDecides(a.Allocator) }

// take removes the place of a job that starts.
func (a *givenPlaces) take(nodes []topology.Node) {
	a.places = slices.DeleteFunc(a.places,
		func(k givenPlace) bool { return slices.Equal(k.nodes, nodes) })
}
