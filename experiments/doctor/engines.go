package doctor

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"contend/netsim"
	"contend/netsim/reference"
	"contend/netsim/topology"
	"contend/router"
)

// networks is the number of random networks on which engines are compared.
const networks = 500

// engines runs random traffic on random networks in every exact engine and in the
// plain model.
func (p Parts) engines(ctx context.Context) (Finding, error) {
	f := Finding{Unit: "packets"}
	var worst netsim.Cycle
	used := map[string]int{}
	for seed := range uint64(networks) {
		if ctx.Err() != nil {
			return f, ctx.Err()
		}
		s := drawScenario(rand.New(rand.NewPCG(seed, 0)))
		want, err := p.Plainly(s)
		if err != nil {
			return f, err
		}
		engines, err := s.Engines()
		if err != nil {
			return f, err
		}
		for _, e := range engines {
			got, err := e.Simulate()
			if err != nil {
				return f, fmt.Errorf("network %d: %w", seed, err)
			}
			used[engineName(e.Config, got)]++
			f.Cases += len(got.Packets)
			for i := range min(len(got.Packets), len(want.Packets)) {
				d := got.Packets[i].Delivered - want.Packets[i].Delivered
				worst = max(worst, d, -d)
			}
			if d := got.Difference(&want); d != "" {
				f.blame("network %d, engine %s: %s", seed, engineName(e.Config, got), d)
			}
		}
	}
	f.Compared = fmt.Sprintf("the plain model on %d random networks with random traffic, flit by "+
		"flit, against the cycle-driven engine (%d), the worm engine (%d) and its closed form (%d)",
		networks, used["cycle"], used["worm"], used["closed form"])
	f.Worst = fmt.Sprintf("worst difference %d cycles", worst)
	return f, nil
}

// engineName returns the name of the engine that made a run.
func engineName(c netsim.Config, r reference.Run) string {
	if r.ClosedForm {
		return "closed form"
	}
	return c.Engine
}

// pick draws one of the values.
func pick[T any](r *rand.Rand, values ...T) T { return values[r.IntN(len(values))] }

// drawMachine draws a machine and reports whether a dimension wraps. The machine
// is small, because the plain model looks at every channel in every cycle.
func drawMachine(r *rand.Rand) (t topology.Topology, wraps bool) {
	if r.IntN(3) == 0 {
		c := pick(r, topology.TreeConfig{Arity: 2, Levels: 2},
			topology.TreeConfig{Arity: 2, Levels: 3}, topology.TreeConfig{Arity: 3, Levels: 2},
			topology.TreeConfig{Arity: 4, Levels: 1})
		t, err := topology.NewTree(c)
		if err != nil {
			panic(fmt.Sprintf("doctor: %v", err))
		}
		return t, false
	}
	c := pick(r, topology.CubeConfig{Dims: []int{4}}, topology.CubeConfig{Dims: []int{3, 3}},
		topology.CubeConfig{Dims: []int{4, 3}}, topology.CubeConfig{Dims: []int{2, 2, 2}},
		topology.CubeConfig{Dims: []int{4, 4}, Wrap: []bool{true, true}},
		topology.CubeConfig{Dims: []int{5, 3}, Wrap: []bool{true, false}},
		topology.CubeConfig{Dims: []int{3, 2}, Concentration: 2})
	t, err := topology.NewCube(c)
	if err != nil {
		panic(fmt.Sprintf("doctor: %v", err))
	}
	return t, c.Wrap != nil
}

// drawNetwork draws the configuration of a network.
func drawNetwork(r *rand.Rand) netsim.Config {
	t, wraps := drawMachine(r)
	c := netsim.Default(t)
	c.Switching = pick(r, router.Wormhole, router.Wormhole, router.VirtualCutThrough,
		router.StoreAndForward)
	c.PacketFlits, c.BufferFlits = 1+r.IntN(9), 1+r.IntN(9)
	c.RoutingCycles, c.LinkCycles = r.IntN(6), 1+r.IntN(4)
	c.FlitCycles, c.CreditCycles = 1+r.IntN(3), 1+r.IntN(4)
	c.InjectionPorts = pick(r, 1, 1, 2)
	if r.IntN(2) == 0 {
		c.InjectionFlitCycles = float64(c.FlitCycles) + pick(r, 0, 0.25, 1, 3.375)
	}
	c.Arbiter = pick(r, router.FirstCome, router.RoundRobin)
	c.VirtualChannels = pick(r, 1, 1, 1, 2, 3, 4)
	if wraps {
		c.VirtualChannels = max(2, c.VirtualChannels)
	}
	if _, ok := t.(topology.Hierarchy); ok {
		c.Routing = pick(r, "d-mod-k", "s-mod-k", "random", "adaptive")
	}
	c.RoutingSeed = r.Uint64()
	c.VCSelect = pick(r, router.SelectMostCredits, router.SelectRoundRobin,
		router.SelectFirst, router.SelectRandom)
	c.InputSpeedup = pick(r, 0, 1, 1, 2)
	if c.Switching != router.Wormhole {
		c.BufferFlits = max(c.BufferFlits, c.PacketFlits)
	}
	if !wraps && r.IntN(3) == 0 {
		forClosedForm(&c, r)
	}
	return c
}

// forClosedForm changes a network into one for which the closed form is exact.
func forClosedForm(c *netsim.Config, r *rand.Rand) {
	c.Switching, c.VirtualChannels, c.InjectionPorts = router.Wormhole, 1, 1
	c.LinkCycles, c.CreditCycles, c.FlitCycles = 1+r.IntN(2), 1+r.IntN(2), 1+r.IntN(3)
	c.BufferFlits = (c.LinkCycles+c.CreditCycles+c.FlitCycles-1)/c.FlitCycles + r.IntN(3)
	c.PacketFlits, c.MessageMultiple = c.BufferFlits*(1+r.IntN(4)), c.BufferFlits
	if c.InjectionFlitCycles > 0 {
		c.InjectionFlitCycles = float64(c.FlitCycles) + pick(r, 0, 0.25, 1, 3.375)
	}
}

// drawScenario draws a network and up to 60 messages.
func drawScenario(r *rand.Rand) reference.Scenario {
	s := reference.Scenario{Config: drawNetwork(r)}
	nodes, spread := s.Config.Topology.Nodes(), pick(r, 1, 20, 200)
	for range 1 + r.IntN(60) {
		m := netsim.Message{From: topology.Node(r.IntN(nodes)), To: topology.Node(r.IntN(nodes)),
			Flits: int32(1 + r.IntN(20)), Job: int32(r.IntN(3))}
		if k := int32(s.Config.MessageMultiple); k > 0 {
			m.Flits = (m.Flits + k - 1) / k * k
		}
		at := netsim.Cycle(r.IntN(spread))
		s.Messages = append(s.Messages, reference.Timed{At: at, Message: m})
	}
	slices.SortStableFunc(s.Messages, func(a, b reference.Timed) int {
		return cmp.Compare(a.At, b.At)
	})
	return s
}
