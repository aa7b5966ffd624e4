package topology

import (
	"fmt"
	"slices"
)

// FatTree is a generalised fat tree with parallel links: the PGFT of Zahavi ("D-Mod-K routing
// providing non-blocking traffic for shift permutations on real life fat trees", 2010, sec. 2).
// A router of level l is above m_l subtrees, nodes at level 0, and under w_l routers of the
// next level, to each of which p_l parallel links lead, a bundle. A tree is tapered where fewer
// links lead up than down: w_l·p_l below m_l·p_(l-1).
//
// With r rails each node has r network interfaces, each attached to its own plane: a complete tree
// of routers that no link joins with another plane.
//
// Levels count from 0, next to the nodes. A router of level l is one of W_l above the same nodes,
// W_l being the product of w at the levels below it. Routers are numbered by plane, by level, by
// the nodes below them, then by their position among the W_l. Ports: the first ones lead down, the
// first link of each bundle in the order of the nodes below, then the second of each, and so on;
// the ports up follow in the same order. Port j up of position q leads to position q + j·W_l of the
// next level. Nodes are numbered from the left. The last nodes may be missing: trees are built for
// more nodes than are installed (Pascual et al. 2009, sec. 4).
type FatTree struct {
	nodes, rails int
	children     []int // m_l
	parents      []int // w_l, 0 at the top
	bundle       []int // p_l, 0 at the top
	span         []int // nodes below a router of each level
	width        []int // W_l
	base         []int // first router of each level of a plane; their number at the end
}

// Nodes implements Topology.
func (t *FatTree) Nodes() int { return t.nodes }

// Routers implements Topology. Routers above missing nodes count too.
func (t *FatTree) Routers() int { return t.rails * t.plane() }

// plane returns the number of routers of a plane.
func (t *FatTree) plane() int { return t.base[len(t.span)] }

// Ports implements Topology.
func (t *FatTree) Ports() int {
	most := 0
	for l := range t.span {
		most = max(most, t.DownPorts(l)+t.UpPorts(l))
	}
	return most
}

// Levels returns the number of levels of routers.
func (t *FatTree) Levels() int { return len(t.span) }

// Rails implements Railed.
func (t *FatTree) Rails() int { return t.rails }

// Rail returns the plane that router r belongs to.
func (t *FatTree) Rail(r Router) int { return int(r) / t.plane() }

// Children returns the number of subtrees below a router of a level, or of nodes.
func (t *FatTree) Children(level int) int { return t.children[level] }

// DownPorts returns the ports down of a router of a level.
func (t *FatTree) DownPorts(level int) int { return t.children[level] * t.below(level) }

// below returns the number of links from a router of a level to each subtree, or to a node.
func (t *FatTree) below(level int) int {
	if level == 0 {
		return 1
	}
	return t.bundle[level-1]
}

// UpPorts returns the ports up of a router of a level, 0 at the top.
func (t *FatTree) UpPorts(level int) int { return t.parents[level] * t.bundle[level] }

// Bundle returns the number of parallel links from a router of a level to each one above, 0
// at the top.
func (t *FatTree) Bundle(level int) int { return t.bundle[level] }

// Span returns the number of nodes below a router of a level, missing ones included.
func (t *FatTree) Span(level int) int { return t.span[level] }

// Width returns the number of routers of a level of a plane that are above the same nodes.
func (t *FatTree) Width(level int) int { return t.width[level] }

// Place returns the level of router r, the subtree of that level that it is on top of, counted from
// the left, and its position among the routers on top of that subtree.
func (t *FatTree) Place(r Router) (level, subtree, position int) {
	at := int(r) % t.plane()
	for at >= t.base[level+1] {
		level++
	}
	at -= t.base[level]
	return level, at / t.width[level], at % t.width[level]
}

// At returns the router of the first plane with a Place.
func (t *FatTree) At(level, subtree, position int) Router {
	return Router(t.base[level] + subtree*t.width[level] + position)
}

// Peer implements Topology.
func (t *FatTree) Peer(r Router, p Port) (Router, Port, bool) {
	level, subtree, position := t.Place(r)
	first := Router(t.Rail(r) * t.plane())
	children, parents, down := t.children[level], t.parents[level], t.DownPorts(level)
	switch up := int(p) - down; {
	case p < 0 || up >= t.UpPorts(level):
		return 0, 0, false
	case up >= 0:
		far := t.At(level+1, subtree/t.children[level+1], position+up%parents*t.width[level])
		return first + far, Port(subtree%t.children[level+1] + up/parents*t.children[level+1]), true
	case level == 0:
		return 0, 0, false
	}
	child, link, width := int(p)%children, int(p)/children, t.width[level-1]
	far := t.At(level-1, subtree*children+child, position%width)
	return first + far, Port(t.DownPorts(level-1) + position/width + link*t.parents[level-1]), true
}

