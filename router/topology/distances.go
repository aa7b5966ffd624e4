package topology

import (
	"fmt"
	"slices"
	"sync/atomic"
)

// distances counts the hops on a topology that does not count them itself. The
// distances from a router are computed at their first use.
type distances struct {
	of    Topology
	at    []Router   // by node
	peers [][]Router // by router
	from  []atomic.Pointer[[]int32]
}

// Measured is a topology with the number of hops between nodes.
type Measured interface {
	Topology
	Metric
}

// WithDistances returns a topology on which hops can be counted. It refuses one in which some node
// cannot be reached.
func WithDistances(t Topology) (Measured, error) {
	if t.Nodes() < 1 || t.Routers() < 1 {
		return nil, fmt.Errorf("it has %d nodes on %d routers", t.Nodes(), t.Routers())
	}
	d := newDistances(t)
	for n, hops := range *d.row(d.at[0]) {
		if hops < 0 && d.carries(Router(n)) {
			return nil, fmt.Errorf("no way leads from router %d to router %d", d.at[0], n)
		}
	}
	if m, ok := t.(Measured); ok {
		return m, nil
	}
	switch t := t.(type) {
	case Grid:
		return measuredGrid{t, d}, nil
	case Hierarchy:
		return measuredHierarchy{t, d}, nil
	}
	return measured{t, d}, nil
}

type (
	measured struct {
		Topology
		*distances
	}
	measuredGrid struct {
		Grid
		*distances
	}
	measuredHierarchy struct {
		Hierarchy
		*distances
	}
)

// Unwrap returns the topology that was given to WithDistances, or t itself.
func Unwrap(t Topology) Topology {
	if d, ok := t.(interface{ Unwrap() Topology }); ok {
		return d.Unwrap()
	}
	return t
}

// Unwrap returns the topology that does not count hops itself.
func (d *distances) Unwrap() Topology { return d.of }

// newDistances returns distances on a topology; those from a router are computed when first needed.
func newDistances(t Topology) *distances {
	d := &distances{of: t, peers: make([][]Router, t.Routers()),
		from: make([]atomic.Pointer[[]int32], t.Routers())}
	for n := range Node(t.Nodes()) {
		r, _ := t.Attach(n)
		d.at = append(d.at, r)
	}
	for r := range d.peers {
		for p := range Port(t.Ports()) {
			if peer, _, ok := t.Peer(Router(r), p); ok {
				d.peers[r] = append(d.peers[r], peer)
			}
		}
	}
	return d
}

// carries reports whether a router carries a node.
func (d *distances) carries(r Router) bool { return slices.Contains(d.at, r) }

// Distance implements Metric.
func (d *distances) Distance(a, b Node) int {
	return int((*d.row(d.at[a]))[d.at[b]])
}

// row returns the hops from a router to all, -1 where no way leads: breadth first.
// Two callers at once may both find them.
func (d *distances) row(from Router) *[]int32 {
	if found := d.from[from].Load(); found != nil {
		return found
	}
	hops := make([]int32, len(d.peers))
	for i := range hops {
		hops[i] = -1
	}
	hops[from] = 0
	for queue := []Router{from}; len(queue) > 0; queue = queue[1:] {
		for _, peer := range d.peers[queue[0]] {
			if hops[peer] < 0 {
				hops[peer] = hops[queue[0]] + 1
				queue = append(queue, peer)
			}
		}
	}
	d.from[from].Store(&hops)
	return &hops
}

// countLinks returns the channels between the routers of a
func CountLinks(t Topology) (links int) {
	for r := range Router(t.Routers()) {
		for p := range Port(t.Ports()) {
			if _, _, ok := t.Peer(r, p); ok {
				links++
			}
		}
	}
	return links
}
