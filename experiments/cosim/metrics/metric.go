package metrics

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"contend/experiments/spec"
	"contend/experiments/spec/input"
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
	b := append(make([]byte, 0, 32*len(r.Metrics)+2), '{')
	for _, m := range r.inOrder() {
		if math.IsInf(m.Value, 0) {
			return nil, fmt.Errorf("the metric %s is %v", m.Name, m.Value)
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(b, '"')
		b = append(b, m.Name...)
		b = append(b, '"', ':')
		b = appendNumber(b, m.Value)
	}
	return append(b, '}'), nil
}

// appendNumber appends a finite number as encoding/json writes it (ECMAScript's form).
func appendNumber(b []byte, x float64) []byte {
	a := math.Abs(x)
	if x == math.Trunc(x) && a != 0 && a < 1<<53 { // the nearest other number is 1 away
		return strconv.AppendInt(b, int64(x), 10)
	}
	if a != 0 && (a < 1e-6 || a >= 1e21) {
		b = strconv.AppendFloat(b, x, 'e', -1, 64)
		if n := len(b); n >= 4 && b[n-4] == 'e' && b[n-3] == '-' && b[n-2] == '0' {
			b[n-2] = b[n-1] // e-09 becomes e-9
			b = b[:n-1]
		}
		return b
	}
	return strconv.AppendFloat(b, x, 'f', -1, 64)
}

// inOrder returns the defined metrics: those that are built in by their place in the table,
// then the others by name. Of a name that occurs twice the first counts.
func (r *Result) inOrder() []Metric {
	type placed struct {
		place int
		Metric
	}
	places := metricPlaces()
	all := make([]placed, 0, len(r.Metrics))
	for _, m := range r.Metrics {
		place, ok := places[m.Name]
		if !ok {
			place = len(places)
		}
		if !math.IsNaN(m.Value) {
			all = append(all, placed{place, m})
		}
	}
	slices.SortStableFunc(all, func(a, b placed) int {
		if a.place != b.place || a.place < len(places) {
			return a.place - b.place
		}
		return strings.Compare(a.Name, b.Name)
	})
	ordered := make([]Metric, 0, len(all))
	for i, m := range all {
		if i == 0 || m.Name != all[i-1].Name {
			ordered = append(ordered, m.Metric)
		}
	}
	return ordered
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
	for _, name := range input.SortedKeys(m) {
		r.Metrics = append(r.Metrics, Metric{name, m[name]})
	}
	return nil
}

// Check panics if the result holds a metric that is neither built in nor in the registry. Files
// would silently lack such a metric.
func (r *Result) Check(registry *spec.Registry) {
	if name, ok := r.Foreign(registry); ok {
		panic("metrics: metric " + name + " is not in the table of metrics")
	}
}

// Foreign returns the first metric that is neither built in nor in the registry, if there is one.
func (r *Result) Foreign(registry *spec.Registry) (name string, ok bool) {
	last := -1
	for i := range r.Metrics {
		name := r.Metrics[i].Name
		place, ok := placeOf(name, last)
		if ok {
			last = place
		} else if _, ok = findMetric(name, registry); !ok {
			return name, true
		}
	}
	return "", false
}
