package metrics

import (
	"math"

	"contend/experiments/config"
	"contend/router/topology"
	"contend/scheduler"
)

// compactness accumulates the measures of the allocations of a run's jobs.
type compactness struct {
	meter PlacementMeter
	all   bool           // also weighted means and maxima
	sums  []placementSum // in the order of placementMeasures
}

// placementSum accumulates one measure over jobs, plain and weighted by run times in cycles.
type placementSum struct {
	plain               Mean
	weighted, time, max float64
}

// newCompactness returns an empty compactness for the machine of a plan. Spans are measured
// along an order of its nodes.
func newCompactness(plan *config.Plan, order []topology.Node) *compactness {
	p := &compactness{all: plan.Measures == config.MeasuresAll,
		sums: make([]placementSum, len(placementMeasures))}
	for i := range p.sums {
		p.sums[i].max = math.Inf(-1)
	}
	p.meter = NewPlacementMeter(plan.Machine, order)
	return p
}

// add adds the measured allocation of a job that has finished.
func (p *compactness) add(r *scheduler.Record, q *PlacementQuality) {
	for i, m := range placementMeasures {
		if p.meter.defined(m.on) {
			p.sums[i].add(m.of(q), float64(r.Service()))
		}
	}
}

// add adds the value of a job with a run time in cycles.
func (s *placementSum) add(x, time float64) {
	s.plain.Add(x)
	s.weighted += x * time
	s.time += time
	s.max = max(s.max, x)
}

// result adds the metrics.
func (p *compactness) result(add func(name string, value float64)) {
	for i, m := range placementMeasures {
		if s := &p.sums[i]; s.plain.N > 0 {
			add(m.info.Name, s.plain.Value())
			if p.all {
				add(m.info.Name+"_weighted", s.weighted/s.time) // NaN if no job took any time
				add(m.info.Name+"_max", s.max)
			}
		}
	}
}
