package scheduler

import (
	"errors"
	"fmt"
	"io"
	"math/bits"

	"contend/allocation"
	"contend/internal/heap"
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
	// KillOverruns kills a job that still runs when its estimate ends (Johnson, Bunde, Leung 2010,
	// sec. I). Without it the job keeps running. The run times of a log already include such kills by
	// its system, so a replay leaves this off. The executor must be a Killer.
	KillOverruns bool
	// Failures, if not nil, are failures and repairs of nodes. A job on a node that fails is killed,
	// goes to the end of the queue like a job submitted at that time, and restarts from the beginning.
	// LSF ("dispatched according to its requeue time", brequeue) and Slurm, which resets the submit
	// time (sacct), do the same. Its record has its first submission and its last start. The executor
	// must be a Killer unless no node fails.
	Failures Failures
	// MaxRestarts is the number of times that a job killed by failures restarts. A job that is killed
	// once more is lost: it leaves the system unfinished, and its record has Lost set. So a job that
	// failures kill every time does not run for ever.
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
	// Down, if not nil, is called with each interval in which a node was down, when the node is
	// repaired or fails again, or when the simulation ends. The intervals add up to Totals.Down.
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

// advance runs the jobs until one ends or another event is due.
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

// Record describes a job that has ended. It is valid only during the call that passes
// it; callers copy what they keep.
type Record struct {
	// Job is the job as submitted.
	Job *Job
	// Number is the place of the job in order of submission, from 1.
	Number int64
	// Submit, Start and End are points in time, in cycles, with Submit <= Start <= End. For a job that
	// failures have killed, they are its first submission, last start and last end.
	Submit, Start, End Cycle
	// Queued is the time at which the job began to wait for this run: Submit, unless a failure has
	// killed the job before.
	Queued Cycle
	// Nodes are the nodes that the job used, rank i on Nodes[i].
	Nodes []topology.Node
	// Allocated are all nodes allocated to the job: Nodes, followed by the nodes only
	// reserved with them (internal fragmentation).
	Allocated []topology.Node
	// Restarts is the number of times that the job has restarted after a failure.
	Restarts int
	// Killed reports that the job was ended before it had finished.
	Killed bool
	// Lost reports that a failure has killed the job once more than Sim.MaxRestarts.
	Lost bool
}

// Wait returns the time from submission to start.
func (r *Record) Wait() Cycle { return r.Start - r.Submit }

// Service returns the time from start to end.
func (r *Record) Service() Cycle { return r.End - r.Start }

// Response returns the time from submission to end.
func (r *Record) Response() Cycle { return r.End - r.Submit }

// BoundedSlowdown returns the response time divided by the undisturbed run time, with
// the divisor at least threshold and the result at least 1 (Feitelson et al., JSSPP
// 1997, sec. 3).
func (r *Record) BoundedSlowdown(undisturbed, threshold Cycle) float64 {
	return max(1, float64(r.Response())/float64(max(undisturbed, threshold, 1)))
}

// Totals are the exact sums over a simulation.
type Totals struct {
	// Jobs is the number of jobs that ended. Killed is the number of those that were killed. Requeued
	// is the number of runs that failures ended and whose jobs queued again. LostJobs is the number of
	// lost jobs, which are not part of Jobs.
	Jobs, Killed, Requeued, LostJobs int
	// Nodes is the number of usable nodes of the machine.
	Nodes int
	// FirstSubmit and LastSubmit are the submit times of the first and last job, and
	// Finish is the latest end of a job, lost ones included, all in cycles.
	FirstSubmit, LastSubmit, Finish Cycle
	// Used and Reserved are sums of nodes times cycles: over the nodes in use, and over
	// all allocated nodes.
	Used, Reserved NodeCycles
	// Lost is the sum over the nodes in use of runs that failures ended, which Used and Reserved leave
	// out. Down is the sum over failed nodes, up to Finish.
	Lost, Down NodeCycles
	// LongestQueue is the maximum number of jobs that waited after the policy had run.
	LongestQueue int
}

// Utilization returns the share of the machine in use from time zero to the finish,
// from 0 to 1. Nodes that have failed are part of the machine.
func (t *Totals) Utilization() float64 {
	if t.Finish == 0 {
		return 0
	}
	return t.Used.Float64() / (float64(t.Nodes) * float64(t.Finish))
}

// Availability returns the share of the machine that had not failed from time zero to the finish,
// from 0 to 1.
func (t *Totals) Availability() float64 {
	if t.Finish == 0 {
		return 1
	}
	return 1 - t.Down.Float64()/(float64(t.Nodes)*float64(t.Finish))
}

// InternalFragmentation returns the share of allocated node-cycles that were not used,
// from 0 to 1.
func (t *Totals) InternalFragmentation() float64 {
	if t.Reserved == (NodeCycles{}) {
		return 0
	}
	return 1 - t.Used.Float64()/t.Reserved.Float64()
}

// add adds a job that has ended.
func (t *Totals) add(r *Record) {
	t.Finish = max(t.Finish, r.End)
	if r.Lost {
		t.LostJobs++
		return
	}
	t.Jobs++
	if r.Killed {
		t.Killed++
	}
	t.Used.add(len(r.Nodes), r.Service())
	t.Reserved.add(len(r.Allocated), r.Service())
}

// NodeCycles is a sum of nodes times cycles in 128 bits. Years of a large machine in
// nanoseconds do not fit 64 bits.
type NodeCycles struct {
	hi, lo uint64
}

// add adds a product.
func (c *NodeCycles) add(nodes int, cycles Cycle) {
	hi, lo := bits.Mul64(uint64(nodes), uint64(cycles))
	var carry uint64
	c.lo, carry = bits.Add64(c.lo, lo, 0)
	c.hi, _ = bits.Add64(c.hi, hi, carry)
}

// Float64 returns the sum, with a single rounding if it is below 2^64.
func (c NodeCycles) Float64() float64 {
	if c.hi == 0 {
		return float64(c.lo)
	}
	return float64(c.hi)*(1<<64) + float64(c.lo)
}

// Fixed is an Executor that runs each job for exactly its RunTime, wherever it is
// placed. An assumed speed-up shortens parallel jobs.
//
// Jobs that end in the same cycle are reported in order of their numbers.
type Fixed struct {
	// Clock converts run times to cycles.
	Clock Clock
	// Speedup is the share by which jobs of several processors run shorter, at least 0
	// and below 1: "a value of 10% means that the execution requires 10% less time"
	// (Pascual, Navaridas, Miguel-Alonso, JSSPP 2009, sec. 6). Jobs of one processor
	// and all estimates keep their times, because the paper scales the field of the
	// execution time only.
	Speedup float64
	// Dilation returns the factor of the run time of a job on nodes. Nil is 1 for all.
	Dilation func(j *Job, nodes []topology.Node) float64

	now  Cycle
	heap heap.Heap[ending]
	late JobID // a job that would end after MaxCycle
}

// ending is the end of a running job.
type ending struct {
	at Cycle
	id JobID
}

// Before orders the heap by time and then by job number.
func (a ending) Before(b ending) bool {
	return a.at < b.at || a.at == b.at && a.id < b.id
}

// Start starts job j now.
func (x *Fixed) Start(j *Job, nodes []topology.Node) {
	seconds := j.RunTime
	if x.Dilation != nil {
		seconds *= x.Dilation(j, nodes)
	}
	if j.Size > 1 {
		seconds *= 1 - x.Speedup
	}
	at := x.now + x.Clock.Cycles(seconds)
	if at > MaxCycle {
		x.late, at = j.ID, MaxCycle
	}
	x.heap.Push(ending{at, j.ID})
}

// Advance moves on to the first end of a job, or to until.
func (x *Fixed) Advance(until Cycle, done []JobID) (Cycle, []JobID, error) {
	if len(x.heap) == 0 || x.heap[0].at > until {
		x.now = until
		return until, done, nil
	}
	x.now = x.heap[0].at
	if x.now == MaxCycle {
		return x.now, done,
			fmt.Errorf("job %d ends after the last cycle: use fewer cycles per second", x.late)
	}
	for len(x.heap) > 0 && x.heap[0].at == x.now {
		done = append(done, x.heap.Pop().id)
	}
	return x.now, done, nil
}

// CanKill implements Killer.
func (x *Fixed) CanKill() bool { return true }

// Kill ends a job now. It searches all running jobs, because kills are rare.
func (x *Fixed) Kill(id JobID) {
	for i := range x.heap {
		if x.heap[i].id == id {
			x.heap.Remove(i)
			return
		}
	}
	panic(fmt.Sprintf("scheduler: job %d is killed, but does not run", id))
}
