package router

import "contend/netsim/topology"

// Maker makes a routing that has a name.
type Maker struct {
	// Name is what the routing is called, Doc says in a line what it does.
	Name, Doc string
	// Suits reports whether the routing works on a topology; nil: on any.
	Suits func(t topology.Topology) bool
	// VirtualChannels returns how many virtual channels a network channel needs on a
	// topology; nil: one.
	VirtualChannels func(t topology.Topology) int
	// New makes the routing for the channels of a machine. What it draws depends on
	// the seed.
	New func(w *Wiring, seed uint64) (Routing, error)
}

// Builtin returns the routings of this package.
func Builtin() []Maker {
	return []Maker{
		{"dimension-order", "x first, then y, and so on", isCube, nil,
			func(w *Wiring, _ uint64) (Routing, error) { return made(NewDimensionOrder(w, false)) }},
		{"dateline", "dimension order, with other virtual channels behind the wrap-around link",
			isCube, forDateline,
			func(w *Wiring, _ uint64) (Routing, error) { return made(NewDimensionOrder(w, true)) }},
		{"balanced-dateline", "dateline that loads all channels of a ring alike",
			isCube, forDateline,
			func(w *Wiring, seed uint64) (Routing, error) { return made(NewBalanced(w, seed)) }},
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
			isCube, forPhases,
			func(w *Wiring, seed uint64) (Routing, error) { return made(NewTwoPhase(w, false, seed)) }},
		{"romm", "valiant by a router drawn from those on shortest paths", isCube, forPhases,
			func(w *Wiring, seed uint64) (Routing, error) { return made(NewTwoPhase(w, true, seed)) }},
		{"minimal-adaptive", "any shortest path, with dimension order to escape to", isCube,
			forEscapes, func(w *Wiring, _ uint64) (Routing, error) {
				return made(NewMinimalAdaptive(w, false))
			}},
		{"min-adapt", "minimal-adaptive that stays on the escape channels once it takes one", isCube,
			forEscapes, func(w *Wiring, _ uint64) (Routing, error) {
				return made(NewMinimalAdaptive(w, true))
			}},
		upDownMaker("d-mod-k", "up by the digits of the destination, then down", ByDestination),
		upDownMaker("s-mod-k", "up by the digits of the source, then down", BySource),
		upDownMaker("random", "up by ports drawn for each packet and router, then down", Drawn),
		upDownMaker("adaptive", "up by any port that is free, then down", Adaptive),
		{"adaptive-credits", "up by the free port with most credits, then down", isTree, nil,
			func(w *Wiring, _ uint64) (Routing, error) { return made(NewUpByCredits(w)) }},
	}
}

func upDownMaker(name, doc string, choice UpPort) Maker {
	return Maker{name, doc, isTree, nil,
		func(w *Wiring, seed uint64) (Routing, error) { return made(NewUpDown(w, choice, seed)) }}
}

func turnMaker(name, doc string, turns Turns) Maker {
	return Maker{name, doc, isMesh, nil,
		func(w *Wiring, _ uint64) (Routing, error) { return made(NewTurnModel(w, turns)) }}
}

// made drops the type of a constructor's result, and the result with an error.
func made[T Routing](x T, err error) (Routing, error) {
	if err != nil {
		return nil, err
	}
	return x, nil
}

func isCube(t topology.Topology) bool {
	_, ok := t.(*topology.Cube)
	return ok
}

func isTree(t topology.Topology) bool {
	_, ok := t.(*topology.Tree)
	return ok
}

// forDateline is one virtual channel for each side of a dateline.
func forDateline(t topology.Topology) int {
	if topology.Wraps(t) {
		return 2
	}
	return 1
}
