package experiments

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"contend/netsim"
	"contend/netsim/topology"
	"contend/router"
)

// drainSlices and drainShare say how long traffic goes on after the measured
// cycles so that the packets created in them arrive: up to 48 times a
// sixteenth of them.
const (
	drainSlices = 48
	drainShare  = 16
)

// MeasureNet is a NetFunc. Packets count that were created in the measured
// cycles; the traffic goes on until they have arrived, or for three times as
// many cycles: beyond saturation some never count.
func (s *Simulator) MeasureNet(ctx context.Context, p NetPoint) (NetRow, error) {
	machine, err := newMachine(&p.Spec.Machine)
	if err != nil {
		return NetRow{}, err
	}
	to, err := netsim.TrafficByName(p.Traffic, machine)
	if err != nil {
		return NetRow{}, &InputError{Problem: err.Error()}
	}
	net, err := s.newNetwork(&p.Spec, machine)
	if err != nil {
		return NetRow{}, err
	}
	m := &netMeter{from: p.Warmup, until: p.Warmup + p.Measured, config: net.Config(), machine: machine}
	net.Watch(m.packet)
	a, b := p.Spec.PointSeed(p.Replication, fmt.Sprintf("traffic %s %v", p.Traffic, p.Load))
	tr := netsim.Traffic{Destination: to, Load: p.Load, Flits: int32(p.Spec.Job.Flits), Count: netsim.Window{From: m.from, Until: m.until}}
	tr.Start(machine.Nodes(), rand.New(rand.NewPCG(a, b)))
	packets := (int64(p.Spec.Job.Flits)-1)/int64(p.Spec.Network.PacketFlits) + 1
	for t := int64(0); t <= drainSlices && (t == 0 || m.packets < tr.Count.N*packets); t++ {
		if err := ctx.Err(); err != nil {
			return NetRow{}, err
		}
		if err := tr.Run(net, m.until+t*p.Measured/drainShare); err != nil {
			return NetRow{}, err
		}
	}
	row := m.row()
	row.Cycles = net.Now()
	return row, nil
}

// netMeter measures the packets created in a window of time.
type netMeter struct {
	from, until int64
	config      netsim.Config
	machine     *topology.Cube

	packets, flits                        int64
	latency, network, blocked, hops, zero float64
	all                                   []int64
}

func (m *netMeter) packet(p *router.Packet, created netsim.Cycle) {
	if p.Delivered >= m.from && p.Delivered < m.until {
		m.flits += int64(p.Length)
	}
	if created < m.from || created >= m.until {
		return
	}
	m.packets++
	m.latency += float64(p.Delivered - created)
	m.network += float64(p.Delivered - p.Injected)
	m.blocked += float64(p.Blocked)
	m.hops += float64(p.Hops)
	m.zero += float64(m.config.ZeroLoadLatency(m.machine.Distance(p.From, p.To), int(p.Length)))
	m.all = append(m.all, p.Delivered-created)
}

func (m *netMeter) row() NetRow {
	n := float64(m.packets)
	if m.packets == 0 {
		n = math.NaN()
	}
	row := NetRow{
		Accepted:    float64(m.flits) / float64(m.until-m.from) / float64(m.machine.Nodes()),
		LatencyMean: m.latency / n, LatencyP99: math.NaN(), NetworkLatency: m.network / n, BlockingMean: m.blocked / n,
		Packets: m.packets, MeanHops: m.hops / n, ZeroLoad: m.zero / n,
	}
	if m.packets > 0 {
		slices.Sort(m.all)
		row.LatencyP99 = float64(m.all[int(math.Ceil(0.99*n))-1])
	}
	return row
}
