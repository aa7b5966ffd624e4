package scheduler

import (
	"errors"
	"fmt"
	"io"

	"contend/allocation"
	"contend/router/topology"
)

// ErrStopped is the error of Sim.Run after Stop returned true.
var ErrStopped = errors.New("stopped")

// Sim simulates a queue and a machine. Each job of the source is submitted, waits until
// the policy starts it on nodes from the allocator, runs on the executor and leaves.
//
// At any time t, events have a fixed order: jobs finish, nodes are repaired, nodes fail, jobs
// that pass their estimate are killed, jobs arrive, and then the policy runs once. A job with
// no run time finishes after that, still at t, and the policy runs again.
type Sim struct {
	// Source yields the jobs in order of submission.
	Source Source
	// Policy decides which waiting jobs start. Its state belongs to one simulation.
	Policy Policy
	// Allocator chooses the nodes of a job.
	Allocator allocation.Allocator
	// Executor runs the started jobs and decides when they finish.
	Executor Executor
	// Free are the nodes of the machine. Nodes that are not free when Run begins are
	// not part of it ("not installed", Pascual et al., JSSPP 2009, sec. 4).
	Free *allocation.FreeSet
	// Clock converts the submit times and estimates of the jobs to cycles.
	Clock Clock
	// KillOverruns kills a job that still runs when its estimate ends (Johnson, Bunde,
	// Leung 2010, sec. I). Without it the job goes on. The run times of a log already
	// reflect what its system did, so a replay leaves this off. The executor must be a
	// Killer.
	KillOverruns bool
	// Failures, if not nil, are failures and repairs of nodes. A job on a node that fails is killed
	// and goes to the end of the queue, as a job that is submitted then, and its work begins anew: so
	// do LSF ("dispatched according to its requeue time", brequeue) and Slurm, which resets the
	// submit time (sacct). Its record has its first submission and its last start. The executor must
	// be a Killer unless no node fails.
	Failures Failures
	// MaxRestarts is how often a job that failures kill begins anew. A job that is killed once more is
	// lost: it leaves the system without having finished, as its record says. So a job that failures
	// always kill does not run for ever.
	MaxRestarts int
	// Log is the name of the log, for messages. It may be empty.
	Log string
	// Record, if not nil, is called for each job that finished or was killed, in order
	// of the ends. Jobs that finish in a cycle come before jobs killed in it, in order
	// of their numbers.
	Record func(*Record)
	// Stopped, if not nil, is called for each run of a job that a failure ends, with the record of the
	// run, before Change.Do of the failure.
	Stopped func(*Record)
	// Down, if not nil, is called with each time for which a node was down, when it is repaired or
	// fails again, or the simulation ends. They add up to Totals.Down.
	Down func(n topology.Node, from, until Cycle)
	// Decided, if not nil, is called for each job about to start, with the free nodes
	// and the nodes chosen by the allocator. It must change neither.
	Decided func(j *Job, free *allocation.FreeSet, chosen []topology.Node)
	// Stop, if not nil, is polled at each event. The simulation ends once it returns
	// true.
	Stop func() bool
}

// run is the state of a running Sim.
type run struct {
	sim *Sim
	State
	next  Job     // the next job to arrive
	at    Cycle   // arrival of next; MaxCycle if there is none
	wake  Cycle   // wake-up time of the policy; MaxCycle if there is none
	ended bool    // no more jobs arrive
	done  []JobID // buffer for finished jobs
	// change is the next change of the machine, at MaxCycle if there is none.
	change Change
}

// Run simulates until the source is exhausted and all jobs have finished. It returns an
// error if a job is invalid or can never be placed.
func (m *Sim) Run() (Totals, error) {
	r := &run{sim: m, wake: MaxCycle, State: State{
		clock:     m.Clock,
		free:      m.Free,
		version:   1,
		allocator: m.Allocator,
		executor:  m.Executor,
		counting:  allocation.CountDecides(m.Allocator),
		byID:      make(map[JobID]*Entry),
		refused:   make([]uint64, m.Free.Nodes()+1),
		leaving:   m.Record,
		decided:   m.Decided,

		maxRestarts: m.MaxRestarts, stopped: m.Stopped, down: m.Down,
	}}
	r.watcher, _ = m.Policy.(Watcher)
	r.totals.Nodes = m.Free.Count()
	r.checks.begin(m)
	if err := r.fetch(); err != nil {
		return r.totals, err
	}
	r.totals.FirstSubmit = r.at
	r.nextChange()
	for !r.ended || r.jobs() > 0 || r.Waiting() > 0 {
		if m.Stop != nil && m.Stop() {
			return r.totals, ErrStopped
		}
		if err := r.step(); err != nil {
			return r.totals, err
		}
	}
	r.finishDown()
	return r.totals, nil
}

