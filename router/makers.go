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
			func(topology.Topology) int { return 2 },
			func(w *Wiring, seed uint64) (Routing, error) { return made(NewO1Turn(w, seed)) }},
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
	}
}

func turnMaker(name, doc string, turns Turns) Maker {
	return Maker{name, doc, isMesh, nil,
		func(w *Wiring, _ uint64) (Routing, error) { return made(NewTurnModel(w, turns)) }}
}

// todayMakers make those of dragonflies, HyperX networks and graphs.
func todayMakers() []Maker {
	return nil
}
