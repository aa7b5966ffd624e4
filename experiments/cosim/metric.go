package cosim

import (
	"encoding/json"
	"math"
	"slices"

	"contend/experiments/spec"
)

// Result is the outcome of one run.
type Result struct {
	// Metrics are the measured metrics, each name once, in any order.
	Metrics []Metric
}

// Metric is one measured number.
type Metric struct {
	// Name is the name of a metric in MetricsOf.
	Name string
	// Value is the value in the unit of the metric; see UnitOf. NaN means that the metric is
	// undefined for the run, as the latency of a run without packets. Files leave out
	// undefined metrics.
	Value float64
}

// Value returns the value of a metric. It reports false if the metric is missing or undefined.
func (r *Result) Value(name string) (float64, bool) {
	for _, m := range r.Metrics {
		if m.Name == name && !math.IsNaN(m.Value) {
			return m.Value, true
		}
	}
	return 0, false
}

// MarshalJSON encodes the metrics as one object. Built-in metrics come first, in the order of
// MetricInfos. Others follow, sorted by name.
func (r Result) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for _, name := range r.names() {
		v, ok := r.Value(name)
		if !ok {
			continue
		}
		n, err := json.Marshal(v)
		if err != nil {
			return nil, err
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(b, '"')
		b = append(b, name...)
		b = append(b, '"', ':')
		b = append(b, n...)
	}
	return append(b, '}'), nil
}

// names returns the names of the built-in metrics, then the other names of the result.
func (r *Result) names() []string {
	var names, others []string
	for _, info := range metricInfos {
		names = append(names, info.Name)
	}
	for _, m := range r.Metrics {
		if !slices.Contains(names, m.Name) {
			others = append(others, m.Name)
		}
	}
	slices.Sort(others)
	return append(names, others...)
}

// UnmarshalJSON decodes the output of MarshalJSON. It accepts any name, because only the
// registry of a program knows the names of its metrics.
func (r *Result) UnmarshalJSON(text []byte) error {
	var m map[string]float64
	if err := json.Unmarshal(text, &m); err != nil {
		return err
	}
	r.Metrics = nil
	for _, info := range metricInfos {
		if v, ok := m[info.Name]; ok {
			r.Metrics = append(r.Metrics, Metric{info.Name, v})
			delete(m, info.Name)
		}
	}
	for _, name := range spec.SortedKeys(m) {
		r.Metrics = append(r.Metrics, Metric{name, m[name]})
	}
	return nil
}

// Check panics if the result holds a metric that is neither built in nor in the registry. Files
// would silently lack such a metric.
func (r *Result) Check(registry *spec.Registry) {
	for _, m := range r.Metrics {
		if _, ok := findMetric(m.Name, registry); !ok {
			panic("cosim: metric " + m.Name + " is not in the table of metrics")
		}
	}
}
