package center

import (
	"math"
	"slices"

	"contend/allocation"
	"contend/router/topology"
)

// LastShell values say which processors a candidate takes from its last shell if it
// does not need all of them. The papers leave this open, and [Johnson et al. 2010, Fig.
// 8] depends on it. Shells are those of the allocator: of equal L-infinity distance for
// mc, mc1x1 and mc1x1-tie, of equal L1 distance for gen-alg, mm and mm-inc.
const (
	// LastShellPrevious takes the processors nearest, in shells, to the center of the
	// previous candidate. Among equals it takes those nearest to the center before that
	// one, and so on, and finally the first in node order. One list of free processors
	// that is sorted, stably, for one center after the other gives this result. It
	// reproduces MC1x1's figures of [Johnson et al. 2010] as printed, so its authors
	// seem to have done it. They share two authors with [Bender et al. 2005].
	LastShellPrevious = "previous"
	// LastShellL1 takes the processors nearest to shell 0 in L1 first, then in node
	// order. It cannot distinguish processors in a shell of equal L1 distance, so
	// gen-alg, mm and mm-inc refuse it.
	LastShellL1 = "l1"
	// LastShellGreedy takes one processor after the other: the one with the least sum
	// of distances to the processors taken so far, and among equals the first in node
	// order.
	LastShellGreedy = "greedy"
	// LastShellNodeOrder takes processors in node order.
	LastShellNodeOrder = "node-order"
)

// LastShells lists the ways to take processors from the last shell. The first is the
// default.
func LastShells() []allocation.Info {
	return []allocation.Info{
		{Name: LastShellPrevious,
			Doc: "those nearest to the center tried before, then to the one before that, " +
				"and so on"},
		{Name: LastShellL1, Doc: "those nearest to the center in L1 first, then in the order of nodes"},
		{Name: LastShellGreedy,
			Doc: "one by one the processor whose distances to those taken so far add up to " +
				"the least"},
		{Name: LastShellNodeOrder, Doc: "in the order of nodes"},
	}
}

// MedianShells returns the LastShells that distinguish processors equally far in L1.
func MedianShells() []allocation.Info {
	return slices.DeleteFunc(LastShells(),
		func(w allocation.Info) bool { return w.Name == LastShellL1 })
}

// takePrevious moves the nodes that LastShellPrevious takes for the index-th candidate to the front
// of a shell, which is in node order. take is their number. rank returns the distance of a node
// from the center of a candidate. before returns the last candidate before one whose center may
// have different distances to the nodes of a shell. Each such candidate takes the nearest nodes and
// drops the farthest; the next one chooses among the nodes at the bound.
func (k *keys) takePrevious(shell []topology.Node, index, take int,
	rank func(i int, n topology.Node) int, before func(i int, shell []topology.Node) int) {
	for take < len(shell) && shell[0] != shell[len(shell)-1] {
		if index = before(index, shell); index < 0 {
			return
		}
		list := (*k)[:0]
		for _, n := range shell {
			list = append(list, int64(rank(index, n))<<32|int64(n)) // equals stay in node order
		}
		slices.Sort(list)
		for i, key := range list {
			shell[i] = topology.Node(key & math.MaxUint32)
		}
		bound, from, end := list[take-1]>>32, take-1, take
		for from > 0 && list[from-1]>>32 == bound {
			from--
		}
		for end < len(shell) && list[end]>>32 == bound {
			end++
		}
		shell, take, *k = shell[from:end], take-from, list
	}
}

// keys are memory for takePrevious.
type keys []int64

// metric returns distances from an origin.
type metric interface {
	From(n topology.Node)   // sets the origin
	To(n topology.Node) int // returns the distance of a node from the origin
}

// takeGreedily moves the nodes that LastShellGreedy takes to the front of a shell, which is in
// node order. The sums begin as those of the distances of each to the nodes taken before.
func takeGreedily(shell []topology.Node, sums []int, take int, m metric) {
	for i := range take {
		best := i
		for j := i + 1; j < len(shell); j++ {
			if sums[j] < sums[best] {
				best = j
			}
		}
		n := shell[best]
		copy(shell[i+1:best+1], shell[i:best])
		copy(sums[i+1:best+1], sums[i:best])
		shell[i] = n
		m.From(n)
		for j := i + 1; j < len(shell); j++ {
			sums[j] += m.To(shell[j])
		}
	}
}
