package sim

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"contend/experiments/config"
	"contend/experiments/metrics"
	"contend/internal/input"
	"contend/netsim"
	"contend/router/topology"
	"contend/scheduler"
)

// NewTraffic returns the traffic of a plan for one replication. It reads the file of a matrix. The
// error says why the machine has no such traffic, or what is wrong with the file. It does not check
// the load, which Traffic.Check does.
func NewTraffic(plan *config.Plan, replication int) (*netsim.Traffic, error) {
	w := &plan.Workload.Traffic
	p := w.Pattern
	if p.File != "" && p.Matrix == nil {
		var err error
		if p.Matrix, _, err = netsim.ReadMatrix(p); err != nil {
			return nil, err
		}
	}
	k, _ := p.Kind()
	tr := &netsim.Traffic{Load: w.Load, Flits: int32(plan.Job.Flits), Lengths: w.Lengths,
		Bursts: w.Bursts, Self: w.Self && k.Self}
	// Permutations and hot spots are drawn once for a run: they are the same at all loads.
	a, b := plan.StreamSeed(replication, "traffic "+p.String())
	d, err := p.On(topology.Unwrap(plan.Machine), tr.Self, rand.New(rand.NewPCG(a, b)))
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

// checkTraffic returns an error if a plan of traffic cannot run.
func (s *Simulator) checkTraffic(plan *config.Plan) error {
	if err := s.checkFailing(plan); err != nil {
		return err
	}
	w := &plan.Workload.Traffic
	tr, err := NewTraffic(plan, 0)
	var file *input.Error
	if errors.As(err, &file) {
		return file
	}
	if err != nil {
		return config.FieldTraffic.Bad("take traffic that suits, such as uniform, or another machine",
			"%s is %s: %v", config.FieldTraffic, w.Pattern, err)
	}
	if err := tr.Check(); err != nil {
		return config.FieldTrafficLoad.Refuse(err)
	}
	return nil
}

// runTraffic simulates one replication of a plan of traffic (workload.source = "traffic").
func (s *Simulator) runTraffic(
	ctx context.Context, plan *config.Plan, replication int, extra *Extra,
) (r metrics.Result, err error) {
	rows := &extra.Records
	if err := s.checkTraffic(plan); err != nil {
		return r, err
	}
	net, err := s.newFailingNetwork(plan, replication)
	if err != nil {
		return r, err
	}
	rows.Clock = metrics.ClockOf(plan, scheduler.Clock{})
	var t *metrics.Timeline
	if rows.Series {
		t = metrics.NewTimeline(plan, scheduler.Clock{}, net)
	}
	f, err := newFailures(plan, replication, scheduler.Clock{}, net)
	if err != nil {
		return r, err
	}
	p, err := measureLoad(ctx, plan, replication, net, f, extra.Gauge)
	if err != nil {
		return r, err
	}
	if rows.Links {
		rows.LinkRows = metrics.LinkRows(net)
	}
	if t != nil {
		rows.SeriesRows, rows.LoadRows = t.Rows(0)
	}
	if rows.Failures {
		rows.FailureRows = f.list
	}
	if rows.Lengths {
		rows.LengthRows = p.Classes
	}
	r = p.Result()
	r.AddFailures(net)
	r.Complete(plan, 1)
	return r, nil
}

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
	Classes []metrics.LengthRow
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
// more windows. Beyond saturation some of them never arrive in time and do not count. The gauge may
// be nil. It counts cycles until a slice after the window, since more slices cannot be foreseen.
func measureLoad(ctx context.Context, plan *config.Plan, replication int, net *netsim.Network,
	f *failures, gauge *Gauge) (loadPoint, error) {
	tr, err := NewTraffic(plan, replication)
	if err != nil {
		return loadPoint{}, err
	}
	warmup, window := windowLengths(&plan.Workload.Traffic, tr.MeanFlits())
	m := newTrafficMeter(warmup, window, plan.Machine, newIdleLatencies(net.Config(), plan)...)
	net.Watch(m.Packet)
	gauge.Begin()
	net.Poll(func() error {
		gauge.Update(ctx, min(int64(net.Now()), m.until), m.until+window/drainShare)
		return ctx.Err()
	})
	tr.Count = netsim.Window{From: m.from, Until: m.until}
	tr.Start(plan.Machine.Nodes(), messageStream(plan, replication))
	if net.Config().SourceQueues == netsim.QueuePerDestination {
		m.flows, tr.Count.ByFlow = netsim.Flows{}, netsim.Flows{}
	}
	if err := m.measure(net, tr, f); err != nil {
		return loadPoint{}, err
	}
	var congestion []metrics.Metric
	metrics.CongestionMetrics(net, &netsim.Totals{}, func(name string, value float64) {
		congestion = append(congestion, metrics.Metric{Name: name, Value: value})
	})
	packets := m.expected(&tr.Count, int64(net.Config().PacketFlits))
	for t := int64(1); t <= drainSlices && m.packets < packets; t++ {
		if err := f.run(net, tr, m.until+t*window/drainShare); err != nil {
			return loadPoint{}, err
		}
	}
	gauge.Show(1, 1)
	p := m.Point()
	p.Congestion = congestion
	p.Fairness, p.Alone = flowMetrics(tr.Count.ByFlow, m.flows)
	return p, m.err
}
