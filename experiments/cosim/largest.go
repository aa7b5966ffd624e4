package cosim

import (
	"contend/scheduler"
)

// largestJobs adds up the jobs that use most processors, and the others.
type largestJobs struct {
	size                  int
	wait, service, others Mean
}

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
