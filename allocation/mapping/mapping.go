// Package mapping decides which process of a job runs on which of its nodes, after an allocator has
// chosen the nodes. A mapping is good if processes that exchange many bytes are few hops apart: its
// cost is the hop-bytes, the sum over messages of bytes times hops (Hoefler and Snir, "Generic
// topology mapping strategies for large-scale parallel architectures", ICS 2011; Pellegrini and
// Roman, "Scotch: a software package for static mapping by dual recursive bipartitioning", HPCN
// 1996).
//
// Example: a job has the six nodes of a line, and each process i below 3 sends 100 bytes to process
// i+3. In the order of the allocation, partners are 3 hops apart: 900 hop-bytes. Bisect puts
// partners beside each other: processes 1 and 4 on nodes 0 and 1, 2 and 5 on 2 and 3, 0 and 3 on 4
// and 5, with 300 hop-bytes. Grow, which places process by process, reaches 500 (Example).
package mapping

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"

	"contend/allocation"
	"contend/router/topology"
)

// The mappings. All but Allocated depend on the set of a job's nodes and not on their order.
const (
	Allocated = "allocated" // process i on the i-th node of the allocation
	Random    = "random"    // drawn uniformly from all mappings
	RowMajor  = "row-major" // in row-major order of the machine's nodes
	Hilbert   = "hilbert"   // along Hilbert's curve
	Bisection = "bisection" // see Bisect
	Greedy    = "greedy"    // see Grow
)

// Mappings lists the mappings. The first is the default.
func Mappings() []allocation.Info {
	return []allocation.Info{
		{Name: Allocated, Display: "Allocated"}, {Name: Random}, {Name: RowMajor}, {Name: Hilbert},
		{Name: Bisection, Display: "Bisection"}, {Name: Greedy, Display: "Greedy"}}
}

// Names lists the names of Mappings.
func Names() []string { return allocation.NamesOf(Mappings()) }

// ByTraffic reports whether a mapping depends on the traffic of a job.
func ByTraffic(name string) bool { return name == Bisection || name == Greedy }

// Along reports whether a mapping is an order of the nodes of the machine.
func Along(name string) bool { return name == RowMajor || name == Hilbert }

// Partner is a process with which another process exchanges bytes. Bytes is the sum of both
// directions, at least 1.
type Partner struct {
	Process int32
	Bytes   int64
}

// Traffic lists the partners of each process, in ascending order. Each pair is listed twice.
type Traffic [][]Partner

// NewTraffic returns the traffic of n processes of a matrix of bytes, one row for each sender.
// Messages of a process to itself are left out.
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
	hops  []uint16  // hops[a*n+b] is the number of hops from place a to place b
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

// Sort returns the mapping to nodes along an order of the machine, given by the rank of each node;
// nil means the order of node numbers.
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

// check panics if the traffic has a different number of processes: a caller's bug.
func (p *Places) check(t Traffic) {
	if len(t) != p.n {
		panic(fmt.Sprintf("mapping: %d processes for %d places", len(t), p.n))
	}
}

// maxPartners is the greatest number of partners, the heaviest ones, that Grow considers. With this
// bound a pattern in which all k processes exchange with all others takes O(k²) steps.
const maxPartners = 16

// Grow maps greedily, after Hoefler and Snir 2011: the process with the most traffic comes first,
// at the place with the fewest hops to all others. Then follows the process that exchanges the most
// with mapped processes, at the free place with the fewest hop-bytes to its mapped partners. Ties
// go to the lower process and to the earlier place.
func (p *Places) Grow(t Traffic) []int32 {
	p.check(t)
	t = t.scaled()
	at, free := make([]int32, p.n), slices.Clone(p.order)
	bound := make([]int64, p.n) // bytes that a process exchanges with those mapped, -1 if it is
	for step := range p.n {
		next := maxBound(t, bound, step == 0)
		best, minCost := 0, int64(-1)
		partners := mappedPartners(t[next], bound)
		for i, place := range free {
			cost := int64(0)
			for _, k := range partners {
				cost += k.Bytes * int64(p.between(place, at[k.Process]))
			}
			if len(partners) == 0 && step == 0 {
				cost = p.sum(place)
			}
			if minCost < 0 || cost < minCost {
				best, minCost = i, cost
			}
		}
		at[next] = free[best]
		free = append(free[:best], free[best+1:]...)
		bound[next] = -1
		for _, k := range t[next] {
			if bound[k.Process] >= 0 {
				bound[k.Process] += k.Bytes
			}
		}
	}
	return at
}

// maxBound returns the process that exchanges the most with mapped processes, or at first the
// process with the most traffic.
func maxBound(t Traffic, bound []int64, first bool) (next int32) {
	maxBytes := int64(-1)
	for i, b := range bound {
		if first {
			for _, k := range t[i] {
				b += k.Bytes
			}
		}
		if b > maxBytes {
			next, maxBytes = int32(i), b
		}
	}
	return next
}

// mappedPartners returns the heaviest partners that are mapped, at most maxPartners.
func mappedPartners(partners []Partner, bound []int64) (heaviest []Partner) {
	for _, k := range partners {
		if bound[k.Process] >= 0 {
			continue
		}
		at := len(heaviest)
		for at > 0 && heaviest[at-1].Bytes < k.Bytes {
			at--
		}
		if at == maxPartners {
			continue
		}
		heaviest = append(heaviest[:at], append([]Partner{k}, heaviest[at:]...)...)
		heaviest = heaviest[:min(maxPartners, len(heaviest))]
	}
	return heaviest
}

// sum returns the hops from a place to all others.
func (p *Places) sum(place int32) (hops int64) {
	for _, h := range p.hops[int(place)*p.n:][:p.n] {
		hops += int64(h)
	}
	return hops
}
