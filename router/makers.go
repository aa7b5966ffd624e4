package router

import "contend/netsim/topology"

// gridMakers make the adaptive and the randomised routings of grids.
func gridMakers() []Maker {
	return []Maker{
		turnMaker("west-first", "mesh: shortest paths that go down in all dimensions but the last "+
			"before they go elsewhere", WestFirst),
		turnMaker("north-last", "mesh: shortest paths that go up in all dimensions but the first "+
			"last", NorthLast),
		turnMaker("negative-first", "mesh: shortest paths that go down in all dimensions first",
			NegativeFirst),
		{"odd-even", "mesh of two dimensions: shortest paths that turn where the parity of the " +
			"column allows it", isPlane, nil,
			func(w *Wiring, _ uint64) (Routing, error) { return made(NewOddEven(w)) }},
		{"o1turn", "mesh of two dimensions: x first or y first, drawn for each packet", isPlane,
			two, func(w *Wiring, seed uint64) (Routing, error) { return made(NewO1Turn(w, seed)) }},
		{"valiant", "dimension order to a router drawn for each packet, then to the destination",
			is[*topology.Cube], forPhases, func(w *Wiring, seed uint64) (Routing, error) {
				return made(NewTwoPhase(w, false, seed))
			}},
		{"romm", "valiant by a router drawn from those on shortest paths", is[*topology.Cube],
			forPhases, func(w *Wiring, seed uint64) (Routing, error) {
				return made(NewTwoPhase(w, true, seed))
			}},
		{"minimal-adaptive", "any shortest path, with dimension order to escape to", is[*topology.Cube],
			forEscapes, func(w *Wiring, _ uint64) (Routing, error) {
				return made(NewMinimalAdaptive(w, false))
			}},
		{"min-adapt", "minimal-adaptive that stays on the escape channels once it takes one",
			is[*topology.Cube], forEscapes, func(w *Wiring, _ uint64) (Routing, error) {
				return made(NewMinimalAdaptive(w, true))
			}},
		{"booksim-min-adapt", "dimension order on all virtual channels of a link but the first, which " +
			"stays idle", isMesh, two,
			func(w *Wiring, _ uint64) (Routing, error) { return made(NewUpperOrder(w)) }},
	}
}

func turnMaker(name, doc string, turns Turns) Maker {
	return Maker{name, doc, isMesh, nil,
		func(w *Wiring, _ uint64) (Routing, error) { return made(NewTurnModel(w, turns)) }}
}

// networkMakers make the adaptive and the randomised routings of dragonflies and HyperX networks,
// and the layered one of graphs.
func networkMakers() []Maker {
	return []Maker{
		detourMaker("valiant", "minimally to a group drawn for each packet, then minimally on",
			AlwaysDetour),
		detourMaker("ugal-l", "minimal, or over a drawn group where queues at the first router are "+
			"shorter", LocalUGAL),
		detourMaker("ugal-g", "minimal, or over a drawn group where queues of global links are "+
			"shorter", GlobalUGAL),
		detourMaker("par", "ugal-l that decides again where the global link begins", Progressive),
		{"minimal-adaptive", "any shortest path, with dimension order to escape to",
			is[*topology.HyperX], two,
			func(w *Wiring, _ uint64) (Routing, error) { return made(NewHyperAdaptive(w)) }},
		{"valiant", "dimension order to a router drawn for each packet, then to the destination",
			is[*topology.HyperX], two, func(w *Wiring, seed uint64) (Routing, error) {
				return made(NewHyperDetour(w, false, seed))
			}},
		{"ugal", "dimension order, or valiant where queues at the first router are shorter",
			is[*topology.HyperX], two, func(w *Wiring, seed uint64) (Routing, error) {
				return made(NewHyperDetour(w, true, seed))
			}},
		{"dal", "in each dimension straight on, or once over another coordinate where queues are shorter",
			is[*topology.HyperX], two,
			func(w *Wiring, seed uint64) (Routing, error) { return made(NewHyperDAL(w, seed)) }},
		{"lash", "shortest paths, spread over layers of virtual channels", is[*topology.Graph],
			forLayers, func(w *Wiring, _ uint64) (Routing, error) { return made(NewGraphLayers(w)) }},
		{"shortest", "any shortest path, drawn for each packet, with a virtual channel for each hop",
			is[*topology.Graph], forShortest, func(w *Wiring, seed uint64) (Routing, error) {
				return made(NewGraphShortest(w, seed))
			}},
	}
}

func detourMaker(name, doc string, how Detour) Maker {
	return Maker{name, doc, is[*topology.Dragonfly], forDetours(how),
		func(w *Wiring, seed uint64) (Routing, error) {
			return made(NewDragonflyDetour(w, how, seed))
		}}
}
