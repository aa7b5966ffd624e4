package cosim

import (
	"fmt"

	"contend/experiments/decimal"
	"contend/experiments/spec"
	"contend/netsim/topology"
	"contend/scheduler"
)

// lateStart is the share of the time up to the last submission from which on a user is told that
// nothing is submitted in it.
const lateStart = 0.01

// logNotes says what the jobs of a log are, and where they are not what a user may expect.
func (s *Simulator) logNotes(plan *spec.Plan, jobs []scheduler.Job) ([]string, error) {
	w, name, nodes := &plan.Workload, spec.BaseName(plan.Workload.Trace), plan.Machine.Nodes()
	load := ""
	if x, ok := scheduler.Load(jobs, nodes); ok {
		load = fmt.Sprintf(", load %.3f on %d processors (Pascual et al. 2009, Eq. 2)", x, nodes)
	}
	notes := []string{fmt.Sprintf("%s: %d jobs%s", name, len(jobs), load)}
	if n := len(jobs) / max(1, w.Copies); n < w.Jobs {
		notes = append(notes, fmt.Sprintf("%s: only %d of the %d jobs that %s asks for: the log has "+
			"no more", name, n, w.Jobs, spec.FieldJobs))
	}
	first, last := jobs[0].Submit, jobs[0].Submit
	for i := range jobs {
		first, last = min(first, jobs[i].Submit), max(last, jobs[i].Submit)
	}
	if first > lateStart*last {
		notes = append(notes, fmt.Sprintf("%s: the first job is submitted at %s s; finish_time and "+
			"utilization are from time 0 on, makespan from the first submission on", name,
			decimal.Number(first)))
	}
	clamped, err := s.clamped(plan)
	if clamped > 0 {
		notes = append(notes, fmt.Sprintf("%s: %s made %d of the jobs smaller", name,
			spec.FieldSizeClamp, clamped))
	}
	return notes, err
}

// clamped counts the jobs of the log that workload.size_clamp makes smaller.
func (s *Simulator) clamped(plan *spec.Plan) (int, error) {
	if plan.Workload.Transform.Max == 0 {
		return 0, nil
	}
	l, err := s.log(plan.Workload.Trace)
	if err != nil {
		return 0, err
	}
	for range plan.Workload.Start {
		if _, err := l.Next(); err != nil {
			return 0, spec.Refuse(err)
		}
	}
	t, err := scheduler.NewTransform(l, plan.Workload.Transform)
	if err == nil {
		_, err = scheduler.ReadAll(t)
	}
	if err != nil {
		return 0, spec.Refuse(err)
	}
	return t.Clamped, nil
}

// planesNote says that distances are those of one rail, "" where all rails have the same.
func planesNote(plan *spec.Plan) string {
	g, ok := spec.Unwrap(plan.Machine).(*topology.Graph)
	if !ok || plan.Workload.Source == spec.SourceTraffic || !g.PlanesDiffer() {
		return ""
	}
	return "the rails of the graph differ: distances between nodes, which allocators and metrics " +
		"such as mean_pairwise_distance take, are those of rail 0; mean_hops is that of the packets"
}
