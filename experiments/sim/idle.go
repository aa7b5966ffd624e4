package sim

import (
	"fmt"
	"math"

	"contend/experiments/config"
	"contend/netsim"
	"contend/router"
	"contend/router/topology"
)

// idleLatency computes the latency of packets whose message is alone on a network, on the ways
// that routing takes there. A message of one packet has the latency of the closed form, on the
// way of that very packet: where routing draws, with what it draws for the packet. The packets of
// a longer message wait for each other at their source and on their way, by rules 1 to 6 of the
// network model. Where routing has no choice between links the wait depends only on the links of
// the path, so one message of each kind of path is sent through an empty network. Elsewhere each
// message is sent through it, until aloneFlits have been: messages from then on count as the mean
// of those before.
type idleLatency struct {
	config  netsim.Config
	flits   int32
	network *netsim.Network // an empty one; nil until something is asked
	byHops  bool            // the hops of a packet say all

	sole   map[pair]float64   // where all packets have the same one, else NaN
	kinds  map[string]float64 // by the times of the links of a path
	begun  map[int32]begun    // by router.Packet.Message
	sum, n float64            // of the messages that were sent alone
}

// pair is a source and a destination.
type pair struct{ from, to topology.Node }

// begun is a message of several packets of which some have not arrived.
type begun struct {
	latency float64 // mean of its packets
	missing int32
}

// aloneFlits are enough for a mean: 32,000 messages of four packets of 8 flits, or fewer of more.
const aloneFlits = 1 << 20

// newIdleLatency returns the latencies of messages of that length in flits.
func newIdleLatency(config netsim.Config, flits int) *idleLatency {
	return &idleLatency{config: config, flits: int32(flits), sole: map[pair]float64{},
		kinds: map[string]float64{}, begun: map[int32]begun{}}
}

// newIdleLatencies returns the latencies of the messages of a plan's traffic, by their lengths in
// order.
func newIdleLatencies(config netsim.Config, plan *config.Plan) (list []*idleLatency) {
	for _, l := range plan.Workload.Traffic.Lengths {
		list = append(list, newIdleLatency(config, int(l.Flits)))
	}
	if list == nil {
		list = append(list, newIdleLatency(config, plan.Job.Flits))
	}
	return list
}

// Of returns the latency in cycles of a packet that has arrived, if its message had been alone:
// the mean over the packets of the message.
func (i *idleLatency) Of(p *router.Arrival) (latency float64, err error) {
	if i.network == nil {
		if i.network, err = netsim.New(i.config); err != nil {
			return 0, err
		}
		i.config = i.network.Config()
		i.byHops = i.single() && !i.config.LinksDiffer() && !i.network.LoadMatters()
	}
	if i.byHops {
		return float64(i.config.ZeroLoadLatency(int(p.Hops), int(i.flits))), nil
	}
	ends := pair{p.From, p.To}
	latency, known := i.sole[ends]
	if !known {
		latency = math.NaN()
		if way, sole := i.network.SolePath(p.From, p.To); sole {
			if latency, err = i.over(way, ends); err != nil {
				return 0, err
			}
		} else if i.single() && !i.network.DrawsPaths() {
			if l, exact := i.uncontended(p); exact {
				latency = l
			}
		}
		i.sole[ends] = latency
	}
	if !math.IsNaN(latency) {
		return latency, nil
	}
	if i.single() {
		if latency, exact := i.uncontended(p); exact {
			return latency, nil
		}
	}
	return i.drawn(p)
}

// uncontended returns the latency of a message of one packet alone on the path of that packet, where
// the closed form is exact.
func (i *idleLatency) uncontended(p *router.Arrival) (latency float64, exact bool) {
	way := i.network.UncontendedPath(router.Header{Source: p.From, Destination: p.To,
		Packet: p.Identity, Flow: p.Flow})
	if i.config.PacedByInputs(way) {
		return 0, false
	}
	return float64(i.config.ZeroLoadLatencyOver(way, int(i.flits))), true
}

// single reports whether messages are of one packet.
func (i *idleLatency) single() bool { return int(i.flits) <= i.config.PacketFlits }

// over is the latency between two nodes on the only way between them.
func (i *idleLatency) over(way []router.LinkTiming, ends pair) (latency float64, err error) {
	if i.single() && !i.config.PacedByInputs(way) {
		return float64(i.config.ZeroLoadLatencyOver(way, int(i.flits))), nil
	}
	kind := fmt.Sprint(way)
	latency, ok := i.kinds[kind]
	if !ok {
		latency, err = i.alone(ends)
		i.kinds[kind] = latency
	}
	return latency, err
}

// drawn is the latency of a packet of a message that has a choice of ways. All packets of the
// message have the same one.
func (i *idleLatency) drawn(p *router.Arrival) (latency float64, err error) {
	m := i.begun[p.Message]
	if i.single() || m.missing == 0 {
		m.missing = (i.flits-1)/int32(i.config.PacketFlits) + 1
		if i.n*float64(i.flits) < aloneFlits {
			if m.latency, err = i.alone(pair{p.From, p.To}); err != nil {
				return 0, err
			}
			i.sum += m.latency
			i.n++
		} else {
			m.latency = i.sum / i.n
		}
	}
	if m.missing--; m.missing > 0 {
		i.begun[p.Message] = m
	} else {
		delete(i.begun, p.Message)
	}
	return m.latency, nil
}

// rest is longer than it takes until a network is as if nothing had been sent.
const rest = 1 << 28

// alone sends a message from one node to another through the empty network.
func (i *idleLatency) alone(ends pair) (float64, error) {
	sum, packets := 0.0, 0.0
	i.network.Watch(func(p *router.Arrival) {
		sum += float64(p.Delivered - p.Created)
		packets++
	})
	i.network.Send(netsim.Message{From: ends.from, To: ends.to, Flits: i.flits})
	for i.network.Pending() > 0 {
		if _, _, err := i.network.Advance(i.network.Now() + rest); err != nil {
			return 0, err
		}
	}
	_, _, err := i.network.Advance(i.network.Now() + rest)
	return sum / packets, err
}
