package routes

import (
	"iter"

	"contend/router"
	"contend/router/deadlock"
	"contend/router/topology"
)

// Witnesses implements Witnessing.
//
// With d-mod-k a packet for node t that climbs through level l is at position t mod W_l of
// its subtree, W_l being the routers of level l above the same nodes. So:
//
//   - From one of the subtrees under a router up through it: the channels depend on the subtree and
//     on t mod W_(l+1), for t outside of the router's subtrees. See climb.
//   - From one subtree of a router to another one: the channels depend on both subtrees and on t
//     mod W_l. See turn.
//   - Down through a router: the channels depend on t alone, and any packet from outside suffices.
//     See descend.
//
// Among the p links of a bundle below level l a packet takes one by t / W_l mod p. So there are p
// times as many classes where it comes from such a bundle or takes one. Planes are equal, and every
// plane has its packets.
//
// A path of s-mod-k is one of d-mod-k from the destination to the source, backwards. If packets may
// take any port up, one packet between two subtrees takes all channels of the packets between them.
func (x *TreeUpDown) Witnesses() (router.Routing, iter.Seq[router.Header]) {
	return x, deadlock.Packets(func(yield func(from, to topology.Node) bool) {
		tree, _ := topology.FatTreeOf(x.wiring.Topology)
		k := treeWitnesses{tree: tree, anyPort: x.choice >= Drawn}
		k.yield = func(from, to topology.Node) bool {
			if x.choice == BySource {
				from, to = to, from
			}
			for plane := range topology.Node(tree.Rails()) {
				first := plane * topology.Node(tree.Nodes())
				if !yield(first+from, first+to) {
					return false
				}
			}
			return true
		}
		for level := range k.tree.Levels() {
			if !k.turn(level) || !k.climb(level) {
				return
			}
		}
		if !k.anyPort { // else climb has yielded these
			k.descend()
		}
	})
}

// treeWitnesses yields the pairs of nodes of the witnesses for d-mod-k.
type treeWitnesses struct {
	tree    *topology.FatTree
	anyPort bool // packets take any port up, so that one packet stands for all classes
	yield   func(from, to topology.Node) bool
}

// interval is a range of nodes, from from to before end: those of a subtree, or a part of them.
type interval struct{ from, end int }

// subtrees calls f with the nodes of each subtree of span nodes. It stops and reports false if f
// does.
func (k *treeWitnesses) subtrees(in interval, span int, f func(s interval) bool) bool {
	for from := in.from; from < in.end; from += span {
		if !f(interval{from, min(from+span, in.end)}) {
			return false
		}
	}
	return true
}

// all returns the interval of all nodes.
func (k *treeWitnesses) all() interval { return interval{0, k.tree.Nodes()} }

// classes returns the number of classes of nodes: of the routers of a level above the same nodes,
// times the links of the bundles below some levels. It is 1 if packets take any port.
func (k *treeWitnesses) classes(level int, bundles ...int) int {
	if k.anyPort {
		return 1
	}
	classes := k.tree.Width(level)
	for _, l := range bundles {
		classes *= k.tree.DownPorts(l) / k.tree.Children(l)
	}
	return classes
}

// below returns the nodes below each port down of a level.
func (k *treeWitnesses) below(level int) int { return k.tree.Span(level) / k.tree.Children(level) }

// turn yields the pairs of nodes of two subtrees of one router, and of a node with itself.
func (k *treeWitnesses) turn(level int) bool {
	classes := k.classes(level, level)
	return k.subtrees(k.all(), k.tree.Span(level), func(whole interval) bool {
		return k.subtrees(whole, k.below(level), func(from interval) bool {
			return k.subtrees(whole, k.below(level), func(to interval) bool {
				if from == to && level > 0 {
					return true
				}
				for class := range classes {
					if t, ok := first(to, class, classes); ok && !k.pair(from.from, t) {
						return false
					}
				}
				return true
			})
		})
	})
}

// climb yields pairs of a node of each subtree of a level's routers with nodes elsewhere.
func (k *treeWitnesses) climb(level int) bool {
	if level+1 == k.tree.Levels() {
		return true
	}
	classes := k.classes(level+1, level, level+1)
	return k.subtrees(k.all(), k.tree.Span(level), func(whole interval) bool {
		return k.subtrees(whole, k.below(level), func(from interval) bool {
			for class := range classes {
				t, ok := k.elsewhere(whole, level, class, classes)
				if ok && !k.pair(from.from, t) || ok && k.anyPort && !k.pair(t, from.from) {
					return false
				}
			}
			return true
		})
	})
}

// descend yields for each node a pair with a node as far away as possible.
func (k *treeWitnesses) descend() {
	for t := range k.tree.Nodes() {
		from := 0
		if k.tree.Common(0, topology.Node(t)) < k.tree.Common(topology.Node(k.tree.Nodes()-1),
			topology.Node(t)) {
			from = k.tree.Nodes() - 1
		}
		if !k.pair(from, t) {
			return
		}
	}
}

// elsewhere returns the nearest node of a class outside of a subtree of a level. It reports false
// if there is none.
func (k *treeWitnesses) elsewhere(whole interval, level, class, classes int) (int, bool) {
	for l := level + 1; l < k.tree.Levels(); l++ {
		from := whole.from / k.tree.Span(l) * k.tree.Span(l)
		if t, ok := first(interval{from, whole.from}, class, classes); ok {
			return t, true
		}
		end := min(from+k.tree.Span(l), k.tree.Nodes())
		if t, ok := first(interval{whole.end, end}, class, classes); ok {
			return t, true
		}
	}
	return 0, false
}

// pair yields a pair of nodes.
func (k *treeWitnesses) pair(from, to int) bool {
	return k.yield(topology.Node(from), topology.Node(to))
}

// first returns the first node of an interval whose number modulo classes is class. It reports
// false if there is none.
func first(in interval, class, classes int) (int, bool) {
	n := in.from + ((class-in.from)%classes+classes)%classes
	return n, n < in.end
}
