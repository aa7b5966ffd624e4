package sim

import (
	"fmt"

	"contend/experiments/config"
	"contend/internal/input"
	"contend/scheduler"
)

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