// Attach implements Topology, for the first network interface of a node.
func (t *FatTree) Attach(n Node) (Router, Port) { return t.AttachRail(n, 0) }

// AttachRail implements Railed.
func (t *FatTree) AttachRail(n Node, rail int) (Router, Port) {
	return Router(rail*t.plane() + int(n)/t.children[0]), Port(int(n) % t.children[0])
}

// Distance implements Metric: up to the lowest level with a router above both nodes, and down
// again.
func (t *FatTree) Distance(a, b Node) int { return 2 * t.Common(a, b) }

// Common returns the lowest level whose routers are above both nodes.
func (t *FatTree) Common(a, b Node) int {
	level := 0
	for int(a)/t.span[level] != int(b)/t.span[level] {
		level++
	}
	return level
}

// LinkClasses implements Classed: the links between levels 0 and 1, 1 and 2, and so on.
func (t *FatTree) LinkClasses() (names []string) {
	for l := range max(1, len(t.span)-1) {
		names = append(names, fmt.Sprintf("level%d", l))
	}
	return names
}

// LinkClass implements Classed.
func (t *FatTree) LinkClass(r Router, p Port) int {
	level, _, _ := t.Place(r)
	switch {
	case int(p) >= t.DownPorts(level) && level < len(t.span)-1:
		return level
	case level > 0:
		return level - 1
	}
	return 0
}

// Family implements Routed.
func (t *FatTree) Family() string { return "a fat tree" }

// DefaultRouting implements Routed.
func (t *FatTree) DefaultRouting(int) string { return "d-mod-k" }

// FatTreeOf returns a topology that is a FatTree, or the FatTree of a Tree. It reports false for
// other topologies.
func FatTreeOf(t Topology) (*FatTree, bool) {
	switch t := t.(type) {
	case *FatTree:
		return t, true
	case *Tree:
		return t.FatTree, true
	}
	return nil, false
}

// FatTreeConfig describes a FatTree.
type FatTreeConfig struct {
	// Children are the subtrees below a router of each level, nodes at the lowest one, from
	// the bottom: at least one level, and each at least 1.
	Children []int
	// Parents are the routers of the next level to which a router of each level but the top one is
	// joined, from the bottom, each at least 1. A single number applies to every level; an empty list
	// means the numbers of Children.
	Parents []int
	// Bundle is the number of parallel links to each of them, from the bottom, each at least 1. A
	// single number applies to every level; an empty list means 1.
	Bundle []int
	// Rails is the number of network interfaces of a node, each on a plane of its own; 0
	// means 1.
	Rails int
	// Nodes is the number of nodes, from the left; 0 means that none is missing.
	Nodes int
}

// MaxRails is the maximum number of network interfaces of a node.
const MaxRails = 64

// NewFatTree returns the tree of a configuration.
func NewFatTree(c FatTreeConfig) (*FatTree, error) {
	t, err := newFatTree(c)
	if err != nil {
		return nil, err
	}
	if ports := t.Ports(); ports > MaxPorts || t.Routers() > MaxAllPorts/ports {
		return nil, tooLarge("Children", t.Routers(), ports, 1)
	}
	return t, nil
}

// newFatTree returns the tree of a configuration, with any number of ports.
func newFatTree(c FatTreeConfig) (*FatTree, error) {
	t := &FatTree{nodes: c.Nodes, rails: max(1, c.Rails), children: slices.Clone(c.Children)}
	if c.Rails < 0 || c.Rails > MaxRails {
		return nil, bad("Rails", fmt.Sprintf("give 1 to %d", MaxRails), "is %d", c.Rails)
	}
	if len(c.Children) == 0 {
		return nil, bad("Children", "give the subtrees below a router of each level, such as [4, 4]",
			"is empty")
	}
	places := 1
	for _, m := range c.Children {
		if m < 1 {
			return nil, bad("Children", "every entry must be at least 1", "is %v", c.Children)
		}
		if places > MaxNodes/m {
			return nil, bad("Children", fmt.Sprintf("a machine has at most %d nodes", MaxNodes), "is %v",
				c.Children)
		}
		places *= m
		t.span = append(t.span, places)
	}
	if t.nodes == 0 {
		t.nodes = places
	}
	if t.nodes < 1 || t.nodes > places {
		return nil, bad("Nodes", fmt.Sprintf("this tree has room for 1 to %d", places), "is %d", c.Nodes)
	}
	if places > MaxNodes/t.rails {
		return nil, bad("Rails", fmt.Sprintf("a machine has at most %d network interfaces", MaxNodes),
			"is %d with %d nodes", c.Rails, places)
	}
	below := len(c.Children) - 1 // levels that have a level above
	var err error
	if t.parents, err = perLevel("Parents", c.Parents, c.Children[:below]); err != nil {
		return nil, err
	}
	if t.bundle, err = perLevel("Bundle", c.Bundle, slices.Repeat([]int{1}, below)); err != nil {
		return nil, err
	}
	return t, t.number(places)
}

