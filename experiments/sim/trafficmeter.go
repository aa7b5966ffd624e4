package sim

import (
	"fmt"
	"math"
	"slices"

	"contend/experiments/config"
	"contend/experiments/metrics"
	"contend/experiments/stats"
	"contend/netsim"
	"contend/router"
	"contend/router/topology"
)

// trafficMeter measures the packets that are created in a window of time and the flits that arrive
// in it, batch by batch.
type trafficMeter struct {
	from, until int64
	machine     config.Machine
	idle        []*idleLatency // by class of messages
	err         error

	packets                int64
	network, blocked, hops float64
	// By batch: created and arrived flits, number of packets, and sum of their latencies.
	created, arrived, number, total [batches]float64
	classes                         []lengthSums
	flows                           netsim.Flows // flits that arrived in the window; nil: not counted
}

// lengthSums are sums over the messages of one length.
type lengthSums struct {
	created, arrived int64   // flits in the window
	zeroLoad         float64 // sum of the zero-load latencies of packets
	latencies        []int64 // of packets
}

// newTrafficMeter returns a meter for a window that begins after the warm-up, both in cycles.
// Messages have the lengths whose zero-load latencies are given; the User of a message is the
// index of its length.
func newTrafficMeter(warmup, window int64, m config.Machine, idle ...*idleLatency) *trafficMeter {
	return &trafficMeter{from: warmup, until: warmup + window, machine: m, idle: idle,
		classes: make([]lengthSums, len(idle))}
}

// messages returns the number of messages of a class that a window counts.
func messages(w *netsim.Window, class int) int64 {
	if w.ByLength == nil {
		return w.N
	}
	return w.ByLength[class]
}

// expected returns the number of packets, of at most packetFlits, of the messages that a window
// counts.
func (m *trafficMeter) expected(w *netsim.Window, packetFlits int64) (packets int64) {
	for class, idle := range m.idle {
		packets += messages(w, class) * ((int64(idle.flits)-1)/packetFlits + 1)
	}
	return packets
}

// boundary returns the cycle in which batch b begins.
func (m *trafficMeter) boundary(b int64) int64 { return m.from + b*(m.until-m.from)/batches }

// batch returns the batch of a cycle in the window.
func (m *trafficMeter) batch(cycle int64) int64 {
	b := (cycle - m.from) * batches / (m.until - m.from)
	for m.boundary(b+1) <= cycle { // rounding
		b++
	}
	return b
}

// measure runs the traffic to the end of the window and records the flits that each batch
// creates.
func (m *trafficMeter) measure(net *netsim.Network, tr *netsim.Traffic, f *failures) error {
	if err := f.run(net, tr, m.from); err != nil {
		return err
	}
	net.ResetCongestion()
	before := int64(0)
	for b := range int64(batches) {
		if err := f.run(net, tr, m.boundary(b+1)); err != nil {
			return err
		}
		flits := int64(0)
		for class, idle := range m.idle {
			m.classes[class].created = messages(&tr.Count, class) * int64(idle.flits)
			flits += m.classes[class].created
		}
		m.created[b], before = float64(flits-before), flits
	}
	return nil
}

