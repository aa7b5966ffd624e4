package openloop

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"unsafe"

	"contend/experiments"
	"contend/experiments/sim"

	"contend/experiments/config"
	"contend/internal/decimal"
	"contend/internal/input"
	"contend/netsim"
)

// NetConfig asks for curves of latency over offered load of bare networks.
type NetConfig struct {
	// Spec gives the machine and the network, job.flits the length of a
	// message, and the seed.
	Spec config.Spec
	// Networks are those to look at in place of the spec's, if any. Axis is the key in which those
	// of one machine differ, "" for none.
	Networks []Network
	Axis     string
	// Traffic are the patterns, as netsim.ParseTraffic reads them. The keys of [workload] that
	// act with traffic say what else there is to it, but for the load and the window.
	Traffic []string
	// Channels requests the load of each channel in every point.
	Channels bool
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

// Network is one of several networks, with its value of the axis.
type Network struct {
	Spec  config.Spec
	Value string
}

// curve is one replication of a machine under one traffic, over the loads.
type curve struct {
	sim.LoadCurve
	at     int       // place in the list
	value  string    // of the axis
	loads  []float64 // in flits per node and cycle, ascending
	points []sim.LoadPoint
	silent []string // loads at which no packet was created in the measurement window
	err    error
}

// RunNet simulates the curves, in parallel. Traffic a machine cannot have
// (transpose on an oblong one) is left out, with a word in the notes.
func RunNet(s *sim.Simulator, ctx context.Context,
	c NetConfig) (points []sim.LoadPoint, notes []string, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = input.NewPanicError(p)
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
		k.err = runCurve(s, ctx, &c, &k)
		return k
	}, func(k curve) {
		if curves[k.at] = k; k.err != nil {
			stop()
		}
		if done++; c.Progress != nil {
			c.Progress(done, len(curves))
		}
	})
	var silent []string
	for _, k := range curves {
		if k.err != nil && (err == nil || errors.Is(err, context.Canceled)) {
			err = k.err // the others are cancelled for its sake
		}
		points = append(points, k.points...)
		if len(k.silent) > 0 {
			silent = append(silent, fmt.Sprintf("%s on %s has no row for the load %s: no packet was "+
				"created in the measurement window", k.Traffic, strings.TrimSpace(k.Plan.Topology+" "+
				k.Plan.Size+" "+k.value), strings.Join(k.silent, ", ")))
		}
	}
	if err != nil {
		return nil, nil, err
	}
	if len(points) == 0 && ctx.Err() == nil {
		return nil, nil, input.Bad("", "give more --cycles or greater --loads",
			"nothing was measured: %s", strings.Join(silent, "; "))
	}
	return points, append(notes, silent...), ctx.Err()
}

// netCurves expands the configuration and checks it.
func netCurves(s *sim.Simulator, c *NetConfig) (list []curve, notes []string, err error) {
	patterns, err := netPatterns(c.Traffic)
	if err != nil {
		return nil, nil, err
	}
	networks, right := c.Networks, "give uniform or hotspot"
	if len(networks) == 0 {
		networks = []Network{{Spec: c.Spec}}
	}
	count := float64(max(1, c.Replications)) * float64(len(networks)*len(patterns))
	each := unsafe.Sizeof(curve{}) + uintptr(len(c.Loads))*unsafe.Sizeof(sim.LoadPoint{})
	if err := s.Room(fmt.Sprintf("%.0f curves need", count), count*float64(each),
		"give fewer --replications, --loads or --traffic"); err != nil {
		return nil, nil, err
	}
	note := func(text string) {
		if text != "" && !slices.Contains(notes, text) {
			notes = append(notes, text)
		}
	}
	for _, n := range networks {
		n.Spec.Workload.Source = "traffic"
		if err := s.Fits(n.Spec.Memory()); err != nil {
			return nil, nil, err
		}
		plan, err := n.Spec.Plan()
		if err != nil {
			return nil, nil, err
		}
		m := plan.Machine
		if m.Nodes() < 2 {
			return nil, nil, input.Bad("machine.dims", "give at least two nodes",
				"a machine of one node has no traffic")
		}
		net, err := s.NewNetwork(plan, 0)
		if err != nil {
			return nil, nil, err
		}
		note(sim.LinkNote(plan))
		for _, p := range patterns {
			loads, left, err := possibleLoads(plan, p, c.Loads)
			if err != nil {
				return nil, nil, err
			}
			note(left)
			if strings.HasSuffix(left, tooManyMessages) {
				right = "give smaller loads"
			}
			for r := range max(1, c.Replications) {
				if len(loads) == 0 {
					break
				}
				k := sim.LoadCurve{Plan: plan, Traffic: p, Replication: r, Channels: c.Channels,
					Warmup: c.Warmup, Window: c.Window, Idle: sim.NewIdleLatencies(net.Config(), plan)}
				list = append(list, curve{LoadCurve: k, at: len(list), value: n.Value,
					loads: loads})
			}
		}
	}
	if len(list) == 0 {
		return nil, nil, input.Bad("", right, "no traffic is left to measure: %s",
			strings.Join(notes, "; "))
	}
	return list, notes, nil
}

