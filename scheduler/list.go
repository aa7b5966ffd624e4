package scheduler

import (
	"cmp"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
)

// List is a Source of given jobs. Several lists may share Jobs.
type List struct {
	// Jobs are in order of submission.
	Jobs []Job
	next int
}

// Next returns the next job, or io.EOF after the last.
func (l *List) Next() (Job, error) {
	if l.next == len(l.Jobs) {
		return Job{}, io.EOF
	}
	l.next++
	return l.Jobs[l.next-1], nil
}

// ReadAll returns all jobs of a source.
func ReadAll(s Source) ([]Job, error) {
	var jobs []Job
	for {
		j, err := s.Next()
		if errors.Is(err, io.EOF) {
			return jobs, nil
		}
		if err != nil {
			return jobs, err
		}
		jobs = append(jobs, j)
	}
}

// Replicate repeats each job factor times (the replication factor of Leung et al.,
// CLUSTER 2002, sec. 3). It moves the submit time of each copy by a uniform draw from
// [-spread, spread] seconds, but not before zero. Copies get job numbers above the
// greatest one. The result is in order of submission.
func Replicate(jobs []Job, factor int, spread float64, seed uint64) ([]Job, error) {
	if factor < 1 {
		return nil, badField("Replicate.factor", "is %d: it must be at least 1", factor)
	}
	if err := checkSpread("Replicate.spread", spread); err != nil {
		return nil, err
	}
	all := slices.Clone(jobs)
	last := JobID(0)
	for i := range jobs {
		last = max(last, jobs[i].ID)
	}
	r := stream(seed, purposeReplicas)
	for range factor - 1 {
		for _, j := range jobs {
			last++
			j.ID = last
			j.moveSubmission(spread, r)
			j.Seed = r.Uint64()
			all = append(all, j)
		}
	}
	sortBySubmission(all)
	return all, nil
}

// Shake moves the submit time of each job by a uniform draw from [-spread, spread]
// seconds, but not before zero, and restores the order of submission. Several replays
// of a shaken log show how much a result depends on chance (Tsafrir, Ouaknine,
// Feitelson, MASCOTS 2007, "input shaking").
func Shake(jobs []Job, spread float64, seed uint64) error {
	if err := checkSpread("Shake.spread", spread); err != nil {
		return err
	}
	r := stream(seed, purposeShake)
	for i := range jobs {
		jobs[i].moveSubmission(spread, r)
	}
	sortBySubmission(jobs)
	return nil
}

// checkSpread refuses a spread that is not a time in the range of logs.
func checkSpread(field string, spread float64) error {
	if !(spread >= 0) || spread > maxSeconds {
		return badField(field, "is %v: it must be 0 to %v seconds", spread, maxSeconds)
	}
	return nil
}

// moveSubmission moves the submit time by a uniform draw from [-spread, spread], but not before
// zero.
func (j *Job) moveSubmission(spread float64, r *rand.Rand) {
	j.Submit = max(0, j.Submit+spread*(2*r.Float64()-1))
}

// sortBySubmission sorts jobs; those submitted at the same time keep their order.
func sortBySubmission(jobs []Job) {
	slices.SortStableFunc(jobs, func(a, b Job) int { return cmp.Compare(a.Submit, b.Submit) })
}
