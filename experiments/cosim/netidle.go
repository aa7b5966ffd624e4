package cosim

import (
	"fmt"

	"contend/experiments/spec"
	"contend/netsim"
	"contend/netsim/topology"
	"contend/router"
)

// IdleLatency computes the mean latency of the packets of a message that is alone on a network.
// A message of one packet has the latency of the closed form. The packets of a longer message
// wait for each other at their source and on their way, by rules 1 to 6 of the network model.
// The wait depends only on the links of the path, so one message of each kind of path is sent
// through an empty network. Where links differ and routing has a choice between them, a message
// is sent between every two nodes that are asked about.
type IdleLatency struct {
	config  netsim.Config
	machine spec.Machine
	flits   int32
	known   map[path]float64
	ways    map[string]float64 // by the times of the links of a path
	network *netsim.Network    // where paths are looked up; nil until one is
}

// path is what a latency is known by: a number of network channels or, where links differ, two
// nodes.
type path struct {
	hops     int
	from, to topology.Node
}

// NewIdleLatency returns the latencies of messages of so many flits.
func NewIdleLatency(config netsim.Config, machine spec.Machine, flits int) *IdleLatency {
	return &IdleLatency{config: config, machine: machine, flits: int32(flits),
		known: map[path]float64{}, ways: map[string]float64{}}
}

// NewIdleLatencies returns the latencies of the messages of a plan's traffic, by their lengths in
// order.
func NewIdleLatencies(config netsim.Config, plan *spec.Plan) (list []*IdleLatency) {
	for _, l := range plan.Workload.Traffic.Lengths {
		list = append(list, NewIdleLatency(config, plan.Machine, int(l.Flits)))
	}
	if list == nil {
		list = append(list, NewIdleLatency(config, plan.Machine, plan.Job.Flits))
	}
	return list
}

// Mean returns the mean latency in cycles of the packets of a message between two nodes.
func (i *IdleLatency) Mean(from, to topology.Node) (float64, error) {
	way := path{hops: i.machine.Distance(from, to)}
	differ := i.config.LinksDiffer()
	if differ {
		way.from, way.to = from, to
	}
	latency, ok := i.known[way]
	if !ok {
		var err error
		if differ {
			latency, err = i.overLinks(from, to)
		} else {
			latency, err = i.overHops(from, to, way.hops)
		}
		if err != nil {
			return 0, err
		}
		i.known[way] = latency
	}
	return latency, nil
}

// overHops is the latency of a path of so many network channels, all links being alike.
func (i *IdleLatency) overHops(from, to topology.Node, hops int) (float64, error) {
	if int(i.flits) <= i.config.PacketFlits {
		return float64(i.config.ZeroLoadLatency(hops, int(i.flits))), nil
	}
	return i.alone(from, to)
}

// overLinks is the latency between two nodes where links differ.
func (i *IdleLatency) overLinks(from, to topology.Node) (latency float64, err error) {
	if i.network == nil {
		if i.network, err = netsim.New(i.config); err != nil {
			return 0, err
		}
	}
	way, sole := i.network.SoleWay(from, to)
	if !sole {
		return i.alone(from, to)
	}
	config := i.network.Config()
	if int(i.flits) <= config.PacketFlits && !config.PacedByInputs(way) {
		return float64(config.ZeroLoadLatencyOver(way, int(i.flits))), nil
	}
	kind := fmt.Sprint(way)
	latency, ok := i.ways[kind]
	if !ok {
		if latency, err = i.alone(from, to); err == nil {
			i.ways[kind] = latency
		}
	}
	return latency, err
}

// alone sends a message from one node to another through an empty network.
func (i *IdleLatency) alone(from, to topology.Node) (float64, error) {
	net, err := netsim.New(i.config)
	if err != nil {
		return 0, err
	}
	sum, packets := 0.0, 0.0
	net.Watch(func(p *router.Arrival) {
		sum += float64(p.Delivered - p.Created)
		packets++
	})
	net.Send(netsim.Message{From: from, To: to, Flits: i.flits})
	for net.Pending() > 0 {
		if _, _, err := net.Advance(net.Now() + 1<<20); err != nil {
			return 0, err
		}
	}
	return sum / packets, nil
}
