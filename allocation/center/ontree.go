package center

import (
	"math"
	"slices"

	"contend/allocation"
	"contend/netsim/topology"
)

// onTree is the geometry of a tree or a fat tree with LastShellPrevious. It gives the results of
// byHops.
//
// Let T(l) be the subtree of level l around a center, whose processors are up to 2l hops
// away, and L the lowest level at which it has enough free ones. The candidate takes all of
// T(L-1). The rest of T(L) is equally far. The stable sorts by one center after the other,
// which define LastShellPrevious, put there the processors before T(L-1) in front, the last
// router of a lowest level first, as a center is nearest to itself and to those next to it,
// and no center so far tells those behind T(L-1) apart. The nodes of one router stay in node
// order.
//
// So all centers in T(L-1) have the same candidate, and its score needs the counts and sums of
// whole subtrees only. A center without free processors, which MM has too, has the candidate of
// the last one before it in T(L) that has some, else of the first one behind: Gen-Alg and MM are
// the same. A decision takes a step for each router of the lowest level, and for
// each candidate one for each child of the subtrees on a path. On a 4-ary 8-tree that is
// a fraction of a millisecond.
type onTree struct {
	*byHops
	tree   *topology.FatTree
	counts [][]int32 // free processors of each subtree, by level
	pairs  [][]int64 // sums of the distances of their pairs
	best   []treeCandidate
	nodes  []topology.Node
}

// treeCandidate is the candidate of the centers in a subtree.
type treeCandidate struct {
	level   int // L
	subtree int // T(L-1) by its number within its level; for L = 0 T(0)
}

func newOnTree(hops *byHops, tree *topology.FatTree) *onTree {
	a := &onTree{byHops: hops, tree: tree}
	for l := range tree.Levels() {
		subtrees := (tree.Nodes()-1)/tree.Span(l) + 1
		a.counts = append(a.counts, make([]int32, subtrees))
		a.pairs = append(a.pairs, make([]int64, subtrees))
	}
	return a
}

// search implements geometry.
func (a *onTree) search(dst []topology.Node, free *allocation.FreeSet, size int,
	ties *tieCount) ([]topology.Node, int64) {
	a.load(free)
	least := a.leastOf(size, ties.on)
	dst = append(dst, a.gather(free, a.best[0], size)...)
	if ties.on {
		for _, c := range a.best {
			ties.add(a.gather(free, c, size))
		}
	}
	return dst, least
}

// leastOf sets best to the candidates of the least score, the first of them alone if ties do not
// matter, and returns the score.
func (a *onTree) leastOf(size int, ties bool) int64 {
	a.best = a.best[:0]
	least := int64(math.MaxInt64)
	for center := 0; center < len(a.counts[0]); {
		if a.counts[0][center] == 0 {
			center++
			continue
		}
		c, around, end := treeCandidate{0, center}, center, center+1
		for int(a.counts[c.level][around]) < size {
			c.level, c.subtree = c.level+1, around
			around /= a.tree.Children(c.level)
		}
		if c.level > 0 {
			end = (c.subtree + 1) * (a.tree.Span(c.level-1) / a.tree.Span(0))
		}
		score := a.score(c, size)
		if score < least {
			least, a.best = score, a.best[:0]
		}
		if score == least && (ties || len(a.best) == 0) {
			a.best = append(a.best, c)
		}
		center = end
	}
	return least
}

// load counts the free processors of all subtrees and adds up their distances. Two processors
// below different children of a router of level l are 2l hops apart.
func (a *onTree) load(free *allocation.FreeSet) {
	below := a.tree.Children(0)
	clear(a.pairs[0]) // below one router there are no hops
	for leaf := range a.counts[0] {
		a.counts[0][leaf] = int32(free.CountIn(leaf*below, below))
	}
	for l := 1; l < len(a.counts); l++ {
		below = a.tree.Children(l)
		for s := range a.counts[l] {
			all, squares, pairs := int64(0), int64(0), int64(0)
			first := s * below
			end := min(first+below, len(a.counts[l-1]))
			for i, n := range a.counts[l-1][first:end] {
				all += int64(n)
				squares += int64(n) * int64(n)
				pairs += a.pairs[l-1][first+i]
			}
			a.counts[l][s], a.pairs[l][s] = int32(all), pairs+int64(l)*(all*all-squares)
		}
	}
}

