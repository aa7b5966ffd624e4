package cosim

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"contend/experiments/decimal"
	"contend/experiments/spec"
	"contend/netsim/topology"
	"contend/patterns"
	"contend/scheduler"
)

// work is what a run is fed with.
type work struct {
	Source   scheduler.Source
	patterns []patterns.Config
	clock    scheduler.Clock
	until    int    // jobs after whose end the run is over; 0: all
	shared   string // how jobs share their time between computing and communicating; "" where they do not
	partial  int    // parallel jobs whose run time is less than one iteration of their pattern
	parallel int
}

// NewWork opens the source of jobs of a spec.
func (s *Simulator) NewWork(plan *spec.Spec, machine spec.Machine, replication int) (*work, error) {
	mix, err := spec.ParseMix(plan.Job.Pattern)
	if err != nil {
		return nil, spec.BadInput("job.pattern", "", "%v", err)
	}
	whole := plan
	if plan.Workload.Window > 0 {
		window := *plan
		window.Workload.Start += replication * plan.Workload.Window
		plan = &window
	}
	w := &work{}
	var weights []float64
	for _, m := range mix {
		weights = append(weights, m.Weight)
		w.patterns = append(w.patterns, PatternConfig(plan, m))
	}
	seed, _ := plan.StreamSeed(replication, "workload")
	if plan.Workload.Source == "synthetic" {
		err = syntheticWork(w, plan, machine, weights, seed)
	} else {
		var first *work
		if replication > 0 && whole.Job.CyclesPerSecond == spec.Automatic && whole.Calibrates() {
			if first, err = s.firstWork(whole, machine); err != nil {
				return nil, err
			}
		}
		err = s.logWork(w, plan, machine, weights, seed, first)
	}
	if err != nil {
		return nil, err
	}
	return w, nil
}

// firstWork is the work of replication 0, whose clock all replications have.
func (s *Simulator) firstWork(plan *spec.Spec, machine spec.Machine) (*work, error) {
	key := "first work " + plan.Workload.Trace + "\n" + plan.CanonicalOf(func(path string) bool {
		return spec.MakesJobs(path) || spec.IsReference(path) || path == "job.calibrate_on" || path == "runs.seed" || path == "scheduler.on_overrun"
	})
	return Shared(s, key, func() (*work, error) { return s.NewWork(plan, machine, 0) })
}

// PatternConfig translates one part of the mix of [job].
func PatternConfig(plan *spec.Spec, m spec.Weighted) patterns.Config {
	j := &plan.Job
	return patterns.Config{Name: m.Name, Order: j.Order, Flits: j.Flits, Repeat: j.Repeat, Grid: j.Grid, Cycle: j.Cycle, Bits: j.Bits, Bodies: j.Bodies,
		Cut: j.Cut, ComputeCycles: j.ComputeCycles,
		Levels: j.Levels, Class: cmp.Or(m.Class, j.Class), Scale: j.Scale, Bytes: j.Bytes, FlitBytes: plan.Network.FlitBytes, PadFlits: plan.Network.PadFlits}
}

// software returns what messages cost the processes.
func software(j *spec.JobSpec) softwareCycles { return softwareCycles{j.SendCycles, j.ReceiveCycles} }

