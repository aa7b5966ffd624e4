package netsim_test

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"contend/internal/laws"
	"contend/internal/must"
	"contend/netsim"
	"contend/netsim/reference"
	"contend/router"
	"contend/router/routes"
	"contend/router/topology"
	"contend/router/topology/topologytest"
)

// compare runs the reference and every engine that is exact for the scenario, and reports the first
// difference. It returns the run.
func compare(t *rapid.T, s reference.Scenario) reference.Run {
	want := must.Have(s.Plainly())
	for _, e := range must.Have(s.Engines()) {
		got := must.Have(e.Simulate())
		if diff := got.Difference(&want); diff != "" {
			t.Fatalf("%+v\n%s", e.Config, diff)
		}
	}
	return want
}

// draws are the ways to draw a scenario: any there may be, with a routing of each kind and of one's
// own, and with the crossbars whose flits are sent by loops of their own.
var draws = map[string]func(*rapid.T) reference.Scenario{
	"any":              drawScenario,
	"builtin routings": drawRouted,
	"routings of one's own": func(r *rapid.T) reference.Scenario {
		m := meshOf(rapid.SampledFrom([][]int{{3, 3}, {4, 3}, {2, 2, 2}, {5}}).Draw(r, "mesh")...)
		s := onMachine(r, drawScenario(r), m, rapid.IntRange(2, 4).Draw(r, "V"))
		s.Config.Routing, s.Config.Route = "", bySpill
		if rapid.Bool().Draw(r, "detour") {
			s.Config.Route = byDetour
		}
		return s
	},
	// Several virtual channels, with input speedup 1 and a cycle a flit, or one for all.
	"narrow crossbar": func(r *rapid.T) reference.Scenario {
		c := drawConfig(r)
		c.Switching, c.FlitCycles, c.InputSpeedup, c.HeadersYield = router.Wormhole, 1, 1, false
		c.InjectionFlitCycles, c.PacketsHoldLinks = 0, false
		linksAlike(&c)
		drawLinks(r, &c, "none", "delay")
		if c.VirtualChannels == 1 {
			c.VirtualChannels = rapid.IntRange(2, 4).Draw(r, "several")
		}
		if rapid.Bool().Draw(r, "in a cycle") {
			c.LinkCycles, c.CreditCycles = 1, 1
		}
		if rapid.Bool().Draw(r, "shallow") {
			c.BufferFlits = rapid.IntRange(1, 2).Draw(r, "places")
		}
		return scenarioOf(r, c)
	},
	"whole packets":         drawWholePackets,
	"whole packets in jams": drawJam,
	"one virtual channel": func(r *rapid.T) reference.Scenario {
		c := drawConfig(r)
		c.Topology, c.Routing = meshOf(rapid.SampledFrom([][]int{{4, 3}, {2, 2, 2}, {6}}).Draw(r,
			"mesh")...), ""
		giveVirtualChannels(&c, 1)
		c.FlitCycles, c.InjectionFlitCycles = 1, 0
		if rapid.Bool().Draw(r, "in a cycle") {
			c.LinkCycles, c.CreditCycles = 1, 1
		}
		linksAlike(&c)
		c.Switching, c.BufferFlits = router.Wormhole, rapid.IntRange(1, 3).Draw(r, "places")
		c.PacketsHoldLinks = false
		if rapid.Bool().Draw(r, "cut-through") {
			c.Switching, c.BufferFlits = router.VirtualCutThrough, c.BufferFlits+c.PacketFlits-1
		}
		return scenarioOf(r, c)
	},
}

// The engines and the plain model agree in every cycle on every flit and every packet.
func TestEngineAgreesWithReference(t *testing.T) { engineAgrees(t, 25) }

// engineAgrees compares the engines on as many scenarios of each draw.
func engineAgrees(t *testing.T, checks int) {
	laws.AtMost(t, checks)
	for name, draw := range draws {
		if !t.Run(name, rapid.MakeCheck(func(r *rapid.T) { compare(r, draw(r)) })) {
			return // to make one case smaller takes long
		}
	}
}

func FuzzEngine(f *testing.F) {
	f.Fuzz(rapid.MakeFuzz(func(r *rapid.T) { compare(r, drawScenario(r)) }))
}

