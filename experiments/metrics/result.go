package metrics

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
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

// ParseResult reads the metrics as MarshalJSON writes them: one object without white space, in the
// order of the table. It reports false for anything else, which encoding/json has to judge. A
// folder of 100,000 runs opens 2.7 times as fast by it.
func ParseResult(text []byte) (r Result, ok bool) {
	if !json.Valid(text) || text[0] != '{' {
		return r, false
	}
	places, more := metricPlaces(), true
	r.Metrics = make([]Metric, 0, 1+bytes.Count(text, []byte{','}))
	text = text[1 : len(text)-1]
	for last := -1; more; {
		var cell []byte
		cell, text, more = bytes.Cut(text, []byte{','})
		colon := bytes.IndexByte(cell, ':')
		if colon < 2 {
			return r, false
		}
		place, known := places[string(cell[1:colon-1])]
		value, err := strconv.ParseFloat(string(cell[colon+1:]), 64)
		if !known || place <= last || err != nil {
			return r, false
		}
		last = place
		r.Metrics = append(r.Metrics, Metric{metricInfos[place].Name, value})
	}
	return r, true
}

// Picker reads some metrics of many runs. Most runs of a study list the same metrics in the same
// order, so it first looks at the index at which a metric was found last.
type Picker struct {
	names []string
	at    []int // by name, the index in Result.Metrics of the last run that had the metric
}

// NewPicker returns a Picker of the named metrics.
func NewPicker(names []string) *Picker { return &Picker{names, make([]int, len(names))} }

// Name returns the i-th of the Picker's names.
func (p *Picker) Name(i int) string { return p.names[i] }

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

// derivedMetric is the difference of two metrics of a run. Runs do not store it: a study that names
// it in its table has it, of runs and of published figures.
type derivedMetric struct {
	MetricInfo
	of, less string // the metrics
}

// derivedMetrics is the table of differences. They follow the stored metrics in files.
var derivedMetrics = []derivedMetric{
	{MetricInfo{"unblocked_latency", "cycles",
		"mean over packets, entry_latency less entry_blocking_time: hops and length of packets at " +
			"the pace of the network, nearly without contention; in the files of studies whose table " +
			"names it",
		"lo1994 Table 2", 0}, "entry_latency", "entry_blocking_time"},
}

// bounded is the name of the bounded slowdown, with which those of its percentiles and of classes
// of sizes begin.
const bounded = "bounded_slowdown"

// OfSlowdown reports whether a metric is a bounded slowdown, which a run has if it is requested
// (sim.Extra) or costs nothing.
func OfSlowdown(metric string) bool { return strings.HasPrefix(metric, bounded) }

// LacksSlowdown reports whether the run has response times of jobs and no bounded slowdowns.
func (r *Result) LacksSlowdown() bool {
	_, ended := r.Value("response_time")
	_, has := r.Value(bounded)
	return ended && !has
}

// DerivedNames lists the metrics that runs do not store.
func DerivedNames() (names []string) {
	for i := range derivedMetrics {
		names = append(names, derivedMetrics[i].Name)
	}
	return names
}

// Derive computes a metric that runs do not store from metrics that value returns. It reports false
// for any other metric, and where value reports false.
func Derive(name string, value func(name string) (float64, bool)) (float64, bool) {
	i := slices.IndexFunc(derivedMetrics, func(d derivedMetric) bool { return d.Name == name })
	if i < 0 {
		return 0, false
	}
	of, ok := value(derivedMetrics[i].of)
	less, both := value(derivedMetrics[i].less)
	return of - less, ok && both
}

// derivedInfo returns the documentation of a metric that runs do not store.
func derivedInfo(name string) (MetricInfo, bool) {
	i := slices.Index(DerivedNames(), name)
	if i < 0 {
		return MetricInfo{}, false
	}
	return derivedMetrics[i].MetricInfo, true
}
