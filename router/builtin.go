package router

import (
	"slices"

	"contend/netsim/topology"
)

// Builtin returns the routings of this package.
func Builtin() []Maker {
	return slices.Concat([]Maker{
		{"dimension-order", "x first, then y, and so on", is[*topology.Cube], nil,
			func(w *Wiring, _ uint64) (Routing, error) { return made(NewDimensionOrder(w, false)) }},
		{"dateline", "dimension order, with other virtual channels behind the wrap-around link",
			is[*topology.Cube], forDateline,
			func(w *Wiring, _ uint64) (Routing, error) { return made(NewDimensionOrder(w, true)) }},
		{"balanced-dateline", "dateline that loads all channels of a ring alike",
			is[*topology.Cube], forDateline,
			func(w *Wiring, seed uint64) (Routing, error) { return made(NewBalanced(w, seed)) }},
	}, gridMakers(), []Maker{
		upDownMaker("d-mod-k", "up by the digits of the destination, then down", ByDestination),
		upDownMaker("s-mod-k", "up by the digits of the source, then down", BySource),
		upDownMaker("random", "up by ports drawn for each packet and router, then down", Drawn),
		upDownMaker("adaptive", "up by any port that is free, then down", Adaptive),
		{"adaptive-credits", "up by the free port with most credits, then down", isFatTree, nil,
			func(w *Wiring, _ uint64) (Routing, error) { return made(NewUpByCredits(w)) }},
		{"minimal", "over one global link at most, with other virtual channels in the last group",
			is[*topology.Dragonfly], forDragonfly,
			func(w *Wiring, _ uint64) (Routing, error) { return made(NewDragonflyMinimal(w)) }},
		{"minimal-ascending", "minimal, with other virtual channels from the global link on",
			is[*topology.Dragonfly], forDragonfly,
			func(w *Wiring, _ uint64) (Routing, error) { return made(NewDragonflyAscending(w)) }},
		{"dimension-order", "one hop in x first, then in y, and so on", is[*topology.HyperX], nil,
			func(w *Wiring, _ uint64) (Routing, error) { return made(NewHyperOrder(w)) }},
		{"up-down", "towards a root, then away from it", is[*topology.Graph], nil,
			func(w *Wiring, _ uint64) (Routing, error) { return made(NewGraphUpDown(w)) }},
	}, networkMakers())
}

func upDownMaker(name, doc string, choice UpPort) Maker {
	return Maker{name, doc, isFatTree, nil,
		func(w *Wiring, seed uint64) (Routing, error) { return made(NewUpDown(w, choice, seed)) }}
}
