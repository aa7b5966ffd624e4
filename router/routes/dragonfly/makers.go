package dragonfly

import (
	"contend/netsim/topology"
	"contend/router"
	"contend/router/routes/frame"
)

// Makers are the routings of dragonflies.
func Makers() []router.Maker {
	return []router.Maker{
		{"minimal", "over one global link at most, with other virtual channels in the last group",
			frame.Is[*topology.Dragonfly], forDragonfly,
			func(w *router.Wiring, _ uint64) (router.Routing, error) { return frame.Made(NewMinimal(w)) }},
		{"minimal-ascending", "minimal, with other virtual channels from the global link on",
			frame.Is[*topology.Dragonfly], forDragonfly,
			func(w *router.Wiring, _ uint64) (router.Routing, error) { return frame.Made(NewAscending(w)) }},
		detourMaker("valiant", "minimally to a group drawn for each packet, then minimally on",
			AlwaysDetour),
		detourMaker("ugal-l", "minimal, or over a drawn group where queues at the first router are "+
			"shorter", LocalUGAL),
		detourMaker("ugal-g", "minimal, or over a drawn group where queues of global links are "+
			"shorter", GlobalUGAL),
		detourMaker("par", "ugal-l that decides again where the global link begins", Progressive),
	}
}

func detourMaker(name, doc string, how Rule) router.Maker {
	return router.Maker{name, doc, frame.Is[*topology.Dragonfly], forDetours(how),
		func(w *router.Wiring, seed uint64) (router.Routing, error) {
			return frame.Made(NewDetour(w, how, seed))
		}}
}
