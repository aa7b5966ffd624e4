package topology

import "sync/atomic"

// RowMetric is a topology that counts the hops from one router to all others at once, in less time
// than Distance takes for each. Cube, Dragonfly, HyperX and Graph implement it.
type RowMetric interface {
	Topology
	Metric
	// HopsFrom sets hops[r] to the number of channels on a shortest path from a router to
	// router r, for all routers. The length of hops is the number of routers, and no path may be
	// longer than an entry can hold. Several goroutines may call it at the same time.
	HopsFrom(from Router, hops []uint16)
}

// HopsFrom implements RowMetric. All routers are three channels away, except those that are one or
// two channels away.
func (t *Dragonfly) HopsFrom(from Router, hops []uint16) {
	hops[0] = 3
	for n := 1; n < len(hops); n *= 2 { // faster than one by one
		copy(hops[n:], hops[:n])
	}
	first, near := t.Group(from)*t.local, t.globalFrom(from)
	own := hops[first : first+t.local]
	for i := range own { // a local link, then a global one
		setHops(hops, t.globalFrom(Router(first+i)), 2)
	}
	for _, r := range near { // a global link, then any other one
		if r == noRouter {
			continue
		}
		setHops(hops, t.globalFrom(r), 2)
		group := t.Group(r) * t.local
		for to := group; to < group+t.local; to++ {
			hops[to] = 2
		}
	}
	setHops(hops, near, 1)
	for i := range own {
		own[i] = 1
	}
	hops[from] = 0
}

// setHops sets the hops to some routers.
func setHops(hops []uint16, routers []Router, to uint16) {
	for _, r := range routers {
		if r != noRouter {
			hops[r] = to
		}
	}
}

// HopsFrom implements RowMetric.
func (t *HyperX) HopsFrom(from Router, hops []uint16) { t.grid.hopsFrom(from, hops, t.along) }

// HopsFrom implements RowMetric.
func (t *Cube) HopsFrom(from Router, hops []uint16) { t.hopsFrom(from, hops, t.along) }

// hopsFrom sets the hops from one router to all others by those between coordinates, which along
// returns. The rows of each dimension repeat the block of the dimensions before it, farther away by
// the hops along the dimension.
func (t *Cube) hopsFrom(from Router, hops []uint16, along func(d, x, y int) int) {
	hops[0] = 0
	for d, n := range t.dims {
		block, own := hops[:t.stride[d]], t.Coordinate(from, d)
		for x := n - 1; x >= 0; x-- { // the block itself comes last
			farther, copied := uint16(along(d, own, x)), hops[x*len(block):][:len(block)]
			for i, h := range block {
				copied[i] = h + farther
			}
		}
	}
}

// Unreached is the number of hops to a router without a path: a router of another plane, if nodes
// have several network interfaces.
const Unreached = 1<<16 - 1

// HopsFrom implements RowMetric.
func (t *Graph) HopsFrom(from Router, hops []uint16) {
	for r, h := range t.row(from) {
		hops[r] = uint16(h) // Unreached where h is unreached
	}
}

// row returns the hops from a router to all others, and keeps them; do not change it.
func (t *Graph) row(from Router) []int32 {
	row := t.hops.find(from)
	if row == nil {
		row = t.search(from)
		t.hops[int(from)%len(t.hops)].Store(&hopRow{from, row})
	}
	return row
}

// unreached is the number of hops to a router that cannot be reached.
const unreached = int32(-1)

// hopRows keeps the hops from some routers of a graph to all others. All rows would take memory
// that grows with the square of the routers, so the rows of large graphs share places, and a row
// that was replaced is computed again. Results do not depend on which rows are kept.
type hopRows []atomic.Pointer[hopRow]

// hopRow has the hops from one router to all others.
type hopRow struct {
	from Router
	hops []int32
}

// maxHopRows is the maximum number of rows kept: a kilobyte a router.
const maxHopRows = 256

// find returns the row of router r, nil if it is not kept.
func (h hopRows) find(r Router) []int32 {
	if row := h[int(r)%len(h)].Load(); row != nil && row.from == r {
		return row.hops
	}
	return nil
}

// Distance implements Metric.
func (t *Graph) Distance(a, b Node) int {
	from, to := t.home[a], t.home[b]
	if back := t.hops.find(to); back != nil {
		return int(back[from])
	}
	return int(t.row(from)[to])
}

// search counts the channels from one router to all others.
func (t *Graph) search(from Router) []int32 {
	hops := make([]int32, t.Routers())
	for i := range hops {
		hops[i] = unreached
	}
	hops[from] = 0
	queue := make([]Router, 1, len(hops))
	for queue[0] = from; len(queue) > 0; queue = queue[1:] {
		r := queue[0]
		for _, e := range t.linkEnds[t.first[r]:t.first[r+1]] {
			if hops[e.router] == unreached {
				hops[e.router] = hops[r] + 1
				queue = append(queue, e.router)
			}
		}
	}
	return hops
}
