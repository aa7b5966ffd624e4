package metrics

import (
	"math"
	"slices"
	"strings"

	"contend/allocation"
	"contend/experiments/config"
	"contend/router/topology"
	"contend/scheduler"
)

// machineKind is the kind of machines on which a measure is defined.
type machineKind uint8

const (
	anyMachine machineKind = iota
	withBoxes              // machines with coordinates, which have bounding boxes
	treesOnly              // trees and fat trees
	withGroups             // machines with two or more groups of routers
)

// placementMeasure is one measure of an allocation.
type placementMeasure struct {
	info MetricInfo // of its mean over jobs
	on   machineKind
	of   func(q *PlacementQuality) float64
}

// placementMeasures is the table of measures. Each is a metric, the mean over jobs.
var placementMeasures = []placementMeasure{
	{MetricInfo{"dispersal", "",
		"mean over jobs, share of the processors of the bounding box that are not the " +
			"job's",
		"lo1994 Def. 2", 0},
		withBoxes, func(q *PlacementQuality) float64 { return q.Held.Dispersal }},
	{MetricInfo{"weighted_dispersal", "processors",
		"mean over jobs, dispersal times the number of processors",
		"lo1994 Def. 2", 0},
		withBoxes, func(q *PlacementQuality) float64 { return q.Held.WeightedDispersal }},
	{MetricInfo{"sum_pairwise_distance", "channels",
		"mean over jobs, sum over pairs of processors of their distance",
		"bender2005 sec. 1", 0},
		anyMachine, func(q *PlacementQuality) float64 { return float64(q.Used.PairwiseSum) }},
	{MetricInfo{"mean_pairwise_distance", "channels",
		"mean over jobs, mean over pairs of processors of their distance",
		"johnson2010 sec. II", 0},
		anyMachine, func(q *PlacementQuality) float64 { return q.Used.PairwiseMean }},
	{MetricInfo{"span_linear", "processors",
		"mean over jobs, number of ranks from the first to the last processor along " +
			"runs.span_order, one order for all allocators",
		"leung2002 sec. 2.3", 1},
		anyMachine, func(q *PlacementQuality) float64 { return float64(q.Held.LinearSpan) }},
	{MetricInfo{"span_ring", "processors",
		"mean over jobs, least number of consecutive ranks that contain all processors, " +
			"with the order closed to a ring",
		"leung2002 sec. 2.3", 1},
		anyMachine, func(q *PlacementQuality) float64 { return float64(q.Held.RingSpan) }},
	{MetricInfo{"stretch_span", "",
		"mean over jobs, ring span over the number of processors",
		"leung2002 sec. 3", 1},
		anyMachine, func(q *PlacementQuality) float64 { return q.Held.StretchSpan() }},
	{MetricInfo{"box_side_sum", "routers",
		"mean over jobs, sum of the sides of the bounding box",
		"leung2002 sec. 3", 1},
		withBoxes, func(q *PlacementQuality) float64 { return float64(q.Held.SideSum) }},
	{MetricInfo{"bounding_cube_ratio", "",
		"mean over jobs, size of the bounding cube over the size of the smallest cube with " +
			"room for the job",
		"leung2002 sec. 3", 1},
		withBoxes, func(q *PlacementQuality) float64 { return q.Held.CubeRatio }},
	{MetricInfo{"components", "",
		"mean over jobs, connected components of the allocation",
		"leung2002 sec. 3", 1},
		anyMachine, func(q *PlacementQuality) float64 { return float64(q.Used.Components) }},
	{MetricInfo{"tree_level", "",
		"mean over jobs, level of the smallest subtree that contains all processors; level " +
			"1 is one router",
		"pascual2009 sec. 3", 1},
		treesOnly, func(q *PlacementQuality) float64 { return float64(q.Tree.Level) }},
	{MetricInfo{"tree_away", "processors",
		"mean over jobs, processors outside of one subtree, which has the least level with " +
			"room for the job and contains most of its processors",
		"pascual2009 Eq. 1", 0},
		treesOnly, func(q *PlacementQuality) float64 { return float64(q.Tree.Away) }},
	{MetricInfo{"groups_spanned", "groups",
		"mean over jobs, groups of routers that have processors of the job: groups of a dragonfly " +
			"or of a graph, or the subtrees below the top level of a tree",
		"", 1},
		withGroups, func(q *PlacementQuality) float64 { return float64(q.Groups) }},
}

// measuresNamed returns the measures of some names.
func measuresNamed(names ...string) (list []placementMeasure) {
	for _, name := range names {
		list = append(list, placementMeasures[slices.IndexFunc(placementMeasures,
			func(m placementMeasure) bool { return m.info.Name == name })])
	}
	return list
}

