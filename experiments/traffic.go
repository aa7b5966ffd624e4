package experiments

import (
	"context"
	"fmt"
	"math/rand/v2"

	"contend/netsim"
	"contend/netsim/topology"
)

// Open-loop traffic (workload.source = "traffic") loads a bare network: there are
// no jobs, and nodes create messages whatever becomes of them. What is measured is
// that of contend net, one load a run.

// selfUniform is uniform traffic of which a node gets as much of its own as others.
func selfUniform(nodes int) func(topology.Node, *rand.Rand) topology.Node {
	return func(_ topology.Node, rng *rand.Rand) topology.Node {
		return topology.Node(rng.IntN(nodes))
	}
}

// destinations returns where the messages of a spec's traffic go.
func (s *Spec) destinations(machine Machine) (func(topology.Node, *rand.Rand) topology.Node, error) {
	w := &s.Workload
	if w.SelfMessages && w.Traffic == "uniform" {
		return selfUniform(machine.Nodes()), nil
	}
	to, err := netsim.TrafficByName(w.Traffic, machine)
	if err != nil {
		return nil, badInput("workload.traffic", "take uniform or hotspot, or another machine",
			"workload.traffic is %s: %v", w.Traffic, err)
	}
	return to, nil
}

// checkTraffic returns what is wrong with a spec of traffic before it is run.
func (s *Simulator) checkTraffic(spec *Spec) error {
	machine, err := newMachine(&spec.Machine)
	if err != nil {
		return err
	}
	if _, err := s.newNetwork(spec, machine, 0); err != nil {
		return err
	}
	_, err = spec.destinations(machine)
	return err
}

// runTraffic simulates one replication of a spec of traffic.
func (s *Simulator) runTraffic(ctx context.Context, spec *Spec, replication int,
	extra *Extra) (Result, error) {
	machine, err := newMachine(&spec.Machine)
	if err != nil {
		return Result{}, err
	}
	net, err := s.newNetwork(spec, machine, replication)
	if err != nil {
		return Result{}, err
	}
	to, err := spec.destinations(machine)
	if err != nil {
		return Result{}, err
	}
	w := &spec.Workload
	a, b := spec.StreamSeed(replication, fmt.Sprintf("traffic %s %v", w.Traffic, w.TrafficLoad))
	tr := netsim.Traffic{Destination: to, Load: w.TrafficLoad, Flits: int32(spec.Job.Flits),
		Self: w.SelfMessages}
	c := NetConfig{Spec: *spec, Warmup: w.WarmupCycles, Window: w.WindowCycles}
	idle := newIdleLatency(net.Config(), machine, spec.Job.Flits)
	p, err := c.measure(ctx, net, machine, &tr, rand.New(rand.NewPCG(a, b)), idle)
	if err != nil {
		return Result{}, err
	}
	if extra != nil && extra.Links {
		extra.LinkRows = linkRows(net)
	}
	r := p.result()
	r.check()
	return r, nil
}

// result gives the metrics of a point their names. Latencies are those of the
// packets created in the measurement window.
func (p *NetPoint) result() (r Result) {
	add := func(name string, value float64) { r.Metrics = append(r.Metrics, Metric{name, value}) }
	saturated := 0.0
	if p.Saturated {
		saturated = 100
	}
	add("created_load", p.Created)
	add("accepted_load", p.Accepted)
	add("saturated", saturated)
	if p.Packets > 0 {
		add("latency", p.Latency)
		add("network_latency", p.NetworkLatency)
		add("source_wait", p.Latency-p.NetworkLatency)
		add("packet_blocking_time", p.Blocking)
		add("idle_latency", p.ZeroLoad)
		add("mean_hops", p.MeanHops)
	}
	add("packets", float64(p.Packets))
	return r
}
