// Command own-metric is contend with two more metrics: one made of the records
// of jobs, one of what the run adds up to.
package main

import (
	"math"

	"contend"
	"contend/scheduler"
)

func main() {
	r := contend.Builtin()
	r.Metrics = append(r.Metrics,
		contend.Metric{
			Name: "longest_wait", Unit: "time", Doc: "the longest time a job waited",
			Min: new(0.0),
			New: func(run contend.MetricRun) contend.Meter { return &longestWait{clock: run.Clock} },
		},
		contend.Metric{
			Name: "packets_per_message", Unit: "packets", Doc: "mean over messages",
			Min: new(1.0),
			New: func(contend.MetricRun) contend.Meter { return perMessage{} },
		})
	contend.Main(r)
}

// longestWait is the maximum wait of the jobs of a run.
type longestWait struct {
	clock scheduler.Clock
	most  scheduler.Cycle
}

// Record implements contend.Meter. Times are compared in cycles, which are
// integers: nothing is rounded.
func (m *longestWait) Record(r *scheduler.Record) { m.most = max(m.most, r.Wait()) }

// Value implements contend.Meter: the clock of the run turns cycles into the
// unit that tables show.
func (m *longestWait) Value(contend.MetricEnd) float64 { return m.clock.Seconds(m.most) }

// perMessage is the mean number of packets of a message, from the totals of a run.
type perMessage struct{}

// Record implements contend.Meter.
func (perMessage) Record(*scheduler.Record) {}

// Value implements contend.Meter. A run without messages has no such metric.
func (perMessage) Value(end contend.MetricEnd) float64 {
	if end.Network == nil || end.Network.Messages == 0 {
		return math.NaN()
	}
	return float64(end.Network.Packets) / float64(end.Network.Messages)
}
