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
	for _, m := range []struct{ of, unit, what, among string }{
		{"wait_time", unitOfClock, "time from submission to start", "jobs"},
		{"response_time", unitOfClock, "time from submission to end", "jobs"},
		{"bounded_slowdown", "", "bounded_slowdown of a job", "jobs"},
		{"latency", "cycles", "time from creation to delivery", "packets"},
	} {
		for _, percent := range percents {
			doc := fmt.Sprintf("the least %s that %d%% of the %s do not exceed", m.what, percent,
				m.among)
			if m.of == "latency" {
				doc += "; above 8192 cycles its leading 13 binary digits, so at most 0.025% below"
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
