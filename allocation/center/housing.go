package center

import (
	"math/bits"
	"slices"

	"contend/allocation"
	"contend/netsim/topology"
)

// housing says which nodes the places of a lattice have. The nodes of a place follow each other,
// in the order of places.
type housing struct {
	first        []int32 // node of each place, and the number of nodes; nil where each place has one
	places       []topology.Node
	most         int // nodes of a place
	machineNodes int
	mark         []int32 // by place, for lists of nodes
}

func newHousing(cube *topology.Cube) housing {
	h := housing{most: 1, machineNodes: cube.Nodes()}
	if cube.OneNodePerRouter() {
		return h
	}
	h.mark, h.places = make([]int32, cube.Routers()), make([]topology.Node, cube.Nodes())
	for r := range cube.Routers() {
		first, nodes := cube.NodesAt(topology.Router(r))
		h.first, h.most = append(h.first, int32(first)), max(h.most, nodes)
		for i := range nodes {
			h.places[int(first)+i] = topology.Node(r)
		}
	}
	h.first = append(h.first, int32(cube.Nodes()))
	return h
}

// place returns the place of a node.
func (h *housing) place(n topology.Node) topology.Node {
	if h.first == nil {
		return n
	}
	return h.places[n]
}

// count sets counts to the free nodes of each place, and appends the places that have any.
func (h *housing) count(dst []topology.Node, counts []int32,
	free *allocation.FreeSet) []topology.Node {
	clear(counts)
	for w, word := range free.Words() {
		for ; word != 0; word &= word - 1 {
			p := h.place(topology.Node(w<<6 + bits.TrailingZeros64(word)))
			if counts[p]++; counts[p] == 1 {
				dst = append(dst, p)
			}
		}
	}
	return dst
}

// appendNodes appends, in node order, for each place of a list one of its free nodes for each time
// that it is in it, the first ones.
func (h *housing) appendNodes(dst []topology.Node, free *allocation.FreeSet,
	places []topology.Node) []topology.Node {
	start := len(dst)
	if h.first == nil {
		dst = append(dst, places...)
		slices.Sort(dst[start:])
		return dst
	}
	for _, p := range places {
		n := h.first[p] + h.mark[p]
		for !free.Free(topology.Node(n)) {
			n++
		}
		h.mark[p] = n + 1 - h.first[p]
		dst = append(dst, topology.Node(n))
	}
	for _, p := range places {
		h.mark[p] = 0
	}
	slices.Sort(dst[start:])
	return dst
}