// drawWholePackets draws a scenario in which packets hold links, so that the packet engine is
// exact.
func drawWholePackets(r *rapid.T) reference.Scenario {
	s := drawScenario(r)
	if rapid.Bool().Draw(r, "routed") {
		s = drawRouted(r)
	}
	holdLinks(&s.Config)
	s.Config.AtomicVCs, s.Config.EjectionCreditCycles = false, 0
	return s
}

// drawJam draws packets that hold links and have a choice of links, so many that most wait.
func drawJam(r *rapid.T) reference.Scenario {
	k := rapid.SampledFrom([][2]string{{"hyperx:4:p2", "dal"}, {"hyperx:3x3:p2", "dal"},
		{"hyperx:3x2:w2p2", "dal"}, {"hyperx:3x3:p2", "minimal-adaptive"}, {"mesh:4x4", "min-adapt"},
		{"fat-tree:4x4:3", "adaptive"}, {"dragonfly:a2h2p2g5", "ugal-l"}}).Draw(r, "on")
	makers := routes.Builtin()
	m := topologytest.Machine(r, k[0])
	s := routed(r, m, makers[slices.IndexFunc(makers, func(x router.Maker) bool {
		return x.Name == k[1] && (x.Suits == nil || x.Suits(m))
	})])
	holdLinks(&s.Config)
	s.Config.AtomicVCs, s.Config.EjectionCreditCycles = false, 0
	once := slices.Clone(s.Messages)
	for i := range rapid.IntRange(1, 5).Draw(r, "more") {
		for _, m := range once {
			to := int(m.Message.To) + i*(int(m.Message.From)+1)
			m.Message.To = topology.Node(to % s.Config.Topology.Nodes())
			s.Messages = append(s.Messages, m)
		}
	}
	slices.SortStableFunc(s.Messages, func(a, b reference.Timed) int { return cmp.Compare(a.At, b.At) })
	// The plain model takes a minute for a million cycles, and then gives up.
	for lastDelivery(s) > 100_000 {
		s.Messages = s.Messages[:len(s.Messages)/2]
	}
	return s
}

// lastDelivery returns the cycle in which the last packet of a scenario arrives, by one engine.
func lastDelivery(s reference.Scenario) (cycle int64) {
	for _, p := range must.Have(must.Have(s.Engines())[0].Simulate()).Packets {
		cycle = max(cycle, p.Delivered)
	}
	return cycle
}

// holdLinks lets packets hold links.
func holdLinks(c *netsim.Config) {
	c.Switching, c.SwitchAllocator, c.PacketsHoldLinks = router.VirtualCutThrough, router.InputFirst,
		true
	c.BufferFlits = max(c.BufferFlits, c.PacketFlits)
}

// meshOf returns a mesh.
func meshOf(dims ...int) *topology.Cube {
	return must.Have(topology.NewCube(topology.CubeConfig{Dims: dims}))
}

// linksAlike takes back how links differ.
func linksAlike(c *netsim.Config) {
	c.OwnLinks, c.NodeLinkCycles, c.NodeFlitCycles, c.NodeCreditCycles = nil, 0, 0, 0
	c.EjectionCreditCycles = 0
	c.ClassLinkCycles, c.ClassFlitCycles = nil, nil
}

// giveVirtualChannels changes the virtual channels of a drawn configuration, and what cannot be
// with so many.
func giveVirtualChannels(c *netsim.Config, n int) {
	c.VirtualChannels, c.NodeVirtualChannels = n, min(c.NodeVirtualChannels, n)
}

// onMachine moves a scenario to another machine.
func onMachine(r *rapid.T, s reference.Scenario, m topology.Topology,
	virtual int) reference.Scenario {
	s.Config.Topology = m
	linksAlike(&s.Config)
	drawLinks(r, &s.Config, "none", "delay", "width", "both")
	giveVirtualChannels(&s.Config, virtual)
	for i := range s.Messages {
		k := &s.Messages[i].Message
		k.From, k.To = k.From%topology.Node(m.Nodes()), k.To%topology.Node(m.Nodes())
	}
	return s
}

