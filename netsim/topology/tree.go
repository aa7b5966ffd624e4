package topology

import (
	"fmt"
	"slices"
)

// Tree is a k-ary n-tree (Petrini and Vanneschi, IPPS 1997, sec. 2): k^n nodes
// under n levels of routers, each with k ports down and, but for those of the
// top level, k up. With fewer ports up it is slimmed, as sites build them to
// save routers: a generalised fat tree in the sense of Öhring et al. (IPPS
// 1995). The last nodes may be missing: the tree is built for more than are
// installed (Pascual et al. 2009, sec. 4).
//
// Levels count from 0, next to the nodes. A router of level l is one of W_l
// above the same k^(l+1) nodes, W_l being the product of the ports up at the
// levels below it. It is numbered by level, then by which nodes it is above,
// then by its position among the W_l. Ports: 0 to k-1 lead down, in the order
// of the nodes below, k and on lead up. Port k+j of position q leads to
// position q + j·W_l of the next level. Node n is the n-th from the left; the
// digits of n in base k are the ports down on its way from the top.
type Tree struct {
	arity, nodes int
	up           []int // ports up at each level, 0 at the top
	span         []int // nodes below a router of each level: k^(l+1)
	width        []int // W_l
	base         []int // first router of each level; their number at the end
}

// TreeConfig says what a Tree looks like.
type TreeConfig struct {
	// Arity is k, the ports down of a router: at least 2.
	Arity int
	// Levels is n, the levels of routers: at least 1.
	Levels int
	// UpPorts are the ports up of the routers of each level but the top one,
	// from the bottom, each 1 to Arity; a single number is meant for every
	// level, and none stands for Arity.
	UpPorts []int
	// Nodes is how many nodes there are, the first ones; 0 for all k^n.
	Nodes int
}

// NewTree builds the tree the configuration describes.
func NewTree(c TreeConfig) (*Tree, error) {
	if c.Arity < 2 {
		return nil, bad("Arity", "it must be at least 2", "is %d", c.Arity)
	}
	if c.Levels < 1 {
		return nil, bad("Levels", "it must be at least 1", "is %d", c.Levels)
	}
	t := &Tree{arity: c.Arity}
	places := 1
	for range c.Levels {
		if places > MaxNodes/c.Arity {
			return nil, bad("Levels", fmt.Sprintf("a machine has at most %d nodes", MaxNodes),
				"is %d with an arity of %d", c.Levels, c.Arity)
		}
		places *= c.Arity
		t.span = append(t.span, places)
	}
	if t.nodes = c.Nodes; t.nodes == 0 {
		t.nodes = places
	}
	if t.nodes < 1 || t.nodes > places {
		return nil, bad("Nodes", fmt.Sprintf("a %d-ary %d-tree has room for 1 to %d", c.Arity, c.Levels,
			places), "is %d", c.Nodes)
	}
	if err := t.slim(c.UpPorts); err != nil {
		return nil, err
	}
	first, width := 0, 1
	for l, span := range t.span {
		t.base, t.width = append(t.base, first), append(t.width, width)
		first += places / span * width
		width *= t.up[l]
	}
	t.base = append(t.base, first)
	return t, nil
}

// slim sets the ports up of each level.
func (t *Tree) slim(ports []int) error {
	below := len(t.span) - 1 // levels that have a level above
	switch {
	case len(ports) == 0:
		ports = slices.Repeat([]int{t.arity}, below)
	case len(ports) == 1:
		ports = slices.Repeat(ports, max(1, below))[:below]
	case len(ports) != below:
		right := fmt.Sprintf("give one for all levels, or %d, one for each level but the top one", below)
		return bad("UpPorts", right, "has %d entries", len(ports))
	}
	for _, u := range ports {
		if u < 1 || u > t.arity {
			return bad("UpPorts", fmt.Sprintf("a router with %d ports down has 1 to %d ports up", t.arity,
				t.arity), "has %d", u)
		}
	}
	t.up = append(slices.Clone(ports), 0)
	return nil
}

// Nodes implements Topology.
func (t *Tree) Nodes() int { return t.nodes }

// Routers implements Topology. Routers above missing nodes count too.
func (t *Tree) Routers() int { return t.base[len(t.span)] }

// Ports implements Topology.
func (t *Tree) Ports() int { return t.arity + slices.Max(t.up) }

// Arity returns the ports down of a router.
func (t *Tree) Arity() int { return t.arity }

// Levels returns the number of levels of routers.
func (t *Tree) Levels() int { return len(t.span) }

// UpPorts returns the ports up of a router of a level, 0 at the top.
func (t *Tree) UpPorts(level int) int { return t.up[level] }

// Span returns the nodes below a router of a level, those that are missing
// included: arity^(level+1).
func (t *Tree) Span(level int) int { return t.span[level] }

// Width returns how many routers of a level are above the same nodes.
func (t *Tree) Width(level int) int { return t.width[level] }

// Place returns the level of router r, which of the subtrees of that level it
// is on top of, from the left, and its position there.
func (t *Tree) Place(r Router) (level, subtree, position int) {
	for int(r) >= t.base[level+1] {
		level++
	}
	at := int(r) - t.base[level]
	return level, at / t.width[level], at % t.width[level]
}

// At returns the router with that Place.
func (t *Tree) At(level, subtree, position int) Router {
	return Router(t.base[level] + subtree*t.width[level] + position)
}

// Peer implements Topology.
func (t *Tree) Peer(r Router, p Port) (Router, Port, bool) {
	level, subtree, position := t.Place(r)
	switch up := int(p) - t.arity; {
	case p < 0 || up >= t.up[level]:
		return 0, 0, false
	case up >= 0:
		return t.At(level+1, subtree/t.arity, position+up*t.width[level]), Port(subtree % t.arity), true
	case level == 0:
		return 0, 0, false
	}
	below := t.width[level-1]
	return t.At(level-1, subtree*t.arity+int(p), position%below), Port(t.arity + position/below), true
}

// Attach implements Topology.
func (t *Tree) Attach(n Node) (Router, Port) {
	return Router(int(n) / t.arity), Port(int(n) % t.arity)
}

// Distance implements Metric: up to the lowest level that has a router above
// both, and down again.
func (t *Tree) Distance(a, b Node) int { return 2 * t.Common(a, b) }

// Common returns the lowest level whose routers are above both nodes.
func (t *Tree) Common(a, b Node) int {
	level := 0
	for int(a)/t.span[level] != int(b)/t.span[level] {
		level++
	}
	return level
}

// LinkClasses implements Classed: the links between levels 0 and 1, 1 and 2, and so on.
func (t *Tree) LinkClasses() (names []string) {
	for l := range max(1, len(t.span)-1) {
		names = append(names, fmt.Sprintf("level%d", l))
	}
	return names
}

// LinkClass implements Classed.
func (t *Tree) LinkClass(r Router, p Port) int {
	level, _, _ := t.Place(r)
	switch {
	case int(p) >= t.arity && level < len(t.span)-1:
		return level
	case level > 0:
		return level - 1
	}
	return 0
}

// Family implements Routed.
func (t *Tree) Family() string { return "a tree" }

// DefaultRouting implements Routed.
func (t *Tree) DefaultRouting(int) string { return "d-mod-k" }
