package cosim

import (
	"fmt"

	"contend/experiments/spec"
	"contend/scheduler"
)

// logSource opens a log, or a stream of jobs generated like one.
func (s *Simulator) logSource(plan *spec.Spec, machine spec.Machine, seed uint64) (source scheduler.Source, err error) {
	k := &plan.Workload
	switch k.Source {
	case "swf":
		return s.log(k.Trace)
	case "lublin":
		source, err = scheduler.NewLublin(scheduler.LublinConfig{Jobs: k.Start + k.Count(), Processors: machine.Nodes(), Kind: k.Lublin, Seed: seed})
	case "cplant-stream":
		c := scheduler.CplantStreamConfig{Seed: seed,
			Interarrival: scheduler.Distribution{Kind: k.Interarrival.Distribution, Mean: k.InterarrivalMean()},
			Service:      scheduler.Distribution{Kind: k.Service.Distribution, Mean: k.Service.Mean}}
		if plan.Job.Run == "messages" && plan.Job.Quota.PerSecond == 0 {
			c.Service = scheduler.Distribution{} // the quota decides
		}
		source, err = scheduler.NewCplantStream(c)
	default:
		panic("experiments: there is no source " + k.Source)
	}
	if err != nil {
		return nil, &spec.InputError{Problem: err.Error()}
	}
	return source, nil
}

// logJobs returns the jobs of a log, transformed, without quotas.
func (s *Simulator) logJobs(plan *spec.Spec, machine spec.Machine, weights []float64, seed uint64) ([]scheduler.Job, error) {
	k := &plan.Workload
	l, err := s.logSource(plan, machine, seed)
	if err != nil {
		return nil, err
	}
	for range k.Start {
		if _, err := l.Next(); err != nil {
			return nil, spec.BadInput("workload.start", "fewer", "the log has fewer than %d jobs", k.Start)
		}
	}
	t, err := scheduler.NewTransform(l, scheduler.TransformConfig{First: k.Count(), Divide: k.SizeDivisor, Round: k.RoundSizes, Max: k.SizeClamp,
		Load: k.LoadScale, Work: k.WorkMultiple, Assign: true, Patterns: weights, Seed: seed})
	if err != nil {
		return nil, &spec.InputError{Problem: err.Error()}
	}
	jobs, err := scheduler.ReadAll(t)
	if err != nil {
		return nil, &spec.InputError{Problem: err.Error()}
	}
	if len(jobs) == 0 {
		return nil, spec.BadInput("workload.trace", "", "the log %s has no jobs that can be simulated", k.Trace)
	}
	if k.Start > 0 {
		first := jobs[0].Submit
		for i := range jobs {
			jobs[i].Submit -= first
		}
	}
	if err := fitMachine(jobs, s.logFile(k.Trace), machine.Nodes()); err != nil {
		return nil, err
	}
	if k.Shake > 0 {
		if err := scheduler.Shake(jobs, k.Shake, seed); err != nil {
			return nil, &spec.InputError{Problem: err.Error()}
		}
	}
	if k.Replication > 1 {
		if jobs, err = scheduler.Replicate(jobs, k.Replication, k.Spread, seed); err != nil {
			return nil, &spec.InputError{Problem: err.Error()}
		}
	}
	if k.TargetLoad > 0 {
		if _, err := scheduler.ScaleToLoad(jobs, machine.Nodes(), k.TargetLoad); err != nil {
			return nil, &spec.InputError{Problem: err.Error()}
		}
	}
	return jobs, nil
}

// fitMachine refuses jobs larger than the machine.
func fitMachine(jobs []scheduler.Job, log string, nodes int) error {
	for i := range jobs {
		if j := &jobs[i]; j.Size > nodes {
			err := &spec.InputError{Problem: fmt.Sprintf("job %d asks for %d processors; the machine has %d (workload.size_clamp = %d makes larger jobs that large)",
				j.ID, j.Size, nodes, nodes)}
			if j.Line > 0 {
				err.Where = fmt.Sprintf("%s:%d", log, j.Line)
			}
			return err
		}
	}
	return nil
}