// netPatterns reads patterns of traffic, with the files of matrices.
func netPatterns(texts []string) (list []netsim.TrafficPattern, err error) {
	for _, text := range texts {
		p, err := netsim.ParseTraffic(text)
		if _, ok := p.Kind(); !ok {
			return nil, input.Bad("", input.OneOf(p.Name, netsim.TrafficNames()),
				"unknown traffic %q", p.Name)
		}
		if err != nil {
			return nil, &input.Error{Where: "--traffic " + text, Problem: err.Error()}
		}
		same := func(o netsim.TrafficPattern) bool { return o.String() == p.String() }
		if slices.ContainsFunc(list, same) {
			return nil, input.Bad("", "give each traffic once", "the traffic %s is given twice", p)
		}
		if p.File != "" {
			if p.Matrix, _, err = config.ReadMatrix(p); err != nil {
				return nil, err
			}
		}
		list = append(list, p)
	}
	return list, nil
}

// tooManyMessages says why loads are left out.
const tooManyMessages = "they need more than a message a cycle of a node"

// possibleLoads returns the loads that the sources of a machine can offer, ascending. The note
// says what is left out: all of them if the machine does not have the traffic.
func possibleLoads(plan *config.Plan, p netsim.TrafficPattern,
	all []float64) (loads []float64, note string, err error) {
	tr, err := sim.NewTraffic(plan, p, 0, all[0])
	if err != nil {
		return nil, fmt.Sprintf("%s is left out: %v", p, err), nil
	}
	most := tr.MaxLoad()
	n, _ := slices.BinarySearch(all, math.Nextafter(most, math.Inf(1)))
	if n > 0 {
		if err := tr.Check(); err != nil {
			return nil, "", input.Bad("", "", "%s: %v", p, err)
		}
	}
	if n < len(all) {
		note = fmt.Sprintf("of %s loads above %s are left out: %s", p, decimal.Significant(most, 4),
			tooManyMessages)
	}
	return all[:n], note, nil
}

// runCurve simulates the points of a curve. It turns a panic into an error.
func runCurve(s *sim.Simulator, ctx context.Context, c *NetConfig, k *curve) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = input.NewPanicError(p)
		}
	}()
	for _, load := range k.loads {
		p, err := s.NetPoint(ctx, &k.LoadCurve, load)
		if err != nil {
			return err
		}
		if p.Packets == 0 && !p.Saturated {
			k.silent = append(k.silent, decimal.Significant(load, 4))
			continue
		}
		p.Axis, p.Value = c.Axis, k.value
		k.points = append(k.points, p)
		if p.Saturated {
			break
		}
	}
	return nil
}

// CheckSelf refuses workload.self_messages where no node sends to itself under any traffic.
func (c *NetConfig) CheckSelf() error {
	if !c.Spec.Workload.SelfMessages {
		return nil
	}
	patterns, err := netPatterns(c.Traffic)
	if err != nil {
		return err
	}
	for _, p := range patterns {
		if k, _ := p.Kind(); k.Self {
			return nil
		}
	}
	return input.Bad("workload.self_messages", "leave it out", "workload.self_messages has no "+
		"effect: no node sends to itself under %s", strings.Join(c.Traffic, ", "))
}