// score returns the sum of the distances of a candidate.
func (a *onTree) score(c treeCandidate, size int) int64 {
	if c.level == 0 {
		return 0
	}
	taken := int(a.counts[c.level-1][c.subtree])
	sum := a.pairs[c.level-1][c.subtree]
	for part := range a.beside(c, size-taken) {
		sum += a.pairsIn(part) + 2*int64(c.level)*int64(taken)*int64(part.nodes)
		taken += part.nodes
	}
	return sum
}

// treePart is so many free processors of a subtree of a level: the first ones, or those of the
// last routers.
type treePart struct {
	level, subtree, nodes int
	last                  bool
}

// beside yields what a candidate takes of the siblings of its subtree.
func (a *onTree) beside(c treeCandidate, rest int) func(func(treePart) bool) {
	return func(yield func(treePart) bool) {
		siblings, level := a.tree.Children(c.level), c.level-1
		first := c.subtree / siblings * siblings
		end := min(first+siblings, len(a.counts[level]))
		for i, s := 0, c.subtree-1; i < siblings-1 && rest > 0; i++ {
			if s == first-1 {
				s = c.subtree + 1 // from here on upwards
			}
			if s == end {
				return
			}
			part := treePart{level, s, min(rest, int(a.counts[level][s])), s < c.subtree}
			if rest -= part.nodes; part.nodes > 0 && !yield(part) {
				return
			}
			if part.last {
				s--
			} else {
				s++
			}
		}
	}
}

// children yields the parts of the children that make up a part.
func (a *onTree) children(p treePart) func(func(treePart) bool) {
	return func(yield func(treePart) bool) {
		below, level := a.tree.Children(p.level), p.level-1
		s, step, rest := p.subtree*below, 1, p.nodes
		if p.last {
			s, step = min(s+below, len(a.counts[level]))-1, -1
		}
		for ; rest > 0; s += step {
			child := treePart{level, s, min(rest, int(a.counts[level][s])), p.last}
			if rest -= child.nodes; child.nodes > 0 && !yield(child) {
				return
			}
		}
	}
}

// pairsIn returns the sum of the distances within a part.
func (a *onTree) pairsIn(p treePart) int64 {
	switch {
	case p.level == 0:
		return 0
	case p.nodes == int(a.counts[p.level][p.subtree]):
		return a.pairs[p.level][p.subtree]
	}
	sum, taken := int64(0), 0
	for child := range a.children(p) {
		sum += a.pairsIn(child) + 2*int64(p.level)*int64(taken)*int64(child.nodes)
		taken += child.nodes
	}
	return sum
}

// gather returns the processors of a candidate in node order. They are valid until the next
// call.
func (a *onTree) gather(free *allocation.FreeSet, c treeCandidate, size int) []topology.Node {
	level := max(0, c.level-1)
	nodes := min(size, int(a.counts[level][c.subtree]))
	a.nodes = a.nodes[:0]
	a.take(free, treePart{level, c.subtree, nodes, false})
	if c.level > 0 {
		for part := range a.beside(c, size-nodes) {
			a.take(free, part)
		}
	}
	slices.Sort(a.nodes)
	return a.nodes
}

// take adds the processors of a part.
func (a *onTree) take(free *allocation.FreeSet, p treePart) {
	if p.level == 0 || p.nodes == int(a.counts[p.level][p.subtree]) {
		span := a.tree.Span(p.level)
		a.nodes = free.AppendFirst(a.nodes, p.subtree*span, span, p.nodes)
		return
	}
	for child := range a.children(p) {
		a.take(free, child)
	}
}

// sumTo implements geometry: each processor adds two hops for each level at which its subtree is
// another one. It uses the memory of counts and pairs, which the next search loads anew.
func (a *onTree) sumTo(nodes []topology.Node) {
	for l, counts := range a.counts {
		clear(counts)
		for _, n := range nodes {
			counts[int(n)/a.tree.Span(l)]++
		}
	}
	top := len(a.counts) - 1
	clear(a.pairs[top])
	for l := top - 1; l >= 0; l-- {
		siblings := a.tree.Children(l + 1)
		for s, n := range a.counts[l] {
			a.pairs[l][s] = a.pairs[l+1][s/siblings] + 2*int64(len(nodes)-int(n))
		}
	}
	copy(a.sums, a.pairs[0])
}
