package cosim

import (
	"context"
	"fmt"
	"math/rand/v2"

	"contend/experiments/spec"
	"contend/netsim"
	"contend/netsim/topology"
	"contend/scheduler"
)

// Open-loop traffic (workload.source = "traffic") loads a bare network. There are no jobs. Nodes
// create messages at a rate that does not depend on the network. A run measures one load, as
// contend net does.

// selfUniform returns uniform traffic in which a node also sends to itself.
func selfUniform(nodes int) func(topology.Node, *rand.Rand) topology.Node {
	return func(_ topology.Node, rng *rand.Rand) topology.Node {
		return topology.Node(rng.IntN(nodes))
	}
}

// destinations returns the function that draws the destinations of a plan's traffic.
func destinations(plan *spec.Plan) (func(topology.Node, *rand.Rand) topology.Node, error) {
	t := &plan.Workload.Traffic
	if t.SelfUniform {
		return selfUniform(plan.Machine.Nodes()), nil
	}
	to, err := netsim.TrafficByName(t.Name, plan.Machine)
	if err != nil {
		return nil, spec.FieldTraffic.Bad("take uniform or hotspot, or another machine",
			"%s is %s: %v", spec.FieldTraffic, t.Name, err)
	}
	return to, nil
}

// checkTraffic returns an error if a plan of traffic cannot run.
func (s *Simulator) checkTraffic(plan *spec.Plan) error {
	if _, err := s.NewNetwork(plan, 0); err != nil {
		return err
	}
	_, err := destinations(plan)
	return err
}

// runTraffic simulates one replication of a plan of traffic.
func (s *Simulator) runTraffic(
	ctx context.Context, plan *spec.Plan, replication int, extra *Extra,
) (Result, error) {
	net, err := s.NewNetwork(plan, replication)
	if err != nil {
		return Result{}, err
	}
	to, err := destinations(plan)
	if err != nil {
		return Result{}, err
	}
	var t *timeline
	if extra != nil && extra.Series {
		t = newTimeline(plan, scheduler.Clock{}, net)
	}
	w := &plan.Workload.Traffic
	a, b := plan.StreamSeed(replication, fmt.Sprintf("traffic %s %v", w.Name, w.Load))
	tr := netsim.Traffic{Destination: to, Load: w.Load, Flits: int32(plan.Job.Flits),
		Self: w.Self}
	k := NetCurve{Plan: plan, Warmup: w.Warmup, Window: w.Window,
		Idle: NewIdleLatency(net.Config(), plan.Machine, plan.Job.Flits)}
	p, err := k.measure(ctx, net, &tr, rand.New(rand.NewPCG(a, b)))
	if err != nil {
		return Result{}, err
	}
	if extra != nil && extra.Links {
		extra.LinkRows = linkRows(net)
	}
	if t != nil {
		extra.SeriesRows, extra.LoadRows = t.rows(0)
	}
	r := p.result()
	r.inRealUnits(plan, 1)
	r.Check(plan.Registry)
	return r, nil
}

// result returns the metrics of a point.
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
		add(percentileName("latency", 50), p.LatencyP50)
		add(percentileName("latency", 90), p.LatencyP90)
		add(percentileName("latency", 99), p.LatencyP99)
		add("network_latency", p.NetworkLatency)
		add("source_wait", p.Latency-p.NetworkLatency)
		add("packet_blocking_time", p.Blocking)
		add("idle_latency", p.ZeroLoad)
		add("mean_hops", p.MeanHops)
	}
	add("packets", float64(p.Packets))
	return r
}