// syntheticWork prepares a generated stream of jobs.
func syntheticWork(w *work, plan *spec.Spec, machine spec.Machine, weights []float64, seed uint64) error {
	k := plan.Workload
	w.clock.CyclesPerSecond = float64(plan.Job.CyclesPerSecond)
	if plan.Job.CyclesPerSecond == spec.Automatic {
		w.clock.CyclesPerSecond = 1
		if plan.Job.Run == "fixed" {
			w.clock.CyclesPerSecond = spec.UnitCycles
		}
	}
	sides := spec.SidesOf(machine)
	if k.Processors > 0 { // one side, so no shape
		sides, k.Side = []int{machine.Nodes()}, spec.SideSpec{Distribution: "fixed", Value: k.Processors}
	}
	c := scheduler.SyntheticConfig{
		Jobs: k.Count(), Sides: sides,
		Side: scheduler.SideConfig{Distribution: k.Side.Distribution, Min: k.Side.Min, Max: k.Side.Max, Mean: k.Side.Mean,
			Outside: k.Side.Outside, Value: k.Side.Value, Round: k.Side.Round},
		Interarrival: scheduler.Distribution{Kind: k.Interarrival.Distribution, Mean: k.InterarrivalMean()},
		Service:      scheduler.Distribution{Kind: k.Service.Distribution, Mean: k.Service.Mean},
		Patterns:     weights, Seed: seed,
	}
	if plan.Job.Run == "messages" {
		var err error
		if c.PatternQuota, err = meanQuotas(w, plan, c); err != nil {
			return err
		}
		c.Quota = scheduler.Distribution{Kind: plan.Job.Quota.Distribution, Mean: c.PatternQuota[0]}
		c.Service = scheduler.Distribution{}
	}
	g, err := scheduler.NewSynthetic(c)
	if err != nil {
		return &spec.InputError{Problem: err.Error()}
	}
	w.Source = g
	return nil
}

// meanQuotas returns the mean number of messages of a job, by pattern: so many
// iterations' for the mean-sized job (lo1994 App. A), or as many as is asked.
func meanQuotas(w *work, plan *spec.Spec, c scheduler.SyntheticConfig) ([]float64, error) {
	q := &plan.Job.Quota
	shape, err := meanShape(c)
	if err != nil {
		return nil, &spec.InputError{Problem: err.Error()}
	}
	n := 1
	for _, side := range shape {
		n *= side
	}
	if q.Processes > 0 {
		n, shape = q.Processes, nil
	}
	var means []float64
	for _, p := range w.patterns {
		mean := q.Messages
		if mean == 0 {
			per, err := patterns.MessagesPerIteration(p, n, shape)
			if err != nil {
				return nil, spec.BadInput("job.pattern", "", "%v", err)
			}
			mean = q.Iterations * float64(per)
		}
		means = append(means, max(1, mean))
	}
	return means, nil
}

// meanShape returns the sides of the mean-sized job: the mean of each side's
// distribution, rounded to a whole number and then as the sides are rounded.
func meanShape(c scheduler.SyntheticConfig) ([]int, error) {
	round := c.Side.Round
	c.Side.Round = "none"
	c.PatternQuota, c.Quota = nil, scheduler.Distribution{}
	g, err := scheduler.NewSynthetic(c)
	if err != nil {
		return nil, err
	}
	var shape []int
	for _, mean := range g.MeanSides() {
		side := scheduler.RoundToPower(max(1, int(math.Round(mean))), round)
		shape = append(shape, side)
	}
	return shape, nil
}

// logWork prepares a log, or jobs that are generated like one.
// first is the work of replication 0, nil in that.
func (s *Simulator) logWork(w *work, plan *spec.Spec, machine spec.Machine, weights []float64, seed uint64, first *work) error {
	jobs, err := s.logJobs(plan, machine, weights, seed)
	if err != nil {
		return err
	}
	a, err := s.newAlone(plan, machine)
	if err != nil {
		return err
	}
	plan.Scheduler.AssumeEstimates(jobs)
	if plan.Scheduler.OnOverrun == "raise" {
		raiseEstimates(jobs)
	}
	cps, q := plan.Job.CyclesPerSecond, &plan.Job.Quota
	switch {
	case plan.Job.Run == "fixed":
		if cps == spec.Automatic {
			cps = spec.FixedRate(jobs, plan)
		}
	case q.PerSecond == spec.Automatic:
		if cps == spec.Automatic {
			cps = 1
		}
		if plan.Job.Share < 1 {
			if err := shareTimes(jobs, w, plan, a, float64(cps)); err != nil {
				return err
			}
		} else if err := quotasFromTimes(jobs, w, a, float64(cps)); err != nil {
			return err
		}
	default:
		if err := giveQuotas(jobs, w, plan, seed); err != nil {
			return err
		}
		if cps == spec.Automatic && first != nil {
			cps = spec.Auto(first.clock.CyclesPerSecond)
		} else if cps == spec.Automatic {
			rate, err := cyclesFromQuotas(jobs, w, a)
			if err != nil {
				return err
			}
			cps = spec.Auto(rate)
		}
	}
	w.clock.CyclesPerSecond = float64(cps)
	w.Source = &scheduler.List{Jobs: jobs}
	return nil
}

