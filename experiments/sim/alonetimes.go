package sim

import (
	"context"
	"fmt"
	"math"
	"slices"

	"contend/experiments/config"
	"contend/experiments/metrics"
	"contend/experiments/sim/executor"
	"contend/netsim"
	"contend/router/topology"
	"contend/scheduler"
)

// aloneTimes returns a function that simulates a job of a run alone on the machine: on the nodes
// that it had, its processes as in the run and in the order of node numbers, and on a contiguous
// place of the same size in that order. Nodes that are the same in the same order are simulated
// once. The function reports false for a job that was killed, and when the run is stopped.
// aloneTimes returns nil unless the plan sets runs.alone. The gauge counts its work.
func (r *run) aloneTimes() metrics.AloneTimes {
	if !r.plan.Alone || r.net == nil {
		return nil
	}
	return func(record *scheduler.Record) (t metrics.JobAlone, ok bool) {
		j := record.Job
		each, end := r.work.of(j), r.aloneDone+aloneRuns*r.work.of(j)
		defer func() {
			r.aloneDone = end
			r.poll()
		}()
		if record.Killed {
			return t, false
		}
		nodes, err := r.mapped(j, record.Nodes)
		if err != nil {
			return t, false
		}
		sorted := slices.Sorted(slices.Values(record.Nodes))
		if sendsNothing(j) {
			sorted = nodes // no order of its processes makes a difference
		}
		contiguous := ContiguousNodes(r.plan.Machine, j.Size)
		for _, at := range []struct {
			time  *metrics.Uncertain
			nodes []topology.Node
		}{{&t.Here, nodes}, {&t.InOrder, sorted}, {&t.Contiguous, contiguous}} {
			if *at.time, err = r.timeAlone(j, at.nodes, r.aloneKey(j, at.nodes)); err != nil {
				return t, false
			}
			r.aloneDone += each
			r.poll()
		}
		return t, true
	}
}

// aloneRuns is the number of runs of a job alone.
const aloneRuns = 3

// aloneJobKey identifies the time of a job alone by everything on which it depends.
type aloneJobKey struct {
	machine, network config.Identity
	pattern, shape   string
	software         executor.Software
	routes           int // replication whose routing draws
	clock            float64
	quota            int64
	seed             uint64
	lead, compute    scheduler.Cycle
	runTime          float64
	nodes            string
	fastForward      float64
}

// timeAlone simulates a job alone on nodes in the order of its processes, with their key, and
// returns how long it takes, in cycles. It jumps over time if the run does.
func (r *run) timeAlone(
	j *scheduler.Job, nodes []topology.Node, key aloneJobKey,
) (metrics.Uncertain, error) {
	return r.memos.aloneTimes.until(r.ctx, key, func() (metrics.Uncertain, error) {
		return r.simulateAlone(r.ctx, r.plan, r.Work, r.replication, j, nodes)
	})
}

// mapped returns the nodes of a job in the order of its processes.
func (r *run) mapped(j *scheduler.Job, nodes []topology.Node) ([]topology.Node, error) {
	x, err := r.newMappingExecutor(r.plan, r.Work, nil)
	if m, ok := x.(*mappingExecutor); ok && err == nil {
		return m.place(j, nodes)
	}
	return nodes, err
}

// aloneKey returns the key of a job on nodes in the order of its processes.
func (r *run) aloneKey(j *scheduler.Job, nodes []topology.Node) aloneJobKey {
	plan, w := r.plan, r.Work
	p := w.patterns[j.Pattern]
	key := aloneJobKey{machine: plan.MachineID(), network: plan.NetworkID(),
		pattern: w.texts[j.Pattern], shape: shapeText(j, p), software: Software(plan),
		clock: w.clock.CyclesPerSecond, quota: j.Quota, lead: j.Lead, compute: j.Compute,
		runTime: j.RunTime, nodes: fmt.Sprint(nodes), fastForward: plan.FastForward}
	if plan.DrawsRoutes {
		key.routes = r.replication
	}
	if p.Draws() || p.Work != nil || plan.DrawsRoutes {
		key.seed = j.Seed
	}
	return key
}

// simulateAlone simulates a job alone on the given nodes of a plan and returns how long it takes,
// in cycles. It jumps over time if the plan does.
func (s *Simulator) simulateAlone(
	ctx context.Context, plan *config.Plan, w *Work, replication int, j *scheduler.Job,
	nodes []topology.Node,
) (t metrics.Uncertain, err error) {
	net, err := s.newStopping(ctx, plan, replication)
	if err != nil {
		return t, err
	}
	var x scheduler.Executor
	if plan.FastForward > 0 {
		jumping := newJumping(plan, net, w)
		jumping.Unsure = func(_ scheduler.JobID, cycles, carry float64) {
			t.Half = plan.FastForward*cycles + carry
		}
		x = jumping
	} else {
		x = newFull(plan, net, w)
	}
	x.Start(j, nodes)
	end, _, err := x.Advance(scheduler.MaxCycle, nil)
	t.Value = float64(end)
	return t, err
}

