package metrics

import (
	"contend/experiments/config"
	"contend/router/topology"
)

// compactness accumulates the measures of the allocations of a run's jobs.
type compactness struct {
	meter PlacementMeter
	means []Mean // over jobs, in the order of placementMeasures
}

// newCompactness returns an empty compactness for the machine of a plan. Spans are measured
// along an order of its nodes.
func newCompactness(plan *config.Plan, order []topology.Node) *compactness {
	return &compactness{NewPlacementMeter(plan.Machine, order), make([]Mean, len(placementMeasures))}
}

// add adds the measured allocation of a job that has finished.
func (p *compactness) add(q *PlacementQuality) {
	for i, m := range placementMeasures {
		if p.meter.defined(m.on) {
			p.means[i].Add(m.of(q))
		}
	}
}

// result adds the metrics.
func (p *compactness) result(add func(name string, value float64)) {
	for i, m := range placementMeasures {
		if p.means[i].N > 0 {
			add(m.info.Name, p.means[i].Value())
		}
	}
}
