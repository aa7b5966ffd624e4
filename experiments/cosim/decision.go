package cosim

import (
	"contend/allocation"
	"contend/experiments/spec"
	"contend/netsim/topology"
	"contend/scheduler"
)

// asked is a second allocator that is queried at every decision of a run. It is the decision
// algorithm of [Bender et al., WADS 2005, sec. 5], and the run's own allocator is the situation
// algorithm. Its answers are measured and do not affect the run.
type asked struct {
	allocator allocation.Allocator
	meter     PlacementMeter
	nodes     []topology.Node

	sum, pairwise, weighted, components Mean
	refused, proven                     Mean // each 0 or 100
}

// newAsked returns the second allocator of a plan, nil if there is none.
func (s *Simulator) newAsked(plan *spec.Plan, replication int) (*asked, error) {
	if plan.Decision == nil {
		return nil, nil
	}
	alloc, err := s.NewAllocator(plan, plan.Decision, replication)
	if err != nil {
		return nil, err
	}
	return &asked{allocator: alloc, meter: NewPlacementMeter(plan.Machine, nil)}, nil
}

// decided returns a function to call at each decision of a run, or nil.
func (c *collector) decided(u *Setup) func(*scheduler.Job, *allocation.FreeSet, []topology.Node) {
	c.asked = u.asked
	search, explores := u.alloc.(allocation.Explorer)
	if !explores && u.asked == nil {
		return nil
	}
	return func(j *scheduler.Job, free *allocation.FreeSet, _ []topology.Node) {
		if explores {
			c.proven.Add(percentProven(search))
		}
		if u.asked != nil {
			u.asked.decide(j, free)
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
func (a *asked) decide(j *scheduler.Job, free *allocation.FreeSet) {
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
func (a *asked) metrics(add func(name string, value float64)) {
	add("decision_sum_pairwise_distance", a.sum.Value())
	add("decision_mean_pairwise_distance", a.pairwise.Value())
	add("decision_weighted_dispersal", a.weighted.Value())
	add("decision_components", a.components.Value())
	add("decision_refused", a.refused.Value())
	add("decision_proven", a.proven.Value())
}
