package cosim

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"contend/experiments/spec"
	"contend/experiments/stats"
	"contend/netsim"
	"contend/router"
)

// NetPoint is what one replication at one load measured. Times are in cycles,
// loads in flits per node and cycle.
type NetPoint struct {
	Topology, Dims, Traffic                                 string
	Offered                                                 float64
	Latency, LatencyP99, NetworkLatency, Blocking, MeanHops float64
	Packets, Cycles                                         int64
	Replication                                             int
	// Created is the load created in the measurement window, Accepted that which
	// arrived in it.
	Created, Accepted float64
	// AcceptedHalf and LatencyHalf are half the widths of the 95% intervals of
	// Accepted and Latency over the batches of the window; NaN where there are
	// none.
	AcceptedHalf, LatencyHalf float64
	// Saturated says that the backlog of the network grows: what arrives in the
	// window is less than what is created by more than 1%, and the 95% interval of
	// the difference over the batches of the window lies above 0.
	Saturated bool
	// ZeroLoad is the mean latency of the same messages, each alone on an empty
	// network. It includes the time in which the packets of a message wait for
	// each other at their source.
	ZeroLoad float64
}

// netBatches is the number of batches of a measurement window. Their means are
// taken as independent (Law and Kelton 2000, sec. 9.5.3: 10 to 30). The increases
// of a backlog from batch to batch are negatively correlated as long as it does
// not grow, so that a steady network is seldom taken for a saturated one.
const netBatches = 20

// saturatedShare of what is created has to be left over in a saturated network.
const saturatedShare = 0.01

// The automatic lengths of warm-up and window: so many cycles, and so many messages
// of each node on average. A network of long messages takes longer to get steady.
const (
	warmupCycles, warmupMessages = 5000, 10
	windowCycles, windowMessages = 10000, 40
)

// netCycles returns the lengths of the warm-up and of the measurement window at a
// load, in flits per node and cycle: those given, or else the automatic ones.
func (k *NetCurve) netCycles(load float64) (warmup, window int64) {
	gap := float64(k.Plan.Job.Flits) / load // between two messages of a node
	if warmup = k.Warmup; warmup == 0 {
		warmup = max(warmupCycles, int64(warmupMessages*gap))
	}
	if window = k.Window; window == 0 {
		window = max(windowCycles, int64(windowMessages*gap))
	}
	return warmup, window
}

// drainShare and drainSlices say how long traffic goes on after the window so
// that the packets created in it arrive: up to 48 times a sixteenth of it.
const (
	drainShare  = 16
	drainSlices = 48
)

// NetPoint measures one load of a curve.
func (s *Simulator) NetPoint(ctx context.Context, k *NetCurve, load float64) (NetPoint, error) {
	net, err := s.NewNetwork(k.Plan, k.Replication)
	if err != nil {
		return NetPoint{}, err
	}
	to, err := netsim.TrafficByName(k.Traffic, k.Plan.Machine)
	if err != nil {
		return NetPoint{}, err
	}
	a, b := k.Plan.StreamSeed(k.Replication, fmt.Sprintf("traffic %s %v", k.Traffic, load))
	tr := netsim.Traffic{Destination: to, Load: load, Flits: int32(k.Plan.Job.Flits)}
	p, err := k.measure(ctx, net, &tr, rand.New(rand.NewPCG(a, b)))
	p.Topology, p.Dims = k.Plan.Topology, k.Plan.Size
	p.Traffic, p.Replication = k.Traffic, k.Replication
	return p, err
}

// measure drives a network with traffic. The warm-up is not measured. Packets
// count that were created in the window; the traffic goes on until they have
// arrived, or for three more windows: beyond saturation some never count.
func (k *NetCurve) measure(ctx context.Context, net *netsim.Network, tr *netsim.Traffic,
	rng *rand.Rand) (NetPoint, error) {
	warmup, window := k.netCycles(tr.Load)
	m := NewNetMeter(warmup, window, int64(tr.Flits), k.Plan.Machine, k.Idle)
	net.Watch(m.Packet)
	tr.Count = netsim.Window{From: m.from, Until: m.until}
	tr.Start(k.Plan.Machine.Nodes(), rng)
	if err := m.measure(ctx, net, tr); err != nil {
		return NetPoint{}, err
	}
	packets := (int64(tr.Flits)-1)/int64(net.Config().PacketFlits) + 1
	for t := int64(1); t <= drainSlices && m.packets < tr.Count.N*packets; t++ {
		if err := ctx.Err(); err != nil {
			return NetPoint{}, err
		}
		if err := tr.Run(net, m.until+t*window/drainShare); err != nil {
			return NetPoint{}, err
		}
	}
	p := m.Point()
	p.Offered, p.Cycles = tr.Load, net.Now()
	return p, m.err
}

// netMeter measures the packets created in a window of time, and what arrives in
// it, batch by batch.
type netMeter struct {
	from, until, messageFlits int64
	machine                   spec.Machine
	idle                      *idleLatency
	err                       error

	packets                         int64
	network, blocked, hops, zero    float64
	created, arrived, number, total [netBatches]float64 // flits; packets, and the sum of their latencies
	all                             []int64
}

func NewNetMeter(warmup, window, flits int64, machine spec.Machine, idle *idleLatency) *netMeter {
	return &netMeter{from: warmup, until: warmup + window, messageFlits: flits, machine: machine, idle: idle}
}

// boundary returns the cycle in which batch b begins.
func (m *netMeter) boundary(b int64) int64 { return m.from + b*(m.until-m.from)/netBatches }

// batch returns the batch a cycle of the window belongs to.
func (m *netMeter) batch(cycle int64) int64 {
	b := (cycle - m.from) * netBatches / (m.until - m.from)
	for m.boundary(b+1) <= cycle { // rounding
		b++
	}
	return b
}

// measure runs the traffic to the end of the window and notes what each batch of
// it creates.
func (m *netMeter) measure(ctx context.Context, net *netsim.Network, tr *netsim.Traffic) error {
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

func (m *netMeter) Packet(p *router.Arrival) {
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

// loads sets what is known of loads and saturation.
func (m *netMeter) loads(p *NetPoint) {
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

func (m *netMeter) Point() (p NetPoint) {
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
	p.NetworkLatency, p.Blocking, p.MeanHops, p.ZeroLoad = m.network/n, m.blocked/n, m.hops/n, m.zero/n
	slices.Sort(m.all)
	p.LatencyP99 = float64(m.all[int(math.Ceil(0.99*n))-1])
	return p
}

// NetCurve is one replication of a machine under one traffic, over the loads.
type NetCurve struct {
	// Plan gives the machine, the network, the length of a message and the seed.
	Plan    *spec.Plan
	Traffic string // of netsim.TrafficNames
	// Warmup cycles are not measured; messages created in the Window cycles after
	// it are. 0 takes the automatic lengths, see netCycles.
	Warmup, Window int64
	Replication    int
	Idle           *idleLatency
}
