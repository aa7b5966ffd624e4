package sim

import (
	"context"
	"errors"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"contend/allocation"
	"contend/experiments/config"
	"contend/experiments/fastforward"
	"contend/experiments/metrics"
	"contend/experiments/sim/executor"
	"contend/internal/input"
	"contend/internal/lifetime"
	"contend/netsim"
	"contend/patterns"
	"contend/router"
	"contend/router/topology"
	"contend/scheduler"
)

// Simulator runs plans. It keeps what runs have in common: logs, the freedom of networks from
// deadlock, and the times of patterns alone. The zero value is ready for use. Several runs may
// use a Simulator at the same time.
type Simulator struct {
	// TraceDirs are the folders of logs, which are searched after the path as given.
	TraceDirs []string
	// AtOnce is the number of concurrent runs, for the check of memory. The value 0 means 1.
	AtOnce int
	// Threads is the maximum number of threads of a run: see netsim.Config. The value 0 means 1.
	Threads int
	// Calibrations are the mean times of jobs alone, which earlier commands may have measured.
	Calibrations Calibrations

	mu       sync.Mutex
	memoryAt time.Time // when memory was measured
	memory   int64     // available then, in bytes
	memos    memos
}

// Extra requests rows and progress beside the metrics of a run, and receives them.
type Extra struct {
	metrics.Records
	// Slowdown requests bounded slowdowns where messages decide how long jobs take: the undisturbed
	// times of the jobs are then simulated. Where jobs have run times, with runs.alone, and where a
	// load measures jobs alone, every run has them.
	Slowdown bool
	// Gauge shows the progress of the run. It may be nil.
	Gauge *Gauge
}

// Run simulates one replication of a plan. The argument extra may be nil. Run returns an
// *input.Error for invalid input, a *router.StuckError for a deadlock, and the error of the
// context if it is cancelled.
func (s *Simulator) Run(
	ctx context.Context, plan *config.Plan, replication int, extra *Extra,
) (metrics.Result, error) {
	if extra == nil {
		extra = &Extra{}
	}
	if plan.Workload.Source == config.SourceTraffic {
		return s.runTraffic(ctx, plan, replication, extra)
	}
	if err := CheckJumps(plan, &extra.Records); err != nil {
		return metrics.Result{}, err
	}
	life := lifetime.New(ctx)
	defer life.End()
	r := run{Simulator: s, ctx: ctx, plan: plan, replication: replication, extra: extra}
	var err error
	if r.Setup, err = s.prepare(ctx, plan, replication, life); err != nil {
		return metrics.Result{}, stopped(ctx, err)
	}
	if err := r.setCollector(); err != nil {
		return metrics.Result{}, stopped(ctx, err)
	}
	if r.work = newEffort(&r.Setup, plan.FastForward > 0); plan.Workload.Snapshots {
		r.work = effort{network: true, total: r.snapshotWork(plan.FastForward)}
	}
	ofMessages := r.work.network && plan.FastForward == 0 // else work is the ends of jobs
	if plan.Alone && ofMessages {
		r.work.addAlone()
	}
	if extra.Slowdowns {
		r.pairs = &pairRuns{run: &r}
		r.work.addPairs(r.Work)
	}
	if r.iterations != nil && ofMessages {
		r.countIterations()
	}
	if plan.OneCycleApart {
		r.services = map[scheduler.JobID]float64{}
		r.work.total *= 2
	}
	r.setExecutor()
	return r.simulate()
}

// run is one run of jobs under one clock: Work gives the jobs, a scheduler.Sim runs them with
// policy, allocator and executor, and the collector records them.
type run struct {
	*Simulator
	Setup
	ctx         context.Context
	plan        *config.Plan
	replication int
	extra       *Extra
	collector   *metrics.Collector
	executor    scheduler.Executor
	work        effort
	pairs       *pairRuns // nil if slowdowns by single jobs are not requested
	aloneDone   int64     // work of jobs alone, and of their iterations
	// iterations measures the iterations of jobs alone from which undisturbed times follow, nil if
	// nothing needs them. uncounted is the work of those that are still to be measured.
	iterations *calibration
	uncounted  map[jobKind]int64
	done       func() int64                // returns the work that is done
	services   map[scheduler.JobID]float64 // service times in cycles, nil if nothing needs them
}

