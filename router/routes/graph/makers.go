package graph

import (
	"contend/netsim/topology"
	"contend/router"
	"contend/router/routes/frame"
)

// Makers are the routings of graphs.
func Makers() []router.Maker {
	return []router.Maker{
		{"up-down", "towards a root, then away from it", frame.Is[*topology.Graph], nil,
			func(w *router.Wiring, _ uint64) (router.Routing, error) { return frame.Made(NewUpDown(w)) }},
		{"lash", "shortest paths, spread over layers of virtual channels", frame.Is[*topology.Graph],
			forLayers, func(w *router.Wiring, _ uint64) (router.Routing,
				error) {
				return frame.Made(NewLayers(w))
			}},
		{"shortest", "any shortest path, drawn for each packet, with a virtual channel for each hop",
			frame.Is[*topology.Graph], forShortest, func(w *router.Wiring, seed uint64) (router.Routing,
				error) {
				return frame.Made(NewShortest(w, seed))
			}},
	}
}
