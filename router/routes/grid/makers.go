package grid

import (
	"contend/netsim/topology"
	"contend/router"
	"contend/router/routes/frame"
)

// Makers are the routings of meshes, tori and hypercubes.
func Makers() []router.Maker {
	return []router.Maker{
		{"dimension-order", "x first, then y, and so on", frame.Is[*topology.Cube], nil,
			func(w *router.Wiring, _ uint64) (router.Routing, error) {
				return frame.Made(NewDimensionOrder(w, false))
			}},
		{"dateline", "dimension order, with other virtual channels behind the wrap-around link",
			frame.Is[*topology.Cube], forDateline,
			func(w *router.Wiring, _ uint64) (router.Routing, error) {
				return frame.Made(NewDimensionOrder(w, true))
			}},
		{"balanced-dateline", "dateline that loads all channels of a ring alike",
			frame.Is[*topology.Cube], forDateline,
			func(w *router.Wiring, seed uint64) (router.Routing, error) {
				return frame.Made(NewBalanced(w,
					seed))
			}},
		turnMaker("west-first", "mesh: shortest paths that go down in all dimensions but the last "+
			"before they go elsewhere", WestFirst),
		turnMaker("north-last", "mesh: shortest paths that go up in all dimensions but the first "+
			"last", NorthLast),
		turnMaker("negative-first", "mesh: shortest paths that go down in all dimensions first",
			NegativeFirst),
		{"odd-even", "mesh of two dimensions: shortest paths that turn where the parity of the " +
			"column allows it", isPlane, nil,
			func(w *router.Wiring, _ uint64) (router.Routing, error) { return frame.Made(NewOddEven(w)) }},
		{"o1turn", "mesh of two dimensions: x first or y first, drawn for each packet", isPlane,
			frame.Two, func(w *router.Wiring, seed uint64) (router.Routing,
				error) {
				return frame.Made(NewO1Turn(w, seed))
			}},
		{"valiant", "dimension order to a router drawn for each packet, then to the destination",
			frame.Is[*topology.Cube], forPhases, func(w *router.Wiring, seed uint64) (router.Routing,
				error) {
				return frame.Made(NewTwoPhase(w, false, seed))
			}},
		{"romm", "valiant by a router drawn from those on shortest paths", frame.Is[*topology.Cube],
			forPhases, func(w *router.Wiring, seed uint64) (router.Routing, error) {
				return frame.Made(NewTwoPhase(w, true, seed))
			}},
		{"minimal-adaptive", "any shortest path, with dimension order to escape to",
			frame.Is[*topology.Cube],
			forEscapes, func(w *router.Wiring, _ uint64) (router.Routing, error) {
				return frame.Made(NewMinimalAdaptive(w, false))
			}},
		{"min-adapt", "minimal-adaptive that stays on the escape channels once it takes one",
			frame.Is[*topology.Cube], forEscapes, func(w *router.Wiring, _ uint64) (router.Routing, error) {
				return frame.Made(NewMinimalAdaptive(w, true))
			}},
	}
}

func turnMaker(name, doc string, turns Turns) router.Maker {
	return router.Maker{name, doc, isMesh, nil,
		func(w *router.Wiring, _ uint64) (router.Routing, error) {
			return frame.Made(NewTurnModel(w,
				turns))
		}}
}
