package metrics

import (
	"contend/allocation"
	"contend/experiments/spec/machine"
	"contend/netsim/topology"
	"contend/scheduler"
)

// Decision is a second allocator that is queried at every decision of a run. It is the decision
// algorithm of [Bender et al., WADS 2005, sec. 5], and the run's own allocator is the situation
// algorithm. Its answers are measured and do not affect the run.
type Decision struct {
	allocator allocation.Allocator
	meter     PlacementMeter
	nodes     []topology.Node

	sum, pairwise, weighted, components Mean
	refused, proven                     Mean // each 0 or 100
}

// NewDecision returns the measurement of what an allocator would decide on a machine.
func NewDecision(a allocation.Allocator, m machine.Machine) *Decision {
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
	if a.meter.Measures() {
		q := a.meter.Measure(nodes, j.Size)
		a.sum.Add(float64(q.Used.PairwiseSum))
		a.pairwise.Add(q.Used.PairwiseMean)
		a.components.Add(float64(q.Used.Components))
		if a.meter.Defined(WithBoxes) {
			a.weighted.Add(q.Held.WeightedDispersal)
		}
	}
	if x, ok := a.allocator.(allocation.Explorer); ok {
		a.proven.Add(percentProven(x))
	}
}

// metrics adds the metrics of the second allocator.
func (a *Decision) metrics(add func(name string, value float64)) {
	add("decision_sum_pairwise_distance", a.sum.Value())
	add("decision_mean_pairwise_distance", a.pairwise.Value())
	add("decision_weighted_dispersal", a.weighted.Value())
	add("decision_components", a.components.Value())
	add("decision_refused", a.refused.Value())
	add("decision_proven", a.proven.Value())
}
