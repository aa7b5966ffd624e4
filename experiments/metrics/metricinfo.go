package metrics

import (
	"math"
	"slices"
	"strings"

	"contend/experiments/config"
	"contend/experiments/stats"
)

// MetricInfo documents a metric.
type MetricInfo struct {
	// Name is the name of the metric in files and specifications.
	Name string
	// Unit is the unit of the metric, empty for plain numbers. The unit "time" stands for the
	// unit of the run's clock; see UnitOf.
	Unit string
	// Doc describes the metric in a line.
	Doc string
	// Source cites the paper that defines or reports the metric. It may be empty.
	Source string
	// Min is the smallest value that the metric can have, in Unit, or minus infinity.
	// Confidence intervals end there.
	Min float64
}

// MetricInfos returns the table of built-in metrics.
func MetricInfos() []MetricInfo { return slices.Clone(metricInfos) }

// UnitOf returns the unit of a metric in runs of spec s.
func UnitOf(metric string, s *config.Spec) string {
	m, _ := findMetric(metric, s.Registry)
	if m.Unit == unitOfClock {
		return s.ClockUnit()
	}
	return m.Unit
}

// unitOfClock stands for the unit of the run's clock in the table of metrics.
const unitOfClock = "time"

// BoundsOf returns the smallest and the greatest value that a metric can have in runs of spec
// s. An unknown metric has none. Percentages end at 100, but those of errors.
func BoundsOf(metric string, s *config.Spec) stats.Bounds {
	m, ok := findMetric(metric, s.Registry)
	if !ok {
		return stats.AtLeast(math.Inf(-1))
	}
	if isBuiltin := slices.ContainsFunc(metricInfos, func(i MetricInfo) bool {
		return i.Name == metric
	}); isBuiltin && m.Unit == "%" && !strings.HasSuffix(metric, "_error") {
		return stats.Bounds{Min: m.Min, Max: 100}
	}
	return stats.AtLeast(m.Min)
}

// Builtin returns the registry of everything that is built in, including the metrics.
func Builtin() *config.Registry {
	r := config.Builtin()
	for _, m := range MetricsOf(nil) {
		r.Metrics = append(r.Metrics, config.Metric{Name: m.Name, Doc: m.Doc, Source: m.Source,
			Unit: m.Unit, Min: new(m.Min)})
	}
	return r
}

// MetricsOf returns the table of metrics of a program: the built-in metrics, those that runs do not
// store, then the metrics of its registry. The registry may be nil.
func MetricsOf(r *config.Registry) []MetricInfo {
	infos := MetricInfos()
	for i := range derivedMetrics {
		infos = append(infos, derivedMetrics[i].MetricInfo)
	}
	if r == nil {
		return infos
	}
	for i := range r.Metrics {
		if m := &r.Metrics[i]; m.New != nil {
			infos = append(infos, registeredInfo(m))
		}
	}
	return infos
}

// registeredInfo is the documentation of a metric of a registry.
func registeredInfo(m *config.Metric) MetricInfo {
	info := MetricInfo{m.Name, m.Unit, m.Doc, m.Source, math.Inf(-1)}
	if m.Min != nil {
		info.Min = *m.Min
	}
	return info
}

// findMetric returns the documentation of a metric.
func findMetric(name string, r *config.Registry) (MetricInfo, bool) {
	if place, ok := metricPlaces()[name]; ok {
		return metricInfos[place], true
	}
	if info, ok := derivedInfo(name); ok {
		return info, true
	}
	if r == nil {
		return MetricInfo{}, false
	}
	for i := range r.Metrics {
		if m := &r.Metrics[i]; m.Name == name && m.New != nil {
			return registeredInfo(m), true
		}
	}
	return MetricInfo{}, false
}
