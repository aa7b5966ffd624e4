package metrics

import "slices"

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
		"mean over jobs, groups of routers that have processors of the job; on dragonflies and on " +
			"graphs with groups",
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
