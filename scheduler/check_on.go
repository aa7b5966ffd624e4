//go:build invariants

package scheduler

import (
	"fmt"
)

// checks are the costly invariants; CI runs the tests with them.
type checks struct {
	inOrder bool // the policy is FCFS
	next    int64
	owner   []*Entry // who used a node at the last count
	counted []int64  // which count that was
	count   int64
}

func (c *checks) begin(p Policy) { _, c.inOrder = p.(FCFS) }

// started holds where a job was just taken from the queue to run.
func (c *checks) started(s *State, e *Entry) {
	if e.Start < e.Submit {
		panic(fmt.Sprintf("scheduler: job %d starts at %d, before it was submitted at %d", e.Job.ID, e.Start, e.Submit))
	}
	if c.inOrder && e.arrival != c.next {
		panic(fmt.Sprintf("scheduler: job %d starts before one that came earlier", e.Job.ID))
	}
	c.next++
	for i := range s.Waiting() {
		if s.At(i) == e {
			panic(fmt.Sprintf("scheduler: job %d runs and waits", e.Job.ID))
		}
	}
}

// scheduled holds after each round of scheduling.
func (c *checks) scheduled(s *State, nodes int) {
	if c.owner == nil {
		c.owner, c.counted = make([]*Entry, s.free.Nodes()), make([]int64, s.free.Nodes())
	}
	c.count++
	used := 0
	for i, e := range s.running {
		if e.running != i || s.byID[e.Job.ID] != e {
			panic(fmt.Sprintf("scheduler: job %d is not where it should be", e.Job.ID))
		}
		for _, n := range e.Nodes {
			if c.counted[n] == c.count {
				panic(fmt.Sprintf("scheduler: node %d is used by jobs %d and %d", n, c.owner[n].Job.ID, e.Job.ID))
			}
			if s.free.Free(n) {
				panic(fmt.Sprintf("scheduler: node %d of job %d is free", n, e.Job.ID))
			}
			c.owner[n], c.counted[n] = e, c.count
		}
		used += len(e.Nodes)
	}
	if used+s.free.Count() != nodes {
		panic(fmt.Sprintf("scheduler: %d nodes used and %d free on a machine of %d", used, s.free.Count(), nodes))
	}
	if len(s.byID) != len(s.running)+s.Waiting() {
		panic(fmt.Sprintf("scheduler: %d jobs are known, %d run and %d wait", len(s.byID), len(s.running), s.Waiting()))
	}
	for i := 1; i < s.Waiting(); i++ {
		if s.At(i-1).arrival >= s.At(i).arrival || s.At(i-1).Submit > s.At(i).Submit {
			panic(fmt.Sprintf("scheduler: jobs %d and %d wait out of order", s.At(i-1).Job.ID, s.At(i).Job.ID))
		}
	}
}
