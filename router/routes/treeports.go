package routes

import (
	"contend/router"
	"contend/router/topology"
)

// findWays returns the ways of a tree.
func (x *TreeUpDown) findWays(t *topology.FatTree) *router.TreeWays {
	levels := t.Levels()
	w := &router.TreeWays{Spots: make([]router.TreeSpot, len(x.places)), Ways: make([]router.TreeWay,
		t.Nodes()*levels),
		First: x.first, Levels: int32(levels), BySource: x.choice == BySource}
	for level := range levels {
		at := &x.places[t.At(level, 0, 0)]
		for n := range int32(t.Nodes()) {
			up := at.down + n/at.digit%max(1, at.up)
			w.Ways[int(n)*levels+level] = router.TreeWay(n%at.span/at.step | up<<16)
		}
	}
	for r := range x.places {
		at := &x.places[r]
		level, _, _ := t.Place(topology.Router(r))
		w.Spots[r] = router.TreeSpot{From: at.from, Span: at.span, Ports: int32(r * x.ports),
			Way: int32(level) - at.first*int32(levels)}
	}
	return w
}
