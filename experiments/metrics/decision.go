package metrics

import (
	"math"

	"contend/allocation"
	"contend/experiments/config"
	"contend/router/topology"
	"contend/scheduler"
)

// Decision is a second allocator that is queried at every decision of a run. It is the decision
// algorithm of [Bender et al., WADS 2005, sec. 5], and the run's own allocator is the situation
// algorithm. Its answers are measured and do not affect the run.
type Decision struct {
	allocator allocation.Allocator
	meter     PlacementMeter
	nodes     []topology.Node

	sums            [3]Mean // of decisionMeasures
	refused, proven Mean    // each 0 or 100
}

// decisionMeasures are the measures of the places that the second allocator would choose.
var decisionMeasures = measuresNamed("sum_pairwise_distance", "mean_pairwise_distance",
	"components")

// NewDecision returns the measurement of what an allocator would decide on a machine.
func NewDecision(a allocation.Allocator, m config.Machine) *Decision {
	return &Decision{allocator: a, meter: NewPlacementMeter(m, nil)}
}

// Decided returns a function to call at each decision of a run with an allocator, or nil.
func (c *Collector) Decided(
	a allocation.Allocator,
) func(*scheduler.Job, *allocation.FreeSet, []topology.Node) {
	search, explores := a.(allocation.Explorer)
	if !explores && c.decision == nil {
		return nil
	}
	return func(j *scheduler.Job, free *allocation.FreeSet, _ []topology.Node) {
		if explores {
			c.proven.Add(percentProven(search))
		}
		if c.decision != nil {
			c.decision.decide(j, free)
		}
	}
}

// percentProven returns 100 if the last decision is proven to be the optimum, otherwise 0.
func percentProven(x allocation.Explorer) float64 {
	if _, proven := x.Explored(); proven {
		return 100
	}
	return 0
}

// decide queries the place of a job and measures it.
func (a *Decision) decide(j *scheduler.Job, free *allocation.FreeSet) {
	nodes, placed := a.allocator.Allocate(a.nodes[:0], free, j.Request())
	a.nodes = nodes
	if !placed {
		a.refused.Add(100)
		return
	}
	a.refused.Add(0)
	q := a.meter.Measure(nodes, j.Size)
	for i, m := range decisionMeasures {
		if a.meter.defined(m.on) {
			a.sums[i].Add(m.of(&q))
		}
	}
	if x, ok := a.allocator.(allocation.Explorer); ok {
		a.proven.Add(percentProven(x))
	}
}

// metrics adds the metrics of the second allocator.
func (a *Decision) metrics(add func(name string, value float64)) {
	for i, m := range decisionMeasures {
		add("decision_"+m.info.Name, a.sums[i].Value())
	}
	add("decision_refused", a.refused.Value())
	add("decision_proven", a.proven.Value())
}

// countedTies is an allocator that counts its decisions with a tie. In such a decision several
// different sets of processors have the best score [Johnson, Bunde and Leung 2010, Fig. 4].
//
// It assumes that every decision that places a job also starts the job. That holds for allocators
// that count ties: the number of free nodes decides whether a job fits, so policies do not try them
// on a future state of the machine.
type countedTies struct {
	allocation.Allocator
	counter                allocation.TieCounter
	decisions, tied, among int
}

// countTies returns an allocator that counts ties. It returns nil if a cannot count.
func countTies(a allocation.Allocator) *countedTies {
	counter, ok := a.(allocation.TieCounter)
	if !ok || !allocation.CountDecides(a) {
		return nil
	}
	counter.CountTies(true)
	return &countedTies{Allocator: a, counter: counter}
}

// Allocate implements allocation.Allocator.
func (t *countedTies) Allocate(
	dst []topology.Node, free *allocation.FreeSet, req allocation.Request,
) ([]topology.Node, bool) {
	dst, ok := t.Allocator.Allocate(dst, free, req)
	if !ok {
		return dst, false
	}
	t.decisions++
	if n := t.counter.Ties(); n > 1 {
		t.tied++
		t.among += n
	}
	return dst, true
}

// CountDecides implements allocation.Counting.
func (t *countedTies) CountDecides() bool { return true }

// metrics adds the metrics of ties.
func (t *countedTies) metrics(add func(string, float64)) {
	add("decisions_tied", float64(t.tied))
	add("ties_percent", share(100*t.tied, t.decisions))
	add("ties_mean", share(t.among, t.tied))
}

// share returns part over of, NaN if of is 0.
func share(part, of int) float64 {
	if of == 0 {
		return math.NaN()
	}
	return float64(part) / float64(of)
}
