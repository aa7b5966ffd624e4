package scheduler

import (
	"cmp"
	"fmt"
	"slices"

	"contend/router/topology"
)

// Failures is a source of failures and repairs of the machine.
type Failures interface {
	// Next returns the next change, or false after the last. Changes come in order of time; at equal
	// times repairs come before failures.
	Next() (Change, bool)
}

// Change is a change of the machine.
type Change struct {
	// At is the time of the change, in cycles.
	At Cycle
	// Down are the nodes that fail, Up the nodes that are repaired, each of which has failed before. A
	// node that has failed several times is back after the same number of repairs.
	Down, Up []topology.Node
	// Until is the time at which policies expect the repair of the nodes in Down; MaxCycle means that
	// it is unknown.
	Until Cycle
	// Lost says that the nodes in Down are never repaired.
	Lost bool
	// Do, if not nil, makes further changes, such as failures of links. It is called at the time of
	// the change, after the jobs on the nodes in Down have been killed.
	Do func() error
}

// failing is the state of the failed nodes. Policies that look ahead see each failed node as a
// running job with its own entry, until the repair.
type failing struct {
	nodes   []failedNode // by number; nil before the first failure
	count   int          // nodes that are down now
	lost    int          // nodes that are never repaired
	changes int          // number of changes so far
	idle    int          // value of changes when a job ran last, or no job waited
}

// failedNode is the state of a node.
type failedNode struct {
	Entry        // in State.running while the node is down
	failures int // failures that are not repaired
	lost     bool
}

// maxIdleChanges bounds the consecutive changes during which jobs wait and none runs: a job that
// needs nodes that are never all up at one time would wait for ever.
const maxIdleChanges = 100_000

// change applies a change. Jobs on failed nodes are killed. They join the queue again in their
// order of arrival, unless that exceeds Sim.MaxRestarts.
func (s *State) change(c *Change) {
	f := &s.failing
	if f.changes++; f.nodes == nil {
		f.nodes = make([]failedNode, s.free.Nodes())
	}
	s.checks.changed()
	for _, n := range c.Up {
		if k := &f.nodes[n]; k.failures > 1 {
			k.failures--
		} else {
			k.failures = 0
			s.repair(k)
		}
	}
	var killed []*Entry
	for _, n := range c.Down {
		if e := s.userOf(n); e != nil && !slices.Contains(killed, e) {
			killed = append(killed, e)
		}
	}
	slices.SortFunc(killed, func(a, b *Entry) int { return cmp.Compare(a.arrival, b.arrival) })
	for _, e := range killed {
		s.stop(e)
	}
	for _, n := range c.Down {
		s.fail(n, c)
	}
}

// userOf returns the job that runs on a node, or nil.
func (s *State) userOf(n topology.Node) *Entry {
	for i := range s.running {
		if e := s.running[i].entry; e.arrival > 0 && slices.Contains(e.Nodes, n) {
			return e
		}
	}
	return nil
}

// stop ends the run of a job. The job goes to the end of the queue and restarts from the beginning,
// or it is lost.
func (s *State) stop(e *Entry) {
	s.executor.(Killer).Kill(e.Job.ID)
	lost := e.restarts == s.maxRestarts
	s.record = s.recordOf(e, true)
	s.record.Lost = lost
	s.totals.Lost.add(e.Job.Size, s.now-e.Start)
	if s.stopped != nil {
		s.stopped(&s.record)
	}
	if lost {
		s.remove(e)
		return
	}
	s.totals.Requeued++
	s.vacate(e)
	s.left(e, true)
	*e = Entry{Job: e.Job, Submit: s.now, first: e.first, number: e.number, restarts: e.restarts + 1}
	s.enqueue(e)
}

// fail removes an unused node from the free nodes until its repair.
func (s *State) fail(n topology.Node, c *Change) {
	f := &s.failing
	k, until := &f.nodes[n], c.Until
	if k.failures++; k.failures > 1 {
		until = max(until, k.Estimated)
		s.repair(k)
	}
	if c.Lost && !k.lost {
		k.lost = true
		f.lost++
	}
	k.Entry = Entry{Start: s.now, Estimated: until, Nodes: []topology.Node{n}, arrival: -1 - int64(n)}
	s.free.Take(k.Nodes)
	s.version++
	f.count++
	s.running = slices.Insert(s.running, s.position(&k.Entry),
		running{until, k.arrival, 1, &k.Entry})
}

// repair makes a failed node free.
func (s *State) repair(k *failedNode) {
	s.vacate(&k.Entry)
	s.failing.count--
	s.addDown(&k.Entry, s.now)
}

// addDown adds the time that a node has been down, up to a cycle.
func (s *State) addDown(e *Entry, until Cycle) {
	if until <= e.Start {
		return
	}
	s.totals.Down.add(1, until-e.Start)
	if s.down != nil {
		s.down(e.Nodes[0], e.Start, until)
	}
}

// jobs returns the number of running jobs.
func (s *State) jobs() int { return len(s.running) - s.failing.count }

// checkLeft refuses a job with more processors than the nodes that are not lost.
func (s *State) checkLeft(j *Job) error {
	if left := s.totals.Nodes - s.failing.lost; s.failing.lost > 0 && j.Size > left {
		return fmt.Errorf("it asks for %d processors, and %d of %d nodes are left: the others "+
			"have failed and are never repaired", j.Size, left, s.totals.Nodes)
	}
	return nil
}

// checkWaiting returns an error if jobs wait, none runs and no future event can start one.
func (r *run) checkWaiting() error {
	f := &r.failing
	if r.Waiting() == 0 || r.jobs() > 0 || r.wake != MaxCycle {
		f.idle = f.changes
		return nil
	}
	switch nodes := r.totals.Nodes; {
	case f.count == 0:
		return r.jobError(&r.Head().Job,
			fmt.Errorf("it waits although the whole machine of %d nodes is free", nodes))
	case r.change.At == MaxCycle:
		return r.jobError(&r.Head().Job, fmt.Errorf("it waits although all of the %d nodes that have "+
			"not failed, of %d, are free, and no other is repaired", nodes-f.count, nodes))
	case f.changes-f.idle > maxIdleChanges:
		return r.jobError(&r.Head().Job, fmt.Errorf("it waits and nothing runs during %d failures and "+
			"repairs: the nodes that it needs are never up at once", maxIdleChanges))
	}
	return nil
}

// nextChange reads the next change of the machine.
func (r *run) nextChange() {
	var more bool
	if r.sim.Failures != nil {
		r.change, more = r.sim.Failures.Next()
	}
	if !more {
		r.change = Change{At: MaxCycle}
	}
}

// applyChanges applies the changes up to now.
func (r *run) applyChanges() error {
	for r.change.At <= r.now && r.change.At < MaxCycle {
		c := r.change
		r.State.change(&c)
		if c.Do != nil {
			if err := c.Do(); err != nil {
				return err
			}
		}
		for e := range r.Queue() {
			if !c.Lost {
				break
			}
			if err := r.checkLeft(&e.Job); err != nil {
				return r.jobError(&e.Job, err)
			}
		}
		r.nextChange()
	}
	return nil
}

// finishDown adds to the totals the times of the nodes that are still down at the end.
func (r *run) finishDown() {
	for i := range r.running {
		if e := r.running[i].entry; e.arrival < 0 {
			r.addDown(e, r.totals.Finish)
		}
	}
}
