package scheduler

import (
	"cmp"

	"contend/internal/heap"
)

// SJF starts the waiting job with the shortest estimate first. While that job does not
// fit, all jobs wait. Jobs with equal estimates start in order of arrival. Short means
// time here, as in the name, unlike Pascual et al., JSSPP 2009, sec. 3, who say in
// passing that SJF selects jobs by their size.
type SJF struct{ waiting priorityQueue }

// Schedule starts jobs from the front while they fit.
func (p *SJF) Schedule(s *State) {
	p.waiting.add(s, func(place int) (first, second Cycle) { return s.queue.estimates[place], 0 })
	p.waiting.start(s)
}

// Cplant is the queue of the Cplant machines (Leung et al., CLUSTER 2002, sec. 3):
// "sorted first by number of requested processors and then by requested processing
// time. Periodically, the scheduler polls to determine which processors are free to
// execute jobs, and jobs are removed from the front of the queue." While the job at the
// front does not fit, all jobs wait.
//
// The paper does not say which end is the front. Small jobs go first here, because in
// its sec. 4 only jobs of the largest size wait noticeably, and a small job submitted
// last overtakes large ones.
type Cplant struct {
	// PollSeconds is the time between polls in seconds, at least 0. Polls happen at the
	// cycles nearest to its multiples. The value 0 polls whenever a job arrives or
	// ends. The paper gives no value.
	PollSeconds float64

	waiting  priorityQueue
	arrivals int64 // State.arrivals at the last poll; version is State.version then
	version  uint64
}

// Schedule starts jobs from the front while they fit, if a poll is due.
func (p *Cplant) Schedule(s *State) {
	p.waiting.add(s, func(place int) (first, second Cycle) {
		return Cycle(s.queue.sizes[place]), s.queue.estimates[place]
	})
	if p.PollSeconds > 0 && p.poll(s, s.now-1) != s.now {
		return
	}
	p.waiting.start(s)
	p.arrivals, p.version = s.arrivals, s.version
}

// Wake returns the time of the next poll. It skips polls that cannot start more jobs
// than the last one did.
func (p *Cplant) Wake(s *State) Cycle {
	if p.PollSeconds == 0 || s.Waiting() == 0 || p.arrivals == s.arrivals && p.version == s.version {
		return MaxCycle
	}
	return p.poll(s, s.now)
}

// poll returns the first time of a poll after t.
func (p *Cplant) poll(s *State, t Cycle) Cycle {
	seconds := max(p.PollSeconds, s.clock.Seconds(1))
	n := max(0, float64(int64(s.clock.Seconds(t)/seconds))-1)
	for s.clock.Cycles(n*seconds) <= t {
		n++
	}
	return s.clock.Cycles(n * seconds)
}

// priorityQueue is a heap of waiting jobs.
type priorityQueue struct {
	heap heap.Heap[priorityEntry]
	seen int64 // arrival number of the last job in the heap
}

// priorityEntry is a waiting job with the keys of its order.
type priorityEntry struct {
	first, second Cycle
	arrival       int64
	job           *Entry
}

// Before orders the heap by both keys and then by arrival.
func (a priorityEntry) Before(b priorityEntry) bool {
	return cmp.Or(cmp.Compare(a.first, b.first), cmp.Compare(a.second, b.second),
		cmp.Compare(a.arrival, b.arrival)) < 0
}

// add adds the jobs that have arrived since the last call, with the keys of their places in
// the queue.
func (q *priorityQueue) add(s *State, keys func(place int) (first, second Cycle)) {
	for place, ok := s.queue.unseen(q.seen); ok; place, ok = s.queue.after(place + 1) {
		e := s.queue.entries[place]
		first, second := keys(place)
		q.heap.Push(priorityEntry{first, second, e.arrival, e})
	}
	q.seen = s.arrivals
}

// start starts jobs while the first one fits.
func (q *priorityQueue) start(s *State) {
	for len(q.heap) > 0 && s.Start(q.heap[0].job) {
		q.heap.Pop()
	}
}
