package sim

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"contend/experiments/config"
	"contend/internal/decimal"
	"contend/internal/input"
	"contend/router/topology"
	"contend/scheduler"
)

// makeLog makes the jobs of a log, or jobs that are generated like a log: their patterns, then the
// messages that they send and the cycles of a second, so that their load is that of the log.
func (m *workMaker) makeLog() error {
	m.addPatterns()
	plan, q := m.plan, &m.plan.Job.Quota
	start := plan.Workload.Start + m.replication*plan.Workload.Window
	jobs, err := m.logJobs(plan, start, m.weights, m.seed)
	if err != nil {
		return err
	}
	m.Source, m.clock.CyclesPerSecond = &scheduler.List{Jobs: jobs}, float64(plan.Job.CyclesPerSecond)
	for i := range jobs {
		if jobs[i].NoEstimate {
			m.noEstimates++
		}
	}
	profiles := plan.Workload.Source == config.SourceBatsim // say what jobs send
	if profiles {
		err = m.giveProfiles(jobs)
	} else {
		err = m.givePatterns(jobs)
	}
	if err == nil && plan.Workload.HasTrace() {
		err = m.noteLog(jobs)
	}
	if err != nil {
		return err
	}
	plan.Scheduler.AssumeEstimates(jobs)
	if plan.Scheduler.OnOverrun == config.OverrunRaise {
		raiseEstimates(jobs)
	}
	a := m.newCalibration()
	switch automatic := plan.Job.CyclesPerSecond == input.Automatic; {
	case plan.Job.Run == config.RunFixed:
		if automatic {
			m.setClock(float64(plan.FixedRate(jobs)))
		}
	case profiles:
	case q.PerSecond == input.Automatic:
		m.setClock(1)
		if plan.Workload.Snapshots && !m.nominal {
			return nil // the jobs of the moment get theirs
		}
		return m.giveTimes(jobs, a)
	default:
		if err = m.giveQuotas(jobs); err == nil && automatic {
			m.clock.CyclesPerSecond, err = m.automaticRate(jobs, a)
			m.noteRate()
		}
	}
	return err
}

// giveTimes gives jobs messages, and computing times, such that a job alone takes its run time.
func (m *workMaker) giveTimes(jobs []scheduler.Job, a *calibration) error {
	if m.plan.Job.Iteration > 0 || m.plan.Job.Share < 1 {
		return m.computingTimes(jobs, a)
	}
	return m.quotasFromTimes(jobs, a)
}

// raiseEstimates raises the estimate of each job to at least its run time. The authors of
// johnson2010 seem to have read logs that way (docs/DEVIATIONS.md, row 55).
func raiseEstimates(jobs []scheduler.Job) {
	for i := range jobs {
		jobs[i].Estimate = max(jobs[i].Estimate, jobs[i].RunTime)
	}
}

// giveQuotas sets the quotas of the jobs of a log that do not depend on the length of an
// iteration. They are proportional to the run time, constant or drawn.
func (m *workMaker) giveQuotas(jobs []scheduler.Job) error {
	q := &m.plan.Job.Quota
	if q.PerSecond > 0 {
		for i := range jobs {
			jobs[i].Quota = wholeQuota(jobs[i].RunTime * float64(q.PerSecond))
		}
		return nil
	}
	rng := rand.New(rand.NewPCG(m.seed, 1))
	for i := range jobs {
		j, draw := &jobs[i], 1.0
		if q.Drawn {
			draw = rng.ExpFloat64()
		}
		if err := m.giveQuota(j, draw); err != nil {
			return config.FieldPattern.Bad(otherSizes(m.plan, err), "job %d: %v", j.ID, err)
		}
	}
	return nil
}

// quotasFromTimes sets the quota of each job such that the job, alone on the machine, takes its
// run time in the log. The load of each job is preserved.
func (m *workMaker) quotasFromTimes(jobs []scheduler.Job, a *calibration) error {
	if err := a.each(jobs, a.measureIteration); err != nil {
		return err
	}
	parallel, partial := 0, 0 // jobs, and those that run for less than one iteration
	for i := range jobs {
		j := &jobs[i]
		cycles, messages, err := a.iteration(j)
		if err != nil {
			return err
		}
		if messages == 0 {
			continue
		}
		j.Quota = wholeQuota(j.RunTime * m.clock.CyclesPerSecond / cycles * float64(messages))
		if parallel++; j.Quota < messages {
			partial++
		}
	}
	if m.plan.Workload.HasTrace() {
		m.noteQuotas(parallel, partial)
	}
	return nil
}