// drawMachine draws a mesh, torus, hypercube or tree, and tells whether a
// dimension wraps.
func drawMachine(r *rapid.T) (t topology.Topology, wraps bool) {
	if rapid.IntRange(0, 2).Draw(r, "kind") == 0 {
		return drawTree(r), false
	}
	shape := rapid.SampledFrom([]topology.CubeConfig{
		{Dims: []int{4}}, {Dims: []int{3, 3}}, {Dims: []int{4, 3}}, {Dims: []int{2, 2, 2}},
		{Dims: []int{5, 1}},
		{Dims: []int{4, 4}, Wrap: []bool{true, true}}, {Dims: []int{5, 3}, Wrap: []bool{true, false}},
		{Dims: []int{3, 3, 3}, Wrap: []bool{true, true, true}},
		{Dims: []int{3, 2}, Concentration: 2}, {Dims: []int{3, 3}, Concentration: 2,
			ServiceRows: []int{1}},
	}).Draw(r, "shape")
	return must.Have(topology.NewCube(shape)), shape.Wrap != nil
}

// drawTree draws a k-ary n-tree, k and n up to 4, slimmed or not, whole or with
// nodes missing. The largest is always slimmed and 4-ary 4-trees are left to
// TestEnginesAgreeOnTrees: the reference looks at every channel in every cycle.
func drawTree(r *rapid.T) *topology.Tree {
	c := rapid.SampledFrom([]topology.TreeConfig{{Arity: 2, Levels: 2}, {Arity: 2, Levels: 3},
		{Arity: 2, Levels: 4}, {Arity: 3, Levels: 2},
		{Arity: 3, Levels: 3}, {Arity: 4, Levels: 2}, {Arity: 4, Levels: 3}, {Arity: 4,
			Levels: 1}}).Draw(r, "tree")
	if large := c.Arity == 4 && c.Levels == 3; large || rapid.Bool().Draw(r, "slim") {
		most := c.Arity
		if large {
			most = 2
		}
		for range c.Levels - 1 {
			c.UpPorts = append(c.UpPorts, rapid.IntRange(1, most).Draw(r, "up ports"))
		}
	}
	places := 1
	for range c.Levels {
		places *= c.Arity
	}
	if rapid.Bool().Draw(r, "missing") {
		c.Nodes = rapid.IntRange(max(2, places/2), places).Draw(r, "nodes")
	}
	return must.Have(topology.NewTree(c))
}

func drawScenario(r *rapid.T) reference.Scenario { return scenarioOf(r, drawConfig(r)) }

// scenarioOf draws messages for a network.
func scenarioOf(r *rapid.T, c netsim.Config) reference.Scenario {
	count := rapid.IntRange(1, 60).Draw(r, "messages")
	spread := rapid.SampledFrom([]int{1, 20, 200}).Draw(r, "spread")
	drawLengths(r, &c)
	s := reference.Scenario{Config: c}
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(r, "seed"), 0))
	nodes := c.Topology.Nodes()
	for range count {
		m := netsim.Message{From: topology.Node(rng.IntN(nodes)),
			To: topology.Node(rng.IntN(nodes)), Flits: int32(1 + rng.IntN(20)), Job: int32(rng.IntN(3))}
		if c.MessageFlits > 0 {
			m.Flits = int32(c.MessageFlits)
		}
		if k := int32(c.MessageMultiple); k > 0 {
			m.Flits = (m.Flits + k - 1) / k * k
		}
		s.Messages = append(s.Messages, reference.Timed{At: netsim.Cycle(rng.IntN(spread)), Message: m})
	}
	slices.SortStableFunc(s.Messages, func(a, b reference.Timed) int {
		return cmp.Compare(a.At, b.At)
	})
	return s
}

