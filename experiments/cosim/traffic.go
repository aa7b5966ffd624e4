package cosim

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"contend/experiments/spec"
	"contend/netsim"
	"contend/scheduler"
)

// Open-loop traffic (workload.source = "traffic") loads a bare network. There are no jobs. Nodes
// create messages at a rate that does not depend on the network. A run measures one load, as
// contend net does.

// NewTraffic returns the traffic of a plan for one replication, of a pattern and with a load in
// flits per node and cycle. The plan has all else. The error says why the machine has no such
// traffic, or what is wrong with the file of a matrix, which is read unless the pattern has its
// weights. Traffic.Check has to be asked about the load.
func NewTraffic(plan *spec.Plan, p netsim.TrafficPattern, replication int,
	load float64) (*netsim.Traffic, error) {
	k, _ := p.Kind()
	if p.File != "" && p.Matrix == nil {
		var err error
		if p.Matrix, _, err = spec.ReadMatrix(p); err != nil {
			return nil, err
		}
	}
	w := &plan.Workload.Traffic
	tr := &netsim.Traffic{Load: load, Flits: int32(plan.Job.Flits), Lengths: w.Lengths,
		Bursts: w.Bursts, Self: w.Self && k.Self}
	// What is drawn for a whole run is the same at all loads.
	a, b := plan.StreamSeed(replication, "traffic "+p.String())
	d, err := p.On(spec.Unwrap(plan.Machine), tr.Self, rand.New(rand.NewPCG(a, b)))
	tr.Destination, tr.Rates = d.To, d.Rates
	return tr, err
}

// trafficStream returns the stream from which the messages of a run are drawn.
func trafficStream(plan *spec.Plan, p netsim.TrafficPattern, replication int,
	load float64) *rand.Rand {
	a, b := plan.StreamSeed(replication, fmt.Sprintf("traffic %s %v", p, load))
	return rand.New(rand.NewPCG(a, b))
}

// checkTraffic returns an error if a plan of traffic cannot run.
func (s *Simulator) checkTraffic(plan *spec.Plan) error {
	if _, err := s.NewNetwork(plan, 0); err != nil {
		return err
	}
	w := &plan.Workload.Traffic
	tr, err := NewTraffic(plan, w.Pattern, 0, w.Load)
	var file *spec.InputError
	if errors.As(err, &file) {
		return file
	}
	if err != nil {
		return spec.FieldTraffic.Bad("take uniform or hotspot, or another machine",
			"%s is %s: %v", spec.FieldTraffic, w.Pattern, err)
	}
	if err := tr.Check(); err != nil {
		return spec.FieldTrafficLoad.Refuse(err)
	}
	return nil
}

// runTraffic simulates one replication of a plan of traffic.
func (s *Simulator) runTraffic(
	ctx context.Context, plan *spec.Plan, replication int, extra *Extra,
) (Result, error) {
	if err := s.checkTraffic(plan); err != nil {
		return Result{}, err
	}
	net, err := s.NewNetwork(plan, replication)
	if err != nil {
		return Result{}, err
	}
	w := &plan.Workload.Traffic
	tr, err := NewTraffic(plan, w.Pattern, replication, w.Load)
	if err != nil {
		return Result{}, err
	}
	var t *timeline
	if extra != nil && extra.Series {
		t = newTimeline(plan, scheduler.Clock{}, net)
	}
	k := NetCurve{Plan: plan, Warmup: w.Warmup, Window: w.Window,
		Idle: NewIdleLatencies(net.Config(), plan)}
	p, err := k.measure(ctx, net, tr, trafficStream(plan, w.Pattern, replication, w.Load))
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