// setCollector sets the collector, which also counts ties of the allocator and packets that arrive.
func (r *run) setCollector() error {
	order, err := r.spanOrder(r.plan)
	if err != nil {
		return err
	}
	ratio, err := r.aloneRatio()
	if err != nil {
		return err
	}
	r.collector, err = metrics.NewCollector(metrics.Setup{Plan: r.plan, Clock: r.Work.clock,
		Order: order, Source: r.Work.Source, Lead: r.Work.lead,
		Net: r.net, Undisturbed: r.undisturbedTimes(ratio),
		AloneRatio: ratio,
		Decision:   r.decision, Records: &r.extra.Records, Alone: r.aloneTimes(), Steps: r.steps})
	if err != nil {
		return err
	}
	r.alloc = r.collector.CountTies(r.alloc)
	if r.net != nil && r.plan.FastForward == 0 {
		r.net.Watch(r.collector.Packet)
	}
	return nil
}

// poll updates the gauge and reports whether to stop.
func (r *run) poll() bool { return r.extra.Gauge.Update(r.ctx, r.done(), r.work.total) }

// setExecutor sets the executor: for fixed run times, for jumps over time, or for every flit.
func (r *run) setExecutor() {
	jobsEnded := func() int64 { return int64(r.collector.Ends()) }
	if r.net == nil {
		r.executor = &scheduler.Fixed{Clock: r.Work.clock, Speedup: r.plan.Job.Speedup}
		r.done = jobsEnded
		return
	}
	if r.plan.FastForward > 0 {
		x := newJumping(r.plan, r.net, r.Work)
		x.Ended = r.collector.Ended()
		x.Unsure = r.collector.Unsure()
		if r.done = jobsEnded; r.work.network {
			r.done = func() int64 { return x.Done }
		}
		stopBy(r.net, r.poll)
		if !r.plan.Workload.Snapshots {
			x.Audit(r.plan.Audits, r.jumps)
		}
		r.executor = x
		return
	}
	x := executor.New(r.net, r.Work.patterns, r.Work.clock)
	x.Software, x.WorkOf, x.Ended = Software(r.plan), r.work.of, r.collector.Ended()
	x.CountsFlits = r.work.flits != nil
	x.Iterated = r.collector.Iterated()
	if r.extra.Interference {
		recordInterference(x, r.collector)
	}
	if began, before := r.collector.Began(), x.Began; began != nil {
		x.Began = func(slot int32, id scheduler.JobID) {
			if before != nil {
				before(slot, id)
			}
			began(id, x.Nodes(slot))
		}
	}
	r.done = func() int64 { return x.Progress() + r.pairs.workDone() + r.aloneDone }
	stopBy(r.net, r.poll)
	r.executor = x
}

// newJumping returns the executor of a plan that jumps over time.
func newJumping(plan *config.Plan, net *netsim.Network, w *Work) *fastforward.Executor {
	return fastforward.New(net, w.patterns, w.clock,
		fastforward.Config{Tolerance: plan.FastForward, DrawsRoute: plan.DrawsRoutes,
			Holds: plan.Workload.Snapshots}, Software(plan))
}

// recordInterference records waits and critical paths from the network and the executor.
func recordInterference(x *executor.Executor, collector *metrics.Collector) {
	w := metrics.NewInterference(x.Net)
	collector.Interfere(w)
	x.Began = w.Began
	x.Net.RecordWaits(w)
	chains := &executor.Chains{Waited: w.WaitedFor, Ended: w.Path}
	x.FindChains(chains)
	x.Net.Watch(func(p *router.Arrival) {
		collector.Packet(p)
		chains.Packet(p)
	})
}

// simulate runs all jobs and returns the metrics of the run.
func (r *run) simulate() (none metrics.Result, err error) {
	r.extra.Gauge.Begin()
	totals, err := r.runJobs()
	if err != nil {
		return none, err
	}
	traffic, more := carried(r.executor)
	if r.plan.OneCycleApart {
		apart, err := r.oneCycleApart()
		if err != nil {
			return none, err
		}
		more = func(add func(string, float64)) { add("one_cycle_apart", 100*apart) }
	}
	r.extra.Gauge.Show(1, 1)
	return r.collector.Result(&totals, traffic, more), nil
}

