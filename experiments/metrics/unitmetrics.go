package metrics

import "contend/experiments/config"

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
