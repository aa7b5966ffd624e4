package routes

import (
	"iter"

	"contend/router"
	"contend/router/topology"
)

// treeByCredits is up/down routing on a Tree or a FatTree by any port up, as with TreeAdaptive, but
// the ports are tried in the order of what the router sees of them: most credits first, see
// selection. Of ports that are alike that of d-mod-k comes first, then the others in turn, or first
// one drawn for each packet and router. Down it chooses likewise among the links of a bundle.
// TreeAdaptive takes the port of d-mod-k whenever that is free (Gomez, Gilabert, Gomez, Lopez and
// Duato, "Deterministic versus adaptive routing in fat-trees", IPDPS 2007, compare the two kinds).
type treeByCredits struct {
	*TreeUpDown
	draws   bool // of ports that are alike a drawn one comes first
	options selection
}

// treeByCreditsMakers make treeByCredits.
var treeByCreditsMakers = []router.Maker{
	byCreditsMaker("adaptive-credits",
		"tree, fat-tree: up by the port with most credits of those that are free, then down", false),
	byCreditsMaker("adaptive-random",
		"adaptive-credits, but of ports with as many credits one is drawn, not that of d-mod-k", true),
}

// byCreditsMaker returns the maker of treeByCredits.
func byCreditsMaker(name, doc string, draws bool) router.Maker {
	return router.Maker{Name: name, Doc: doc, Draws: draws, Suits: isFatTree,
		New: func(w *router.Wiring, seed uint64) (router.Routing, error) {
			return &treeByCredits{TreeUpDown: NewTreeUpDown(w, TreeAdaptive, seed),
				draws: draws}, nil
		}}
}

// Traits implements Described.
func (x *treeByCredits) Traits() router.Traits {
	t := x.TreeUpDown.Traits()
	t.Oblivious = false
	return t
}

// Route implements Routing.
func (x *treeByCredits) Route(dst []router.Channel, r topology.Router, in router.Channel,
	h *router.Header, v router.View) []router.Channel {
	ports, apart, total := x.links(r, h.Destination)
	if total < 2 {
		return x.TreeUpDown.Route(dst, r, in, h, v)
	}
	x.options = x.options[:0]
	choice := x.port(r, h, total)
	for i := range total {
		x.options.add(ports[(choice+i)%total*apart], x.virtual)
	}
	x.options.rank(v)
	if x.draws {
		best := router.Draw(x.seed, h.Packet, int64(r), x.options.alike(v))
		x.options[0], x.options[best] = x.options[best], x.options[0]
	}
	return x.options.appendVCs(dst)
}

// Witnesses implements Witnessing: those of TreeAdaptive, which takes the same channels.
func (x *treeByCredits) Witnesses() (router.Routing, iter.Seq[router.Header]) {
	_, headers := x.TreeUpDown.Witnesses()
	return x, headers
}