// Packet measures a packet that has arrived.
func (m *trafficMeter) Packet(p *router.Arrival) {
	class := &m.classes[p.User]
	if p.Delivered >= m.from && p.Delivered < m.until {
		m.arrived[m.batch(p.Delivered)] += float64(p.Length)
		if m.flows != nil {
			m.flows[[2]topology.Node{p.From, p.To}] += int64(p.Length)
		}
		class.arrived += int64(p.Length)
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
	zero, err := m.idle[p.User].of(p)
	if err != nil {
		m.err = err
	}
	class.zeroLoad += zero
	class.latencies = append(class.latencies, p.Delivered-p.Created)
}

// loads sets the loads of a point, and whether the network is saturated.
func (m *trafficMeter) loads(p *loadPoint) {
	var accepted, growth []float64
	created := 0.0
	for b := range int64(batches) {
		places := float64(m.boundary(b+1)-m.boundary(b)) * float64(m.machine.Nodes())
		if places == 0 {
			continue // a window of few cycles
		}
		created += m.created[b]
		accepted = append(accepted, m.arrived[b]/places)
		growth = append(growth, (m.created[b]-m.arrived[b])/places)
	}
	p.Created = created / float64(m.until-m.from) / float64(m.machine.Nodes())
	p.Accepted = stats.Mean(accepted)
	p.Saturated = stats.Drifts(growth, saturatedShare*p.Created, 0.95)
}

// Point returns the measured quantities.
func (m *trafficMeter) Point() (p loadPoint) {
	m.loads(&p)
	p.Packets = m.packets
	if len(m.classes) > 1 {
		for class := range m.classes {
			p.Classes = append(p.Classes, m.class(class))
		}
	}
	if m.packets == 0 {
		return p
	}
	var total, number []float64
	for b := range m.number {
		if m.number[b] > 0 {
			total, number = append(total, m.total[b]), append(number, m.number[b])
		}
	}
	n := float64(m.packets)
	p.Latency = stats.Mean(total) / stats.Mean(number)
	p.NetworkLatency, p.Blocking, p.MeanHops = m.network/n, m.blocked/n, m.hops/n
	zero, all := 0.0, m.classes[0].latencies
	for i, c := range m.classes {
		zero += c.zeroLoad
		if i > 0 {
			all = append(slices.Clip(all), c.latencies...)
		}
	}
	p.ZeroLoad = zero / n
	slices.Sort(all)
	p.LatencyP50, p.LatencyP90 = perMille(all, 500), perMille(all, 900)
	p.LatencyP99 = perMille(all, 990)
	return p
}

// class returns the measured quantities of the messages of one length.
func (m *trafficMeter) class(class int) metrics.LengthRow {
	c, places := &m.classes[class], float64(m.until-m.from)*float64(m.machine.Nodes())
	k := metrics.LengthRow{Flits: m.idle[class].flits, Created: float64(c.created) / places,
		Accepted: float64(c.arrived) / places, Packets: int64(len(c.latencies)), Latency: math.NaN(),
		LatencyP50: math.NaN(), LatencyP99: math.NaN(), LatencyP999: math.NaN(), ZeroLoad: math.NaN()}
	if k.Packets == 0 {
		return k
	}
	slices.Sort(c.latencies)
	sum := int64(0)
	for _, latency := range c.latencies {
		sum += latency
	}
	k.Latency, k.ZeroLoad = float64(sum)/float64(k.Packets), c.zeroLoad/float64(k.Packets)
	k.LatencyP50, k.LatencyP99 = perMille(c.latencies, 500), perMille(c.latencies, 990)
	k.LatencyP999 = perMille(c.latencies, 999)
	return k
}

// perMille returns the percentile of sorted values that is given in thousandths.
func perMille(sorted []int64, thousandths int) float64 {
	return float64(sorted[stats.RankPerMille(thousandths, len(sorted))])
}

// idleLatency computes the latency of packets whose message is alone on a network, on the paths
// that routing takes there. A message of one packet has the latency of the closed form on the path
// of that packet: where routing draws, with what it draws for the packet. The packets of a longer
// message wait for each other at their source and on their path, by rules 1 to 6 of the network
// model. Where routing has no choice between links the wait depends only on the links of the path,
// so one message for each kind of path is sent through an empty network. Elsewhere each message is
// sent through it, up to maxAloneFlits in all: the latency of further messages is the mean of
// those.
type idleLatency struct {
	config  netsim.Config
	flits   int32
	network *netsim.Network // empty between messages; nil before the first packet
	byHops  bool            // the latency follows from the hops of a packet

	byEnds   map[nodePair]float64   // by source and destination; NaN where packets differ
	byPath   map[string]float64     // by the times of the links of the only path
	arriving map[int32]aloneMessage // by router.Packet.Message, of which some packets are missing
	sum, n   float64                // of the latencies of messages sent alone
}

// nodePair is a source and a destination.
type nodePair struct{ from, to topology.Node }

// aloneMessage is the mean latency of the packets of a message that was sent alone, and the number
// of its packets that have not arrived in the run.
type aloneMessage struct {
	latency float64
	missing int32
}

// maxAloneFlits is enough for a mean: 32,000 messages of four packets of 8 flits.
const maxAloneFlits = 1 << 20

// newIdleLatency returns the idle latencies of messages of a length in flits.
func newIdleLatency(config netsim.Config, flits int) *idleLatency {
	return &idleLatency{config: config, flits: int32(flits), byEnds: map[nodePair]float64{},
		byPath: map[string]float64{}, arriving: map[int32]aloneMessage{}}
}

// newIdleLatencies returns the idle latencies of the messages of a plan's traffic, one for each of
// their lengths, in order.
func newIdleLatencies(config netsim.Config, plan *config.Plan) (list []*idleLatency) {
	for _, l := range plan.Workload.Traffic.Lengths {
		list = append(list, newIdleLatency(config, int(l.Flits)))
	}
	if list == nil {
		list = append(list, newIdleLatency(config, plan.Job.Flits))
	}
	return list
}

// of returns the latency in cycles that a packet would have had if its message had been alone: the
// mean over the packets of the message.
func (i *idleLatency) of(p *router.Arrival) (latency float64, err error) {
	if i.network == nil {
		if i.network, err = netsim.New(i.config); err != nil {
			return 0, err
		}
		i.config = i.network.Config()
		i.byHops = i.onePacket() && !i.config.LinksDiffer() && !i.network.LoadMatters()
	}
	if i.byHops {
		return float64(i.config.ZeroLoadLatency(int(p.Hops), int(i.flits))), nil
	}
	ends := nodePair{p.From, p.To}
	latency, known := i.byEnds[ends]
	if !known {
		if latency, err = i.ofEnds(ends, p); err != nil {
			return 0, err
		}
		i.byEnds[ends] = latency
	}
	if !math.IsNaN(latency) {
		return latency, nil
	}
	if i.onePacket() {
		if latency, exact := i.uncontended(p); exact {
			return latency, nil
		}
	}
	return i.ofMessage(p)
}

// ofEnds returns the latency that all packets between two nodes have, NaN if it is not the same for
// all.
func (i *idleLatency) ofEnds(ends nodePair, p *router.Arrival) (float64, error) {
	if path, only := i.network.SolePath(ends.from, ends.to); only {
		return i.onPath(path, ends)
	}
	if i.onePacket() && !i.network.DrawsPaths() {
		if latency, exact := i.uncontended(p); exact {
			return latency, nil
		}
	}
	return math.NaN(), nil
}

// uncontended returns the latency of a message of one packet alone on the path of that packet. It
// reports false where the closed form is not exact.
func (i *idleLatency) uncontended(p *router.Arrival) (latency float64, exact bool) {
	path := i.network.UncontendedPath(router.Header{Source: p.From, Destination: p.To,
		Packet: p.Identity, Flow: p.Flow})
	if i.config.PacedByInputs(path) {
		return 0, false
	}
	return float64(i.config.ZeroLoadLatencyOver(path, int(i.flits))), true
}

// onePacket reports whether messages are of one packet.
func (i *idleLatency) onePacket() bool { return int(i.flits) <= i.config.PacketFlits }

// onPath returns the latency between two nodes on the only path between them.
func (i *idleLatency) onPath(path []router.LinkTiming, ends nodePair) (latency float64, err error) {
	if i.onePacket() && !i.config.PacedByInputs(path) {
		return float64(i.config.ZeroLoadLatencyOver(path, int(i.flits))), nil
	}
	kind := fmt.Sprint(path)
	latency, ok := i.byPath[kind]
	if !ok {
		latency, err = i.sendAlone(ends)
		i.byPath[kind] = latency
	}
	return latency, err
}

// ofMessage returns the latency of a packet of a message that has a choice of paths, which is the
// same for all packets of the message.
func (i *idleLatency) ofMessage(p *router.Arrival) (latency float64, err error) {
	m := i.arriving[p.Message]
	if i.onePacket() || m.missing == 0 {
		m.missing = (i.flits-1)/int32(i.config.PacketFlits) + 1
		if i.n*float64(i.flits) < maxAloneFlits {
			if m.latency, err = i.sendAlone(nodePair{p.From, p.To}); err != nil {
				return 0, err
			}
			i.sum += m.latency
			i.n++
		} else {
			m.latency = i.sum / i.n
		}
	}
	if m.missing--; m.missing > 0 {
		i.arriving[p.Message] = m
	} else {
		delete(i.arriving, p.Message)
	}
	return m.latency, nil
}

// recoveryCycles is more than a network needs after a message until no credit and no busy link is
// left of it.
const recoveryCycles = 1 << 28

// sendAlone sends a message from one node to another through the empty network, and returns the
// mean latency of its packets.
func (i *idleLatency) sendAlone(ends nodePair) (float64, error) {
	sum, packets := 0.0, 0.0
	i.network.Watch(func(p *router.Arrival) {
		sum += float64(p.Delivered - p.Created)
		packets++
	})
	i.network.Send(netsim.Message{From: ends.from, To: ends.to, Flits: i.flits})
	for i.network.Pending() > 0 {
		if _, _, err := i.network.Advance(i.network.Now() + recoveryCycles); err != nil {
			return 0, err
		}
	}
	_, _, err := i.network.Advance(i.network.Now() + recoveryCycles)
	return sum / packets, err
}
