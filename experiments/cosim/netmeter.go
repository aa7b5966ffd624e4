package cosim

import (
	"context"
	"math"
	"slices"

	"contend/experiments/spec"
	"contend/experiments/stats"
	"contend/netsim"
	"contend/router"
)

// NetMeter measures the packets that are created in a window of time and the flits that arrive
// in it, batch by batch.
type NetMeter struct {
	from, until, messageFlits int64
	machine                   spec.Machine
	idle                      *IdleLatency
	err                       error

	packets                      int64
	network, blocked, hops, zero float64
	// By batch: created and arrived flits, number of packets, and sum of their latencies.
	created, arrived, number, total [netBatches]float64
	all                             []int64
}

// NewNetMeter returns a meter for a window that begins after the warm-up, both in cycles.
// Messages have so many flits.
func NewNetMeter(
	warmup, window, flits int64, machine spec.Machine, idle *IdleLatency,
) *NetMeter {
	return &NetMeter{from: warmup, until: warmup + window, messageFlits: flits,
		machine: machine, idle: idle}
}

// boundary returns the cycle in which batch b begins.
func (m *NetMeter) boundary(b int64) int64 { return m.from + b*(m.until-m.from)/netBatches }

// batch returns the batch of a cycle in the window.
func (m *NetMeter) batch(cycle int64) int64 {
	b := (cycle - m.from) * netBatches / (m.until - m.from)
	for m.boundary(b+1) <= cycle { // rounding
		b++
	}
	return b
}

// measure runs the traffic to the end of the window and records the flits that each batch
// creates.
func (m *NetMeter) measure(ctx context.Context, net *netsim.Network, tr *netsim.Traffic) error {
	for b := range int64(netBatches) {
		if err := ctx.Err(); err != nil {
			return err
		}
		before := tr.Count.N
		if err := tr.Run(net, m.boundary(b+1)); err != nil {
			return err
		}
		m.created[b] = float64((tr.Count.N - before) * m.messageFlits)
	}
	return nil
}

// Packet measures a packet that has arrived.
func (m *NetMeter) Packet(p *router.Arrival) {
	if p.Delivered >= m.from && p.Delivered < m.until {
		m.arrived[m.batch(p.Delivered)] += float64(p.Length)
	}
	if p.Created < m.from || p.Created >= m.until {
		return
	}
	b := m.batch(p.Created)
	m.packets++
	m.number[b]++
	m.total[b] += float64(p.Delivered - p.Created)
	m.network += float64(p.Delivered - p.Injected)
	m.blocked += float64(p.Blocked)
	m.hops += float64(p.Hops)
	zero, err := m.idle.Mean(p.From, p.To)
	if err != nil {
		m.err = err
	}
	m.zero += zero
	m.all = append(m.all, p.Delivered-p.Created)
}

// loads sets the loads of a point, and whether the network is saturated.
func (m *NetMeter) loads(p *NetPoint) {
	var accepted, growth []float64
	created := 0.0
	for b := range int64(netBatches) {
		places := float64(m.boundary(b+1)-m.boundary(b)) * float64(m.machine.Nodes())
		if places == 0 {
			continue // a window of few cycles
		}
		created += m.created[b]
		accepted = append(accepted, m.arrived[b]/places)
		growth = append(growth, (m.created[b]-m.arrived[b])/places)
	}
	e, g := stats.EstimateOf(accepted, 0.95), stats.EstimateOf(growth, 0.95)
	p.Created = created / float64(m.until-m.from) / float64(m.machine.Nodes())
	p.Accepted, p.AcceptedHalf = e.Mean, e.Half
	p.Saturated = g.Mean > saturatedShare*p.Created && !(g.Mean-g.Half <= 0)
}

// Point returns the measured quantities. It leaves out the names of the curve, the offered load
// and the length of the simulation.
func (m *NetMeter) Point() (p NetPoint) {
	m.loads(&p)
	p.Packets, p.LatencyHalf = m.packets, math.NaN()
	if m.packets == 0 {
		return p
	}
	var total, number []float64
	for b := range m.number {
		if m.number[b] > 0 {
			total, number = append(total, m.total[b]), append(number, m.number[b])
		}
	}
	n, latency := float64(m.packets), stats.EstimateRatio(total, number, 0.95)
	p.Latency, p.LatencyHalf = latency.Mean, latency.Half
	p.NetworkLatency, p.Blocking = m.network/n, m.blocked/n
	p.MeanHops, p.ZeroLoad = m.hops/n, m.zero/n
	slices.Sort(m.all)
	percentile := func(percent int) float64 {
		return float64(m.all[stats.Rank(percent, len(m.all))])
	}
	p.LatencyP50, p.LatencyP90, p.LatencyP99 = percentile(50), percentile(90), percentile(99)
	return p
}
