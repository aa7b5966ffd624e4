package routes

import (
	"iter"

	"contend/router"
	"contend/router/topology"
)

// treeTwoChoices is up/down routing on a Tree or a FatTree by the better of two drawn ports (the
// power of two choices: Mitzenmacher, IEEE Trans. Parallel and Distributed Systems 12(10), 2001;
// anca of BookSim 2, Jiang et al. 2013). Both are drawn from all ports up for each packet and
// router, so they may be the same; that with more credits over all its virtual channels is taken,
// and the first if they have as many. Down it chooses likewise among the links of a bundle.
type treeTwoChoices struct{ *TreeUpDown }

// treeTwoChoicesMaker makes treeTwoChoices.
var treeTwoChoicesMaker = router.Maker{
	Name: "two-choices",
	Doc: "tree, fat-tree: up by that of two ports drawn for each packet and router that has more " +
		"credits, then down",
	Source: "Mitzenmacher 2001",
	Draws:  true,
	Suits:  isFatTree,
	New: func(w *router.Wiring, seed uint64) (router.Routing, error) {
		return &treeTwoChoices{NewTreeUpDown(w, Drawn, seed)}, nil
	},
}

// Traits implements Described.
func (x *treeTwoChoices) Traits() router.Traits {
	t := x.TreeUpDown.Traits()
	t.Oblivious = false
	return t
}

// Route implements Routing.
func (x *treeTwoChoices) Route(dst []router.Channel, r topology.Router, in router.Channel,
	h *router.Header, v router.View) []router.Channel {
	ports, apart, total := x.links(r, h.Destination)
	if total < 2 {
		return x.TreeUpDown.Route(dst, r, in, h, v)
	}
	one := ports[router.Draw(x.seed, h.Packet, int64(r), total)*apart]
	other := ports[router.Draw(x.seed, h.Packet, ^int64(r), total)*apart]
	if x.credits(other, v) > x.credits(one, v) {
		one = other
	}
	return router.AppendRun(dst, one, x.virtual)
}

// credits returns the credits of the VCs of a link, of which the first is given.
func (x *treeTwoChoices) credits(first router.Channel, v router.View) (sum int32) {
	for c := first; c < first+x.virtual; c++ {
		sum += v.Credits(c)
	}
	return sum
}

// Witnesses implements Witnessing: those of drawn ports.
func (x *treeTwoChoices) Witnesses() (router.Routing, iter.Seq[router.Header]) {
	_, headers := x.TreeUpDown.Witnesses()
	return x, headers
}
