//go:build invariants

package scheduler

import "fmt"

// checks holds the costly invariant checks. CI runs the tests with them.
type checks struct {
	inOrder  bool // the policy is FCFS
	next     int64
	owner    []*Entry // the last user of each node, as of the last count
	counted  []int64  // the number of that count
	count    int64
	promised map[int64]Cycle // by arrival: the first reservation of each waiting job
	overrun  bool            // a job has passed its estimate
}

// begin begins the checks of a simulation.
func (c *checks) begin(m *Sim) {
	_, c.inOrder = m.Policy.(FCFS)
	c.next, c.promised = 1, map[int64]Cycle{}
}

// reserved checks a reservation that a policy makes for a waiting job. A reservation
// never moves to a later time while no job passes its estimate.
func (c *checks) reserved(s *State, e *Entry, at Cycle) {
	if at < s.now {
		panic(fmt.Sprintf("scheduler: a reservation for job %d at %d, which has passed", e.Job.ID, at))
	}
	c.noteOverruns(s)
	first, known := c.promised[e.arrival]
	if !known {
		c.promised[e.arrival] = at
	} else if s.counting && !c.overrun && at > first {
		panic(fmt.Sprintf("scheduler: job %d is put off from %d to %d", e.Job.ID, first, at))
	}
}

// changed notes that nodes fail or are repaired. From then on no reservation is binding.
func (c *checks) changed() { c.overrun = true }

// noteOverruns notes whether a job has passed its estimate. From then on no reservation is
// binding.
func (c *checks) noteOverruns(s *State) {
	if len(s.running) > 0 {
		r := &s.running[0]
		c.overrun = c.overrun || r.ends < s.now || r.ends == s.now && r.entry.Start < s.now
	}
	c.overrun = c.overrun || s.late > 0
}

// started checks a job that has just left the queue and runs.
func (c *checks) started(s *State, e *Entry) {
	if e.Start < e.Submit {
		panic(fmt.Sprintf("scheduler: job %d starts at %d, before it was submitted at %d", e.Job.ID,
			e.Start, e.Submit))
	}
	if c.inOrder && e.arrival != c.next {
		panic(fmt.Sprintf("scheduler: job %d starts before one that came earlier", e.Job.ID))
	}
	c.next++
	if first, known := c.promised[e.arrival]; known {
		c.noteOverruns(s)
		if s.counting && !c.overrun && e.Start > first {
			panic(fmt.Sprintf("scheduler: job %d starts at %d, its reservation was for %d", e.Job.ID,
				e.Start, first))
		}
		delete(c.promised, e.arrival)
	}
	for _, w := range s.queue.entries {
		if w == e {
			panic(fmt.Sprintf("scheduler: job %d runs and waits", e.Job.ID))
		}
	}
}

// scheduled checks the system after each round of scheduling.
func (c *checks) scheduled(s *State) {
	if c.owner == nil {
		c.owner, c.counted = make([]*Entry, s.free.Nodes()), make([]int64, s.free.Nodes())
	}
	c.count++
	used := 0
	for i := range s.running {
		e := s.running[i].entry
		if s.position(e) != i || e.arrival > 0 && s.byID[e.Job.ID] != e ||
			s.running[i].ends != e.Estimated || s.running[i].nodes != len(e.Nodes) {
			panic(fmt.Sprintf("scheduler: job %d is not where it should be", e.Job.ID))
		}
		for _, n := range e.Nodes {
			if c.counted[n] == c.count {
				panic(fmt.Sprintf("scheduler: node %d is used by jobs %d and %d", n,
					c.owner[n].Job.ID, e.Job.ID))
			}
			if s.free.Free(n) {
				panic(fmt.Sprintf("scheduler: node %d of job %d is free", n, e.Job.ID))
			}
			c.owner[n], c.counted[n] = e, c.count
		}
		used += len(e.Nodes)
	}
	if nodes := s.totals.Nodes; used+s.free.Count() != nodes {
		panic(fmt.Sprintf("scheduler: %d nodes used and %d free on a machine of %d", used,
			s.free.Count(), nodes))
	}
	if len(s.byID) != s.jobs()+s.Waiting() {
		panic(fmt.Sprintf("scheduler: %d jobs are known, %d run and %d wait", len(s.byID),
			s.jobs(), s.Waiting()))
	}
	s.queue.check()
}

// check checks the queue. It holds between any two changes of the queue.
func (q *queue) check() {
	count, last := 0, (*Entry)(nil)
	for i, e := range q.entries {
		b := q.blocks[i/blockPlaces]
		if b.size > q.sizes[i] || b.estimate > q.estimates[i] {
			panic(fmt.Sprintf("scheduler: the block of place %d is wrong", i))
		}
		if e == nil {
			continue
		}
		if count++; count == 1 && i != q.head || e.place != i || int(q.sizes[i]) != e.Job.Size {
			panic(fmt.Sprintf("scheduler: job %d does not wait where it should", e.Job.ID))
		}
		if last != nil && (last.arrival >= e.arrival || last.Submit > e.Submit) {
			panic(fmt.Sprintf("scheduler: jobs %d and %d wait out of order", last.Job.ID, e.Job.ID))
		}
		last = e
	}
	if count != q.count {
		panic(fmt.Sprintf("scheduler: %d jobs wait, not %d", count, q.count))
	}
}
