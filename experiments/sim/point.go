package sim

import (
	"context"

	"contend/experiments/config"
	"contend/netsim"
)

// LoadCurve is one replication of a machine under one kind of traffic, for all loads.
type LoadCurve struct {
	// Plan has the machine, the network, the lengths of messages, the bursts and the seed.
	Plan *config.Plan
	// Traffic says where messages go.
	Traffic netsim.TrafficPattern
	// Warmup is the time before the measurement window, and Window is its length, in cycles.
	// The value 0 means the automatic length; see cycles.
	Warmup, Window int64
	// Replication is the number of the replication, at least 0.
	Replication int
	// Idle computes the zero-load latency of messages, by their lengths.
	Idle []*IdleLatency
	// Channels requests the load of each channel.
	Channels bool
}

// LoadPoint is the outcome of one replication at one load. Times are in cycles, and loads in
// flits per node and cycle. Means are over the packets created in the measurement window.
type LoadPoint struct {
	// Topology, Dims and Traffic name the kind of the machine, its size and its traffic.
	Topology, Dims, Traffic string
	// Axis is a key in which networks differ, and Value that of this one. Who compares networks
	// sets them.
	Axis, Value string
	// Offered is the load that the sources aim at, above 0.
	Offered float64
	// Latency is the mean of the time from creation to delivery. LatencyP50, LatencyP90,
	// LatencyP99 and LatencyP999 are its percentiles, the last one 99.9; they are exact.
	// NetworkLatency is the mean time from injection of the head flit to delivery.
	Latency, LatencyP50, LatencyP90, LatencyP99, LatencyP999, NetworkLatency float64
	// Blocking is the mean time for which head flits waited for a channel or a slot.
	Blocking float64
	// MeanHops is the mean number of network channels that a packet crossed.
	MeanHops float64
	// Packets is the number of measured packets that arrived, and Cycles the length of the
	// simulation.
	Packets, Cycles int64
	// Replication is the number of the replication, at least 0.
	Replication int
	// Created is the load that was created in the measurement window. Accepted is the load
	// that arrived in it.
	Created, Accepted float64
	// AcceptedHalf and LatencyHalf are half the widths of the 95% intervals of Accepted and
	// Latency over the batches of the window. They are NaN without an interval.
	AcceptedHalf, LatencyHalf float64
	// Saturated reports whether the backlog of the network grows. The load that arrives in
	// the window is then below the created load by more than 1%, and the 95% interval of the
	// difference over the batches of the window lies above 0.
	Saturated bool
	// ZeroLoad is the mean latency of the same messages, each alone on an empty network. It
	// includes the time for which the packets of a message wait for each other at the source.
	ZeroLoad float64
	// CycleSeconds is the length of a cycle, 0 where it is not known. FlitBytes is the size of
	// a flit.
	CycleSeconds, FlitBytes float64
	// Classes are the measurements by length of messages; empty if all have the same length.
	Classes []TrafficClass
	// Channels are the loads of all channels, if they were requested.
	Channels []ChannelLoad
}

// TrafficClass is the part of a Point for messages of one length.
type TrafficClass struct {
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

// Nanoseconds returns the length of a number of cycles.
func (p *LoadPoint) Nanoseconds(cycles float64) float64 { return cycles * p.CycleSeconds * 1e9 }

// Gigabytes returns a load, which is in flits per node and cycle, in GB/s of a node.
func (p *LoadPoint) Gigabytes(load float64) float64 {
	return load * p.FlitBytes / p.CycleSeconds / 1e9
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

// cycles returns the lengths of the warm-up and of the measurement window in cycles, given
// or automatic. The load is in flits per node and cycle, and messages have so many flits on
// average.
func (k *LoadCurve) cycles(load, flits float64) (warmup, window int64) {
	gap := flits / load // between two messages of a node
	if warmup = k.Warmup; warmup == 0 {
		warmup = max(warmupCycles, int64(warmupMessages*gap))
	}
	if window = k.Window; window == 0 {
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

// Measure drives an empty network with a load, in flits per node and cycle. It measures the packets
// that are created in the window. The traffic continues until these packets have arrived, for at
// most three more windows. Beyond saturation some of them never arrive in time and do not count.
func (k *LoadCurve) Measure(ctx context.Context, net *netsim.Network, load float64) (LoadPoint, error) {
	tr, err := NewTraffic(k.Plan, k.Traffic, k.Replication, load)
	if err != nil {
		return LoadPoint{}, err
	}
	warmup, window := k.cycles(tr.Load, tr.MeanFlits())
	m := NewTrafficMeter(warmup, window, k.Plan.Machine, k.Idle...)
	if k.Channels {
		m.channels = newChannelMeter(net)
	}
	net.Watch(m.Packet)
	tr.Count = netsim.Window{From: m.from, Until: m.until}
	tr.Start(k.Plan.Machine.Nodes(), stream(k.Plan, k.Traffic, k.Replication, load))
	if err := m.measure(ctx, net, tr); err != nil {
		return LoadPoint{}, err
	}
	packets := m.expected(&tr.Count, int64(net.Config().PacketFlits))
	for t := int64(1); t <= drainSlices && m.packets < packets; t++ {
		if err := ctx.Err(); err != nil {
			return LoadPoint{}, err
		}
		if err := tr.Run(net, m.until+t*window/drainShare); err != nil {
			return LoadPoint{}, err
		}
	}
	p := m.Point()
	p.Offered, p.Cycles = tr.Load, net.Now()
	p.Topology, p.Dims = k.Plan.Topology, k.Plan.Size
	p.Traffic, p.Replication = k.Traffic.String(), k.Replication
	p.CycleSeconds, p.FlitBytes = k.Plan.CycleSeconds, float64(k.Plan.Job.FlitBytes)
	return p, m.err
}
