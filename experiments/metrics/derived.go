package metrics

import "slices"

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