// raiseEstimates makes no job run for longer than it was estimated to: so the
// authors of johnson2010 seem to have read logs (docs/DEVIATIONS.md, row 55).
func raiseEstimates(jobs []scheduler.Job) {
	for i := range jobs {
		jobs[i].Estimate = max(jobs[i].Estimate, jobs[i].RunTime)
	}
}

// giveQuotas sets the quotas of the jobs of a log that do not depend on how long
// jobs take: per second of their run times, or drawn.
func giveQuotas(jobs []scheduler.Job, w *work, plan *spec.Spec, seed uint64) error {
	q := &plan.Job.Quota
	if q.PerSecond > 0 {
		for i := range jobs {
			jobs[i].Quota = max(1, int64(math.Round(jobs[i].RunTime*float64(q.PerSecond))))
		}
		return nil
	}
	rng := rand.New(rand.NewPCG(seed, 1))
	for i := range jobs {
		mean := q.Messages
		if mean == 0 {
			p := w.patterns[jobs[i].Pattern]
			per, err := patterns.MessagesPerIteration(p, jobs[i].Size, jobs[i].Shape)
			if err != nil {
				return spec.BadInput("job.pattern", "", "job %d: %v", jobs[i].ID, err)
			}
			mean = q.Iterations * float64(per)
		}
		if q.Distribution == "exponential" {
			mean *= rng.ExpFloat64()
		}
		jobs[i].Quota = max(1, int64(math.Round(mean)))
	}
	return nil
}

// compactPlace returns n nodes around the corner of a machine, row by row of
// the most nearly square box; the first ones of a tree.
func compactPlace(machine spec.Machine, n int) []topology.Node {
	place := make([]topology.Node, 0, n)
	if t, ok := machine.(topology.Grid); ok && t.OneNodePerRouter() && len(t.Dims()) == 2 {
		d := t.Dims()
		w := min(d[0], max(int(math.Ceil(math.Sqrt(float64(n)))), (n+d[1]-1)/d[1]))
		for i := range n {
			place = append(place, topology.Node(t.At(i%w, i/w)))
		}
		return place
	}
	for i := range n {
		place = append(place, topology.Node(i))
	}
	return place
}

// quotasFromTimes gives every job the messages that take it, alone on the
// machine, as long as the log says: its load is kept, job by job.
func quotasFromTimes(jobs []scheduler.Job, w *work, a *alone, cyclesPerSecond float64) error {
	for i := range jobs {
		j := &jobs[i]
		cycles, messages, err := a.iteration(j, w.patterns[j.Pattern])
		if err != nil {
			return err
		}
		if messages == 0 {
			continue
		}
		j.Quota = max(1, int64(math.Round(j.RunTime*cyclesPerSecond/cycles*float64(messages))))
		if w.parallel++; j.Quota < messages {
			w.partial++
		}
	}
	return nil
}