// newFull returns the executor of some jobs of a plan that simulates every flit.
func newFull(plan *config.Plan, net *netsim.Network, w *Work) *executor.Executor {
	x := executor.New(net, w.patterns, w.clock)
	x.Software = Software(plan)
	return x
}

// undisturbedTimes returns a function that returns the undisturbed time of a job, the base of its
// slowdown: its run time if it has one, otherwise the time of its messages on the machine of the
// run without other jobs, which follows from one iteration. It returns nil if the latter have to be
// simulated and nothing needs them; aloneRatio is that of the collector.
func (r *run) undisturbedTimes(aloneRatio float64) func(*scheduler.Record) scheduler.Cycle {
	if !r.plan.KnowsTimes {
		if !r.plan.Alone && !r.extra.Slowdown && aloneRatio == 0 {
			return nil
		}
		r.iterations = &calibration{s: r.Simulator, ctx: r.ctx, work: r.Work, plan: r.plan, once: true}
	}
	return func(record *scheduler.Record) scheduler.Cycle {
		j := record.Job
		if r.plan.KnowsTimes || j.Quota == 0 {
			return r.Work.clock.Cycles(j.RunTime)
		}
		cycles, messages, err := r.measureIteration(j)
		if err != nil || messages == 0 {
			return record.Service() // a job without messages disturbs nobody
		}
		return scheduler.Cycle(math.Round(cycles*float64(j.Quota)/float64(messages))) + j.Lead
	}
}

// countIterations adds the iterations of the run's jobs that no run has measured yet, and no other
// one counts, to the work of this one.
func (r *run) countIterations() {
	a, seen := r.iterations, map[jobKind]bool{}
	r.uncounted = map[jobKind]int64{}
	for j := range metrics.Jobs(r.Work.Source) {
		k := kindOf(j, r.Work.patterns[j.Pattern])
		if seen[k] || j.Quota == 0 || r.work.of(j) == 0 {
			continue
		}
		seen[k] = true
		key := a.key(j)
		if r.memos.iterations.has(key) {
			continue
		}
		if _, taken := r.memos.counted.LoadOrStore(key, true); !taken {
			r.uncounted[k] = r.work.ofMessages(j, a.messages(j)*key.repeats)
			r.work.total += min(r.uncounted[k], math.MaxInt64-r.work.total)
		}
	}
}

// measureIteration returns the cycles and the messages of an iteration of a job alone. The gauge
// counts its work if countIterations has, and otherwise leaves its time out.
func (r *run) measureIteration(j *scheduler.Job) (cycles float64, messages int64, err error) {
	a, k, before := r.iterations, kindOf(j, r.Work.patterns[j.Pattern]), r.aloneDone
	a.gauge, a.show = r.extra.Gauge, nil
	if work, counted := r.uncounted[k]; counted {
		delete(r.uncounted, k)
		a.gauge, a.show = nil, func(share float64) {
			r.aloneDone = before + int64(share*float64(work))
			r.extra.Gauge.Show(r.done(), r.work.total) // other runs may wait for the iteration
		}
		defer a.show(1)
	}
	return a.iteration(j)
}

// pairRuns simulates each two jobs of a run that were on the machine at the same time with nobody
// else there: each on its own nodes, and the second one as many cycles after the first as in the
// run. What a job takes beside another one, over what it takes alone, depends on these two only. A
// run without one of the jobs would have in it what that one does to the others, and would take the
// whole machine for each job. Pairs leave out that a third job changes when and whether two meet.
type pairRuns struct {
	*run
	ended []pairJob
	list  []metrics.PairSlowdown
	done  int64 // messages of the jobs of pairs
	err   error // of the first pair that could not be simulated
}

// pairJob is a job on its nodes, in the order of its processes.
type pairJob struct {
	job        scheduler.Job
	nodes      []topology.Node
	key        aloneJobKey
	number     int64 // in the order of submission
	start, end scheduler.Cycle
}

// pairKey identifies the times of two jobs beside each other.
type pairKey struct {
	first, second aloneJobKey
	offset        scheduler.Cycle // from the start of the first to that of the second
}

