package scheduler

import (
	"errors"
	"fmt"
	"io"

	"contend/allocation"
)

// ErrStopped is what Sim.Run returns where Stop asked it to end.
var ErrStopped = errors.New("stopped")

// Sim takes the jobs of a source through a machine: each is submitted, waits
// until the policy starts it on nodes the allocator finds, runs on the
// executor and leaves.
//
// At any time t, jobs that finish come before jobs that arrive, and the policy
// is asked once after all of both. A job that runs for no time finishes after
// that, still at t, and the policy is asked again.
type Sim struct {
	Source    Source
	Policy    Policy
	Allocator allocation.Allocator
	Executor  Executor
	// Free are the nodes of the machine. Those not free when Run begins do
	// not exist for it ("not installed", Pascual et al., JSSPP 2009, sec. 4).
	Free *allocation.FreeSet
	// Clock converts the submit times and estimates of the jobs.
	Clock Clock
	// Log is the name of the log, for messages; it may be empty.
	Log string
	// Record, if not nil, is called for each job that has finished, in order
	// of the ends and, in the same cycle, of the job numbers.
	Record func(*Record)
	// Stop, if not nil, is asked now and then whether to give up.
	Stop func() bool
}

// run is a Sim at work.
type run struct {
	sim *Sim
	State
	totals Totals
	next   Job   // the next job to arrive
	at     Cycle // when; MaxCycle where there is none
	ended  bool  // no job is to arrive
	done   []JobID
	record Record // of the job that leaves; here, so that none is allocated
}

// Run simulates until the source is exhausted and all jobs have finished, or
// something is wrong: a job that can never be placed is an error.
func (m *Sim) Run() (Totals, error) {
	r := &run{sim: m, State: State{
		clock:     m.Clock,
		free:      m.Free,
		version:   1,
		allocator: m.Allocator,
		executor:  m.Executor,
		byID:      make(map[JobID]*Entry),
	}}
	r.totals.Nodes = m.Free.Count()
	r.checks.begin(m.Policy)
	if err := r.fetch(); err != nil {
		return r.totals, err
	}
	r.totals.FirstSubmit = r.at
	for !r.ended || len(r.running) > 0 {
		if m.Stop != nil && m.Stop() {
			return r.totals, ErrStopped
		}
		if err := r.step(); err != nil {
			return r.totals, err
		}
	}
	return r.totals, nil
}

// step moves on to the next time something happens.
func (r *run) step() error {
	before := r.now
	now, done, err := r.executor.Advance(r.at, r.done[:0])
	if err != nil {
		return err
	}
	if now < before || now > r.at {
		panic(fmt.Sprintf("scheduler: the executor went from cycle %d to %d, asked for %d", before, now, r.at))
	}
	if len(done) == 0 && now == before && now != r.at || now == MaxCycle {
		panic(fmt.Sprintf("scheduler: the executor is stuck at cycle %d with %d jobs", now, len(r.running)))
	}
	r.now, r.done = now, done
	for _, id := range done {
		r.leave(id)
	}
	for !r.ended && r.at == now {
		if err := r.submit(r.next, r.at); err != nil {
			return r.jobError(&r.next, err)
		}
		r.totals.LastSubmit = now
		if err := r.fetch(); err != nil {
			return err
		}
	}
	r.sim.Policy.Schedule(&r.State)
	r.checks.scheduled(&r.State, r.totals.Nodes)
	r.totals.LongestQueue = max(r.totals.LongestQueue, r.Waiting())
	if r.Waiting() > 0 && len(r.running) == 0 {
		return r.jobError(&r.At(0).Job, fmt.Errorf("it waits although the whole machine of %d nodes is free", r.totals.Nodes))
	}
	return nil
}

// leave records a finished job and frees its nodes.
func (r *run) leave(id JobID) {
	e := r.finish(id)
	r.record = Record{Job: &e.Job, Submit: e.Submit, Start: e.Start, End: r.now,
		Nodes: e.Nodes[:e.Job.Size], Granted: e.Nodes}
	r.totals.add(&r.record)
	if r.sim.Record != nil {
		r.sim.Record(&r.record)
	}
}

// fetch reads the next job to arrive and refuses one that cannot be run.
func (r *run) fetch() error {
	j, err := r.sim.Source.Next()
	if errors.Is(err, io.EOF) {
		r.at, r.ended = MaxCycle, true
		return nil
	}
	if err != nil {
		return err
	}
	if !(j.Submit >= 0 && j.RunTime >= 0) || r.clock.Cycles(j.Submit) >= MaxCycle/2 || r.clock.Cycles(j.RunTime) >= MaxCycle/2 {
		return r.jobError(&j, fmt.Errorf("its submit time %v and run time %v do not fit the simulation's clock of %v cycles per second", j.Submit, j.RunTime, r.clock.rate()))
	}
	at := r.clock.Cycles(j.Submit)
	if at < r.at {
		return r.jobError(&j, fmt.Errorf("it is submitted at %v, before the job ahead of it: jobs must be in order of submission", j.Submit))
	}
	if j.Size < 1 || j.Size > r.totals.Nodes {
		return r.jobError(&j, fmt.Errorf("it asks for %d processors: it must be from 1 to %d, the size of the machine", j.Size, r.totals.Nodes))
	}
	if err := r.allocator.Check(j.Request()); err != nil {
		return r.jobError(&j, err)
	}
	r.next, r.at = j, at
	return nil
}

// jobError says which job an error is about, and where it came from.
func (r *run) jobError(j *Job, err error) error { return j.Wrap(r.sim.Log, err) }
