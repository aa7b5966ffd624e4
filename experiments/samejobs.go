package experiments

import (
	"slices"

	"contend/experiments/metrics"
)

// JobsDiffer lists the properties in which the jobs of points i and j differ in some replication
// that both have, by the checksums of the runs. It reports false if there is no such replication,
// or if a run has no checksums.
func (r *Results) JobsDiffer(i, j int) (list []string, known bool) {
	n := min(r.Replications(i), r.Replications(j))
	switch {
	case r.Constant(i) && n > 0:
		n = r.Replications(j)
	case r.Constant(j) && n > 0:
		n = r.Replications(i)
	}
	for rep := range n {
		a, b := r.jobSums(i, rep), r.jobSums(j, rep)
		if a.Jobs == 0 || b.Jobs == 0 {
			return nil, false
		}
		for _, name := range a.Differ(b) {
			if !slices.Contains(list, name) {
				list = append(list, name)
			}
		}
	}
	return list, n > 0
}

// jobSums returns the checksums of the jobs of a replication of a point.
func (r *Results) jobSums(point, replication int) metrics.JobSums {
	key := RunKey{r.Points[point].Hash, runIndex(replication, r.Constant(point))}
	return r.Folder.Records[key].Jobs
}