// placementInfos returns the metrics of the measures.
func placementInfos() (infos []MetricInfo) {
	for _, m := range placementMeasures {
		infos = append(infos, m.info)
	}
	return infos
}

// PlacementMeter measures placements, for the metrics of jobs and for the answers of contend
// network.
type PlacementMeter struct {
	meter *allocation.Meter      // nil on machines without measures
	tree  *allocation.TreeMeter  // nil except on trees and fat trees
	group *allocation.GroupMeter // nil except on machines with groups
}

// PlacementQuality is the quality of one placement.
type PlacementQuality struct {
	// Used is the quality of the nodes in use, between which messages travel. Distances and
	// components come from it.
	Used allocation.Quality
	// Held is the quality of all nodes that other jobs cannot have. Boxes and spans come from
	// it, as in lo1994 Table 2.
	Held allocation.Quality
	// Tree is the quality of the nodes in use on a tree or a fat tree, zero on other
	// machines.
	Tree allocation.TreeQuality
	// Groups is the number of groups of routers that the nodes in use span, at least 1, or 0 on
	// machines without groups.
	Groups int
}

// NewPlacementMeter returns a meter for a machine. It measures spans along an order of the nodes
// of the machine. With a nil order, it measures them in row-major order. A machine too large
// for a table of distances has no measures; see Measure.
func NewPlacementMeter(t config.Machine, order []topology.Node) PlacementMeter {
	var m PlacementMeter
	var err error
	if m.meter, err = allocation.NewMeter(t); err != nil {
		return PlacementMeter{} // too large for a table of distances
	}
	if order != nil {
		m.meter.Along(order)
	}
	if tree, err := allocation.NewTreeMeter(t); err == nil {
		m.tree = tree
	}
	if group, err := allocation.NewGroupMeter(topology.Unwrap(t)); err == nil {
		m.group = group
	}
	return m
}

// Named returns the measures of a placement that are defined on the machine, by name.
func (m *PlacementMeter) Named(nodes []topology.Node, used int) map[string]float64 {
	q, named := m.Measure(nodes, used), map[string]float64{}
	for _, p := range placementMeasures {
		if m.defined(p.on) {
			named[p.info.Name] = p.of(&q)
		}
	}
	return named
}

// Measure measures a placement. The first used nodes are in use, and the rest are only withheld
// from other jobs. A machine without measures has the zero quality.
func (m *PlacementMeter) Measure(nodes []topology.Node, used int) (q PlacementQuality) {
	if m.meter == nil {
		return q
	}
	q.Used = m.meter.Measure(nodes[:used])
	q.Held = q.Used
	if len(nodes) > used {
		q.Held = m.meter.Measure(nodes)
	}
	if m.tree != nil {
		q.Tree = m.tree.Measure(nodes[:used])
	}
	if m.group != nil {
		q.Groups = m.group.Spanned(nodes[:used])
	}
	return q
}

// Distance returns the mean distance of the pairs of some nodes in channels: 0 for one node, and NaN
// on a machine without measures.
func (m *PlacementMeter) Distance(nodes []topology.Node) float64 {
	if m.meter == nil {
		return math.NaN()
	}
	return m.meter.Measure(nodes).PairwiseMean
}

// defined reports whether a measure for a kind of machine is defined on the machine of the meter.
func (m *PlacementMeter) defined(on machineKind) bool {
	switch on {
	case withBoxes:
		return m.meter != nil && m.meter.Boxes()
	case treesOnly:
		return m.tree != nil
	case withGroups:
		return m.group != nil
	}
	return m.meter != nil
}

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

// localityMeans are the measures of [Leung et al. 2002, sec. 3] that only runs with runs.locality
// have: sizes of boxes and cubes, and measures "divided by the number of processors". Those of the
// span and of boxes are divided by the processors that they are about, reserved ones included.
var localityMeans = []placementMeasure{
	{localityInfo("bounding_box", "processors", "number of processors in the bounding box", 1),
		withBoxes, func(q *PlacementQuality) float64 { return float64(q.Held.Box) }},
	{localityInfo("bounding_cube", "processors",
		"number of processors for which the bounding cube has room; its side is the longest of the "+
			"bounding box", 1),
		withBoxes, func(q *PlacementQuality) float64 { return q.Held.Cube }},
	{localityInfo("bounding_box_per_processor", "", "bounding_box over the number of processors", 1),
		withBoxes, func(q *PlacementQuality) float64 {
			return float64(q.Held.Box) / float64(q.Held.Processors)
		}},
	{localityInfo("bounding_cube_per_processor", "", "bounding_cube over the number of processors",
		1),
		withBoxes, func(q *PlacementQuality) float64 { return q.Held.Cube / float64(q.Held.Processors) }},
	{localityInfo("box_side_sum_per_processor", "", "box_side_sum over the number of processors", 0),
		withBoxes, func(q *PlacementQuality) float64 {
			return float64(q.Held.SideSum) / float64(q.Held.Processors)
		}},
	{localityInfo("components_per_processor", "", "components over the number of processors", 0),
		anyMachine, func(q *PlacementQuality) float64 {
			return float64(q.Used.Components) / float64(q.Used.Processors)
		}},
}

