package openloop

import (
	"context"
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

// RunNet simulates all curves in parallel. It leaves out traffic that a machine
// does not support, such as transpose on an oblong mesh; the notes say so.
func RunNet(s *cosim.Simulator, ctx context.Context, c cosim.NetConfig) (points []cosim.NetPoint,
	notes []string, err error) {
	curves, notes, err := netCurves(s, &c)
	if err != nil {
		return nil, nil, err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	done := 0
	run := func(ctx context.Context, k cosim.NetCurve) cosim.NetCurve {
		k.Points, k.Err = runCurve(s, ctx, &c, &k)
		return k
	}
	experiments.Pool(ctx, c.Workers, curves, run, func(k cosim.NetCurve) {
		if curves[k.At] = k; k.Err != nil {
			stop()
		}
		if done++; c.Progress != nil {
			c.Progress(done, len(curves))
		}
	})
	for _, k := range curves {
		if k.Err != nil {
			return nil, nil, k.Err
		}
		points = append(points, k.Points...)
	}
	return points, notes, ctx.Err()
}

// netCurves expands and checks the configuration.
func netCurves(s *cosim.Simulator, c *cosim.NetConfig) (list []cosim.NetCurve, notes []string,
	err error) {
	dims := c.Dims
	if len(dims) == 0 {
		dims = [][]int{c.Spec.Machine.Sides()}
	}
	for _, d := range dims {
		plan := c.Spec
		plan.Machine.Dims = d
		machine, err := spec.NewMachine(&plan.Machine)
		if err != nil {
			return nil, nil, err
		}
		if machine.Nodes() < 2 {
			return nil, nil, spec.BadInput("machine.dims", "give at least two nodes",
				"a machine of one node has no traffic")
		}
		net, err := s.NewNetwork(&plan, machine, 0)
		if err != nil {
			return nil, nil, err
		}
		for _, name := range c.Traffic {
			if !slices.Contains(netsim.TrafficNames(), name) {
				return nil, nil, spec.BadInput("", spec.OneOf(name, netsim.TrafficNames()),
					"unknown traffic %q", name)
			}
			if _, err := netsim.TrafficByName(name, machine); err != nil {
				notes = append(notes, fmt.Sprintf("%s is left out: %v", name, err))
				continue
			}
			for r := range max(1, c.Replications) {
				list = append(list, cosim.NetCurve{Spec: plan, Traffic: name, Replication: r,
					At:   len(list),
					Idle: cosim.NewIdleLatency(net.Config(), machine, plan.Job.Flits)})
			}
		}
	}
	if len(list) == 0 {
		return nil, nil, spec.BadInput("", "give uniform or hotspot",
			"no traffic is left to measure: %s", strings.Join(notes, "; "))
	}
	return list, notes, nil
}

// runCurve simulates one curve load by load, up to the first load that saturates
// the network.
func runCurve(s *cosim.Simulator, ctx context.Context, c *cosim.NetConfig,
	k *cosim.NetCurve) ([]cosim.NetPoint, error) {
	var points []cosim.NetPoint
	for _, load := range c.Loads {
		p, err := s.NetPoint(ctx, c, k, load)
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

// ParseLoads reads loads in flits per node and cycle: FROM:TO:STEP with both ends
// included, or a list separated by commas. It returns them in ascending order.
func ParseLoads(text string) ([]float64, error) {
	bad := &spec.InputError{Where: "--loads " + text, Problem: "no loads",
		Right: "give FROM:TO:STEP such as 0.02:0.40:0.02, or loads separated by commas, in flits " +
			"per node and cycle, above 0 and at most 1"}
	read := func(parts []string) ([]float64, bool) {
		var x []float64
		for _, p := range parts {
			v, err := strconv.ParseFloat(strings.TrimSpace(p), 64)
			if err != nil || !(v > 0) || v > 1 {
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
		return loads, nil
	}
	loads, ok := read(strings.Split(text, ","))
	if !ok {
		return nil, bad
	}
	slices.Sort(loads)
	return loads, nil
}
