package metrics

import (
	"slices"
	"strings"

	"contend/experiments/config"
	"contend/scheduler"
)

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
