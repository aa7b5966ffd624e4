package topology

import "fmt"

// FatTree is a generalised fat tree with parallel links: the PGFT of Zahavi ("D-Mod-K routing
// providing non-blocking traffic for shift permutations on real life fat trees", 2010, sec. 2).
// A router of level l is above m_l subtrees, nodes at level 0, and under w_l routers of the
// next level, to each of which p_l parallel links lead, a bundle. A tree is tapered where fewer
// links lead up than down: w_l·p_l below m_l·p_(l-1).
//
// With r rails each node has r network interfaces, and each of those hangs on a
// plane of its own: a whole tree of routers that no link joins with another plane.
//
// Levels count from 0, next to the nodes. A router of level l is one of W_l above the same
// nodes, W_l being the product of w at the levels below it. Routers are numbered by plane, by
// level, by which nodes they are above, then by their position among the W_l. Ports: the first
// ones lead down, the first link of each bundle in the order of the nodes below, then the second
// of each, and so on; after them those up, likewise. Port j up of position q leads to position
// q + j·W_l of the next level. Nodes are numbered from the left. The last ones may be missing:
// a tree is built for more than are installed (Pascual et al. 2009, sec. 4).
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

// Distance implements Metric: up to the lowest level that has a router above both, and down
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

// FatTreeOf returns the FatTree that a topology is or, as a Tree, has. It reports false for others.
func FatTreeOf(t Topology) (*FatTree, bool) {
	switch t := t.(type) {
	case *FatTree:
		return t, true
	case *Tree:
		return t.FatTree, true
	}
	return nil, false
}
