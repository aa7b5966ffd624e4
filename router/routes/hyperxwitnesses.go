package routes

import (
	"iter"

	"contend/router"
	"contend/router/deadlock"
	"contend/router/topology"
)

// Witnesses implements Witnessing: see twoPhaseWitnesses. Within a phase the channels are those of
// dimension order. Between the phases a packet takes the last channel to the drawn router, from any
// other one of a row, and the first one from it, to any other one of a row.
func (x *hyperxDetour) Witnesses() (router.Routing, iter.Seq[router.Header]) {
	nodes := deadlock.NodesOf(x.order.wiring)
	return x, twoPhaseWitnesses(x.order.pairs(), x.order.hyper.RouterOf,
		func(r topology.Router) topology.Node { return nodes[r][0] }, x.order.hyper.Routers(),
		func(via topology.Router) (coming, leaving [][]topology.Router) {
			x.order.row(via, 0, func(s topology.Router, d int) bool {
				coming, leaving = append(coming, x.beside(s, 0, d)), append(leaving, x.beside(s, d+1, 64))
				return true
			})
			return coming, leaving
		}, differ)
}

// differ reports whether a packet between two routers may be sent over any third one: if they
// differ.
func differ(source, goal, _ topology.Router) bool { return source != goal }

// beside returns router r, and a router that differs from it in one of the dimensions from low to
// below high if there is one. Packets between the second and a router that differs from r in none
// of these dimensions go by r.
func (x *hyperxDetour) beside(r topology.Router, low, high int) []topology.Router {
	list := []topology.Router{r}
	x.order.row(r, low, func(s topology.Router, d int) bool {
		if d < high {
			list = append(list, s)
		}
		return false
	})
	return list
}