// automaticRate returns the cycles of a second that preserve the load of the log in replication 0.
// All replications have the same.
func (m *workMaker) automaticRate(jobs []scheduler.Job, a *calibration) (float64, error) {
	if m.replication > 0 && m.plan.Calibrates && !m.nominal {
		first, err := m.memos.works.until(m.ctx, m.plan.WorkID(),
			func() (*Work, error) { return m.NewWork(m.ctx, m.plan, 0) })
		if err != nil {
			return 0, err
		}
		return first.clock.CyclesPerSecond, nil
	}
	return rateFromQuotas(jobs, a)
}

// rateFromQuotas returns the cycles per second of the log that preserve its load (Pascual et
// al. 2009, Eq. 2) if every job runs as it would alone. It is the ratio of the work in cycles to
// the work in seconds.
func rateFromQuotas(jobs []scheduler.Job, a *calibration) (float64, error) {
	if err := a.each(jobs, a.measureIteration); err != nil {
		return 0, err
	}
	var inCycles, inSeconds float64
	for i := range jobs {
		j := &jobs[i]
		cycles, messages, err := a.iteration(j)
		if err != nil {
			return 0, err
		}
		if messages == 0 {
			continue // it runs for its run time at any rate
		}
		inCycles += float64(j.Size) * cycles * float64(j.Quota) / float64(messages)
		inSeconds += float64(float64(j.Size) * j.RunTime)
	}
	if inCycles == 0 || inSeconds == 0 {
		return 1, nil
	}
	return inCycles / inSeconds, nil
}

// logSource opens a log, or generates a stream of jobs like a log with at least start more jobs
// than the run has.
func (s *Simulator) logSource(
	plan *config.Plan, start int, seed uint64,
) (source scheduler.Source, err error) {
	w := &plan.Workload
	switch w.Source {
	case config.SourceSWF, config.SourceBatsim:
		return s.readLog(w)
	case config.SourceLublin:
		c := w.Lublin
		c.Jobs, c.Seed = start+w.Jobs, seed
		source, err = scheduler.NewLublin(c)
	case config.SourceCplantStream:
		c := w.Cplant
		c.Seed = seed
		source, err = scheduler.NewCplantStream(c)
	default:
		panic("sim: jobs do not come from " + string(w.Source))
	}
	if err != nil {
		return nil, config.Refuse(err)
	}
	return source, nil
}

// logJobs returns the jobs of a log from number start on, transformed and scaled as the plan says,
// without quotas.
func (s *Simulator) logJobs(
	plan *config.Plan, start int, weights []float64, seed uint64,
) (jobs []scheduler.Job, err error) {
	k, nodes := &plan.Workload, plan.Machine.Nodes()
	l, err := s.logSource(plan, start, seed)
	if err != nil {
		return nil, err
	}
	for i := range start {
		if _, err := l.Next(); err != nil {
			return nil, config.FieldStart.Bad("give less", "%s is %d, but %s has no more than %d jobs",
				config.FieldStart, start, s.logFile(k.Trace), i)
		}
	}
	c := k.Transform
	c.Assign, c.Patterns, c.Seed = true, weights, seed
	t, err := scheduler.NewTransform(l, c)
	if err == nil {
		jobs, err = scheduler.ReadAll(t)
	}
	if err != nil {
		return nil, config.Refuse(err)
	}
	if len(jobs) == 0 {
		return nil, config.FieldTrace.Bad("", "the log %s has no jobs that can be simulated", k.Trace)
	}
	if start > 0 {
		first := jobs[0].Submit
		for i := range jobs {
			jobs[i].Submit -= first
		}
	}
	if err := checkSizes(jobs, s.logFile(k.Trace), nodes); err != nil {
		return nil, err
	}
	if k.Shake > 0 {
		err = scheduler.Shake(jobs, k.Shake, seed)
	}
	if err == nil && k.Replication > 1 {
		if err := s.Room(fmt.Sprintf("%d jobs %d times (%s) need", len(jobs), k.Replication,
			config.FieldReplication), float64(len(jobs))*float64(k.Replication)*float64(config.BytesJob),
			"give a smaller one, or less "+string(config.FieldJobs)); err != nil {
			return nil, err
		}
		jobs, err = scheduler.Replicate(jobs, k.Replication, k.Spread, seed)
	}
	if err == nil && k.TargetLoad > 0 {
		_, err = scheduler.ScaleToLoad(jobs, nodes, k.TargetLoad)
	}
	if err != nil {
		return nil, config.Refuse(err)
	}
	return jobs, nil
}

// checkSizes returns an error if a job is larger than the machine.
func checkSizes(jobs []scheduler.Job, log string, nodes int) error {
	for i := range jobs {
		if j := &jobs[i]; j.Size > nodes {
			err := &input.Error{Problem: fmt.Sprintf("job %d asks for %d processors; "+
				"the machine has %d (%s = %d makes larger jobs that large)",
				j.ID, j.Size, nodes, config.FieldSizeClamp, nodes)}
			if j.Line > 0 {
				err.Where = fmt.Sprintf("%s:%d", log, j.Line)
			}
			return err
		}
	}
	return nil
}

