package metrics

import "contend/router"

// waitTable has the sums of waits by the job that waited, the job that it waited for, and the link.
type waitTable map[waitKey]*WaitSums

// waitKey has jobs as indices of slotTimes.jobs.
type waitKey struct {
	job, by int32
	link    router.Link
}

// of returns the sums of a key.
func (t waitTable) of(job, by int32, link router.Link) *WaitSums {
	key := waitKey{job, by, link}
	s := t[key]
	if s == nil {
		s = new(WaitSums)
		t[key] = s
	}
	return s
}
