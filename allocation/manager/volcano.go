package manager

import (
	"slices"

	"contend/allocation"
	"contend/router/topology"
)

// volcano places jobs as the plugin network-topology-aware of Volcano does [volcano-sh/volcano,
// docs/design/Network Topology Aware Scheduling.md, 2026]. The reading: a pod takes a node,
// HyperNodes are the switches of a machine, and all tiers are allowed.
//
// HyperNodes of lower tiers come first. Of those of a tier that can hold the job it gets the one
// with the highest utilization with the job on it (binpack), the first of equals. Within it each
// pod gets a node of the HyperNode of the lowest tier above it and the pods before it, of equal
// ones where most pods of the job are. So pods fill the leaf switch of the first free node, then
// those below the switch above it, in order, and so on up.
type volcano struct {
	whole
	size []int  // number of nodes below each switch
	used []bool // leaf switches that the job has filled
}

// NewVolcano returns volcano-binpack.
func NewVolcano(machine topology.Topology) (*volcano, error) {
	s, err := newWhole("volcano-binpack", machine)
	if err != nil {
		return nil, err
	}
	return &volcano{s, s.sizes(), make([]bool, len(s.level))}, nil
}

// Allocate implements Allocator. Ranks are in node order.
func (a *volcano) Allocate(dst []topology.Node, free *allocation.FreeSet,
	req allocation.Request) ([]topology.Node, bool) {
	if !a.count(free, req) {
		return dst, false
	}
	best := a.lowest(req.Size, func(i, than int) bool { return a.fuller(i, than, req.Size) })
	clear(a.used)
	from := len(dst)
	dst = a.fill(dst, free, best, int(a.firstFree(best)), req.Size)
	slices.Sort(dst[from:])
	return dst, true
}

// fuller reports whether switch i has a higher utilization than j with a job of a size on it.
func (a *volcano) fuller(i, j, size int) bool {
	return (a.size[i]-a.free[i]+size)*a.size[j] > (a.size[j]-a.free[j]+size)*a.size[i]
}

// firstFree returns the first leaf switch below another one that has a free node. Nodes are in
// their own order, which need not be that of leaf switches.
func (a *volcano) firstFree(i int) (first int32) {
	first = -1
	for _, leaf := range a.below[i] {
		if a.free[leaf] > 0 && (first < 0 || a.nodes[leaf][0] < a.nodes[first][0]) {
			first = leaf
		}
	}
	return first
}

// fill appends size free nodes of the leaf switches below top: those of leaf switch at first, then
// those of the nearest other ones.
func (a *volcano) fill(dst []topology.Node, free *allocation.FreeSet, top, at,
	size int) []topology.Node {
	for {
		for _, leaf := range a.below[at] {
			if _, below := slices.BinarySearch(a.below[top], leaf); !below || a.used[leaf] ||
				a.free[leaf] == 0 {
				continue
			}
			a.used[leaf] = true
			n := min(size, a.free[leaf])
			dst = free.AppendOf(dst, a.nodes[leaf], n)
			if size -= n; size == 0 {
				return dst
			}
		}
		if at = a.parent(at); at < 0 {
			at = top
		}
	}
}
