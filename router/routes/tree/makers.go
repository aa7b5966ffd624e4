package tree

import (
	"contend/router"
	"contend/router/routes/frame"
)

// Makers are the routings of trees and fat trees.
func Makers() []router.Maker {
	return []router.Maker{
		upDownMaker("d-mod-k", "up by the digits of the destination, then down", ByDestination),
		upDownMaker("s-mod-k", "up by the digits of the source, then down", BySource),
		upDownMaker("random", "up by ports drawn for each packet and router, then down", Drawn),
		upDownMaker("adaptive", "up by any port that is free, then down", Adaptive),
		{"adaptive-credits", "up by the free port with most credits, then down", isFatTree, nil,
			func(w *router.Wiring, _ uint64) (router.Routing,
				error) {
				return frame.Made(NewUpByCredits(w))
			}},
	}
}

func upDownMaker(name, doc string, choice UpPort) router.Maker {
	return router.Maker{name, doc, isFatTree, nil,
		func(w *router.Wiring, seed uint64) (router.Routing, error) {
			return frame.Made(NewUpDown(w, choice, seed))
		}}
}
