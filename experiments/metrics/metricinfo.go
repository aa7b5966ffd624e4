package metrics

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"contend/experiments/config"
	"contend/experiments/stats"
	"contend/scheduler"
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

// Runs that know how long a cycle is (network.cycle) have their metrics in cycles and flits in
// seconds and bytes too. The other columns stay as they are.

// realUnit is a real unit in which metrics of a model unit are also given.
type realUnit struct {
	suffix string // of the name of the metric
	unit   string
	doc    string // completes "METRIC ..."
	// of converts a number from the unit of the metric.
	of func(x float64, by *realScale) float64
}

// realScale is the size of model units in real units.
type realScale struct {
	cycle float64 // seconds
	flit  float64 // bytes
	clock float64 // cycles per unit of the clock
}

// realUnits has the real unit for each model unit.
var realUnits = map[string]realUnit{
	"cycles": {"_s", "s", "in seconds",
		func(x float64, by *realScale) float64 { return x * by.cycle }},
	unitOfClock: {"_s", "s", "in seconds",
		func(x float64, by *realScale) float64 { return x * by.clock * by.cycle }},
	"flits": {"_bytes", "bytes", "in bytes",
		func(x float64, by *realScale) float64 { return x * by.flit }},
	"flits/node/cycle": {"_gb_s", "GB/s", "of a node in GB/s",
		func(x float64, by *realScale) float64 { return x * by.flit / by.cycle / 1e9 }},
}

// unitInfos documents the metrics in real units.
func unitInfos(infos []MetricInfo) (more []MetricInfo) {
	for _, m := range infos {
		if u, ok := realUnits[m.Unit]; ok {
			more = append(more, MetricInfo{m.Name + u.suffix, u.unit,
				m.Name + " " + u.doc + ", with " + string(config.FieldCycle), m.Source, m.Min})
		}
	}
	return more
}

// Complete adds the metrics in real units, if the plan says how long a cycle is. cyclesPerUnit is
// the length of a unit of the run's clock, in cycles. Complete panics as Check does.
func (r *Result) Complete(plan *config.Plan, cyclesPerUnit float64) {
	r.Check(plan.Registry)
	if plan.CycleSeconds == 0 {
		return
	}
	by := realScale{plan.CycleSeconds, float64(plan.Job.FlitBytes), cyclesPerUnit}
	for _, m := range r.Metrics {
		info, _ := findMetric(m.Name, nil)
		u, ok := realUnits[info.Unit]
		_, class := ClassOf(m.Name)
		if ok && !class && !(info.Unit == unitOfClock && plan.ClockUnit == "s") {
			r.Metrics = append(r.Metrics, Metric{m.Name + u.suffix, u.of(m.Value, &by)})
		}
	}
}

// realRows describes the metrics in real units for people, a row for each unit.
func realRows() (rows []MetricInfo) {
	for _, unit := range []string{"cycles", "flits", "flits/node/cycle"} {
		u := realUnits[unit]
		what := "in " + unit
		if unit == "cycles" {
			what += " or in the unit time where that is not s"
		}
		rows = append(rows, MetricInfo{Name: "NAME" + u.suffix, Unit: u.unit,
			Doc: "each metric NAME " + what + ", " + u.doc + "; with " + string(config.FieldCycle)})
	}
	return rows
}

// registeredMeters measures the metrics of a registry in one run.
type registeredMeters []registeredMeter

// registeredMeter is the meter of one metric.
type registeredMeter struct {
	config.Meter
	metric *config.Metric
}

// newRegisteredMeters makes a meter for each metric that is not built in.
func newRegisteredMeters(plan *config.Plan, clock scheduler.Clock) registeredMeters {
	if plan.Registry == nil {
		return nil
	}
	var all registeredMeters
	for i := range plan.Registry.Metrics {
		if m := &plan.Registry.Metrics[i]; m.New != nil {
			made := m.New(config.MetricRun{Machine: plan.Machine, Clock: clock})
			if made == nil {
				panic("metrics: the metric " + m.Name + ": its New returned nothing")
			}
			all = append(all, registeredMeter{made, m})
		}
	}
	return all
}

// record passes a job that has ended to all meters.
func (all registeredMeters) record(r *scheduler.Record) {
	for _, m := range all {
		m.Record(r)
	}
}

// values adds the metrics that are defined.
func (all registeredMeters) values(add func(string, float64), t *scheduler.Totals, used *Carried) {
	if all == nil {
		return
	}
	end := config.MetricEnd{Totals: t}
	if used != nil {
		end.Network = &used.Totals
	}
	for _, m := range all {
		x := m.Value(end)
		if math.IsNaN(x) {
			continue
		}
		if math.IsInf(x, 0) {
			panic(fmt.Sprintf("metrics: the metric %s is %v; it must be finite", m.metric.Name, x))
		}
		if least := registeredInfo(m.metric).Min; x < least {
			panic(fmt.Sprintf("metrics: the metric %s is %v; its Min is %v", m.metric.Name, x, least))
		}
		add(m.metric.Name, x)
	}
}
