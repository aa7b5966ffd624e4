package sim

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"contend/experiments/config"
	"contend/internal/input"
	"contend/patterns"
	"contend/scheduler"
)

// makeList makes the jobs of workload.list, in the order of their submission. Their numbers are in
// the order of the rows.
func (m *workMaker) makeList() error {
	m.addPatterns()
	m.setClock(1)
	plan := m.plan
	var jobs []scheduler.Job
	for i, row := range plan.Workload.Listed {
		var err error
		if row.Processes == 0 {
			row.Processes, err = plan.Ranks(row.Pattern)
		}
		var per int64
		if err == nil {
			per, err = patterns.MessagesPerIteration(m.patterns[row.Index], row.Processes, nil)
		}
		if err != nil {
			return refuseRow(i, err)
		}
		mean := float64(row.Iterations) * float64(per)
		if row.Iterations == 0 {
			mean, _ = meanQuota(&plan.Job.Quota, m.patterns[row.Index], row.Processes, nil)
		}
		for range row.Count {
			jobs = append(jobs, scheduler.Job{ID: scheduler.JobID(len(jobs) + 1), Submit: row.At,
				Estimate: row.Estimate, NoEstimate: row.Estimate == 0, Size: row.Processes,
				Quota: int64(min(math.Ceil(mean), maxMessages)), Pattern: row.Index,
				Seed: m.seed + uint64(len(jobs))})
		}
	}
	slices.SortStableFunc(jobs, func(a, b scheduler.Job) int {
		return cmp.Compare(a.Submit, b.Submit)
	})
	m.Source = &scheduler.List{Jobs: jobs}
	return nil
}

// refuseRow returns the error for a row of workload.list: err itself if it names a key or a file.
func refuseRow(row int, err error) error {
	if bad := (*input.Error)(nil); errors.As(err, &bad) {
		return bad
	}
	return input.Field(fmt.Sprintf("%s[%d]", config.FieldList, row)).Refuse(err)
}
