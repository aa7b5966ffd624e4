package scheduler

// FCFS starts jobs in order of arrival. While the first job does not fit, all jobs
// wait.
type FCFS struct{}

// Schedule starts jobs from the head of the queue while they fit.
func (FCFS) Schedule(s *State) {
	for s.Waiting() > 0 && s.Start(s.Head()) {
	}
}