// drawConfig draws a network.
func drawConfig(r *rapid.T) netsim.Config {
	t, wraps := drawMachine(r)
	c := netsim.Default(t)
	c.Switching = rapid.SampledFrom([]router.Switching{router.Wormhole, router.Wormhole,
		router.VirtualCutThrough, router.StoreAndForward}).Draw(r, "switching")
	c.PacketFlits = rapid.IntRange(1, 9).Draw(r, "L")
	c.BufferFlits = rapid.OneOf(rapid.IntRange(1, 9), rapid.IntRange(10, 40)).Draw(r, "B")
	if c.Switching != router.Wormhole {
		c.BufferFlits = max(c.BufferFlits, c.PacketFlits)
	}
	c.RoutingCycles = rapid.IntRange(0, 5).Draw(r, "R")
	if c.Switching != router.StoreAndForward {
		c.VCAllocCycles = max(0, rapid.IntRange(-3, c.RoutingCycles).Draw(r, "A"))
	}
	c.LinkCycles = rapid.IntRange(1, 4).Draw(r, "D")
	c.FlitCycles = rapid.IntRange(1, 3).Draw(r, "F")
	c.CreditCycles = rapid.IntRange(1, 4).Draw(r, "C")
	c.InjectionPorts = rapid.SampledFrom([]int{1, 1, 2}).Draw(r, "ports")
	if rapid.Bool().Draw(r, "slow nodes") { // some of them far beyond the calendar
		c.InjectionFlitCycles = float64(c.FlitCycles) + rapid.SampledFrom([]float64{0, 0.25, 1, 3.375,
			40}).Draw(r, "G")
	}
	c.Arbiter = rapid.SampledFrom([]router.Arbiter{router.FirstCome, router.RoundRobin,
		router.Matching}).Draw(r,
		"arbiter")
	c.VirtualChannels = rapid.SampledFrom([]int{1, 1, 1, 2, 3, 4}).Draw(r, "V")
	if wraps {
		c.VirtualChannels = max(2, c.VirtualChannels)
	}
	if _, ok := t.(*topology.Tree); ok {
		c.Routing = rapid.SampledFrom([]string{"d-mod-k", "s-mod-k", "random", "adaptive",
			"adaptive"}).Draw(r, "routing")
	}
	if c.VirtualChannels > 1 && c.Routing == "auto" && rapid.Bool().Draw(r, "balanced") {
		c.Routing = rapid.SampledFrom([]string{"balanced-dateline", "two-datelines"}).Draw(r, "routing")
	}
	c.RoutingSeed = rapid.Uint64Range(0, 3).Draw(r, "routing seed")
	c.VCSelect = rapid.SampledFrom([]router.VCSelect{router.SelectMostCredits,
		router.SelectRoundRobin, router.SelectFirst}).Draw(r, "VC select")
	c.InputSpeedup = rapid.SampledFrom([]int{0, 1, 1, 2, 3}).Draw(r, "S")
	c.NodeVirtualChannels = rapid.IntRange(0, c.VirtualChannels).Draw(r, "node VCs")
	c.HeadersYield = rapid.Bool().Draw(r, "headers yield")
	c.AtomicVCs = rapid.IntRange(0, 3).Draw(r, "atomic") == 0
	c.HeadersSpeculate = rapid.Bool().Draw(r, "headers speculate")
	c.PacketsHoldLinks = c.Switching == router.VirtualCutThrough &&
		rapid.Bool().Draw(r, "packets hold links")
	if c.InputSpeedup > 0 && !c.PacketsHoldLinks &&
		rapid.Bool().Draw(r, "matches ports") {
		c.SwitchAllocator = rapid.SampledFrom([]router.SwitchAllocator{router.ISLIP,
			router.SeparableInputFirst, router.SeparableOutputFirst}).Draw(r, "switch allocator")
	}
	drawLinks(r, &c, "none", "delay", "width", "both")
	return c
}

// drawLinks draws which links differ, in one of some ways: all on their own, those of nodes and
// those of a class, or none.
func drawLinks(r *rapid.T, c *netsim.Config, ways ...string) {
	delays, flits := 4, 3
	switch rapid.SampledFrom(ways).Draw(r, "links differ in") {
	case "none":
		return
	case "delay":
		flits = 0
	case "width":
		delays = 0
	}
	seed := rapid.Uint64Range(0, 99).Draw(r, "seed of links")
	one := func(n uint64) (delay, flit int) {
		rng := rand.New(rand.NewPCG(seed, n))
		return rng.IntN(delays + 1), rng.IntN(flits + 1)
	}
	if rapid.Bool().Draw(r, "on their own") {
		c.OwnLinks = func(_ *router.Wiring, l router.Link) (int, int) { return one(uint64(l)) }
	} else {
		c.NodeLinkCycles, c.NodeFlitCycles = one(0)
		c.NodeCreditCycles = rapid.IntRange(0, 4).Draw(r, "credits of nodes")
		c.EjectionCreditCycles = max(0, rapid.IntRange(-2, 4).Draw(r, "credits from nodes"))
		if t, ok := c.Topology.(topology.Classed); ok {
			for i := range t.LinkClasses() {
				delay, flit := one(uint64(1 + i))
				c.ClassLinkCycles = append(c.ClassLinkCycles, delay)
				c.ClassFlitCycles = append(c.ClassFlitCycles, flit)
			}
		}
	}
	if c.InjectionFlitCycles > 0 {
		c.InjectionFlitCycles += float64(flits)
	}
	if flits == 0 && rapid.Bool().Draw(r, "deep") { // such as the closed form likes
		c.BufferFlits = max(c.BufferFlits, (3+c.CreditCycles+c.FlitCycles)/c.FlitCycles)
	}
}