// newPairJob returns the job of a record, of which it copies what it keeps.
func (p *pairRuns) newPairJob(record *scheduler.Record) (k pairJob, err error) {
	k = pairJob{job: *record.Job, number: record.Number, start: record.Start, end: record.End}
	if k.nodes, err = p.mapped(&k.job, record.Nodes); err == nil {
		k.nodes, k.key = slices.Clone(k.nodes), p.aloneKey(&k.job, k.nodes)
	}
	return k, err
}

// add adds a job that has ended, and simulates it with each job that ended before and overlapped,
// or with each in the background of a run that ends with the first job. Jobs that were killed have
// no time.
func (p *pairRuns) add(record *scheduler.Record) {
	if p == nil || p.err != nil || record.Killed || record.Service() == 0 {
		return
	}
	var k pairJob
	if k, p.err = p.newPairJob(record); p.err != nil {
		return
	}
	others := p.ended
	if p.Work.lastEnd > 0 {
		others = p.background(&k)
	}
	for i := range others {
		o := &others[i]
		if o.start >= k.end || k.start >= o.end {
			continue
		}
		first, second := o, &k
		if k.start < o.start || k.start == o.start && k.number < o.number {
			first, second = second, first
		}
		if p.err = p.measure(first, second); p.err != nil {
			return
		}
	}
	p.ended = append(p.ended, k)
}

// background returns the jobs that started with the first one and go on without end.
func (p *pairRuns) background(first *pairJob) (others []pairJob) {
	places := p.Work.places.(*plannedPlaces).places
	for i := range places[1:] {
		j := &p.Work.Source.(*scheduler.List).Jobs[i+1]
		k, err := p.newPairJob(&scheduler.Record{Job: j, Number: int64(i + 2), Start: first.start,
			End: scheduler.MaxCycle, Nodes: places[i+1]})
		if p.err = err; err != nil {
			return nil
		}
		others = append(others, k)
	}
	return others
}

// measure adds the slowdowns of two jobs by each other. A job that goes on without end has none.
func (p *pairRuns) measure(first, second *pairJob) error {
	key := pairKey{first.key, second.key, second.start - first.start}
	times, err := p.memos.pairTimes.until(p.ctx, key, func() ([2]scheduler.Cycle, error) {
		return p.simulatePair(first, second)
	})
	if err != nil {
		return err
	}
	jobs := [2]*pairJob{first, second}
	for i, k := range jobs {
		if p.done += p.work.of(&k.job); k.end == scheduler.MaxCycle {
			continue
		}
		alone, err := p.timeAlone(&k.job, k.nodes, k.key)
		if err != nil {
			return err
		}
		p.list = append(p.list, metrics.PairSlowdown{Job: k.job.ID, By: jobs[1-i].job.ID,
			Pattern: p.label(&k.job), ByPattern: p.label(&jobs[1-i].job),
			Alone: scheduler.Cycle(alone.Value), Beside: times[i]})
	}
	return nil
}

// label names the pattern of a job.
func (p *pairRuns) label(j *scheduler.Job) string {
	if others := p.plan.Workload.Together.Others; others != nil && j.Pattern > 0 {
		return others[j.Pattern-1].Label
	}
	return p.plan.Job.Patterns[j.Pattern].Label
}

// simulatePair returns how long two jobs take with nobody else on the machine, 0 for a job that
// goes on without end.
func (p *pairRuns) simulatePair(first, second *pairJob) (times [2]scheduler.Cycle, err error) {
	net, err := p.newStopping(p.ctx, p.plan, p.replication)
	if err != nil {
		return times, err
	}
	x := newFull(p.plan, net, p.Work)
	jobs, starts := [2]*pairJob{first, second}, [2]scheduler.Cycle{0, second.start - first.start}
	left, now := 0, scheduler.Cycle(0)
	advance := func(until scheduler.Cycle) {
		var done []scheduler.JobID
		now, done, err = x.Advance(until, nil)
		for _, id := range done {
			times[id-1] = now - starts[id-1]
			left--
		}
	}
	for i, k := range jobs {
		for now < starts[i] && err == nil {
			advance(starts[i])
		}
		j := k.job
		j.ID = scheduler.JobID(i + 1)
		x.Start(&j, k.nodes)
		if k.end < scheduler.MaxCycle {
			left++
		}
	}
	for left > 0 && err == nil {
		advance(scheduler.MaxCycle)
	}
	return times, err
}

// workDone returns the work of the pairs so far.
func (p *pairRuns) workDone() int64 {
	if p == nil {
		return 0
	}
	return p.done
}

// rows sets the rows of slowdowns.
func (p *pairRuns) rows(r *metrics.Records) error {
	if p == nil {
		return nil
	}
	r.SlowdownRows = metrics.PairRows(p.list)
	return p.err
}
