package metrics

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"contend/experiments/config"
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

// Value returns the value of a metric, also of one that runs do not store. It reports false if the
// metric is missing or undefined.
func (r *Result) Value(name string) (float64, bool) {
	for _, m := range r.Metrics {
		if m.Name == name && !math.IsNaN(m.Value) {
			return m.Value, true
		}
	}
	return Derive(name, r.Value)
}

// MarshalJSON encodes the metrics as one object. Built-in metrics come first, in the order of
// MetricInfos. Others follow, sorted by name.
func (r Result) MarshalJSON() ([]byte, error) {
	b := append(make([]byte, 0, 32*len(r.Metrics)+2), '{')
	for _, m := range r.inOrder() {
		if len(b) > 1 {
			b = append(b, ',')
		}
		number, err := json.Marshal(m.Value)
		if err != nil {
			return nil, fmt.Errorf("the metric %s is %v", m.Name, m.Value)
		}
		b = append(append(b, `"`+m.Name+`":`...), number...)
	}
	return append(b, '}'), nil
}

// inOrder returns the defined metrics: those that are built in by their place in the table,
// then the others by name. Of a name that occurs twice the first counts.
func (r *Result) inOrder() []Metric {
	places := metricPlaces()
	place := func(m Metric) int {
		if n, ok := places[m.Name]; ok {
			return n
		}
		return len(places)
	}
	list := slices.Clone(r.Metrics)
	list = slices.DeleteFunc(list, func(m Metric) bool { return math.IsNaN(m.Value) })
	slices.SortStableFunc(list, func(a, b Metric) int {
		return cmp.Or(place(a)-place(b), strings.Compare(a.Name, b.Name))
	})
	return slices.CompactFunc(list, func(a, b Metric) bool { return a.Name == b.Name })
}

// UnmarshalJSON decodes the output of MarshalJSON. It accepts any name, because only the
// registry of a program knows the names of its metrics.
func (r *Result) UnmarshalJSON(text []byte) error {
	var m map[string]float64
	if err := json.Unmarshal(text, &m); err != nil {
		return err
	}
	r.Metrics = nil
	for name, value := range m {
		r.Metrics = append(r.Metrics, Metric{name, value})
	}
	r.Metrics = r.inOrder()
	return nil
}

// Check panics if the result holds a metric that is neither built in nor in the registry. Files
// would silently lack such a metric.
func (r *Result) Check(registry *config.Registry) {
	if name, ok := r.Foreign(registry); ok {
		panic("metrics: metric " + name + " is not in the table of metrics")
	}
}

// Foreign returns the first metric that is neither built in nor in the registry, if there is one.
func (r *Result) Foreign(registry *config.Registry) (name string, ok bool) {
	for i := range r.Metrics {
		if _, ok := findMetric(r.Metrics[i].Name, registry); !ok {
			return r.Metrics[i].Name, true
		}
	}
	return "", false
}
