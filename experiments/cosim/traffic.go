package cosim

import (
	"context"
	"fmt"
	"math/rand/v2"

	"contend/experiments/spec"
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
func destinations(s *spec.Spec, machine spec.Machine) (func(topology.Node, *rand.Rand) topology.Node, error) {
	w := &s.Workload
	if w.SelfMessages && w.Traffic == "uniform" {
		return selfUniform(machine.Nodes()), nil
	}
	to, err := netsim.TrafficByName(w.Traffic, machine)
	if err != nil {
		return nil, spec.BadInput("workload.traffic", "take uniform or hotspot, or another machine",
			"workload.traffic is %s: %v", w.Traffic, err)
	}
	return to, nil
}

// checkTraffic returns what is wrong with a spec of traffic before it is run.
func (s *Simulator) checkTraffic(plan *spec.Spec) error {
	machine, err := spec.NewMachine(&plan.Machine)
	if err != nil {
		return err
	}
	if _, err := s.NewNetwork(plan, machine, 0); err != nil {
		return err
	}
	_, err = destinations(plan, machine)
	return err
}

// runTraffic simulates one replication of a spec of traffic.
func (s *Simulator) runTraffic(ctx context.Context, plan *spec.Spec, replication int,
	extra *Extra) (Result, error) {
	machine, err := spec.NewMachine(&plan.Machine)
	if err != nil {
		return Result{}, err
	}
	net, err := s.NewNetwork(plan, machine, replication)
	if err != nil {
		return Result{}, err
	}
	to, err := destinations(plan, machine)
	if err != nil {
		return Result{}, err
	}
	w := &plan.Workload
	a, b := plan.StreamSeed(replication, fmt.Sprintf("traffic %s %v", w.Traffic, w.TrafficLoad))
	tr := netsim.Traffic{Destination: to, Load: w.TrafficLoad, Flits: int32(plan.Job.Flits),
		Self: w.SelfMessages}
	c := NetConfig{Spec: *plan, Warmup: w.WarmupCycles, Window: w.WindowCycles}
	idle := NewIdleLatency(net.Config(), machine, plan.Job.Flits)
	p, err := c.measure(ctx, net, machine, &tr, rand.New(rand.NewPCG(a, b)), idle)
	if err != nil {
		return Result{}, err
	}
	if extra != nil && extra.Links {
		extra.LinkRows = linkRows(net)
	}
	r := p.result()
	r.Check(plan.Registry)
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
