package manager

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"contend/allocation"
	"contend/router/topology"
)

// kueue places jobs as Kueue's topology-aware scheduling does [KEP 2724, "Topology Aware
// Scheduling", kubernetes-sigs/kueue, 2026]. In this reading a pod takes a node, domains are the
// switches of a machine, and the domains of the lowest level, which pods fill, are the leaf
// switches. Jobs have no leaders and no slices.
//
// kueue-best-fit is BestFit with the annotation "preferred" at the leaf switches. The job gets one
// domain of the lowest level at which a domain can hold it: the domain with the fewest free nodes,
// the first of equals. Below it the job gets domains of the next level, from the one with the most
// free nodes on, equals in order; the last one is the domain with the fewest free nodes that
// suffice. The levels below follow the same rule.
//
// kueue-least-free is LeastFreeCapacity, the algorithm of unconstrained requests: the leaf switch
// with the fewest free nodes that suffice, otherwise several leaf switches from the one with the
// fewest on.
//
// kueue-balanced is BalancedPlacement with "preferred" one level above the leaf switches. Within
// one domain two levels above them, or the whole machine, pods are spread so that each leaf switch
// used gets at least T. T is the maximum with the number of leaf switches that are needed if the
// emptiest are filled first: the smaller of their even share and the free nodes of the last of
// them. The job gets the domain with the largest T, and among equals the one that needs the fewest
// domains below it. Leaf switches with fewer than T free nodes are left out. The job gets the
// smallest set of domains above leaf switches, and then the smallest set of leaf switches below
// them, that suffices; of sets of one size the set with the fewest free nodes, equal sets by
// entropy and then in order. Each leaf switch gets T pods, and the rest goes to those with the most
// free nodes. Where T is 0, or the document's steps find no such set, kueue-best-fit decides. Where
// the document leaves ties open, the program of 2026 settles them.
type kueue struct {
	whole
	down     [][]int32 // the switches below each
	mode     string
	list     []int32 // switches of the current level that get pods
	children []int32 // the switches among which takeInOrder chooses
	take     []int   // pods of each switch
	room     []int   // of kueue-balanced: free nodes of each switch that may be used
}

// KueueModes lists the allocators of kueue.
func KueueModes() []allocation.Info {
	return []allocation.Info{
		{Name: "kueue-best-fit", Doc: "machine of switches: one switch of the lowest level that can " +
			"hold the job, the tightest, and below it the emptiest first with a tight last one (Kueue, " +
			"KEP 2724, 2026)"},
		{Name: "kueue-least-free", Doc: "machine of switches: the tightest leaf switch, else leaf " +
			"switches from the one with the fewest free processors on (Kueue, KEP 2724, 2026)"},
		{Name: "kueue-balanced", Doc: "machine of switches: few leaf switches with as even shares of " +
			"the job as possible, else as kueue-best-fit (Kueue, KEP 2724, 2026)"},
	}
}

// NewKueue returns an allocator of KueueModes.
func NewKueue(mode string, machine topology.Topology) (*kueue, error) {
	s, err := newWhole(mode, machine)
	if err != nil {
		return nil, err
	}
	a := &kueue{whole: s, mode: mode, down: s.children(), take: make([]int, len(s.level)),
		room: make([]int, len(s.level))}
	return a, nil
}

// Allocate implements Allocator. Ranks are in node order.
func (a *kueue) Allocate(dst []topology.Node, free *allocation.FreeSet,
	req allocation.Request) ([]topology.Node, bool) {
	if !a.count(free, req) {
		return dst, false
	}
	clear(a.take)
	switch {
	case a.mode == "kueue-balanced" && a.balance(req.Size):
	case a.mode == "kueue-least-free":
		a.leastFreeFirst(req.Size)
	default:
		a.bestFit(req.Size)
	}
	from := len(dst)
	for _, leaf := range a.leaves {
		dst = free.AppendOf(dst, a.nodes[leaf], a.take[leaf])
	}
	slices.Sort(dst[from:])
	return dst, true
}

// bestFit gives the job's pods to leaf switches by BestFit.
func (a *kueue) bestFit(size int) {
	best := a.lowest(size, func(i, than int) bool { return a.free[i] < a.free[than] })
	a.list = append(a.list[:0], int32(best))
	a.take[best] = size
	for len(a.down[a.list[0]]) > 0 {
		a.children = a.children[:0]
		for _, i := range a.list {
			a.take[i] = 0
			a.children = append(a.children, a.down[i]...)
		}
		slices.SortFunc(a.children, func(x, y int32) int {
			return cmp.Or(a.free[y]-a.free[x], int(x-y))
		})
		a.takeInOrder(size, true)
	}
}

// leastFreeFirst gives the job's pods to leaf switches by LeastFreeCapacity.
func (a *kueue) leastFreeFirst(size int) {
	a.children = append(a.children[:0], a.leaves...)
	slices.SortFunc(a.children, func(x, y int32) int {
		return cmp.Or(a.free[x]-a.free[y], int(x-y))
	})
	for _, i := range a.children {
		if a.free[i] >= size {
			a.take[i] = size
			return
		}
	}
	a.takeInOrder(size, false)
}

// takeInOrder gives size pods to the children in their order, to each at most its free nodes, and
// sets list to the children with pods. With tight the last of these is the child with the fewest
// free nodes that suffice.
func (a *kueue) takeInOrder(size int, tight bool) {
	a.list = a.list[:0]
	for at := 0; size > 0; at++ {
		i := a.children[at]
		if tight && a.free[i] >= size {
			for _, other := range a.children[at:] {
				if n := a.free[other]; n >= size && n < a.free[i] {
					i = other
				}
			}
		}
		a.take[i] = min(size, a.free[i])
		size -= a.take[i]
		a.list = append(a.list, i)
	}
}

