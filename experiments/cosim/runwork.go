package cosim

import (
	"fmt"
	"math"
	"math/rand/v2"

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

// NewWork opens the source of jobs of a plan.
func (s *Simulator) NewWork(plan *spec.Plan, replication int) (w *work, err error) {
	w = &work{}
	var weights []float64
	for _, p := range plan.Job.Patterns {
		weights = append(weights, p.Weight)
		w.patterns = append(w.patterns, p.Config)
	}
	seed, _ := plan.StreamSeed(replication, "workload")
	if plan.Workload.Source == spec.SourceSynthetic {
		err = syntheticWork(w, plan, weights, seed)
	} else {
		var first *work
		if replication > 0 && plan.Job.CyclesPerSecond == spec.Automatic && plan.Calibrates {
			if first, err = s.firstWork(plan); err != nil {
				return nil, err
			}
		}
		start := plan.Workload.Start + replication*plan.Workload.Window
		err = s.logWork(w, plan, start, weights, seed, first)
	}
	if err != nil {
		return nil, err
	}
	return w, nil
}

// firstWork is the work of replication 0, whose clock all replications have.
func (s *Simulator) firstWork(plan *spec.Plan) (*work, error) {
	return s.shared.works.Of(plan.WorkID(), func() (*work, error) { return s.NewWork(plan, 0) })
}

// software returns what messages cost the processes.
func software(plan *spec.Plan) softwareCycles {
	return softwareCycles{plan.Job.SendCycles, plan.Job.ReceiveCycles}
}

// syntheticWork prepares a generated stream of jobs.
func syntheticWork(w *work, plan *spec.Plan, weights []float64, seed uint64) error {
	w.clock.CyclesPerSecond = float64(plan.Job.CyclesPerSecond)
	if plan.Job.CyclesPerSecond == spec.Automatic {
		w.clock.CyclesPerSecond = 1
		if plan.Job.Run == spec.RunFixed {
			w.clock.CyclesPerSecond = spec.UnitCycles
		}
	}
	c := plan.Workload.Synthetic
	c.Patterns, c.Seed = weights, seed
	if plan.Job.Run == spec.RunMessages {
		var err error
		if c.PatternQuota, err = meanQuotas(w, plan, c); err != nil {
			return err
		}
		c.Quota = plan.Job.Quota.Draw
		c.Quota.Mean = c.PatternQuota[0]
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
func meanQuotas(w *work, plan *spec.Plan, c scheduler.SyntheticConfig) ([]float64, error) {
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
				return nil, spec.FieldPattern.Refuse(err)
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
	c.Side.Round = ""
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
func (s *Simulator) logWork(
	w *work, plan *spec.Plan, start int, weights []float64, seed uint64, first *work,
) error {
	jobs, err := s.logJobs(plan, start, weights, seed)
	if err != nil {
		return err
	}
	a := s.newAlone(plan)
	plan.Scheduler.AssumeEstimates(jobs)
	if plan.Scheduler.OnOverrun == spec.OverrunRaise {
		raiseEstimates(jobs)
	}
	cps, q := plan.Job.CyclesPerSecond, &plan.Job.Quota
	switch {
	case plan.Job.Run == spec.RunFixed:
		if cps == spec.Automatic {
			cps = plan.FixedRate(jobs)
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
func giveQuotas(jobs []scheduler.Job, w *work, plan *spec.Plan, seed uint64) error {
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
				return spec.FieldPattern.Bad("", "job %d: %v", jobs[i].ID, err)
			}
			mean = q.Iterations * float64(per)
		}
		if q.Drawn {
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
func (s *Simulator) Notes(plan *spec.Plan) ([]string, error) {
	notes, err := s.shared.notes.Of(plan.NotesID(), func() ([]string, error) {
		return s.planNotes(plan)
	})
	if err != nil {
		return nil, err
	}
	note, err := s.estimateNote(plan)
	if note != "" {
		notes = append(notes[:len(notes):len(notes)], note)
	}
	return notes, err
}

func (s *Simulator) planNotes(plan *spec.Plan) ([]string, error) {
	var notes []string
	if plan.Job.Scale != 1 && !plan.Job.OneLength {
		notes = append(notes, fmt.Sprintf(
			"%s = %g: messages with sizes in bytes have that part of them",
			spec.FieldScale, plan.Job.Scale))
	}
	if plan.Workload.Source != spec.SourceSWF {
		return notes, nil
	}
	w, err := s.NewWork(plan, 0)
	if err != nil {
		return nil, err
	}
	jobs, nodes := w.Source.(*scheduler.List).Jobs, plan.Machine.Nodes()
	l, err := s.log(plan.Workload.Trace)
	if err != nil {
		return nil, err
	}
	notes = append(notes, l.Warnings...)
	load := ""
	if x, ok := scheduler.Load(jobs, nodes); ok {
		load = fmt.Sprintf(", load %.3f on %d processors (Pascual et al. 2009, Eq. 2)", x, nodes)
	}
	name := spec.BaseName(plan.Workload.Trace)
	notes = append(notes, fmt.Sprintf("%s: %d jobs%s", name, len(jobs), load))
	if plan.Job.Run == spec.RunFixed {
		return notes, nil
	}
	return append(notes, calibrationNotes(plan, w)...), nil
}

// calibrationNotes says what "auto" chose.
func calibrationNotes(plan *spec.Plan, w *work) []string {
	switch {
	case w.shared != "":
		return []string{w.shared}
	case plan.Job.Quota.PerSecond == spec.Automatic:
		notes := []string{fmt.Sprintf("%s = auto: every job sends as many messages as take it "+
			"its run time when it has the machine to itself, at %s, so the log's load is kept",
			spec.FieldPerSecond, cyclesText(w.clock))}
		if w.partial > 0 {
			notes = append(notes, fmt.Sprintf("%d of %d parallel jobs run for less than one "+
				"iteration of their pattern at %s and send a part of it; a larger %s has fewer "+
				"of them and takes as much longer to simulate",
				w.partial, w.parallel, cyclesText(w.clock), spec.FieldCyclesPerSecond))
		}
		return notes
	case plan.Job.CyclesPerSecond == spec.Automatic:
		return []string{fmt.Sprintf("%s = auto: %s, which keeps the log's load when every job "+
			"runs as it would alone", spec.FieldCyclesPerSecond,
			decimal.Number(w.clock.CyclesPerSecond))}
	}
	return nil
}

// cyclesText says how many cycles a second has.
func cyclesText(c scheduler.Clock) string {
	if c.CyclesPerSecond == 1 {
		return "1 cycle a second"
	}
	return decimal.Number(c.CyclesPerSecond) + " cycles a second"
}
