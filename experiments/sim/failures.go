package sim

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"contend/experiments/config"
	"contend/internal/heap"
	"contend/netsim"
	"contend/router/topology"
	"contend/scheduler"
)

// failures yields the failures and repairs of a run: a scheduler.Failures.
type failures struct {
	events heap.Heap[failureEvent]
	parts  []failing
	clock  scheduler.Clock
}

// failing is what fails and is repaired at once: all of a row, or one node, router or link of a row
// with mtbf.
type failing struct {
	row   *config.Failure
	nodes []topology.Node
	rng   *rand.Rand // of the times of a row with mtbf, otherwise nil
}

// failureEvent is a failure of a part, or its repair.
type failureEvent struct {
	at   scheduler.Cycle
	fail bool
	part int
}

// Before orders events by time. Repairs come before failures.
func (a failureEvent) Before(b failureEvent) bool {
	if a.at != b.at || a.fail == b.fail {
		return a.at < b.at || a.at == b.at && a.part < b.part
	}
	return b.fail
}

// newFailures returns the failures of a replication of a plan, or nil if it has none. The network is
// nil if jobs send no messages.
//
// What is drawn has streams of its own, a row's for its share and one for the times of each part, so
// that runs that differ in anything else see the same failures. Of a smaller share all that fails
// fails with a larger one.
func newFailures(
	plan *config.Plan, replication int, clock scheduler.Clock, net *netsim.Network,
) scheduler.Failures {
	if len(plan.Failures) == 0 {
		return nil
	}
	f := &failures{clock: clock}
	for i := range plan.Failures {
		row := &plan.Failures[i]
		stream := func(name string) *rand.Rand {
			return rand.New(rand.NewPCG(plan.StreamSeed(replication,
				fmt.Sprintf("failures %d %s %s", i, row.Kind, name))))
		}
		things := row.Numbers
		if row.Numbers == nil {
			count := plan.Machine.Nodes()
			if row.Kind == config.FailingRouters {
				count = plan.Machine.Routers()
			}
			things = make([]int, count)
			for k := range things {
				things[k] = k
			}
			if row.Share > 0 {
				stream("share").Shuffle(count, func(a, b int) { things[a], things[b] = things[b], things[a] })
				things = things[:row.Drawn(count)]
				slices.Sort(things)
			}
		}
		whole := failing{row: row}
		for _, k := range things {
			nodes := nodesOf(plan, row, k)
			if row.MTBF > 0 {
				f.add(failing{row: row, nodes: nodes, rng: stream(fmt.Sprint(k))})
			} else {
				whole.nodes = append(whole.nodes, nodes...)
			}
		}
		if row.MTBF == 0 {
			f.add(whole)
		}
	}
	return f
}

// nodesOf returns the nodes that fail with a node or router of a row. A router takes all nodes along
// of which it carries a network interface.
func nodesOf(plan *config.Plan, row *config.Failure, number int) (nodes []topology.Node) {
	if row.Kind == config.FailingNodes {
		return []topology.Node{topology.Node(number)}
	}
	machine := config.Unwrap(plan.Machine)
	for n := range topology.Node(machine.Nodes()) {
		for rail := range topology.Rails(machine) {
			if r, _ := topology.AttachRail(machine, n, rail); int(r) == number {
				nodes = append(nodes, n)
				break
			}
		}
	}
	return nodes
}

// add adds a part with its first failure.
func (f *failures) add(p failing) {
	at := f.clock.Cycles(p.row.At)
	if p.rng != nil {
		at = f.span(p.row.MTBF * p.rng.ExpFloat64())
	}
	f.parts = append(f.parts, p)
	f.push(failureEvent{at, true, len(f.parts) - 1})
}

// push adds an event, unless it is never.
func (f *failures) push(e failureEvent) {
	if e.at < scheduler.MaxCycle {
		f.events.Push(e)
	}
}

// span returns a time in cycles, at least one.
func (f *failures) span(t float64) scheduler.Cycle { return max(1, f.clock.Cycles(t)) }

// Next implements scheduler.Failures.
func (f *failures) Next() (c scheduler.Change, ok bool) {
	if len(f.events) == 0 {
		return c, false
	}
	e := f.events.Pop()
	p := &f.parts[e.part]
	c = scheduler.Change{At: e.at, Until: scheduler.MaxCycle}
	next := failureEvent{scheduler.MaxCycle, !e.fail, e.part}
	switch {
	case p.rng != nil && e.fail:
		next.at = e.at + f.span(p.row.MTTR*p.rng.ExpFloat64())
	case p.rng != nil:
		next.at = e.at + f.span(p.row.MTBF*p.rng.ExpFloat64())
	case e.fail && p.row.For > 0:
		next.at = e.at + f.span(p.row.For)
		c.Until = min(next.at, scheduler.MaxCycle)
	}
	f.push(next)
	if e.fail {
		c.Down, c.Lost = p.nodes, next.at >= scheduler.MaxCycle
	} else {
		c.Up = p.nodes
	}
	return c, true
}
