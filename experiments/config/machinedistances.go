package config

import (
	"fmt"
	"slices"
	"sync/atomic"

	"contend/router/topology"
)

// distances counts the hops on a topology that does not count them itself. The
// distances from a router are computed at their first use.
type distances struct {
	of    topology.Topology
	at    []topology.Router   // by node
	peers [][]topology.Router // by router
	from  []atomic.Pointer[[]int32]
}

// withDistances returns a topology as a machine on which hops can be counted. It
// refuses one in which some node cannot be reached.
func WithDistances(t topology.Topology) (Machine, error) {
	if t.Nodes() < 1 || t.Routers() < 1 {
		return nil, fmt.Errorf("it has %d nodes on %d routers", t.Nodes(), t.Routers())
	}
	d := newDistances(t)
	for n, hops := range *d.row(d.at[0]) {
		if hops < 0 && d.carries(topology.Router(n)) {
			return nil, fmt.Errorf("no way leads from router %d to router %d", d.at[0], n)
		}
	}
	if m, ok := t.(Machine); ok {
		return m, nil
	}
	switch t := t.(type) {
	case topology.Grid:
		return measuredGrid{t, d}, nil
	case topology.Hierarchy:
		return measuredHierarchy{t, d}, nil
	}
	return measured{t, d}, nil
}

type (
	measured struct {
		topology.Topology
		*distances
	}
	measuredGrid struct {
		topology.Grid
		*distances
	}
	measuredHierarchy struct {
		topology.Hierarchy
		*distances
	}
)

// Unwrap returns a machine as the New of its topology made it. The machine of a run may
// be a topology around that one, which counts the hops.
func Unwrap(machine topology.Topology) topology.Topology {
	if d, ok := machine.(interface{ Unwrap() topology.Topology }); ok {
		return d.Unwrap()
	}
	return machine
}

// Unwrap returns the topology that does not count hops itself.
func (d *distances) Unwrap() topology.Topology { return d.of }

// newDistances returns distances on a topology; those from a router are computed when first needed.
func newDistances(t topology.Topology) *distances {
	d := &distances{of: t, peers: make([][]topology.Router, t.Routers()),
		from: make([]atomic.Pointer[[]int32], t.Routers())}
	for n := range topology.Node(t.Nodes()) {
		r, _ := t.Attach(n)
		d.at = append(d.at, r)
	}
	for r := range d.peers {
		for p := range topology.Port(t.Ports()) {
			if peer, _, ok := t.Peer(topology.Router(r), p); ok {
				d.peers[r] = append(d.peers[r], peer)
			}
		}
	}
	return d
}

// carries reports whether a router carries a node.
func (d *distances) carries(r topology.Router) bool { return slices.Contains(d.at, r) }

// Distance implements topology.Metric.
func (d *distances) Distance(a, b topology.Node) int {
	return int((*d.row(d.at[a]))[d.at[b]])
}

// row returns the hops from a router to all, -1 where no way leads: breadth first.
// Two callers at once may both find them.
func (d *distances) row(from topology.Router) *[]int32 {
	if found := d.from[from].Load(); found != nil {
		return found
	}
	hops := make([]int32, len(d.peers))
	for i := range hops {
		hops[i] = -1
	}
	hops[from] = 0
	for queue := []topology.Router{from}; len(queue) > 0; queue = queue[1:] {
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

// countLinks returns the channels between the routers of a topology.
func CountLinks(t topology.Topology) (links int) {
	for r := range topology.Router(t.Routers()) {
		for p := range topology.Port(t.Ports()) {
			if _, _, ok := t.Peer(r, p); ok {
				links++
			}
		}
	}
	return links
}
