// Package mapping decides which process of a job runs on which of its nodes, once an allocator has
// chosen these. A mapping is good if processes that exchange many bytes are few hops apart: its
// cost is the hop-bytes, the sum over messages of bytes times hops (Hoefler and Snir, "Generic
// topology mapping strategies for large-scale parallel architectures", ICS 2011; Pellegrini and
// Roman, "Scotch: a software package for static mapping by dual recursive bipartitioning", HPCN
// 1996).
package mapping

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"

	"contend/allocation"
	"contend/router/topology"
)

// The mappings. All but Allocated depend on which nodes a job has, and not on the order in which
// it got them.
const (
	Allocated = "allocated" // process i on the i-th node of the allocation
	Random    = "random"    // drawn uniformly from all mappings
	RowMajor  = "row-major" // along that order of the machine's nodes
	Hilbert   = "hilbert"   // along that one
	Bisection = "bisection" // see Bisect
	Greedy    = "greedy"    // see Grow
)

// Names lists the mappings. The first is the default.
func Names() []string {
	return []string{Allocated, Random, RowMajor, Hilbert, Bisection, Greedy}
}

// ByTraffic reports whether a mapping depends on what the processes of a job send.
func ByTraffic(name string) bool { return name == Bisection || name == Greedy }

// Along reports whether a mapping is an order of the nodes of the machine.
func Along(name string) bool { return name == RowMajor || name == Hilbert }

// Partner is a process with which another one exchanges bytes, at least 1, both ways together.
type Partner struct {
	Process int32
	Bytes   int64
}

// Traffic lists the partners of each process, in ascending order. Each pair is listed twice.
type Traffic [][]Partner

// NewTraffic returns the traffic of n processes of a matrix of bytes, one row for each sender. What
// a process sends to itself is left out.
func NewTraffic(n int, bytes []int64) Traffic {
	t := make(Traffic, n)
	for i := range n {
		for j := range n {
			if both := bytes[i*n+j] + bytes[j*n+i]; i != j && both > 0 {
				t[i] = append(t[i], Partner{int32(j), both})
			}
		}
	}
	return t
}

// Places are the nodes of a job, by their places in the allocation.
type Places struct {
	n     int
	order []int32   // the places in the order of their nodes' numbers
	hops  []uint16  // hops[a*n+b] from place a to place b
	sides [][]int32 // of each dimension of a machine with coordinates, the coordinate of each place
}

// NewPlaces returns the places of a job on a machine whose distances are given.
func NewPlaces(machine topology.Topology, d *allocation.Rows, nodes []topology.Node) *Places {
	n := len(nodes)
	p := &Places{n: n, order: Sort(nodes, nil), hops: make([]uint16, n*n)}
	for a, node := range nodes {
		row := d.Row(d.Home[node])
		for b, other := range nodes {
			p.hops[a*n+b] = row[d.Home[other]]
		}
	}
	if grid, ok := machine.(topology.Lattice); ok {
		p.sides = coordinates(grid, nodes)
	}
	return p
}

// coordinates returns the coordinates of nodes in each dimension.
func coordinates(grid topology.Lattice, nodes []topology.Node) (sides [][]int32) {
	for d := range grid.Dims() {
		of := make([]int32, len(nodes))
		for i, node := range nodes {
			r, _ := grid.Attach(node)
			of[i] = int32(grid.Coordinate(r, d))
		}
		sides = append(sides, of)
	}
	return sides
}

// between returns the hops between two places.
func (p *Places) between(a, b int32) uint16 { return p.hops[int(a)*p.n+int(b)] }

// Draw returns a random mapping to nodes.
func Draw(nodes []topology.Node, rng *rand.Rand) []int32 {
	at := Sort(nodes, nil)
	rng.Shuffle(len(at), func(i, j int) { at[i], at[j] = at[j], at[i] })
	return at
}

// Sort returns the mapping to nodes along an order of the machine, which gives the rank of each
// node; nil for that of their numbers.
func Sort(nodes []topology.Node, rank []int32) []int32 {
	at := make([]int32, len(nodes))
	for i := range at {
		at[i] = int32(i)
	}
	key := func(i int32) int32 {
		if rank == nil {
			return int32(nodes[i])
		}
		return rank[nodes[i]]
	}
	slices.SortFunc(at, func(a, b int32) int { return cmp.Compare(key(a), key(b)) })
	return at
}

// scaled returns the traffic with whole weights of at most 2^20, so that sums of weights times
// hops cannot overflow.
func (t Traffic) scaled() Traffic {
	maxBytes := int64(1)
	for _, partners := range t {
		for _, k := range partners {
			maxBytes = max(maxBytes, k.Bytes)
		}
	}
	by := (maxBytes-1)>>20 + 1
	scaled := make(Traffic, len(t))
	for i, partners := range t {
		for _, k := range partners {
			scaled[i] = append(scaled[i], Partner{k.Process, max(1, k.Bytes/by)})
		}
	}
	return scaled
}

// check panics on traffic of another number of processes: a caller's bug.
func (p *Places) check(t Traffic) {
	if len(t) != p.n {
		panic(fmt.Sprintf("mapping: %d processes for %d places", len(t), p.n))
	}
}