// step advances to the next event and handles it.
func (r *run) step() error {
	if err := r.advance(); err != nil {
		return err
	}
	for !r.ended && r.at == r.now {
		if err := r.submit(r.next, r.at); err != nil {
			return r.jobError(&r.next, err)
		}
		r.totals.LastSubmit = r.now
		if err := r.fetch(); err != nil {
			return err
		}
	}
	r.sim.Policy.Schedule(&r.State)
	if w, ok := r.sim.Policy.(Waker); ok {
		if r.wake = w.Wake(&r.State); r.wake <= r.now {
			panic(fmt.Sprintf("scheduler: at cycle %d the policy asks to run at %d", r.now, r.wake))
		}
	}
	r.checks.scheduled(&r.State)
	r.totals.LongestQueue = max(r.totals.LongestQueue, r.Waiting())
	return r.checkWaiting()
}

// advance lets jobs run until one ends or another event is due.
func (r *run) advance() error {
	before, until := r.now, min(r.at, r.wake, r.change.At)
	if r.sim.KillOverruns && len(r.running) > 0 {
		until = min(until, r.running[0].ends)
	}
	now, done, err := r.executor.Advance(until, r.done[:0])
	if err != nil {
		return err
	}
	if now < before || now > until {
		panic(fmt.Sprintf("scheduler: the executor went from cycle %d to %d, asked for %d",
			before, now, until))
	}
	if len(done) == 0 && now == before && now != until || now == MaxCycle {
		panic(fmt.Sprintf("scheduler: the executor is stuck at cycle %d with %d jobs", now,
			len(r.running)))
	}
	r.now, r.done = now, done
	for _, id := range done {
		e := r.byID[id]
		if e == nil {
			panic(fmt.Sprintf("scheduler: the executor finished job %d, which does not run", id))
		}
		r.leave(e, false)
	}
	if err := r.applyChanges(); err != nil {
		return err
	}
	for r.sim.KillOverruns && len(r.running) > 0 && r.running[0].ends <= now {
		r.Kill(r.running[0].entry)
	}
	return nil
}

// fetch reads the next job and refuses a job that cannot run.
func (r *run) fetch() error {
	j, err := r.sim.Source.Next()
	if errors.Is(err, io.EOF) {
		r.at, r.ended = MaxCycle, true
		return nil
	}
	if err != nil {
		return err
	}
	if !(j.Submit >= 0 && j.RunTime >= 0) || r.clock.Cycles(j.Submit) >= MaxCycle/2 ||
		r.clock.Cycles(j.RunTime) >= MaxCycle/2 {
		return r.jobError(&j, fmt.Errorf("its submit time %v and run time %v do not fit the "+
			"simulation's clock of %v cycles per second", j.Submit, j.RunTime, r.clock.rate()))
	}
	at := r.clock.Cycles(j.Submit)
	if at < r.at {
		return r.jobError(&j, fmt.Errorf("it is submitted at %v, before the job ahead of it: jobs "+
			"must be in order of submission", j.Submit))
	}
	if j.Size < 1 || j.Size > r.totals.Nodes {
		return r.jobError(&j, fmt.Errorf("it asks for %d processors: it must be from 1 to %d, the "+
			"size of the machine", j.Size, r.totals.Nodes))
	}
	if err := r.allocator.Check(j.Request()); err != nil {
		return r.jobError(&j, err)
	}
	r.next, r.at = j, at
	return nil
}

// jobError adds the job and its log to an error.
func (r *run) jobError(j *Job, err error) error { return j.Wrap(r.sim.Log, err) }