// cyclesFromQuotas returns how many cycles a second of the log has to be for
// its load (Pascual et al. 2009, Eq. 2) to be kept when every job runs as it
// would alone: the ratio of the work in cycles to the work in seconds.
func cyclesFromQuotas(jobs []scheduler.Job, w *work, a *alone) (float64, error) {
	var inCycles, inSeconds float64
	for i := range jobs {
		j := &jobs[i]
		cycles, messages, err := a.iteration(j, w.patterns[j.Pattern])
		if err != nil {
			return 0, err
		}
		if messages == 0 {
			continue // it runs for its run time, whatever that is in cycles
		}
		inCycles += float64(j.Size) * cycles * float64(j.Quota) / float64(messages)
		inSeconds += float64(j.Size) * j.RunTime
	}
	if inCycles == 0 || inSeconds == 0 {
		return 1, nil
	}
	return inCycles / inSeconds, nil
}

// Notes says in a sentence or two how a run's log became messages and cycles:
// what "auto" chose, and the load of the log.
// And that messages are not as long as those of the programs they stand for.
func (s *Simulator) Notes(plan spec.Spec) ([]string, error) {
	key := "notes " + plan.Workload.Trace + "\n" + plan.CanonicalOf(func(path string) bool {
		return path != "job.assumed_speedup" && !strings.HasPrefix(path, "allocator.") && !strings.HasPrefix(path, "scheduler.")
	})
	notes, err := Shared(s, key, func() ([]string, error) { return s.notes(plan) })
	if err != nil {
		return nil, err
	}
	note, err := s.estimateNote(&plan, key)
	if note != "" {
		notes = append(notes[:len(notes):len(notes)], note)
	}
	return notes, err
}

func (s *Simulator) notes(plan spec.Spec) ([]string, error) {
	var notes []string
	if plan.Job.Scale != 1 && plan.MessageFlits() == 0 {
		notes = append(notes, fmt.Sprintf("job.scale = %g: messages with sizes in bytes have that part of them", plan.Job.Scale))
	}
	if plan.Workload.Source != "swf" {
		return notes, nil
	}
	machine, err := spec.NewMachine(&plan.Machine)
	if err != nil {
		return nil, err
	}
	w, err := s.NewWork(&plan, machine, 0)
	if err != nil {
		return nil, err
	}
	jobs := w.Source.(*scheduler.List).Jobs
	l, err := s.log(plan.Workload.Trace)
	if err != nil {
		return nil, err
	}
	notes = append(notes, l.Warnings...)
	load := ""
	if x, ok := scheduler.Load(jobs, machine.Nodes()); ok {
		load = fmt.Sprintf(", load %.3f on %d processors (Pascual et al. 2009, Eq. 2)", x, machine.Nodes())
	}
	notes = append(notes, fmt.Sprintf("%s: %d jobs%s", spec.BaseName(plan.Workload.Trace), len(jobs), load))
	if plan.Job.Run == "fixed" {
		return notes, nil
	}
	switch {
	case w.shared != "":
		notes = append(notes, w.shared)
	case plan.Job.Quota.PerSecond == spec.Automatic:
		notes = append(notes, fmt.Sprintf("job.quota.per_second = auto: every job sends as many messages as take it its run time when it has the machine to itself, at %s, so the log's load is kept", cyclesText(w.clock)))
		if w.partial > 0 {
			notes = append(notes, fmt.Sprintf("%d of %d parallel jobs run for less than one iteration of their pattern at %s and send a part of it; a larger job.cycles_per_second has fewer of them and takes as much longer to simulate",
				w.partial, w.parallel, cyclesText(w.clock)))
		}
	case plan.Job.CyclesPerSecond == spec.Automatic:
		notes = append(notes, fmt.Sprintf("job.cycles_per_second = auto: %s, which keeps the log's load when every job runs as it would alone", decimal.Number(w.clock.CyclesPerSecond)))
	}
	return notes, nil
}

// cyclesText says how many cycles a second has.
func cyclesText(c scheduler.Clock) string {
	if c.CyclesPerSecond == 1 {
		return "1 cycle a second"
	}
	return decimal.Number(c.CyclesPerSecond) + " cycles a second"
}