// runJobs runs all jobs.
func (r *run) runJobs() (none scheduler.Totals, err error) {
	sim := scheduler.Sim{
		Source: r.Work.Source, Policy: r.policy, Allocator: r.alloc,
		Free:  allocation.NewFreeSet(r.machine.Nodes()),
		Clock: r.Work.clock, KillOverruns: r.plan.Scheduler.OnOverrun == config.OverrunKill,
		Log: r.logFile(r.plan.Workload.Trace), Record: r.record,
		Decided: r.decided(), MaxRestarts: r.plan.Scheduler.MaxRestarts,
	}
	var f *failures
	if len(r.plan.Failures) > 0 {
		f, err = newFailures(r.plan, r.replication, r.Work.clock, r.net)
		if err != nil {
			return none, err
		}
		f.jumps, _ = r.executor.(*fastforward.Executor)
		sim.Failures, sim.Down = f, r.collector.Down()
		sim.Stopped = func(record *scheduler.Record) {
			r.collector.Stopped(record, f.killed())
		}
	}
	if sim.Executor, err = r.newMappingExecutor(r.plan, r.Work, r.executor); err != nil {
		return none, err
	}
	sim.Stop = func() bool {
		return r.poll() || r.life.Err() != nil ||
			r.Work.lastEnd > 0 && r.collector.Ends() >= r.Work.lastEnd
	}
	totals, err := sim.Run()
	if failure := r.life.Err(); failure != nil {
		return none, failure
	}
	if err := runError(r.ctx, err); err != nil {
		return none, err
	}
	if err := r.ctx.Err(); err != nil { // times alone may be missing
		return none, err
	}
	if f != nil && r.extra.Failures {
		r.extra.FailureRows = f.list
	}
	if err := r.pairs.rows(&r.extra.Records); err != nil {
		return none, stopped(r.ctx, err)
	}
	return totals, nil
}

// decided returns what is called for each job about to start.
func (r *run) decided() func(*scheduler.Job, *allocation.FreeSet, []topology.Node) {
	measure, places := r.collector.Decided(r.alloc), r.places
	if places == nil {
		return measure
	}
	return func(j *scheduler.Job, free *allocation.FreeSet, chosen []topology.Node) {
		if len(places.places) > 0 {
			places.take(chosen)
		}
		if measure != nil {
			measure(j, free, chosen)
		}
	}
}

// record takes a job that has ended.
func (r *run) record(record *scheduler.Record) {
	r.collector.Record(record)
	r.pairs.add(record)
	if r.services != nil && !record.Lost {
		r.services[record.Job.ID] = float64(record.Service())
	}
}

// carried returns the traffic that the network of a run carried, nil without a network, and a
// function that adds the metrics of jumps, nil without jumps.
func carried(x scheduler.Executor) (*metrics.Carried, func(func(string, float64))) {
	switch x := x.(type) {
	case *fastforward.Executor:
		return x.Carried(), x.Metrics
	case *executor.Executor:
		return metrics.CarriedBy(x.Net), nil
	}
	return nil, nil
}

// runError converts the error of a simulation: nil if the measured job has ended, the error of the
// context if it was stopped, and an *input.Error unless the network is stuck.
func runError(ctx context.Context, err error) error {
	var stuck *router.StuckError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, scheduler.ErrStopped):
		return ctx.Err()
	case errors.As(err, &stuck):
		return err
	}
	return &input.Error{Problem: err.Error()}
}

// stopped returns the error of the context in place of that of a simulation that it stopped, and
// any other error as it is.
func stopped(ctx context.Context, err error) error {
	if errors.Is(err, scheduler.ErrStopped) {
		return ctx.Err()
	}
	return err
}

// Gauge shows the progress of a run. The run updates it from time to time. Any goroutine may read
// it at any time. The methods that update a Gauge accept nil and then do nothing.
type Gauge struct {
	start    time.Time
	fraction atomic.Uint64 // the bits of a float64 from 0 to 1
	setup    atomic.Int64  // nanoseconds from start to the beginning of the simulation; 0 before
	paused   atomic.Int64  // nanoseconds spent on computations that runs share
	// first is the fraction at the first progress, and warmUp the nanoseconds from the beginning of
	// the simulation to it, in which a run takes most of its memory.
	first  atomic.Uint64
	warmUp atomic.Int64
	// Updated, if not nil, is called by Update. A run does nothing until it returns, and others do not
	// wait for the run.
	Updated func()
}

// NewGauge returns the gauge of a run that starts now.
func NewGauge() *Gauge { return &Gauge{start: time.Now()} }

// Fraction returns the share of the run's work that is done, from 0 to 1. It never decreases.
// Work is counted in flits if there is a network and no jump, otherwise in jobs.
func (g *Gauge) Fraction() float64 { return math.Float64frombits(g.fraction.Load()) }

