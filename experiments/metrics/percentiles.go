package metrics

import (
	"fmt"
	"slices"

	"contend/experiments/stats"
	"contend/router"
)

// percents are the percentiles that runs have of times and slowdowns.
var percents = [...]int{50, 90, 99}

// percentileName returns the name of a percentile of a metric.
func percentileName(metric string, percent int) string {
	return fmt.Sprintf("%s_p%d", metric, percent)
}

// percentileInfos returns the metrics that are percentiles.
func percentileInfos() (infos []MetricInfo) {
	for _, m := range []struct{ of, unit, what string }{
		{"wait_time", unitOfClock, "waiting time"},
		{"response_time", unitOfClock, "response time"},
		{"bounded_slowdown", "", "bounded slowdown"},
		{"iteration_time", unitOfClock, "time of an iteration, with runs.iterations"},
		{"latency", "cycles", "latency of a packet"},
	} {
		for _, percent := range percents {
			doc := fmt.Sprintf("median %s (nearest rank)", m.what)
			if percent != 50 {
				doc = fmt.Sprintf("%dth percentile of the %s (nearest rank)", percent, m.what)
			}
			if m.of == "latency" {
				doc += "; above 8192 cycles 13 binary digits are kept, so it is up to 0.025% too low"
			}
			infos = append(infos, MetricInfo{percentileName(m.of, percent), m.unit, doc, "", 0})
		}
	}
	return infos
}

// sample keeps the values of a metric of jobs for its mean and its percentiles.
type sample []float64

// Add adds a value.
func (s *sample) Add(x float64) { *s = append(*s, x) }

// Value returns the mean, summed in the order of the values.
func (s sample) Value() float64 {
	var m Mean
	for _, x := range s {
		m.Add(x)
	}
	return m.Value()
}

// metrics adds the percentiles of a metric.
func (s sample) metrics(add func(string, float64), of string) {
	if len(s) == 0 {
		return
	}
	sorted := slices.Sorted(slices.Values(s))
	for _, percent := range percents {
		add(percentileName(of, percent), stats.Percentile(sorted, percent))
	}
}

// latencies counts the latencies of packets in cycles.
type latencies struct{ stats.Counts }

// packet counts a packet that has arrived.
func (l *latencies) packet(p *router.Arrival) { l.Add(p.Delivered - p.Created) }

// metrics adds the percentiles of the latency.
func (l *latencies) metrics(add func(string, float64)) {
	if l.N() == 0 {
		return
	}
	for _, percent := range percents {
		add(percentileName("latency", percent), float64(l.Percentile(percent)))
	}
}
