package sim

import (
	"fmt"
	"math"

	"contend/experiments/config"
	"contend/netsim"
	"contend/router"
	"contend/router/topology"
)

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