// Show sets the fraction to done over total. With a total of 0 it does nothing.
func (g *Gauge) Show(done, total int64) {
	if g != nil && total > 0 {
		bits := math.Float64bits(min(1, float64(done)/float64(total)))
		if _, simulated := g.Spent(); done > 0 && g.first.CompareAndSwap(0, bits) {
			g.warmUp.Store(int64(simulated))
		}
		g.fraction.Store(bits)
	}
}

// Update shows done over total, waits for Updated, and reports whether the run has to end with its
// context.
func (g *Gauge) Update(ctx context.Context, done, total int64) (stop bool) {
	if g.Show(done, total); g != nil && g.Updated != nil {
		g.Updated()
	}
	return ctx.Err() != nil
}

// Begin records the end of the setup and the beginning of the simulation.
func (g *Gauge) Begin() {
	if g != nil {
		g.setup.Store(max(1, int64(time.Since(g.start))-g.paused.Load()))
	}
}

// Paused returns the time spent on computations that runs share.
func (g *Gauge) Paused() time.Duration { return time.Duration(g.paused.Load()) }

// pause stops the time of the setup or of the simulation for a computation that runs share, and
// returns a function that resumes it.
func (g *Gauge) pause() func() {
	if g == nil {
		return func() {}
	}
	began := time.Now()
	return func() { g.paused.Add(int64(time.Since(began))) }
}

// Spent returns the time that the run has taken so far, for its setup and for its simulation
// without computations that runs share. The second is 0 before the simulation begins.
func (g *Gauge) Spent() (setup, simulated time.Duration) {
	all := time.Since(g.start)
	if setup = time.Duration(g.setup.Load()); setup == 0 {
		return all, 0
	}
	return setup, max(0, all-setup-time.Duration(g.paused.Load()))
}

// Whole returns the expected time of the whole run at the pace so far, 0 if nothing is done yet.
func (g *Gauge) Whole() time.Duration {
	setup, simulated := g.Spent()
	fraction, first := g.Fraction(), math.Float64frombits(g.first.Load())
	if fraction == 0 {
		return 0
	}
	before := min(simulated, time.Duration(g.warmUp.Load()))
	if pace := float64(simulated-before) / (fraction - first); fraction > first {
		return setup + before + time.Duration(min(pace*(1-first), math.MaxInt64/2))
	}
	return setup + time.Duration(min(float64(simulated)/fraction, math.MaxInt64/2))
}

// effort is the work of a run's jobs.
type effort struct {
	total   int64 // of all jobs, at most the greatest int64
	network bool  // work is messages, or their flits, not jobs
	// flits returns the mean length of a job's messages; nil if work is not flits.
	flits func(j *scheduler.Job) float64
}

// of returns the work of a job: 1, its messages, or their flits.
func (e *effort) of(j *scheduler.Job) int64 {
	switch {
	case j.Quota == endless: // it is not waited for
		return 0
	case !e.network || j.Size == 1: // a single process sends nothing
		return 1
	}
	return e.ofMessages(j, j.Quota)
}

// ofMessages returns the work of some messages of a job.
func (e *effort) ofMessages(j *scheduler.Job, messages int64) int64 {
	if e.flits == nil || messages == 0 {
		return max(1, messages)
	}
	return int64(min(max(1, float64(messages)*e.flits(j)), math.MaxInt64/4))
}

// addPairs adds the work of each two jobs beside each other, where it is known which jobs are on
// the machine at the same time: of jobs that start together.
func (e *effort) addPairs(w *Work) {
	if list, ok := w.Source.(*scheduler.List); ok && w.places != nil {
		e.total *= int64(len(list.Jobs))
	}
}

// addAlone adds the work of jobs alone to that of jobs among others.
func (e *effort) addAlone() {
	const times = 1 + aloneRuns
	e.total = times * min(e.total, math.MaxInt64/times)
}

// newEffort returns the work of a run that has not begun. It draws the jobs of a generated stream
// a second time. With jumps a job costs what its beginning and its end do, however many messages
// lie between, so work is jobs.
func newEffort(u *Setup, jumps bool) effort {
	e := effort{network: u.net != nil && (!jumps || u.Work.lastEnd > 0)}
	if e.network && !jumps {
		known := map[jobKind]float64{}
		e.flits = func(j *scheduler.Job) float64 {
			p := u.Work.patterns[j.Pattern]
			k := kindOf(j, p)
			mean, ok := known[k]
			if !ok {
				mean = patterns.MeanFlits(p, j.Size, j.Shape)
				known[k] = mean
			}
			return mean
		}
	}
	for j := range metrics.Jobs(u.Work.Source) {
		e.total += min(e.of(j), math.MaxInt64-e.total)
	}
	return e
}