// drawLengths draws what a network may rely on of the lengths of its messages, and packets
// and messages that fit its FIFOs or do not.
func drawLengths(r *rapid.T, c *netsim.Config) {
	if rapid.Bool().Draw(r, "one length") {
		c.MessageFlits = rapid.IntRange(1, 20).Draw(r, "length")
		if rapid.Bool().Draw(r, "multiple") { // such as the closed form likes
			c.PacketFlits = c.BufferFlits * rapid.IntRange(1, 8).Draw(r, "packet")
			c.MessageFlits = c.BufferFlits * rapid.IntRange(1, 12).Draw(r, "message")
			if c.Switching != router.Wormhole {
				c.PacketFlits = c.BufferFlits
			}
		}
	} else if rapid.Bool().Draw(r, "multiples") { // of what packets and FIFOs are multiples of, or not
		c.MessageMultiple = rapid.IntRange(1, 9).Draw(r, "multiple of")
		if rapid.Bool().Draw(r, "padded") {
			c.MessageMultiple = c.BufferFlits * rapid.IntRange(1, 3).Draw(r, "FIFOs")
			c.PacketFlits = c.BufferFlits * rapid.IntRange(1, 6).Draw(r, "packet")
			if c.Switching != router.Wormhole {
				c.PacketFlits = c.BufferFlits
			}
		}
	}
}

// smallMachines are machines for which there are routings, small enough for many runs.
var smallMachines = []string{"mesh:3x3", "mesh:4x2", "mesh:2x3x2", "torus:4x3", "torus:5",
	"hypercube:3", "tree:2x3", "fat-tree:2x3:2:b2", "fat-tree:2x2x2:r3", "dragonfly:a2h1",
	"dragonfly:a3h2g4p1",
	"hyperx:3x2:w2p1", "hyperx:4:p2", "dragonfly:a1h3p1", "dragonfly:a4h1p1g2",
	"dragonfly:a2h2p2g4:circulant", "hyperx:1x3:p2", "hyperx:2x1x2", "fat-tree:4",
	"fat-tree:3x2:1:r2", "fat-tree:3x3:1"}

// drawMachineOfRoutings draws one of them, or a graph.
func drawMachineOfRoutings(r *rapid.T) topology.Topology {
	if rapid.IntRange(0, 3).Draw(r, "graph") == 0 {
		routers := rapid.IntRange(2, 8).Draw(r, "routers")
		links := rapid.IntRange(routers-1, 2*routers).Draw(r, "links")
		seed := rapid.Uint64Range(0, 99).Draw(r, "graph seed")
		planes := rapid.IntRange(1, 2).Draw(r, "planes")
		return topologytest.DrawnPlanes(r, seed, planes, routers, links, 1)
	}
	return topologytest.Machine(r, rapid.SampledFrom(smallMachines).Draw(r, "machine"))
}

// drawRouted draws a scenario under any routing there is, with as many virtual channels as it
// needs or with more.
func drawRouted(r *rapid.T) reference.Scenario {
	m := drawMachineOfRoutings(r)
	var suit []router.Maker
	for _, k := range routes.Builtin() {
		if k.Suits(m) && !(topology.Wraps(m) && k.Name == "dimension-order") {
			suit = append(suit, k)
		}
	}
	return routed(r, m, rapid.SampledFrom(suit).Draw(r, "routing"))
}

// routed draws a scenario on a machine, under a routing that suits it.
func routed(r *rapid.T, m topology.Topology, maker router.Maker) reference.Scenario {
	needed := 1
	if maker.VirtualChannels != nil {
		needed = maker.VirtualChannels(m)
	}
	s := onMachine(r, drawScenario(r), m, needed+rapid.IntRange(0, 2).Draw(r, "more VCs"))
	s.Config.Routing = maker.Name
	s.Config.Rail = rapid.SampledFrom([]netsim.RailChoice{netsim.RailInTurn, netsim.RailByDestination,
		netsim.RailByPair, netsim.RailByMessage, netsim.RailByHost}).Draw(r, "rail")
	s.Config.FlowsPerPair = rapid.SampledFrom([]int{1, 2, 3, netsim.FlowPerMessage}).Draw(r, "flows")
	return s
}
