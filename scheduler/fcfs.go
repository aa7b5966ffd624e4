package scheduler

// FCFS starts jobs in the order in which they came: while the first one does
// not fit, all wait.
type FCFS struct{}

// Schedule starts jobs from the head of the queue while they fit.
func (FCFS) Schedule(s *State) {
	for s.Waiting() > 0 && s.Start(s.Head()) {
	}
}