// localityMeasures are all measures of [Leung et al. 2002, sec. 3].
var localityMeasures = slices.Concat(measuresNamed("span_ring", "stretch_span", "box_side_sum",
	"components"), localityMeans)

// localityInfo documents the mean of a measure over jobs.
func localityInfo(name, unit, doc string, least float64) MetricInfo {
	return MetricInfo{name, unit, withLocality + "mean over jobs, " + doc, "leung2002 sec. 3", least}
}

// withLocality begins what is said of the metrics of runs.locality.
const withLocality = "with " + string(config.FieldLocality) + ": "

// localityForm is a metric of the values that a measure has for the jobs of a run.
type localityForm struct {
	suffix, doc string
	of          func(v *localityValues) float64
}

// localityForms are the metrics of [Leung et al. 2002, sec. 3] other than means: "based on the
// maximum and sum-of-squares", and "weighted by the running times".
var localityForms = []localityForm{
	{"_max", "maximum over jobs", func(v *localityValues) float64 { return v.max }},
	{squaresSuffix, "sum of squares over jobs",
		func(v *localityValues) float64 { return v.squares }},
	{"_weighted", "mean over jobs, weighted by their service times",
		func(v *localityValues) float64 { return v.weighted / v.time }},
}

// squaresSuffix ends the names of sums of squares, which have units of their own.
const squaresSuffix = "_sum_of_squares"

// info documents the form of a measure.
func (f *localityForm) info(m MetricInfo) MetricInfo {
	m.Doc = withLocality + f.doc + ", of the measure " + m.Name
	m.Name, m.Source = m.Name+f.suffix, "leung2002 sec. 3"
	if f.suffix == squaresSuffix && m.Unit != "" {
		m.Unit += "^2"
	}
	return m
}

// localityInfos returns the metrics of runs.locality.
func localityInfos() (infos []MetricInfo) {
	for _, m := range localityMeans {
		infos = append(infos, m.info)
	}
	for _, f := range localityForms {
		for _, m := range localityMeasures {
			infos = append(infos, f.info(m.info))
		}
	}
	return infos
}

// localityRow returns the row for people of all metrics of a form, if the metric is the first of
// them. It reports whether the metric is of a form.
func localityRow(m MetricInfo) (row []MetricInfo, ok bool) {
	for _, f := range localityForms {
		i := slices.IndexFunc(localityMeasures,
			func(of placementMeasure) bool { return of.info.Name+f.suffix == m.Name })
		if i > 0 {
			return nil, true
		}
		if i == 0 {
			all := make([]string, len(localityMeasures))
			for i, of := range localityMeasures {
				all[i] = of.info.Name
			}
			m.Name, m.Unit = "MEASURE"+f.suffix, ""
			m.Doc = withLocality + f.doc + ", of each MEASURE of " + strings.Join(all, ", ")
			return []MetricInfo{m}, true
		}
	}
	return nil, false
}

// locality accumulates the measures of the jobs of a run.
type locality struct {
	meter  *PlacementMeter
	values []localityValues // in the order of localityMeasures
}

// localityValues accumulates a measure.
type localityValues struct {
	mean         Mean
	max, squares float64
	// weighted is the sum of the values times the service times, time that of the service times.
	weighted, time float64
}

// newLocality returns the accumulator of a run.
func newLocality(meter *PlacementMeter) *locality {
	return &locality{meter, make([]localityValues, len(localityMeasures))}
}

// add adds the measured allocation of a job that was served for a time.
func (l *locality) add(q *PlacementQuality, service scheduler.Cycle) {
	for i, m := range localityMeasures {
		if !l.meter.defined(m.on) {
			continue
		}
		v, x := &l.values[i], m.of(q)
		v.mean.Add(x)
		v.max = max(v.max, x)
		v.squares += float64(x * x)
		v.weighted += float64(x * float64(service))
		v.time += float64(service)
	}
}

// metrics adds the metrics of runs.locality that are defined.
func (l *locality) metrics(add func(string, float64)) {
	means := l.values[len(l.values)-len(localityMeans):]
	for i, m := range localityMeans {
		if means[i].mean.N > 0 {
			add(m.info.Name, means[i].mean.Value())
		}
	}
	for _, f := range localityForms {
		for i, m := range localityMeasures {
			if v := &l.values[i]; v.mean.N > 0 {
				add(m.info.Name+f.suffix, f.of(v))
			}
		}
	}
}
