package netsim_test

import (
	"pgregory.net/rapid"

	"contend/netsim"
	"contend/netsim/reference"
	"contend/router"
	"contend/router/routes"
	"contend/router/topology"
	"contend/router/topology/topologytest"
)

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
	s.Config.Rail = rapid.SampledFrom([]netsim.RailChoice{netsim.RailInTurn,
		netsim.RailByDestination, netsim.RailByPair, netsim.RailByMessage}).Draw(r, "rail")
	s.Config.FlowsPerPair = rapid.SampledFrom([]int{0, 2, 3, netsim.FlowPerMessage}).Draw(r, "flows")
	return s
}
