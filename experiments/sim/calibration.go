package sim

import (
	"context"
	"fmt"
	"math"

	"contend/experiments/config"
	"contend/experiments/sim/executor"
	"contend/netsim"
	"contend/patterns"
	"contend/router/topology"
	"contend/scheduler"
)

// calibration measures iterations of jobs that have a machine to themselves.
type calibration struct {
	s     *Simulator
	ctx   context.Context // stops it
	work  *Work           // patterns of the jobs
	plan  *config.Plan    // machine and network
	gauge *Gauge          // of the run that needs the times, or nil
	// once limits a pattern without random draws to one iteration. The mean is otherwise over
	// several iterations, because consecutive iterations overlap a little.
	once bool
}

// meanIterations is the number of iterations over which a mean is taken.
const meanIterations = 4

// drawnIterations is the number of further iterations over which firstAndFurther takes the mean, if
// iterations have random draws.
const drawnIterations = 100

// newCalibration returns the calibration of the jobs of a plan, on its reference if it has one.
func (s *Simulator) newCalibration(
	ctx context.Context, plan *config.Plan, w *Work,
) *calibration {
	if plan.Reference != nil {
		plan = plan.Reference
	}
	return &calibration{s: s, ctx: ctx, work: w, plan: plan}
}

// iteration returns the mean cycles and the messages of an iteration of a job's pattern on
// compactPlace. Both are 0 if the processes do not communicate.
func (a *calibration) iteration(j *scheduler.Job) (cycles float64, messages int64, err error) {
	messages, err = a.s.messages(a.work, j)
	if err != nil {
		return 0, 0, config.FieldPattern.Bad(otherSizes(a.plan, err), "job %d: %v", j.ID, err)
	}
	if messages > 0 {
		cycles, err = a.mean(j, a.key(j))
	}
	return cycles, messages, err
}

// mean returns the mean length of an iteration in cycles, over key.repeats iterations.
func (a *calibration) mean(j *scheduler.Job, key iterationKey) (float64, error) {
	if n := a.plan.Machine.Nodes(); j.Size > n {
		return 0, config.FieldCalibrateOn.Bad("name a machine that has room for all jobs",
			"job %d has %d processes, and the machine jobs are calibrated on has %d nodes",
			j.ID, j.Size, n)
	}
	defer a.gauge.pause()()
	return a.s.memos.iterations.until(a.ctx, key, func() (float64, error) {
		net, err := a.s.newStopping(a.ctx, a.plan, 0)
		if err != nil {
			return 0, err
		}
		return a.simulate(net, j, key.repeats, key.compute)
	})
}

// firstAndFurther returns the cycles of the first iteration of a job's pattern and the mean of each
// further one, with the computing time of a job. The first is shorter where processes compute
// between iterations, and longer where iterations overlap.
func (a *calibration) firstAndFurther(
	j *scheduler.Job, compute scheduler.Cycle,
) (first, further float64, err error) {
	key, more := a.key(j), int64(meanIterations)
	key.compute = compute
	if a.work.patterns[j.Pattern].Draws() {
		more = drawnIterations
	}
	key.repeats = 1
	if first, err = a.mean(j, key); err != nil {
		return 0, 0, err
	}
	key.repeats = 1 + more
	all, err := a.mean(j, key)
	return first, (all*float64(key.repeats) - first) / float64(more), err
}

// iterationKey identifies the mean length of iterations by everything on which it depends.
type iterationKey struct {
	repeats             int64
	machine, network    config.Identity
	pattern             string // of Work.texts
	flitBytes, padFlits int
	software            executor.Software
	size                int
	shape               string          // "" if the place of a job does not depend on its shape
	compute             scheduler.Cycle // see scheduler.Job
}

// key returns the key of the mean iteration of a job without computing time.
func (a *calibration) key(j *scheduler.Job) iterationKey {
	p, job, repeats := a.work.patterns[j.Pattern], &a.plan.Job, int64(meanIterations)
	if a.once && !p.Draws() {
		repeats = 1
	}
	return iterationKey{repeats, a.plan.MachineID(), a.plan.NetworkID(), a.work.texts[j.Pattern],
		job.FlitBytes, job.PadFlits, Software(a.plan), j.Size, shapeText(j, p), 0}
}

// messagesKey identifies the number of messages of an iteration.
type messagesKey struct {
	pattern string // of Work.texts
	size    int
	shape   string // "" if the pattern takes none
}

// messages is patterns.MessagesPerIteration of a job, once for all jobs of its size.
func (s *Simulator) messages(w *Work, j *scheduler.Job) (int64, error) {
	p := w.patterns[j.Pattern]
	key := messagesKey{w.texts[j.Pattern], j.Size, shapeText(j, p)}
	return s.memos.messages.of(key, func() (int64, error) {
		return patterns.MessagesPerIteration(p, j.Size, j.Shape)
	})
}

// shapeText returns the shape of a job as text, "" if its pattern takes none.
func shapeText(j *scheduler.Job, p patterns.Config) string {
	if config.TakesShapes(p) {
		return fmt.Sprint(j.Shape)
	}
	return ""
}

// simulate runs iterations of a job's pattern on an empty network and returns their mean length in
// cycles.
func (a *calibration) simulate(
	net *netsim.Network, j *scheduler.Job, iterations int64, compute scheduler.Cycle,
) (float64, error) {
	p := a.work.patterns[j.Pattern]
	p.FlitBytes, p.PadFlits = a.plan.Job.FlitBytes, a.plan.Job.PadFlits
	p.Iterations = iterations
	x := executor.New(net, []patterns.Config{p}, scheduler.Clock{})
	x.Software = Software(a.plan)
	k := *j
	k.Quota, k.Pattern, k.Seed = math.MaxInt64/2, 0, 1
	k.Lead, k.Compute = 0, compute
	x.Start(&k, compactPlace(a.plan.Machine, j.Size))
	end, _, err := x.Advance(scheduler.MaxCycle, nil)
	return float64(end) / float64(p.Iterations), err
}

// compactPlace returns n nodes at a corner of a machine. On a mesh or torus of two dimensions
// they fill the most nearly square box row by row. Elsewhere they are the first n nodes.
func compactPlace(m config.Machine, n int) []topology.Node {
	place := firstNodes(n)
	if t, ok := m.(topology.Grid); ok && t.OneNodePerRouter() && len(t.Dims()) == 2 {
		d := t.Dims()
		w := min(d[0], max(int(math.Ceil(math.Sqrt(float64(n)))), (n+d[1]-1)/d[1]))
		for i := range place {
			place[i] = topology.Node(t.At(i%w, i/w))
		}
	}
	return place
}
