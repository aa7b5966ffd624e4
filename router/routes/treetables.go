package routes

import (
	"contend/router"
	"contend/router/topology"
)

// treeTables returns the ways of a tree.
func (x *TreeUpDown) treeTables(t *topology.FatTree) *router.TreeTables {
	levels := t.Levels()
	w := &router.TreeTables{Routers: make([]router.TreeRouter, len(x.places)), Ports: make([]router.TreePorts,
		t.Nodes()*levels),
		FirstVC: x.first, Levels: int32(levels), BySource: x.choice == BySource}
	for level := range levels {
		at := &x.places[t.At(level, 0, 0)]
		for n := range int32(t.Nodes()) {
			up := at.down + n/at.digit%max(1, at.up)
			w.Ports[int(n)*levels+level] = router.TreePorts(n%at.span/at.step | up<<16)
		}
	}
	for r := range x.places {
		at := &x.places[r]
		level, _, _ := t.Place(topology.Router(r))
		w.Routers[r] = router.TreeRouter{From: at.from, Span: at.span, FirstPort: int32(r * x.ports),
			Entry: int32(level) - at.first*int32(levels)}
	}
	return w
}
