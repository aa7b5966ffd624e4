package cosim

import (
	"math"
	"strings"

	"contend/experiments/spec"
	"contend/netsim/topology"
	"contend/scheduler"
)

// compactness adds up how compact the allocations of a run's jobs were.
type compactness struct {
	meter PlacementMeter
	all   bool           // weighted means and maxima too
	sums  []placementSum // as placementMeasures
}

// placementSum is one measure over jobs: of each its value and its run time in
// cycles.
type placementSum struct {
	plain               Mean
	weighted, time, max float64
}

// Kinds of machines a measure is defined on.
const (
	anyMachine = iota
	WithBoxes
	TreesOnly
)

// placementMeasure is one measure of an allocation.
type placementMeasure struct {
	info MetricInfo // of its mean over jobs
	on   int
	of   func(q *PlacementQuality) float64
}

// placementMeasures is the table of measures. Their metrics are means over
// jobs; the name with _weighted is the mean weighted by the jobs' run times,
// that with _max the maximum.
var placementMeasures = []placementMeasure{
	{MetricInfo{"dispersal", "", "mean over jobs, share of processors of the bounding box that are not the job's", "lo1994 Def. 2", 0},
		WithBoxes, func(q *PlacementQuality) float64 { return q.Held.Dispersal }},
	{MetricInfo{"weighted_dispersal", "processors", "mean over jobs, dispersal times the number of processors", "lo1994 Def. 2", 0},
		WithBoxes, func(q *PlacementQuality) float64 { return q.Held.WeightedDispersal }},
	{MetricInfo{"sum_pairwise_distance", "channels", "mean over jobs, sum over pairs of processors of their distance", "bender2005 sec. 1", 0},
		anyMachine, func(q *PlacementQuality) float64 { return float64(q.Used.PairwiseSum) }},
	{MetricInfo{"mean_pairwise_distance", "channels", "mean over jobs, mean over pairs of processors of their distance", "johnson2010 sec. II", 0},
		anyMachine, func(q *PlacementQuality) float64 { return q.Used.PairwiseMean }},
	{MetricInfo{"span_linear", "processors", "mean over jobs, last less first rank, both included, in the allocator's order of processors, row-major where it has none", "leung2002 sec. 2.3", 1},
		anyMachine, func(q *PlacementQuality) float64 { return float64(q.Held.LinearSpan) }},
	{MetricInfo{"span_ring", "processors", "mean over jobs, fewest ranks that follow each other and have all processors, the order being a ring", "leung2002 sec. 2.3", 1},
		anyMachine, func(q *PlacementQuality) float64 { return float64(q.Held.RingSpan) }},
	{MetricInfo{"stretch_span", "", "mean over jobs, ring span over the number of processors", "leung2002 sec. 3", 1},
		anyMachine, func(q *PlacementQuality) float64 { return q.Held.StretchSpan() }},
	{MetricInfo{"bounding_box", "processors", "mean over jobs, size of the bounding box", "leung2002 sec. 3", 1},
		WithBoxes, func(q *PlacementQuality) float64 { return float64(q.Held.Box) }},
	{MetricInfo{"box_side_sum", "routers", "mean over jobs, sum of the sides of the bounding box", "leung2002 sec. 3", 1},
		WithBoxes, func(q *PlacementQuality) float64 { return float64(q.Held.SideSum) }},
	{MetricInfo{"bounding_cube_ratio", "", "mean over jobs, size of the bounding cube over that of the smallest", "leung2002 sec. 3", 1},
		WithBoxes, func(q *PlacementQuality) float64 { return q.Held.CubeRatio }},
	{MetricInfo{"components", "", "mean over jobs, connected pieces of the allocation", "leung2002 sec. 3", 1},
		anyMachine, func(q *PlacementQuality) float64 { return float64(q.Used.Components) }},
	{MetricInfo{"tree_level", "", "mean over jobs, level of the smallest subtree that has all processors; 1: one router", "pascual2009 sec. 3", 1},
		TreesOnly, func(q *PlacementQuality) float64 { return float64(q.Tree.Level) }},
	{MetricInfo{"tree_away", "processors", "mean over jobs, processors outside of the subtree of the job's own level that has most of them", "pascual2009 Eq. 1", 0},
		TreesOnly, func(q *PlacementQuality) float64 { return float64(q.Tree.Away) }},
}

// placementInfos are the metrics of the measures, then those of runs.measures =
// all.
func placementInfos() []MetricInfo {
	var means, others []MetricInfo
	for _, m := range placementMeasures {
		means = append(means, m.info)
		doc := strings.TrimPrefix(m.info.Doc, "mean") + "; with " + string(spec.FieldMeasures) + " = all"
		others = append(others,
			MetricInfo{m.info.Name + "_weighted", m.info.Unit, "mean weighted by run times" + doc, m.info.Source,
				m.info.Least},
			MetricInfo{m.info.Name + "_max", m.info.Unit, "maximum" + doc, m.info.Source,
				m.info.Least})
	}
	return append(means, others...)
}

// newCompactness returns a compactness for the machine of a plan, spans being those
// along an order of its nodes.
func newCompactness(plan *spec.Plan, order []topology.Node) *compactness {
	p := &compactness{all: plan.Measures == spec.MeasuresAll,
		sums: make([]placementSum, len(placementMeasures))}
	for i := range p.sums {
		p.sums[i].max = math.Inf(-1)
	}
	p.meter = NewPlacementMeter(plan.Machine, order)
	return p
}

// add measures the allocation of a job that has finished.
func (p *compactness) add(r *scheduler.Record) (q PlacementQuality) {
	if !p.meter.Measures() {
		return q
	}
	q = p.meter.Measure(r.Allocated, len(r.Nodes))
	for i, m := range placementMeasures {
		if p.meter.Defined(m.on) {
			p.sums[i].add(m.of(&q), float64(r.Service()))
		}
	}
	return q
}

func (s *placementSum) add(x, time float64) {
	s.plain.Add(x)
	s.weighted += x * time
	s.time += time
	s.max = max(s.max, x)
}

// result gives the metrics their names.
func (p *compactness) result(add func(name string, value float64)) {
	for i, m := range placementMeasures {
		if s := &p.sums[i]; s.plain.N > 0 {
			add(m.info.Name, s.plain.Value())
			if p.all {
				add(m.info.Name+"_weighted", s.weighted/s.time) // NaN where no job took any time
				add(m.info.Name+"_max", s.max)
			}
		}
	}
}