// perLevel returns the numbers of a field for each level but the top one, and 0 for the top. A
// single number applies to every level, and an empty list means the standard ones.
func perLevel(field string, list, standard []int) ([]int, error) {
	below := len(standard)
	switch {
	case len(list) == 0:
		list = standard
	case len(list) == 1:
		list = slices.Repeat(list, max(1, below))[:below]
	case len(list) != below:
		return nil, bad(field, fmt.Sprintf("give one for all levels, or %d, one for each level but the "+
			"top one", below), "has %d entries", len(list))
	}
	for _, n := range list {
		if n < 1 || n > MaxPorts {
			return nil, bad(field, fmt.Sprintf("every entry must be 1 to %d", MaxPorts), "is %v", list)
		}
	}
	return append(slices.Clone(list), 0), nil
}

// number numbers the routers of a tree with room for a number of nodes.
func (t *FatTree) number(places int) error {
	first, width := 0, 1
	for l, span := range t.span {
		if t.base, t.width = append(t.base, first), append(t.width, width); width > MaxNodes {
			return bad("Parents", fmt.Sprintf("give at most %d", MaxNodes),
				"makes %d routers of level %d above the same nodes", width, l)
		}
		first += places / span * width
		width *= max(1, t.parents[l])
	}
	if t.base = append(t.base, first); first > MaxAllPorts/t.rails {
		return bad("Parents", fmt.Sprintf("a machine has at most %d routers", MaxAllPorts),
			"makes %d routers in each of %d planes", first, t.rails)
	}
	return nil
}

// Tree is a k-ary n-tree (Petrini and Vanneschi, IPPS 1997, sec. 2): k^n nodes under n levels of
// routers, each with k ports down and, below the top level, k up. With fewer ports up it is a
// slimmed tree, which sites build to save routers: a generalised fat tree in the sense of Öhring et
// al. (IPPS 1995). The last nodes may be missing.
//
// It is the FatTree of k subtrees at each level, without bundles and with one rail. The digits of a
// node's number in base k are the ports down on the path from the top.
type Tree struct {
	*FatTree
}

// TreeConfig describes a Tree.
type TreeConfig struct {
	// Arity is k, the ports down of a router: at least 2.
	Arity int
	// Levels is n, the levels of routers: at least 1.
	Levels int
	// UpPorts are the ports up of the routers of each level but the top one, from the bottom, each 1
	// to Arity. A single number applies to every level; an empty list means Arity.
	UpPorts []int
	// Nodes is the number of nodes, from the left; 0 means all k^n.
	Nodes int
}

// NewTree returns the tree of a configuration.
func NewTree(c TreeConfig) (*Tree, error) {
	if c.Arity < 2 {
		return nil, bad("Arity", "it must be at least 2", "is %d", c.Arity)
	}
	if c.Levels < 1 {
		return nil, bad("Levels", "it must be at least 1", "is %d", c.Levels)
	}
	places := 1
	for range c.Levels {
		if places > MaxNodes/c.Arity {
			return nil, bad("Levels", fmt.Sprintf("a machine has at most %d nodes", MaxNodes),
				"is %d with an arity of %d", c.Levels, c.Arity)
		}
		places *= c.Arity
	}
	if c.Nodes < 0 || c.Nodes > places {
		return nil, bad("Nodes", fmt.Sprintf("a %d-ary %d-tree has room for 1 to %d", c.Arity, c.Levels,
			places), "is %d", c.Nodes)
	}
	if n := len(c.UpPorts); n > 1 && n != c.Levels-1 {
		right := fmt.Sprintf("give one for all levels, or %d, one for each level but the top one",
			c.Levels-1)
		return nil, bad("UpPorts", right, "has %d entries", n)
	}
	for _, u := range c.UpPorts {
		if u < 1 || u > c.Arity {
			return nil, bad("UpPorts", fmt.Sprintf("a router with %d ports down has 1 to %d ports up",
				c.Arity, c.Arity), "has %d", u)
		}
	}
	t, err := newFatTree(FatTreeConfig{Children: slices.Repeat([]int{c.Arity}, c.Levels),
		Parents: c.UpPorts, Nodes: c.Nodes})
	if err != nil {
		return nil, err
	}
	return &Tree{t}, nil
}

// Arity returns the ports down of a router.
func (t *Tree) Arity() int { return t.children[0] }

// Family implements Routed.
func (t *Tree) Family() string { return "a tree" }
