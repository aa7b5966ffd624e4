package sim

import (
	"context"
	"fmt"
	"math"

	"contend/experiments/config"
	"contend/experiments/metrics"
	"contend/experiments/sim/executor"
	"contend/netsim"
	"contend/router/topology"
	"contend/scheduler"
)

// aloneTimes returns a function that simulates a job of a run alone on the machine, on the nodes
// that it had and on a contiguous place of the same size, and returns both times. The function
// reports false for a job that was killed, and when the run is stopped. aloneTimes returns nil
// unless the plan sets runs.alone.
func (r *run) aloneTimes() metrics.AloneTimes {
	if !r.plan.Alone || r.net == nil {
		return nil
	}
	return func(record *scheduler.Record) (here, contiguous metrics.Uncertain, ok bool) {
		if record.Killed {
			return here, contiguous, false
		}
		defer r.extra.Gauge.pause()()
		j := record.Job
		here, err := r.timeAlone(j, record.Nodes)
		if err != nil {
			return here, contiguous, false
		}
		contiguous, err = r.timeAlone(j, ContiguousNodes(r.plan.Machine, j.Size))
		return here, contiguous, err == nil
	}
}

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

// timeAlone simulates a job alone on the given nodes, mapped as in the run, and returns how long it
// takes, in cycles. It jumps over time if the run does.
func (r *run) timeAlone(j *scheduler.Job, nodes []topology.Node) (metrics.Uncertain, error) {
	nodes, err := r.mapped(j, nodes)
	if err != nil {
		return metrics.Uncertain{}, err
	}
	return r.timePlaced(j, nodes, r.aloneKey(j, nodes))
}

// timePlaced is timeAlone of nodes in the order of the job's processes, with their key.
func (r *run) timePlaced(
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
		jumping.HalfWidth = func(_ scheduler.JobID, half float64) { t.Half = half }
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
// run without other jobs. The gauge does not count the time of this computation.
func (r *run) undisturbedTimes() func(*scheduler.Record) scheduler.Cycle {
	a := &calibration{s: r.Simulator, ctx: r.ctx, work: r.Work, plan: r.plan, gauge: r.extra.Gauge,
		once: true}
	return func(record *scheduler.Record) scheduler.Cycle {
		j := record.Job
		if r.plan.KnowsTimes || j.Quota == 0 {
			return r.Work.clock.Cycles(j.RunTime)
		}
		cycles, messages, err := a.iteration(j)
		if err != nil || messages == 0 {
			return record.Service() // a job without messages disturbs nobody
		}
		return scheduler.Cycle(math.Round(cycles*float64(j.Quota)/float64(messages))) + j.Lead
	}
}
