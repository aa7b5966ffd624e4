package hyperx

import (
	"contend/netsim/topology"
	"contend/router"
	"contend/router/routes/frame"
)

// Makers are the routings of HyperX networks.
func Makers() []router.Maker {
	return []router.Maker{
		{"dimension-order", "one hop in x first, then in y, and so on", frame.Is[*topology.HyperX], nil,
			func(w *router.Wiring, _ uint64) (router.Routing, error) { return frame.Made(NewOrder(w)) }},
		{"minimal-adaptive", "any shortest path, with dimension order to escape to",
			frame.Is[*topology.HyperX], frame.Two,
			func(w *router.Wiring, _ uint64) (router.Routing, error) { return frame.Made(NewAdaptive(w)) }},
		{"valiant", "dimension order to a router drawn for each packet, then to the destination",
			frame.Is[*topology.HyperX], frame.Two, func(w *router.Wiring, seed uint64) (router.Routing,
				error) {
				return frame.Made(NewDetour(w, false, seed))
			}},
		{"ugal", "dimension order, or valiant where queues at the first router are shorter",
			frame.Is[*topology.HyperX], frame.Two, func(w *router.Wiring, seed uint64) (router.Routing,
				error) {
				return frame.Made(NewDetour(w, true, seed))
			}},
		{"dal", "in each dimension straight on, or once over another coordinate where queues are shorter",
			frame.Is[*topology.HyperX], frame.Two,
			func(w *router.Wiring, seed uint64) (router.Routing, error) {
				return frame.Made(NewDAL(w,
					seed))
			}},
	}
}
