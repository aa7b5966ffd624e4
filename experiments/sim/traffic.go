package sim

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"contend/experiments/config"
	"contend/experiments/metrics"

	"contend/internal/decimal"
	"contend/netsim"
)

// NewTraffic returns the traffic of a plan for one replication. It reads the file of a matrix. The
// error says why the machine has no such traffic, or what is wrong with the file. It does not check
// the load, which Traffic.Check does.
func NewTraffic(plan *config.Plan, replication int) (*netsim.Traffic, error) {
	w := &plan.Workload.Traffic
	p := w.Pattern
	if p.File != "" && p.Matrix == nil {
		var err error
		if p.Matrix, _, err = config.ReadMatrix(p); err != nil {
			return nil, err
		}
	}
	k, _ := p.Kind()
	tr := &netsim.Traffic{Load: w.Load, Flits: int32(plan.Job.Flits), Lengths: w.Lengths,
		Bursts: w.Bursts, Self: w.Self && k.Self}
	// Permutations and hot spots are drawn once for a run: they are the same at all loads.
	a, b := plan.StreamSeed(replication, "traffic "+p.String())
	d, err := p.On(config.Unwrap(plan.Machine), tr.Self, rand.New(rand.NewPCG(a, b)))
	tr.Destination, tr.Rates = d.To, d.Rates
	return tr, err
}

// messageStream returns the random stream of the messages of a run.
func messageStream(plan *config.Plan, replication int) *rand.Rand {
	w := &plan.Workload.Traffic
	a, b := plan.StreamSeed(replication, fmt.Sprintf("traffic %s %v", w.Pattern, w.Load))
	return rand.New(rand.NewPCG(a, b))
}

// MostSaturated reports whether a network counts as saturated of which a percentage of the
// replications are saturated: at least half of them.
func MostSaturated(percent float64) bool { return percent >= 50 }

// GrowsWithWindow reports whether a metric of a saturated network grows with the measurement
// window, so that it has no meaning there: what packets wait in queues that grow.
func GrowsWithWindow(metric string) bool {
	return metric == "network_latency" || metric == "source_wait" ||
		metric == "packet_blocking_time" || metric == "latency" ||
		strings.HasPrefix(metric, "latency_p")
}

// Result returns the metrics of a point.
func (p *loadPoint) Result() (r metrics.Result) {
	add := func(name string, value float64) {
		r.Metrics = append(r.Metrics, metrics.Metric{Name: name, Value: value})
	}
	saturated := 0.0
	if p.Saturated {
		saturated = 100
	}
	add("created_load", p.Created)
	add("accepted_load", p.Accepted)
	add("saturated", saturated)
	if p.Packets > 0 {
		add("latency", p.Latency)
		add("latency_p50", p.LatencyP50)
		add("latency_p90", p.LatencyP90)
		add("latency_p99", p.LatencyP99)
		add("network_latency", p.NetworkLatency)
		add("source_wait", p.Latency-p.NetworkLatency)
		add("packet_blocking_time", p.Blocking)
		add("idle_latency", p.ZeroLoad)
		add("mean_hops", p.MeanHops)
	}
	add("packets", float64(p.Packets))
	if !math.IsNaN(p.Fairness) {
		add("flow_fairness", p.Fairness)
	}
	if !math.IsNaN(p.Alone) {
		add("lone_flows_accepted", p.Alone)
	}
	r.Metrics = append(r.Metrics, p.Congestion...)
	return r
}

// lengthRows returns a row for each length of messages, in the columns of metrics.LengthTable.
func (p *loadPoint) lengthRows() (rows [][]string) {
	num, cycles := decimal.Number, decimal.Time
	for _, c := range p.Classes {
		rows = append(rows, []string{fmt.Sprint(c.Flits), num(c.Created), num(c.Accepted),
			cycles(c.Latency), cycles(c.LatencyP50), cycles(c.LatencyP99), cycles(c.LatencyP999),
			cycles(c.ZeroLoad), fmt.Sprint(c.Packets)})
	}
	return rows
}
