package cosim

import (
	"fmt"
	"math"

	"contend/experiments/spec"
	"contend/netsim"
	"contend/scheduler"
)

// Builtin returns the registry of everything that is built in, the metrics
// that runs measure among it.
func Builtin() *spec.Registry {
	r := spec.Builtin()
	for _, m := range metricInfos {
		r.Metrics = append(r.Metrics, spec.Metric{Name: m.Name, Doc: m.Doc, Source: m.Source,
			Unit: m.Unit, Least: m.Least})
	}
	return r
}

// MetricsOf returns the table of metrics of a program: the built-in ones, then
// those of its registry.
func MetricsOf(r *spec.Registry) []MetricInfo {
	infos := MetricInfos()
	if r == nil {
		return infos
	}
	for i := range r.Metrics {
		if m := &r.Metrics[i]; m.New != nil {
			infos = append(infos, MetricInfo{m.Name, m.Unit, m.Doc, m.Source, m.Least})
		}
	}
	return infos
}

// findMetric returns what is known of a metric.
func findMetric(name string, r *spec.Registry) (MetricInfo, bool) {
	for i := range metricInfos {
		if metricInfos[i].Name == name {
			return metricInfos[i], true
		}
	}
	if r == nil {
		return MetricInfo{}, false
	}
	for i := range r.Metrics {
		if m := &r.Metrics[i]; m.Name == name && m.New != nil {
			return MetricInfo{m.Name, m.Unit, m.Doc, m.Source, m.Least}, true
		}
	}
	return MetricInfo{}, false
}

// ownMeters measure the metrics of a registry in one run.
type ownMeters []ownMeter

type ownMeter struct {
	spec.Meter
	metric *spec.Metric
}

func newOwnMeters(plan *spec.Plan, clock scheduler.Clock) ownMeters {
	if plan.Registry == nil {
		return nil
	}
	var all ownMeters
	for i := range plan.Registry.Metrics {
		if m := &plan.Registry.Metrics[i]; m.New != nil {
			all = append(all, ownMeter{m.New(spec.MetricRun{Machine: plan.Machine, Clock: clock}), m})
		}
	}
	return all
}

func (o ownMeters) record(r *scheduler.Record) {
	for _, m := range o {
		m.Record(r)
	}
}

// values adds the metrics that are defined.
func (o ownMeters) values(add func(string, float64), t *scheduler.Totals, net *netsim.Network) {
	if o == nil {
		return
	}
	end := spec.MetricEnd{Totals: t}
	if net != nil {
		sent := net.Totals()
		end.Network = &sent
	}
	for _, m := range o {
		x := m.Value(end)
		if math.IsNaN(x) {
			continue
		}
		if math.IsInf(x, 0) || x < m.metric.Least {
			panic(fmt.Sprintf("cosim: the metric %s is %v; it must be finite and at least %v",
				m.metric.Name, x, m.metric.Least))
		}
		add(m.metric.Name, x)
	}
}
