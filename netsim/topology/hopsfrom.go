package topology

// RowMetric is a topology that counts the hops from one router to all others at once, in
// less time than Distance takes for each. Cube, Dragonfly, HyperX and Graph are such.
type RowMetric interface {
	Topology
	Metric
	// HopsFrom sets hops[r] to the number of channels on a shortest path from a router to
	// router r, for all routers. The length of hops is their number, and no path may be
	// longer than an entry can say. Several callers may ask at the same time.
	HopsFrom(from Router, hops []uint16)
}

// HopsFrom implements RowMetric. All routers are three channels away but for those that
// one or two channels lead to.
func (t *Dragonfly) HopsFrom(from Router, hops []uint16) {
	hops[0] = 3
	for n := 1; n < len(hops); n *= 2 { // faster than one by one
		copy(hops[n:], hops[:n])
	}
	first, near := t.Group(from)*t.local, t.globalFrom(from)
	own := hops[first : first+t.local]
	for i := range own { // a local link, then a global one
		t.twoAway(hops, t.globalFrom(Router(first+i)))
	}
	for _, r := range near { // a global link, then any other one
		if r == noRouter {
			continue
		}
		t.twoAway(hops, t.globalFrom(r))
		group := t.Group(r) * t.local
		for to := group; to < group+t.local; to++ {
			hops[to] = 2
		}
	}
	for _, r := range near {
		if r != noRouter {
			hops[r] = 1
		}
	}
	for i := range own {
		own[i] = 1
	}
	hops[from] = 0
}

// twoAway sets the hops to some routers to 2.
func (t *Dragonfly) twoAway(hops []uint16, routers []Router) {
	for _, r := range routers {
		if r != noRouter {
			hops[r] = 2
		}
	}
}

// HopsFrom implements RowMetric. The routers of a dimension repeat those of the dimensions
// before it, one channel further away but for the router's own coordinate.
func (t *HyperX) HopsFrom(from Router, hops []uint16) {
	hops[0] = 0
	for d, n := range t.grid.dims {
		block := hops[:t.grid.stride[d]]
		for x := n - 1; x >= 0; x-- { // the block itself comes last
			further := uint16(1)
			if x == t.Coordinate(from, d) {
				further = 0
			}
			for i, h := range block {
				hops[x*len(block)+i] = h + further
			}
		}
	}
}

// HopsFrom implements RowMetric. The routers of a dimension repeat those of the dimensions
// before it, farther away by what the coordinate differs.
func (t *Cube) HopsFrom(from Router, hops []uint16) {
	hops[0] = 0
	for d, n := range t.dims {
		block, own := hops[:t.stride[d]], t.Coordinate(from, d)
		for x := n - 1; x >= 0; x-- { // the block itself comes last
			farther, copied := uint16(t.along(d, own, x)), hops[x*len(block):][:len(block)]
			for i, h := range block {
				copied[i] = h + farther
			}
		}
	}
}

// Unreached stands for the hops to a router of another plane, where nodes have several network
// interfaces.
const Unreached = 1<<16 - 1

// HopsFrom implements RowMetric.
func (t *Graph) HopsFrom(from Router, hops []uint16) {
	for r, h := range t.row(from) {
		hops[r] = uint16(h) // Unreached where h is unreached
	}
}

// row returns the distances from a router to all others; do not change it.
func (t *Graph) row(from Router) []int32 {
	row := t.hops.find(from)
	if row == nil {
		row = t.search(from)
		t.hops[int(from)%len(t.hops)].Store(&hopRow{from, row})
	}
	return row
}
