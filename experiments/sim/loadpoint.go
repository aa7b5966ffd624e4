package sim

import (
	"context"
	"math"

	"contend/experiments/config"
	"contend/experiments/metrics"
	"contend/netsim"
	"contend/router/topology"
)

// loadPoint is the outcome of one replication at one load. Times are in cycles, and loads in
// flits per node and cycle. Means are over the packets created in the measurement window.
type loadPoint struct {
	// Latency is the mean of the time from creation to delivery. LatencyP50, LatencyP90 and
	// LatencyP99 are its percentiles; they are exact. NetworkLatency is the mean time from
	// injection of the head flit to delivery.
	Latency, LatencyP50, LatencyP90, LatencyP99, NetworkLatency float64
	// Blocking is the mean time for which head flits waited for a channel or a slot.
	Blocking float64
	// MeanHops is the mean number of network channels that a packet crossed.
	MeanHops float64
	// Packets is the number of measured packets that arrived.
	Packets int64
	// Created is the load that was created in the measurement window. Accepted is the load
	// that arrived in it.
	Created, Accepted float64
	// Saturated reports whether the backlog of the network grows. The load that arrives in
	// the window is then below the created load by more than 1%, and the 95% interval of the
	// difference over the batches of the window lies above 0.
	Saturated bool
	// ZeroLoad is the mean latency of the same messages, each alone on an empty network. It
	// includes the time for which the packets of a message wait for each other at the source.
	ZeroLoad float64
	// Fairness and Alone are the metrics flow_fairness and lone_flows_accepted; NaN without flows.
	Fairness, Alone float64
	// Congestion adds the metrics of congestion control in the window.
	Congestion []metrics.Metric
	// Classes are the measurements by length of messages; empty if all have the same length.
	Classes []trafficClass
}

// trafficClass is the part of a loadPoint for messages of one length.
type trafficClass struct {
	// Flits is the length of the messages.
	Flits int32
	// Created and Accepted are parts of the loads of the point, in flits per node and cycle.
	Created, Accepted float64
	// Latency, LatencyP50, LatencyP99, LatencyP999 and ZeroLoad are those of the packets of
	// these messages, in cycles. They are NaN if there are no such packets.
	Latency, LatencyP50, LatencyP99, LatencyP999, ZeroLoad float64
	// Packets is the number of measured packets that arrived.
	Packets int64
}

// batches is the number of batches of a measurement window; see stats.Drifts.
const batches = 20

// saturatedShare is the share of the created load that a saturated network exceeds with the
// load left over.
const saturatedShare = 0.01

// The automatic lengths of warm-up and window are the larger of a number of cycles and the
// time in which a node creates a number of messages on average. A network of long messages
// takes longer to become steady.
const (
	warmupCycles, warmupMessages = 5000, 10
	windowCycles, windowMessages = 10000, 40
)

// windowLengths returns the lengths of the warm-up and of the measurement window in cycles, given
// or automatic. Messages have flits on average.
func windowLengths(t *config.TrafficPlan, flits float64) (warmup, window int64) {
	gap := flits / t.Load // between two messages of a node
	if warmup = t.Warmup; warmup == 0 {
		warmup = max(warmupCycles, int64(warmupMessages*gap))
	}
	if window = t.Window; window == 0 {
		window = max(windowCycles, int64(windowMessages*gap))
	}
	return warmup, window
}

// After the window, traffic continues until the packets created in the window have arrived,
// for at most drainSlices slices. A slice is the window over drainShare.
const (
	drainShare  = 16
	drainSlices = 48
)

// flowMetrics returns the least fairness of the flows to a destination with several, Jain's index
// of what arrived (Jain, Chiu and Hawe, DEC-TR-301, 1984), and the percentage of the flits of the
// other flows that arrived, both NaN if there are no such flows.
func flowMetrics(created, arrived netsim.Flows) (fairness, alone float64) {
	type sums struct{ n, created, arrived, squares float64 }
	to := map[topology.Node]sums{}
	for ends, flits := range created { // the sums of integers do not depend on the order
		k, got := to[ends[1]], float64(arrived[ends])
		to[ends[1]] = sums{k.n + 1, k.created + float64(flits), k.arrived + got,
			k.squares + float64(got*got)}
	}
	fairness, all, got := math.NaN(), 0.0, 0.0
	for _, k := range to {
		if k.n == 1 {
			all, got = all+k.created, got+k.arrived
			continue
		}
		index := k.arrived * k.arrived / (k.n * max(1, k.squares)) // 0 if nothing arrived
		if !(fairness <= index) {
			fairness = index
		}
	}
	return fairness, 100 * got / all
}

// measureLoad drives an empty network with the traffic of a plan. It measures the packets that are
// created in the window. The traffic continues until these packets have arrived, for at most three
// more windows. Beyond saturation some of them never arrive in time and do not count.
func measureLoad(ctx context.Context, plan *config.Plan, replication int, net *netsim.Network,
	f *failures) (loadPoint, error) {
	tr, err := NewTraffic(plan, replication)
	if err != nil {
		return loadPoint{}, err
	}
	warmup, window := windowLengths(&plan.Workload.Traffic, tr.MeanFlits())
	m := newTrafficMeter(warmup, window, plan.Machine, newIdleLatencies(net.Config(), plan)...)
	net.Watch(m.Packet)
	net.Poll(ctx.Err)
	tr.Count = netsim.Window{From: m.from, Until: m.until}
	tr.Start(plan.Machine.Nodes(), messageStream(plan, replication))
	if net.Config().SourceQueues == netsim.QueuePerDestination {
		m.flows, tr.Count.ByFlow = netsim.Flows{}, netsim.Flows{}
	}
	if err := m.measure(net, tr, f); err != nil {
		return loadPoint{}, err
	}
	var congestion []metrics.Metric
	metrics.CongestionMetrics(net, func(name string, value float64) {
		congestion = append(congestion, metrics.Metric{Name: name, Value: value})
	})
	packets := m.expected(&tr.Count, int64(net.Config().PacketFlits))
	for t := int64(1); t <= drainSlices && m.packets < packets; t++ {
		if err := f.run(net, tr, m.until+t*window/drainShare); err != nil {
			return loadPoint{}, err
		}
	}
	p := m.Point()
	p.Congestion = congestion
	p.Fairness, p.Alone = flowMetrics(tr.Count.ByFlow, m.flows)
	return p, m.err
}
