package metrics

import (
	"fmt"
	"math"

	"contend/experiments/config"
	"contend/scheduler"
)

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
