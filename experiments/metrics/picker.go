package metrics

import (
	"math"

	"contend/experiments/config"
)

// Picker reads some metrics of many runs. Most runs of a study list the same metrics in the same
// order, so it first looks at the index at which a metric was found last.
type Picker struct {
	names []string
	at    []int // by name, the index in Result.Metrics of the last run that had the metric
}

// NewPicker returns a Picker of the named metrics.
func NewPicker(names []string) *Picker { return &Picker{names, make([]int, len(names))} }

// Value returns the value of metric i of the Picker's names, as Result.Value does.
func (p *Picker) Value(r *Result, i int) (float64, bool) {
	name := p.names[i]
	if at := p.at[i]; at < len(r.Metrics) {
		if m := &r.Metrics[at]; m.Name == name && !math.IsNaN(m.Value) {
			return m.Value, true
		}
	}
	for at, m := range r.Metrics {
		if m.Name == name && !math.IsNaN(m.Value) {
			p.at[i] = at
			return m.Value, true
		}
	}
	return Derive(name, r.Value)
}

// Units returns a function that lists the units of metrics in runs of a spec, as UnitOf does.
// Specs given to it are of one program. Only the unit of the clock differs among them.
func Units(metrics []string) func(*config.Spec) []string {
	known := map[string][]string{}
	return func(s *config.Spec) []string {
		clock := s.ClockUnit()
		units, ok := known[clock]
		if !ok {
			for _, m := range metrics {
				units = append(units, UnitOf(m, s))
			}
			known[clock] = units
		}
		return units
	}
}