// balance gives the job's pods to leaf switches by BalancedPlacement. It reports false if
// BalancedPlacement finds no placement.
func (a *kueue) balance(size int) bool {
	var best []int32
	maxShare, minUsed := 0, 0
	for _, siblings := range a.siblings() {
		leaves := a.childrenOf(siblings)
		copy(a.room, a.free)
		used, last := a.greedy(leaves, size)
		if used == 0 {
			continue
		}
		share := min(size/used, last)
		if share < max(1, maxShare) {
			continue
		}
		a.prune(siblings, share)
		if used, _ = a.greedy(siblings, size); used > 0 && (share > maxShare || used < minUsed) {
			best, maxShare, minUsed = siblings, share, used
		}
	}
	if best == nil {
		return false
	}
	a.prune(best, maxShare)
	order := slices.Clone(best)
	slices.SortStableFunc(order, func(x, y int32) int {
		return cmp.Or(a.room[y]-a.room[x], cmp.Compare(a.unevenness(x), a.unevenness(y)))
	})
	leaves := a.subset(a.childrenOf(a.subset(order, size)), size)
	if leaves == nil || size < maxShare*len(leaves) {
		return false
	}
	slices.SortStableFunc(leaves, func(x, y int32) int { return a.room[y] - a.room[x] })
	rest := size - maxShare*len(leaves)
	for _, i := range leaves {
		more := min(rest, a.room[i]-maxShare)
		a.take[i] = maxShare + more
		rest -= more
	}
	return true
}

// siblings lists the switches directly above leaf switches, grouped by the switch above them.
func (a *kueue) siblings() (groups [][]int32) {
	of := map[int]int{}
	for i := range a.level {
		if len(a.down[i]) == 0 || len(a.nodes[a.down[i][0]]) == 0 {
			continue
		}
		p := a.parent(i)
		at, known := of[p]
		if !known {
			at = len(groups)
			of[p], groups = at, append(groups, nil)
		}
		groups[at] = append(groups[at], int32(i))
	}
	return groups
}

// childrenOf lists the children of some switches.
func (a *kueue) childrenOf(above []int32) (list []int32) {
	for _, i := range above {
		list = append(list, a.down[i]...)
	}
	slices.Sort(list)
	return list
}

// greedy returns the number of domains that hold the job if the emptiest are filled first, and the
// room of the last of them. It returns 0 if all domains together do not hold it.
func (a *kueue) greedy(domains []int32, size int) (used, last int) {
	sorted := slices.Clone(domains)
	slices.SortFunc(sorted, func(x, y int32) int { return a.room[y] - a.room[x] })
	for _, i := range sorted {
		if a.room[i] == 0 {
			break
		}
		used, last = used+1, a.room[i]
		if size -= last; size <= 0 {
			return used, last
		}
	}
	return 0, 0
}

// prune sets the room of leaf switches with less room than a share to 0, and the room of the
// switches above to the sums.
func (a *kueue) prune(above []int32, share int) {
	for _, i := range above {
		a.room[i] = 0
		for _, leaf := range a.down[i] {
			if a.room[leaf] < share {
				a.room[leaf] = 0
			}
			a.room[i] += a.room[leaf]
		}
	}
}

// unevenness returns the key of a switch among switches of equal room: the entropy of the room
// below it, highest first. The key is rounded, so that it is the same on all processors.
func (a *kueue) unevenness(i int32) int64 {
	sum := 0.0
	for _, leaf := range a.down[i] {
		if n := float64(a.room[leaf]); n > 1 {
			sum += math.Round(n * math.Log2(n) * 1e6)
		}
	}
	return int64(sum)
}

// subset returns the smallest set of domains that holds the job, of these a set with the least
// room, and among equals the set found first in the order of the domains.
func (a *kueue) subset(domains []int32, size int) []int32 {
	used, _ := a.greedy(domains, size)
	if used == 0 {
		return nil
	}
	// sets[k][n] is the first set of k domains with room n.
	sets := make([]map[int][]int32, used+1)
	for k := range sets {
		sets[k] = map[int][]int32{}
	}
	sets[0][0] = []int32{}
	for _, i := range domains {
		if a.room[i] == 0 {
			continue
		}
		for k := used; k > 0; k-- {
			for _, n := range slices.Sorted(maps.Keys(sets[k-1])) {
				if _, known := sets[k][n+a.room[i]]; n < size && !known {
					sets[k][n+a.room[i]] = append(slices.Clip(sets[k-1][n]), i)
				}
			}
		}
	}
	minimum := math.MaxInt
	for n := range sets[used] {
		if n >= size {
			minimum = min(minimum, n)
		}
	}
	return sets[used][minimum]
}

// volcano places jobs as the plugin network-topology-aware of Volcano does [volcano-sh/volcano,
// docs/design/Network Topology Aware Scheduling.md, 2026]. In this reading a pod takes a node,
// HyperNodes are the switches of a machine, and all tiers are allowed.
//
// HyperNodes of lower tiers come first. Of the HyperNodes of a tier that can hold the job, it gets
// the one with the highest utilization including the job (binpack), the first of equals. Within it
// each pod gets the node whose common HyperNode with the pods before it has the lowest tier, and
// among equals the node where the most pods of the job are. So pods fill the leaf switch of the
// first free node, then the other leaf switches below the switch above it, in order, and so on up.
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

// fuller reports whether switch i has a higher utilization than switch j with a job of the given
// size on it.
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

// fill appends size free nodes of the leaf switches below top: first the nodes of leaf switch at,
// then those of the nearest other leaf switches.
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
