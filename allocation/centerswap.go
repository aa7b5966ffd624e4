package allocation

import "contend/netsim/topology"

// medianSwap is MM+Inc [Bender et al., WADS 2005, sec. 5]. It starts with the
// allocation of MM. Then it exchanges an allocated processor for a free one as long as
// that reduces the sum of pairwise distances. Each time it makes the exchange that
// gains most, and among equals the first by the processor that leaves and then by the
// one that joins. The paper does not say which. Ties are those of MM.
type medianSwap struct {
	median
	spare    []topology.Node // free processors that are not allocated
	totals   []int           // for each spare, the sum of the distances to all allocated
	sums     distanceSums    // distances to all allocated
	diameter int
}

func newMedianSwap(machine topology.Topology, last string) (*medianSwap, error) {
	m, err := newMedian("mm-inc", machine, last)
	if err != nil {
		return nil, err
	}
	a := &medianSwap{median: *m, spare: make([]topology.Node, 0, m.nodes()),
		totals: make([]int, 0, m.nodes())}
	a.sums = newDistanceSums(&a.lattice)
	for _, n := range a.dims {
		a.diameter += n - 1
	}
	return a, nil
}

// Allocate implements Allocator.
func (a *medianSwap) Allocate(dst []topology.Node, free *FreeSet,
	req Request) ([]topology.Node, bool) {
	req.mustMakeSense()
	if req.Size > free.Count() {
		return dst, false
	}
	a.search(free, req.Size)
	return append(dst, a.winner...), true
}

// search is the search of MM followed by the exchanges.
func (a *medianSwap) search(free *FreeSet, size int) int64 {
	score := a.median.search(free, size)
	a.spare = free.AppendTo(a.spare[:0])
	a.spare = without(a.spare, a.winner)
	a.addUp()
	for {
		gain, from, to := a.exchange()
		if gain == 0 {
			return score
		}
		score -= int64(gain)
		a.swap(from, to)
	}
}

// without returns a list of nodes without those of a sorted list.
func without(nodes, remove []topology.Node) []topology.Node {
	kept := nodes[:0]
	for _, n := range nodes {
		if len(remove) > 0 && remove[0] == n {
			remove = remove[1:]
			continue
		}
		kept = append(kept, n)
	}
	return kept
}

func (a *medianSwap) addUp() {
	a.sums.clear()
	for _, n := range a.winner {
		a.sums.add(&a.lattice, a.coordinates(n), 1)
	}
}

// exchange returns the exchange that gains most, as indices into winner and spare. The
// gain is 0 if no exchange gains.
func (a *medianSwap) exchange() (gain, from, to int) {
	a.totals = a.totals[:0]
	for _, n := range a.spare {
		a.totals = append(a.totals, a.sums.of(a.coordinates(n)))
	}
	for i, leaves := range a.winner {
		p := a.coordinates(leaves)
		total := a.sums.of(p)
		for j, reached := range a.totals {
			if total-reached+a.diameter <= gain {
				continue
			}
			// The joining processor has no distance to the one that leaves.
			if g := total - reached + a.distance(p, a.coordinates(a.spare[j])); g > gain {
				gain, from, to = g, i, j
			}
		}
	}
	return gain, from, to
}

// swap exchanges winner[from] for spare[to]. Both lists remain in node order.
func (a *medianSwap) swap(from, to int) {
	leaves, comes := a.winner[from], a.spare[to]
	a.sums.add(&a.lattice, a.coordinates(leaves), -1)
	a.sums.add(&a.lattice, a.coordinates(comes), 1)
	a.winner = resorted(a.winner, from, comes)
	a.spare = resorted(a.spare, to, leaves)
}

// resorted replaces nodes[i] by n and moves n to its place in the order.
func resorted(nodes []topology.Node, i int, n topology.Node) []topology.Node {
	for ; i > 0 && nodes[i-1] > n; i-- {
		nodes[i] = nodes[i-1]
	}
	for ; i+1 < len(nodes) && nodes[i+1] < n; i++ {
		nodes[i] = nodes[i+1]
	}
	nodes[i] = n
	return nodes
}
