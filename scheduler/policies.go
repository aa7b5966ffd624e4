package scheduler

import (
	"cmp"
	"slices"

	"contend/internal/heap"
)

// FCFS starts jobs in order of arrival. While the first job does not fit, all jobs
// wait.
type FCFS struct{}

// Schedule starts jobs from the head of the queue while they fit.
func (FCFS) Schedule(s *State) {
	for s.Waiting() > 0 && s.Start(s.Head()) {
	}
}

// SJF starts the waiting job with the shortest estimate first. While that job does not fit, all
// jobs wait. Jobs with equal estimates start in order of arrival. Short refers to time, unlike in
// Pascual et al., JSSPP 2009, sec. 3, who say in passing that SJF selects jobs by their size.
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
	// PollSeconds is the time between polls in seconds, at least 0. Polls happen at the cycles nearest
	// to its multiples. 0 means a poll whenever a job arrives or ends. The paper gives no value.
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

// Conservative is conservative backfilling (Mu'alem and Feitelson, IEEE TPDS 12(6),
// 2001, sec. 2). Each job gets a reservation on arrival: the earliest time at which
// enough nodes are free for its estimated run time without delaying an earlier
// reservation.
//
// The plan is compressed when a job ends. Each waiting job, in order of arrival, gives up its
// reservation and takes the earliest one available, which is never later. Compression also happens
// when a job ends exactly at its estimate, because a job that moves makes room for jobs ahead of
// it. So no job starts later than its first reservation, unless some job passes its estimate. The
// plan assumes that a job past its estimate ends in the next cycle, and all reservations are made
// again until the job ends.
//
// The first planned start always coincides with the planned end of a running job. So the policy
// needs no wake-ups.
//
// The plan counts nodes, so it suits allocators for which the number of free nodes decides. With
// other allocators a job whose reservation is due may be refused. The job then waits while its
// nodes stay free, and the plan is made again. No reservation is binding in that case, and much of
// the machine idles. The cost of compression is proportional to the square of the queue length.
//
// Failed nodes count as taken until their repair if its time is known, and otherwise for ever. All
// reservations are made again when nodes fail or are repaired.
type Conservative struct {
	plan   profile
	seen   int64 // arrival of the last job planned
	ended  int   // number of jobs that had ended when the plan was made
	late   int   // State.late at that time
	broke  int   // failing.changes at that time
	broken bool  // a job did not start at its reservation
}

// Schedule plans new jobs and starts the jobs whose reservation is due.
func (p *Conservative) Schedule(s *State) {
	switch {
	case p.plan.at == nil || p.broken || p.late != s.late || p.broke != s.failing.changes ||
		len(s.running) > 0 && s.running[0].ends <= s.now:
		p.planRunning(s)
		p.seen = 0
	case p.ended != s.totals.Jobs:
		p.planRunning(s)
		p.enterReservations(s)
		p.compress(s)
	default:
		p.plan.advance(s.now)
	}
	p.ended, p.late, p.broke = s.totals.Jobs, s.late, s.failing.changes
	p.planNew(s)
	p.broken = !p.startDue(s)
}

// planRunning replaces the plan by one of the running jobs alone.
func (p *Conservative) planRunning(s *State) {
	p.plan.begin(s.now, s.free.Count())
	for i := range s.running {
		r := &s.running[i]
		p.plan.change(max(r.ends, s.now+1), r.nodes)
	}
}

// enterReservations enters the existing reservations into the plan.
func (p *Conservative) enterReservations(s *State) {
	for place, ok := s.queue.after(0); ok; place, ok = s.queue.after(place + 1) {
		if e := s.queue.entries[place]; e.arrival <= p.seen {
			p.plan.reserve(e.planned, p.runTime(s, place), -e.Job.Size)
		}
	}
}

// compress moves each reservation to the earliest time available.
func (p *Conservative) compress(s *State) {
	for place, ok := s.queue.after(0); ok; place, ok = s.queue.after(place + 1) {
		e, time := s.queue.entries[place], p.runTime(s, place)
		if e.arrival > p.seen {
			return
		}
		if e.planned == s.now {
			continue
		}
		p.plan.reserve(e.planned, time, e.Job.Size)
		e.planned = p.plan.earliest(e.Job.Size, time)
		p.plan.reserve(e.planned, time, -e.Job.Size)
	}
}

// planNew makes a reservation for each job that has none.
func (p *Conservative) planNew(s *State) {
	for place, ok := s.queue.unseen(p.seen); ok; place, ok = s.queue.after(place + 1) {
		e, time := s.queue.entries[place], p.runTime(s, place)
		e.planned = p.plan.earliest(e.Job.Size, time)
		p.plan.reserve(e.planned, time, -e.Job.Size)
		s.checks.reserved(s, e, e.planned)
	}
	p.seen = s.arrivals
}

// startDue starts the jobs whose reservation is due, in order of arrival. It reports false
// if one of them does not fit.
func (p *Conservative) startDue(s *State) bool {
	kept := true
	for place, ok := s.queue.after(0); ok; place, ok = s.queue.after(place + 1) {
		if e := s.queue.entries[place]; e.planned <= s.now && !s.Start(e) {
			kept = false
		}
	}
	return kept
}

// runTime returns the planned run time of a job. It is at least one cycle, because a job
// with no run time still holds its nodes for a cycle.
func (p *Conservative) runTime(s *State, place int) Cycle {
	return max(1, s.queue.estimates[place])
}

// profile is the number of nodes planned to be free at each future time: free[i] from
// at[i] until at[i+1], and the last one for ever. Neighbouring values differ.
type profile struct {
	at   []Cycle
	free []int
}

// begin resets the profile to a constant number of nodes from now on.
func (p *profile) begin(now Cycle, free int) {
	p.at, p.free = append(p.at[:0], now), append(p.free[:0], free)
}

// advance drops the part of the profile before now.
func (p *profile) advance(now Cycle) {
	i := 0
	for i+1 < len(p.at) && p.at[i+1] <= now {
		i++
	}
	p.at, p.free = slices.Delete(p.at, 0, i), slices.Delete(p.free, 0, i)
	p.at[0] = now
}

// earliest returns the first time from which at least size nodes are free for the given
// time.
func (p *profile) earliest(size int, time Cycle) Cycle {
	for i := 0; ; i++ {
		if p.free[i] < size {
			continue // the last entry has all nodes of the machine
		}
		j, end := i+1, p.at[i]+time
		for j < len(p.at) && p.at[j] < end && p.free[j] >= size {
			j++
		}
		if j == len(p.at) || p.at[j] >= end {
			return p.at[i]
		}
		i = j
	}
}

// reserve adds free nodes for the given time from a start on. A negative number takes nodes.
func (p *profile) reserve(from, time Cycle, nodes int) {
	p.change(from, nodes)
	p.change(min(MaxCycle, from+time), -nodes)
}

// change adds free nodes from a time on, which is not before the first entry.
func (p *profile) change(from Cycle, nodes int) {
	i, found := slices.BinarySearch(p.at, from)
	if !found {
		p.at, p.free = slices.Insert(p.at, i, from), slices.Insert(p.free, i, p.free[i-1])
	}
	for j := i; j < len(p.free); j++ {
		p.free[j] += nodes
	}
	if i > 0 && p.free[i] == p.free[i-1] {
		p.at, p.free = slices.Delete(p.at, i, i+1), slices.Delete(p.free, i, i+1)
	}
}
