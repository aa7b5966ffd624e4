package experiments

import (
	"contend/allocation"
	"contend/netsim/topology"
	"contend/scheduler"
)

// asked is an allocator that is asked at every decision of a run what it would
// have done: the decision algorithm of [Bender et al., WADS 2005, sec. 5], the
// run's own being the situation algorithm. What it answers is measured and
// forgotten.
type asked struct {
	allocator allocation.Allocator
	meter     placementMeter
	nodes     []topology.Node

	sum, pairwise, weighted, components mean
	refused, proven                     mean // each 0 or 100
}

// newAsked returns nil where the spec has nobody asked.
func (s *Simulator) newAsked(spec *Spec, machine Machine, replication int) (*asked, error) {
	if spec.Scheduler.Decision == "" {
		return nil, nil
	}
	config, err := allocation.Parse(spec.Scheduler.Decision)
	if err != nil {
		return nil, &InputError{Key: "scheduler.decision", Problem: err.Error()}
	}
	a := &asked{}
	if a.allocator, err = s.namedAllocator(spec, "scheduler.decision", config, machine, replication); err != nil {
		return nil, err
	}
	a.meter = newPlacementMeter(machine, nil)
	return a, nil
}

// decided returns what to do at each decision of a run, nil for nothing.
func (c *collector) decided(u *setup) func(*scheduler.Job, *allocation.FreeSet, []topology.Node) {
	c.asked = u.asked
	search, explores := u.alloc.(allocation.Explorer)
	if !explores && u.asked == nil {
		return nil
	}
	return func(j *scheduler.Job, free *allocation.FreeSet, _ []topology.Node) {
		if explores {
			c.proven.add(percentProven(search))
		}
		if u.asked != nil {
			u.asked.decide(j, free)
		}
	}
}

// percentProven is 100 where the last decision is proven to be the optimum.
func percentProven(x allocation.Explorer) float64 {
	if _, proven := x.Explored(); proven {
		return 100
	}
	return 0
}

// decide asks where a job would be, and measures the answer.
func (a *asked) decide(j *scheduler.Job, free *allocation.FreeSet) {
	nodes, placed := a.allocator.Allocate(a.nodes[:0], free, j.Request())
	a.nodes = nodes
	if !placed {
		a.refused.add(100)
		return
	}
	a.refused.add(0)
	if a.meter.measures() {
		q := a.meter.measure(nodes, j.Size)
		a.sum.add(float64(q.used.PairwiseSum))
		a.pairwise.add(q.used.PairwiseMean)
		a.components.add(float64(q.used.Components))
		if a.meter.defined(withBoxes) {
			a.weighted.add(q.held.WeightedDispersal)
		}
	}
	if x, ok := a.allocator.(allocation.Explorer); ok {
		a.proven.add(percentProven(x))
	}
}

// metrics adds what was measured to the metrics of the run.
func (a *asked) metrics(add func(name string, value float64)) {
	add("decision_sum_pairwise_distance", a.sum.value())
	add("decision_mean_pairwise_distance", a.pairwise.value())
	add("decision_weighted_dispersal", a.weighted.value())
	add("decision_components", a.components.value())
	add("decision_refused", a.refused.value())
	add("decision_proven", a.proven.value())
}

// decisionName is the value of scheduler.decision as the spec keeps it: the
// short form the allocator itself would print, so that an allocator has one
// name and its runs one hash.
func decisionName(text string, names Names) (string, *InputError) {
	if text == "" {
		return "", nil
	}
	a, err := parseAllocator(text, names)
	if err == nil {
		err = a.check()
	}
	if err != nil {
		err.Key = "scheduler.decision"
		return "", err
	}
	return a.String(), nil
}
