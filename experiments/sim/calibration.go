package sim

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"

	"contend/experiments/config"
	"contend/experiments/sim/executor"
	"contend/internal/decimal"
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
	// nominal takes each iteration for a cycle, for checks of jobs before any is measured.
	nominal bool
	// log is how far the times have come by which the run times of a log become messages. They are
	// Calibrations; it is nil for others.
	log *logTimes
	// once limits a pattern without random draws to one iteration. The mean is otherwise over
	// several iterations, because consecutive iterations overlap a little.
	once bool
	// show, if not nil, takes the share of an iteration that is done while it is measured. It is for
	// others than those of a log.
	show func(share float64)
}

// meanIterations is the number of iterations over which a mean is taken.
const meanIterations = 4

// drawnIterations is the number of further iterations over which firstAndFurther takes the mean, if
// iterations have random draws.
const drawnIterations = 100

// referenceOf returns the plan with the machine and network on which the jobs of a plan are
// calibrated.
func referenceOf(plan *config.Plan) *config.Plan {
	return cmp.Or(plan.Reference, plan)
}

// newCalibration returns the calibration of the jobs of a log, on the reference of its plan.
func (m *workMaker) newCalibration() *calibration {
	return &calibration{s: m.Simulator, ctx: m.ctx, work: m.Work, plan: referenceOf(m.plan),
		nominal: m.nominal, log: &logTimes{}}
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

// measureIteration measures an iteration of a job's pattern, which iteration then returns.
func (a *calibration) measureIteration(j *scheduler.Job) error {
	_, _, err := a.iteration(j)
	return err
}

// mean returns the mean length of an iteration in cycles, over key.repeats iterations.
func (a *calibration) mean(j *scheduler.Job, key iterationKey) (float64, error) {
	if n := a.plan.Machine.Nodes(); j.Size > n {
		return 0, config.FieldCalibrateOn.Bad("name a machine that has room for all jobs",
			"job %d has %d processes, and the machine jobs are calibrated on has %d nodes",
			j.ID, j.Size, n)
	}
	if a.nominal {
		return 1, nil
	}
	defer a.gauge.pause()()
	return a.s.memos.iterations.until(a.ctx, key, func() (float64, error) {
		if a.log == nil {
			show := a.show
			if show == nil {
				show = func(float64) {}
			}
			cycles, _, err := a.simulate(a.ctx, j, key, show)
			return cycles, err
		}
		m, err := a.s.Calibrations.of(key, func(p *pace) (aloneMean, error) {
			return a.log.measure(a, j, key, p)
		})
		return m.cycles, err
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

// simulate runs the iterations of a key on an empty network and returns their mean length in
// cycles, at the pace so far if the context ends before, and the share of their messages that have
// arrived. At the beginning and from time to time it passes this share to show.
func (a *calibration) simulate(
	ctx context.Context, j *scheduler.Job, key iterationKey, show func(share float64),
) (cycles, share float64, err error) {
	net, err := a.s.NewNetwork(a.plan, 0)
	if err != nil {
		return 0, 0, err
	}
	p := a.work.patterns[j.Pattern]
	p.FlitBytes, p.PadFlits = a.plan.Job.FlitBytes, a.plan.Job.PadFlits
	p.Iterations = key.repeats
	x := executor.New(net, []patterns.Config{p}, scheduler.Clock{})
	x.Software = Software(a.plan)
	all := max(1, a.messages(j)) * key.repeats
	x.WorkOf = func(*scheduler.Job) int64 { return all }
	stopBy(net, func() bool {
		show(float64(x.Done) / float64(all))
		return ctx.Err() != nil
	})
	k := *j
	k.Quota, k.Pattern, k.Seed = math.MaxInt64/2, 0, 1
	k.Lead, k.Compute = 0, key.compute
	x.Start(&k, compactPlace(a.plan.Machine, j.Size))
	show(0)
	end, _, err := x.Advance(scheduler.MaxCycle, nil)
	if share = 1; err != nil {
		share = float64(x.Done) / float64(all)
	}
	if share > 0 {
		cycles = float64(end) / share / float64(key.repeats)
	}
	return cycles, share, err
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

// maxIterationCycles is the longest time of an iteration. Package patterns refuses longer
// computations.
const maxIterationCycles = 1 << 48

// computingTimes gives every job of a log messages and computing times. A job that has the machine
// to itself and is placed contiguously then takes its run time. Jobs that run for less than an
// iteration only compute, and so do jobs whose number of processes the pattern does not support.
//
// With job.communication_share a job communicates for that share of its time. Pascual et al. (JSSPP
// 2009, sec. 7) had planned this simulation, "in which the actual interchanges of messages are
// considered". The job does as many whole iterations as come nearest to the share. With
// job.iteration an iteration takes that time.
//
// The processes compute for the rest of the time, for equal times before each phase. A pattern
// with a code has no phases, so its processes compute before each iteration. They then begin an
// iteration as far apart as they ended the last one, and the times add up.
func (m *workMaker) computingTimes(jobs []scheduler.Job, a *calibration) error {
	plan, clock := m.plan, m.clock
	goal := plan.Job.Iteration * clock.CyclesPerSecond
	if goal > 0 {
		if err := checkIteration(plan.Job.Iteration, goal, clock); err != nil {
			return err
		}
	}
	kinds := map[jobKind]*pacedKind{}
	err := a.each(jobs, func(j *scheduler.Job) (err error) {
		p := m.patterns[j.Pattern]
		kinds[kindOf(j, p)], err = a.pace(j, p, goal)
		return err
	})
	if err != nil {
		return err
	}
	var sum timeSums
	for i := range jobs {
		j := &jobs[i]
		k := kinds[kindOf(j, m.patterns[j.Pattern])]
		if k.messages == 0 && !k.misfit {
			continue // it runs for its run time as it is
		}
		if a.nominal { // whether it only computes depends on how long an iteration takes
			j.Quota, j.Lead = 0, 1
			continue
		}
		times, ok := k.fill(j, clock.Cycles(j.RunTime), plan.Job.Share)
		if !ok {
			return config.FieldIteration.Bad("", "job %d would send more than 2^62 messages", j.ID)
		}
		sum.add(j, k, times, clock.CyclesPerSecond)
	}
	m.note(sum.note(plan, clock))
	return nil
}

// checkIteration refuses iterations of less than a cycle, or of more than maxIterationCycles.
func checkIteration(seconds, cycles float64, clock scheduler.Clock) error {
	rate := cyclesText(clock)
	switch {
	case cycles < 1:
		return config.FieldIteration.Bad(fmt.Sprintf("give %s, such as 1e9", config.FieldCyclesPerSecond),
			"%s is %g, less than a cycle at %s", config.FieldIteration, seconds, rate)
	case cycles > maxIterationCycles:
		return config.FieldIteration.Bad("take at most 2^48 cycles", "%s is %g, %.3g cycles at %s",
			config.FieldIteration, seconds, cycles, rate)
	}
	return nil
}

// jobKind identifies jobs whose iterations are the same.
type jobKind struct {
	pattern, size int
	shape         string // "" if the pattern takes none
}

// kindOf returns the kind of a job with a pattern.
func kindOf(j *scheduler.Job, p patterns.Config) jobKind {
	return jobKind{j.Pattern, j.Size, shapeText(j, p)}
}

// pacedKind is a kind of job whose processes compute between messages.
type pacedKind struct {
	misfit   bool  // the pattern does not support the size
	messages int64 // of an iteration
	phases   int64 // in an iteration, before which processes compute
	// communicating is the time in cycles of an iteration in which nobody computes.
	communicating float64
	compute       scheduler.Cycle // before each phase, or between iterations
	// first and further are the times in cycles of the first and of all other iterations. The
	// first begins with messages, the others with a computation.
	first, further float64
	long           bool // messages alone take longer than the iteration should
}

// pace finds how long iterations of a job alone take and, if goal is not 0, the computing time
// with which one takes goal cycles. The computing time is a whole number of cycles, so an
// iteration with many phases can be off by half a cycle for each. The number of iterations follows
// from the time that an iteration really takes, so this does not add up.
func (a *calibration) pace(j *scheduler.Job, p patterns.Config, goal float64) (*pacedKind, error) {
	phases, err := phasesOf(p, j)
	if err != nil || phases == 0 {
		return &pacedKind{misfit: true}, err
	}
	k := &pacedKind{phases: int64(phases)}
	if goal == 0 {
		k.communicating, k.messages, err = a.iteration(j)
		return k, err
	}
	if k.messages, err = patterns.MessagesPerIteration(p, j.Size, j.Shape); err != nil {
		return nil, config.FieldPattern.Bad("", "job %d: %v", j.ID, err)
	}
	if k.messages == 0 {
		return k, nil
	}
	if k.first, k.further, err = a.firstAndFurther(j, 0); err != nil {
		return nil, err
	}
	k.communicating = k.further
	k.long = k.communicating > goal
	k.compute = scheduler.Cycle(math.Round(max(0, goal-k.communicating) / float64(phases)))
	if k.compute > 0 {
		k.first, k.further, err = a.firstAndFurther(j, k.compute)
	}
	return k, err
}

// fill gives a job as many whole iterations as its run time has room for, or as come nearest to a
// share of it, and returns their number. In the remaining time the processes compute before the
// first iteration. It reports false if the number of messages overflows.
func (k *pacedKind) fill(
	j *scheduler.Job, run scheduler.Cycle, share float64,
) (times int64, ok bool) {
	j.Quota, j.Lead, j.Compute = 0, max(1, run), 0
	switch {
	case k.misfit:
		return 0, true
	case k.further == 0:
		return k.split(j, run, share), true
	}
	if times = int64(float64(run) / k.further); times == 0 || times > maxMessages/k.messages {
		return times, times == 0
	}
	busy := scheduler.Cycle(math.Round(k.first + float64(float64(times-1)*k.further)))
	j.Quota, j.Compute, j.Lead = times*k.messages, k.compute, max(0, run-busy)
	return times, true
}

// split gives a job the iterations whose messages take a share of its run time, and divides the
// remaining time into computations before each phase.
func (k *pacedKind) split(j *scheduler.Job, run scheduler.Cycle, share float64) int64 {
	maxTimes := math.Floor(float64(run) / k.communicating)
	times := int64(min(math.Round(share*float64(run)/k.communicating), maxTimes))
	times = min(times, maxMessages/k.messages)
	if times == 0 {
		return 0
	}
	rest := run - scheduler.Cycle(math.Round(float64(times)*k.communicating))
	j.Quota, j.Compute = times*k.messages, rest/scheduler.Cycle(times*k.phases)
	j.Lead = rest - j.Compute*scheduler.Cycle(times*k.phases-1)
	return times
}

// timeSums are sums over jobs for the note on computing times.
type timeSums struct {
	jobs               int     // all
	short              int     // that run for less than an iteration
	misfits            int     // whose number of processes the pattern does not support
	long               int     // whose messages alone take longer than job.iteration
	work, communicated float64 // processors times seconds
	min, max           int64   // iterations of the jobs that communicate
}

// add adds a job that does a number of iterations.
func (s *timeSums) add(j *scheduler.Job, k *pacedKind, times int64, cyclesPerSecond float64) {
	s.jobs++
	s.work += float64(float64(j.Size) * j.RunTime)
	switch {
	case k.misfit:
		s.misfits++
	case times == 0:
		s.short++
	default:
		if k.long {
			s.long++
		}
		s.communicated += float64(j.Size) * float64(times) * k.communicating / cyclesPerSecond
		if s.max == 0 || times < s.min {
			s.min = times
		}
		s.max = max(s.max, times)
	}
}

// note returns how jobs divide their time, or "" if there is no job that sends messages.
func (s *timeSums) note(plan *config.Plan, clock scheduler.Clock) string {
	if s.work == 0 {
		return ""
	}
	field, value := config.FieldIteration, plan.Job.Iteration
	if value == 0 {
		field, value = config.FieldShare, plan.Job.Share
	}
	text := fmt.Sprintf("%s = %g: at %s, jobs of several processors that have the machine to "+
		"themselves communicate in %s of their processor time, in %d to %d iterations; %d of these "+
		"%d jobs only compute", field, value, cyclesText(clock),
		decimal.Significant(s.communicated/s.work, 3), s.min, s.max, s.short+s.misfits, s.jobs)
	if s.misfits > 0 {
		text += fmt.Sprintf(", %d because %s does not run on that number of processes", s.misfits,
			plan.Job.Mixed)
	}
	if s.long > 0 {
		text += fmt.Sprintf("; the messages of an iteration take longer than %g s in %d of them, so "+
			"their iterations are as long as the messages", plan.Job.Iteration, s.long)
	}
	return text
}

// phasesOf returns the number of phases of an iteration between which the processes of a job can
// compute. It is 1 for a pattern with a code, and 0 for a pattern that does not support the size
// of the job.
func phasesOf(c patterns.Config, j *scheduler.Job) (int, error) {
	phases := 1
	var err error
	switch {
	case c.Tasks:
		err = patterns.ErrNoPhases
	case patterns.OwnSizes(c.Name):
		_, err = patterns.NewCode(c, j.Size)
	default:
		var p patterns.Pattern
		if p, err = patterns.NewPattern(c, j.Size, j.Shape, nil); err == nil {
			phases = p.Phases()
		}
	}
	var size *patterns.SizeError
	switch {
	case errors.As(err, &size):
		return 0, nil
	case errors.Is(err, patterns.ErrNoPhases):
		return 0, config.FieldPattern.Bad(fmt.Sprintf("leave %s and %s out, or take another pattern",
			config.FieldShare, config.FieldIteration), "%s says itself when processes compute", c.Name)
	case err != nil:
		return 0, config.FieldPattern.Bad("", "job %d: %v", j.ID, err)
	}
	return max(1, phases), nil
}
