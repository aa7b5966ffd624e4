package metrics

import "contend/scheduler"

// largestJobs accumulates the jobs with the most processors and the others apart. Times are in
// the unit of the clock.
type largestJobs struct {
	size                  int
	wait, service, others Mean
}

// add adds a job. If it is larger than all before, those count as others from now on.
func (l *largestJobs) add(r *scheduler.Record, clock scheduler.Clock) {
	if len(r.Nodes) > l.size {
		l.others.Sum += l.wait.Sum
		l.others.N += l.wait.N
		l.size, l.wait, l.service = len(r.Nodes), Mean{}, Mean{}
	}
	wait := clock.Seconds(r.Wait())
	if len(r.Nodes) < l.size {
		l.others.Add(wait)
		return
	}
	l.wait.Add(wait)
	l.service.Add(clock.Seconds(r.Service()))
}
