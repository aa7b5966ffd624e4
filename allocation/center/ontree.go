package center

import (
	"contend/allocation"
	"contend/router/topology"
)

// Candidates of a tree or a fat tree with LastShellPrevious follow from free processors of
// subtrees.
//
// Let T(l) be the subtree of level l around a center, whose processors are up to 2l hops
// away, and L the lowest level at which it has enough free ones. The candidate takes all of
// T(L-1). The rest of T(L) is equally far. The stable sorts by one center after the other,
// which define LastShellPrevious, put there the processors before T(L-1) in front, the last
// router of a lowest level first, as a center is nearest to itself and to those next to it,
// and no center so far tells those behind T(L-1) apart. The nodes of one router stay in node
// order.
//
// So all centers in T(L-1) have the same candidate. A center without free processors, which MM
// has too, has the candidate of the last one before it in T(L) that has some, else of the first
// one behind: Gen-Alg and MM are the same. On a 4-ary 8-tree a decision takes 2 ms, and 0.7 s
// with a sort for each center.

// treeCandidates calls yield for each candidate, whose processors are in taken.
func (a *byHops) treeCandidates(free *allocation.FreeSet, size int, yield func() bool) {
	for n, ok := free.Next(0); ok; {
		level, leaf := 0, a.tree.Span(0)
		for free.CountIn(subtree(int(n), a.tree.Span(level))) < size {
			level++
		}
		inner, span := subtree(int(n), leaf)
		if level > 0 {
			inner, span = subtree(int(n), a.tree.Span(level-1))
		}
		first, whole := subtree(int(n), a.tree.Span(level))
		n, ok = free.Next(topology.Node(inner + span))
		taken := min(size, free.CountIn(inner, span))
		if 2*int64(level)*int64(taken)*int64(size-taken) > a.minScore {
			continue // these pairs alone are too far apart
		}
		a.taken = free.AppendFirst(a.taken[:0], inner, span, size)
		for from := inner - leaf; from >= first && len(a.taken) < size; from -= leaf {
			a.taken = free.AppendFirst(a.taken, from, leaf, size-len(a.taken))
		}
		a.taken = free.AppendFirst(a.taken, inner+span, first+whole-inner-span, size-len(a.taken))
		if !yield() {
			return
		}
	}
}

// subtree returns the first node of the subtree around a node, and its span.
func subtree(n, span int) (first, nodes int) { return n / span * span, span }

// sumOnTree is sumTo: each processor adds two hops for each level at which its subtree is another
// one.
func (a *byHops) sumOnTree(nodes []topology.Node) {
	leaf := a.tree.Span(0)
	for l := range a.tree.Levels() - 1 {
		for home := range a.sums {
			a.sums[home] += 2 * len(nodes)
		}
		span := a.tree.Span(l)
		for i := 0; i < len(nodes); {
			first, from := int(nodes[i])/span, i
			for i < len(nodes) && int(nodes[i])/span == first {
				i++
			}
			for home := first * span / leaf; home < min((first+1)*span/leaf, a.Homes); home++ {
				a.sums[home] -= 2 * (i - from)
			}
		}
	}
}
