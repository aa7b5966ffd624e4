package metrics

import (
	"contend/experiments/config"
	"contend/router/topology"
)

// placementMeans accumulates the measures of the allocations of a run's jobs.
type placementMeans struct {
	meter PlacementMeter
	means []Mean // over jobs, in the order of placementMeasures
}

// newPlacementMeans returns the means for the machine of a plan. Spans are measured along an order
// of its nodes.
func newPlacementMeans(plan *config.Plan, order []topology.Node) *placementMeans {
	return &placementMeans{NewPlacementMeter(plan.Machine, order),
		make([]Mean, len(placementMeasures))}
}

// add adds the measured allocation of a job that has finished.
func (p *placementMeans) add(q *PlacementQuality) {
	for i, m := range placementMeasures {
		if p.meter.defined(m.on) {
			p.means[i].Add(m.of(q))
		}
	}
}

// metrics adds the means.
func (p *placementMeans) metrics(add func(name string, value float64)) {
	for i, m := range placementMeasures {
		if p.means[i].N > 0 {
			add(m.info.Name, p.means[i].Value())
		}
	}
}
