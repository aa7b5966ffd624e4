package openloop

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"contend/experiments"
	"contend/experiments/cosim"
	"contend/experiments/spec"
	"contend/netsim"
)

// NetConfig asks for curves of latency over offered load of bare networks.
type NetConfig struct {
	// Spec gives the machine and the network, job.flits the length of a
	// message, and the seed.
	Spec spec.Spec
	// Dims are the machines to look at in place of the spec's, if any.
	Dims [][]int
	// Traffic are the patterns, of netsim.TrafficNames.
	Traffic []string
	// Loads are offered loads in flits per node and cycle, ascending. A
	// curve ends with the first load at which it is saturated, see NetPoint.
	Loads []float64
	// Warmup cycles are not measured; messages created in the Window cycles
	// after it are. 0 takes the automatic lengths, see netCycles.
	Warmup, Window int64
	Replications   int // runs of each curve with different seeds
	Workers        int // curves simulated at the same time
	// Progress, if not nil, is called as curves come to an end.
	Progress func(done, total int)
}

// curve is one replication of a machine under one traffic, over the loads.
type curve struct {
	cosim.NetCurve
	at     int // place in the list
	points []cosim.NetPoint
	err    error
}

// RunNet simulates the curves, in parallel. Traffic a machine cannot have
// (transpose on an oblong one) is left out, with a word in the notes.
func RunNet(s *cosim.Simulator, ctx context.Context,
	c NetConfig) (points []cosim.NetPoint, notes []string, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = spec.NewPanicError(p, c.Spec.OwnNetworkParts())
		}
	}()
	curves, notes, err := netCurves(s, &c)
	if err != nil {
		return nil, nil, err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	done := 0
	experiments.Pool(ctx, c.Workers, curves, func(ctx context.Context, k curve) curve {
		k.points, k.err = runCurve(s, ctx, &c, &k)
		return k
	}, func(k curve) {
		if curves[k.at] = k; k.err != nil {
			stop()
		}
		if done++; c.Progress != nil {
			c.Progress(done, len(curves))
		}
	})
	for _, k := range curves {
		if k.err != nil && (err == nil || errors.Is(err, context.Canceled)) {
			err = k.err // the others are cancelled for its sake
		}
		points = append(points, k.points...)
	}
	if err != nil {
		return nil, nil, err
	}
	return points, notes, ctx.Err()
}

// netCurves expands the configuration and checks it.
func netCurves(s *cosim.Simulator, c *NetConfig) (list []curve, notes []string, err error) {
	dims := c.Dims
	if len(dims) == 0 {
		dims = [][]int{c.Spec.Machine.Dims}
	}
	for _, d := range dims {
		with := c.Spec
		with.Machine.Dims = d
		plan, err := with.Plan()
		if err != nil {
			return nil, nil, err
		}
		machine := plan.Machine
		if machine.Nodes() < 2 {
			return nil, nil, spec.BadInput("machine.dims", "give at least two nodes",
				"a machine of one node has no traffic")
		}
		net, err := s.NewNetwork(plan, 0)
		if err != nil {
			return nil, nil, err
		}
		for i, name := range c.Traffic {
			if slices.Contains(c.Traffic[:i], name) {
				return nil, nil, spec.BadInput("", "give each traffic once",
					"the traffic %s is given twice", name)
			}
			if !slices.Contains(netsim.TrafficNames(), name) {
				return nil, nil, spec.BadInput("", spec.OneOf(name, netsim.TrafficNames()),
					"unknown traffic %q", name)
			}
			if _, err := netsim.TrafficByName(name, machine); err != nil {
				notes = append(notes, fmt.Sprintf("%s is left out: %v", name, err))
				continue
			}
			for r := range max(1, c.Replications) {
				k := cosim.NetCurve{Plan: plan, Traffic: name, Replication: r,
					Warmup: c.Warmup, Window: c.Window,
					Idle: cosim.NewIdleLatency(net.Config(), machine, plan.Job.Flits)}
				list = append(list, curve{NetCurve: k, at: len(list)})
			}
		}
	}
	if len(list) == 0 {
		return nil, nil, spec.BadInput("", "give uniform or hotspot",
			"no traffic is left to measure: %s", strings.Join(notes, "; "))
	}
	return list, notes, nil
}

// runCurve simulates a curve. It turns a panic into an error.
func runCurve(s *cosim.Simulator, ctx context.Context, c *NetConfig,
	k *curve) (points []cosim.NetPoint, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = spec.NewPanicError(p, c.Spec.OwnNetworkParts())
		}
	}()
	for _, load := range c.Loads {
		p, err := s.NetPoint(ctx, &k.NetCurve, load)
		if err != nil {
			return nil, err
		}
		if p.Packets == 0 && !p.Saturated {
			continue // no packet was created in the measurement window
		}
		points = append(points, p)
		if p.Saturated {
			break
		}
	}
	return points, nil
}

// TrafficNames lists the traffic patterns.
func TrafficNames() []string { return netsim.TrafficNames() }

// DefaultLoads returns loads from far below saturation to one flit per node and
// cycle, in growing steps.
func DefaultLoads() []float64 {
	loads := []float64{0.002}
	for i := 1; i <= 24; i++ {
		loads = append(loads, float64(i*5)/1000)
	}
	for i := 7; i <= 50; i++ {
		loads = append(loads, float64(i*2)/100)
	}
	return loads
}

// leastLoad is the least load, in flits per node and cycle. Loads are rounded to
// multiples of it.
const leastLoad = 1e-9

// ParseLoads reads loads in flits per node and cycle: FROM:TO:STEP with both ends
// included, or a list separated by commas. It returns them in ascending order, each once:
// a load that was measured twice would count as two replications.
func ParseLoads(text string) ([]float64, error) {
	bad := &spec.InputError{Where: "--loads " + text, Problem: "no loads",
		Right: "give FROM:TO:STEP such as 0.02:0.40:0.02, or loads separated by commas, in flits " +
			"per node and cycle, from 1e-9 to 1"}
	read := func(parts []string) ([]float64, bool) {
		var x []float64
		for _, p := range parts {
			v, err := strconv.ParseFloat(strings.TrimSpace(p), 64)
			if err != nil || !(v >= leastLoad) || v > 1 {
				return nil, false
			}
			x = append(x, v)
		}
		return x, true
	}
	if parts := strings.Split(text, ":"); len(parts) == 3 {
		x, ok := read(parts)
		if !ok || x[1] < x[0] || (x[1]-x[0])/x[2] > 10000 {
			return nil, bad
		}
		var loads []float64
		for i := range int((x[1]-x[0])/x[2]+1e-9) + 1 {
			// Round to get 0.06, not 0.060000000000000005.
			loads = append(loads, math.Round((x[0]+float64(i)*x[2])*1e9)/1e9)
		}
		return slices.Compact(loads), nil
	}
	loads, ok := read(strings.Split(text, ","))
	if !ok {
		return nil, bad
	}
	slices.Sort(loads)
	return slices.Compact(loads), nil
}