// readLog returns a copy of a log, which is read once for all runs.
func (s *Simulator) readLog(w *config.WorkloadPlan) (*scheduler.SWF, error) {
	if w.Source == config.SourceBatsim {
		b, err := s.readBatsim(w.Trace)
		if err != nil {
			return nil, err
		}
		return b.SWF.Copy(), nil
	}
	path, err := input.FindTrace(w.Trace, s.TraceDirs)
	if err != nil {
		return nil, err
	}
	if config.IsBatsim(path) {
		right := fmt.Sprintf("give %s = %q", config.FieldSource, config.SourceBatsim)
		return nil, config.FieldTrace.Bad(right, "%s is a workload of Batsim by its name", path)
	}
	l, err := s.memos.logs.of(logKey{path, w.Format()}, func() (*scheduler.SWF, error) {
		return config.ReadLog(path, w.Format())
	})
	if err != nil {
		return nil, err
	}
	return l.Copy(), nil
}

// logFile returns the name of a log for messages about its lines. It is the given name, or the
// path of the version of the log that replaces it.
func (s *Simulator) logFile(name string) string {
	path, err := input.FindTrace(name, s.TraceDirs)
	if err == nil && input.TakenInstead(name, path) != "" {
		return path
	}
	return name
}

// lateStart is the share of the time up to the last submission that may pass before the first
// submission without a note.
const lateStart = 0.01

// noteLog notes the warnings of a log, the number and load of its jobs, and what a user may not
// expect of them.
func (m *workMaker) noteLog(jobs []scheduler.Job) error {
	log, err := m.readLog(&m.plan.Workload)
	if err != nil {
		return err
	}
	m.notes = append(m.notes, log.Warnings...)
	if slices.ContainsFunc(jobs, func(j scheduler.Job) bool { return j.Untimed }) {
		return nil // their load is not known
	}
	w, name, nodes := &m.plan.Workload, input.BaseName(m.plan.Workload.Trace), m.plan.Machine.Nodes()
	about := fmt.Sprintf("%s: %d jobs", name, len(jobs))
	if w.Window > 0 {
		about += " in the first window"
	}
	all, known := scheduler.SubmittedLoad(jobs, nodes)
	if known {
		about += fmt.Sprintf(", load %s on %d processors", loadText(all), nodes)
	}
	ended, known := scheduler.Load(jobs, nodes)
	if known {
		about += fmt.Sprintf(" (%s by Eq. 2 of Pascual et al. 2009)", loadText(ended))
	}
	m.note(about)
	if w := loadWarning(all, ended, known); w != "" {
		m.note(name + ": " + w)
	}
	if n := len(jobs) / max(1, w.Replication); n < w.Jobs {
		m.note(fmt.Sprintf("%s: only %d of the %d jobs that %s asks for: the log has no more", name, n,
			w.Jobs, config.FieldJobs))
	}
	first, last := jobs[0].Submit, jobs[0].Submit
	for i := range jobs {
		first, last = min(first, jobs[i].Submit), max(last, jobs[i].Submit)
	}
	if first > lateStart*last {
		m.note(fmt.Sprintf("%s: the first job is submitted at %s s; finish_time and utilization are "+
			"from time 0 on, makespan from the first submission on", name, decimal.Number(first)))
	}
	return nil
}

// maxLoadDifference is the share of the load by which the load of Eq. 2 may differ without a note.
const maxLoadDifference = 0.1

// loadWarning says why the load of all jobs and that of Eq. 2, if it is known, differ. It is "" if
// they do not differ much.
func loadWarning(all, ended float64, known bool) string {
	if !known || math.Abs(all-ended) <= maxLoadDifference*all {
		return ""
	}
	return fmt.Sprintf("the load, %s, is the work of all jobs over the time of their submissions "+
		"(metric submitted_load); Eq. 2 (metric offered_load) leaves out the first 1%% of the jobs and "+
		"the jobs that end after the last submission, and is %s", loadText(all), loadText(ended))
}

// loadText writes a load with three decimals, or three digits if that would leave fewer.
func loadText(x float64) string {
	if x != 0 && x < 0.1 {
		return strconv.FormatFloat(x, 'g', 3, 64)
	}
	return strconv.FormatFloat(x, 'f', 3, 64)
}

// planesNote says that distances are those of one rail, "" where all rails have the same.
func planesNote(plan *config.Plan) string {
	g, ok := topology.Unwrap(plan.Machine).(*topology.Graph)
	if !ok || plan.Workload.Source == config.SourceTraffic || !g.PlanesDiffer() {
		return ""
	}
	return "the rails of the graph differ: distances between nodes, which allocators and metrics " +
		"such as mean_pairwise_distance take, are those of rail 0; mean_hops is that of the packets"
}
