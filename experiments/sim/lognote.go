package sim

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"contend/experiments/config"
	"contend/internal/decimal"
	"contend/internal/input"
	"contend/router/topology"
	"contend/scheduler"
)

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
	g, ok := config.Unwrap(plan.Machine).(*topology.Graph)
	if !ok || plan.Workload.Source == config.SourceTraffic || !g.PlanesDiffer() {
		return ""
	}
	return "the rails of the graph differ: distances between nodes, which allocators and metrics " +
		"such as mean_pairwise_distance take, are those of rail 0; mean_hops is that of the packets"
}
