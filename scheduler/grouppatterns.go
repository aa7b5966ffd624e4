package scheduler

// User returns the number of the user who submitted the job. It reports false if the
// job is generated or its log does not say.
func (j *Job) User() (int64, bool) { return j.logged(swfUser) }

// Queue returns the number of the queue to which the job was submitted. It reports
// false if the job is generated or its log does not say.
func (j *Job) Queue() (int64, bool) { return j.logged(swfQueue) }

// logged returns a field of the job's line that is a number of at least 0.
func (j *Job) logged(field int) (int64, bool) {
	if j.SWF == nil || !(j.SWF[field] >= 0) {
		return 0, false
	}
	return int64(j.SWF[field]), true
}

// DrawGroupPatterns draws a pattern for each group of jobs. The function group returns
// the number of a job's group, or reports false for a job that keeps its pattern. The
// weights are those of TransformConfig.Patterns.
//
// The draw of a group depends on the seed and its number only: neither on the other jobs
// nor on their order. The same group has the same pattern in every part of a log. No
// other draw changes.
func DrawGroupPatterns(
	jobs []Job, weights []float64, seed uint64, group func(*Job) (int64, bool),
) error {
	k, err := newPicker("TransformConfig.Patterns", weights, seed)
	if err != nil {
		return err
	}
	drawn := map[int64]int{}
	for i := range jobs {
		g, ok := group(&jobs[i])
		if !ok {
			continue
		}
		at, known := drawn[g]
		if !known {
			k.r = stream(seed+mix(uint64(g)), purposeGroupPattern)
			at = k.pick()
			drawn[g] = at
		}
		jobs[i].Pattern = at
	}
	return nil
}
