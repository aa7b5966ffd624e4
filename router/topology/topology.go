// Package topology describes interconnection networks: routers, the links between their ports, and
// the ports of nodes.
//
// A node is a processor, a router a switch. A node is attached to one port of
// one router; the other ports of a router lead to other routers. A network calls
// the methods of its topology at construction only, and keeps flat arrays.
//
// Example: a Cube of 4x3 routers, which wraps in its first dimension, with a node on each. Ports 0
// and 1 lead to the lower and the higher neighbour in the first dimension, ports 2 and 3 in the
// second, and port 4 to the node:
//
//	8  9 10 11
//	4  5  6  7
//	0  1  2  3
//
// Peer(0, 0) is port 1 of router 3, over the end of the dimension; Peer(0, 3) is port 2 of router
// 4; port 2 of router 0 is unconnected. Distance(0, 11) is 3: one channel over the end and two up
// (ExampleCube).
package topology

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Node is the number of a processor, 0 to Nodes()-1.
type Node int32

// Router is the number of a switch, 0 to Routers()-1.
type Router int32

// Port is the number of a port of a router, 0 to Ports()-1.
type Port int32

// Topology is an interconnection network.
type Topology interface {
	// Nodes returns the number of processors.
	Nodes() int
	// Routers returns the number of switches.
	Routers() int
	// Ports returns the maximum number of ports of a router, including the ports to its nodes.
	Ports() int
	// Peer returns the router and port at the other end of port p of r, and
	// false where the port is unconnected or leads to a node.
	// Peer is its own inverse.
	Peer(r Router, p Port) (Router, Port, bool)
	// Attach returns the router and the port to which node n is linked.
	Attach(n Node) (Router, Port)
}

// Metric is a topology that counts the hops between nodes.
type Metric interface {
	// Distance returns the number of network channels on a shortest path
	// from a to b; 0 for nodes of the same router.
	Distance(a, b Node) int
}

// Lattice is a topology whose routers have coordinates, with any links between them. Cube and
// HyperX implement it.
type Lattice interface {
	Topology
	// Dims returns the numbers of routers along each dimension.
	Dims() []int
	// Coordinate returns the coordinate of router r along dimension d, and At the
	// router with the given coordinates.
	Coordinate(r Router, d int) int
	At(coordinates ...int) Router
	// NodesAt returns the first node of router r and the number of its nodes.
	NodesAt(r Router) (Node, int)
}

// Grid is a Lattice whose links join neighbours along each dimension. Cube implements it.
type Grid interface {
	Lattice
	// Wrap returns which dimensions have their ends joined.
	Wrap() []bool
	// OneNodePerRouter reports whether node n is attached to router n, for all n.
	OneNodePerRouter() bool
}

// Hierarchy is a topology of subtrees within subtrees. Tree implements it.
type Hierarchy interface {
	Topology
	// Arity returns the number of subtrees of one level in a subtree of the next.
	Arity() int
	// Levels returns the number of levels.
	Levels() int
}

// Grouped is a topology whose routers fall into groups, such as the groups of a
// dragonfly. Dragonfly and Graph implement it.
type Grouped interface {
	Topology
	// Groups returns the number of groups.
	Groups() int
	// Group returns the group of router r, 0 to Groups()-1.
	Group(r Router) int
}

// GroupsOf returns the number of groups of routers of a machine, with the group of each router that
// has nodes: the groups of a Grouped topology, or the pods of a tree, which are the subtrees below
// its top level. Without groups, or with a single one, it reports false.
func GroupsOf(t Topology) (groups int, group func(Router) int, ok bool) {
	if g, ok := t.(Grouped); ok && g.Groups() > 1 {
		return g.Groups(), g.Group, true
	}
	if f, ok := FatTreeOf(t); ok && f.Levels() > 1 {
		below := f.Span(f.Levels() - 2) // nodes of a pod
		pods, leaves := (f.Nodes()+below-1)/below, below/f.Span(0)
		return pods, func(leaf Router) int {
			_, subtree, _ := f.Place(leaf)
			return subtree / leaves
		}, pods > 1
	}
	return 0, nil, false
}

// Levelled is a topology whose routers may be at heights above the nodes, such as the switches of
// a tree from a file. Graph implements it. Links join routers of different levels.
type Levelled interface {
	Topology
	// Level returns the level of router r, from 0, or false if the topology has none.
	Level(r Router) (level int, ok bool)
}

// Railed is a topology whose nodes may have several network interfaces, each with a link to a
// different router. FatTree and Graph implement it.
type Railed interface {
	Topology
	// Rails returns the number of network interfaces of a node, at least 1. The links of
	// the routers join no two interfaces of different numbers.
	Rails() int
	// AttachRail returns the router and port to which a network interface of node n, 0 to Rails()-1,
	// is linked. For interface 0 the result is that of Attach.
	AttachRail(n Node, rail int) (Router, Port)
}

// Rails returns the number of network interfaces of a node of any topology.
func Rails(t Topology) int {
	if k, ok := t.(Railed); ok {
		return k.Rails()
	}
	return 1
}

// AttachRail returns the router and port to which a network interface of node n of any topology is
// linked.
func AttachRail(t Topology, n Node, rail int) (Router, Port) {
	if k, ok := t.(Railed); ok {
		return k.AttachRail(n, rail)
	}
	return t.Attach(n)
}

// Classed is a topology whose links fall into classes, such as the local and the global links of a
// dragonfly. A network may give delays and widths by class.
type Classed interface {
	Topology
	// LinkClasses returns the names of the classes, in the order of their numbers.
	LinkClasses() []string
	// LinkClass returns the number of the class of the link at port p of router r, an index of
	// LinkClasses, the same at both ends. It is 0 for a port without a link.
	LinkClass(r Router, p Port) int
}

// Timed is a topology that gives the delays of its links. Graph implements it.
type Timed interface {
	Topology
	// LinkCycles returns the cycles of a flit from router r to the other end of the link at its port
	// p, or 0 if none are given. It may differ between the two directions of a link.
	LinkCycles(r Router, p Port) int
}

// Paced is a topology that gives the widths of its links. Graph implements it.
type Paced interface {
	Topology
	// LinkFlitCycles returns the cycles from one flit to the next on the link at port p of router r,
	// in the direction away from r, or 0 if none are given.
	LinkFlitCycles(r Router, p Port) int
}

// Routed is a topology that has a default routing.
type Routed interface {
	// Family returns the kind of topology in words that fit behind "on", such as "a tree".
	Family() string
	// DefaultRouting returns the name of the routing for links with a number of virtual channels; 0
	// means the number that the routing needs.
	DefaultRouting(virtualChannels int) string
}

// Labelled is a topology whose routers have names for readers, such as coordinates.
type Labelled interface {
	// Label returns the name of a router.
	Label(r Router) string
}

// Wraps reports whether a topology is a Grid with a dimension whose ends are joined.
func Wraps(t Topology) bool {
	g, ok := t.(Grid)
	return ok && slices.Contains(g.Wrap(), true)
}

// Check returns an error for the first of these rules that a topology breaks:
//   - It has at least one node and one router.
//   - On each rail, each node is attached to a port that exists, has no other node and no peer.
//   - Peer leads to other ports, which exist, and is its own inverse.
//
// It does not check that the network is connected.
func Check(t Topology) error {
	taken, err := checkNodes(t)
	if err != nil {
		return err
	}
	return checkPeers(t, taken)
}

// place is a port of a router.
type place struct {
	r Router
	p Port
}

// exists reports whether a topology has a router with that port.
func exists(t Topology, k place) bool {
	return k.r >= 0 && int(k.r) < t.Routers() && k.p >= 0 && int(k.p) < t.Ports()
}

// checkNodes returns the nodes by their places, on all rails. It returns an error if there are no
// nodes or routers, if a place does not exist, or if two nodes share one.
func checkNodes(t Topology) (map[place]Node, error) {
	if t.Nodes() < 1 || t.Routers() < 1 {
		return nil, fmt.Errorf("%d nodes on %d routers", t.Nodes(), t.Routers())
	}
	taken := map[place]Node{}
	for rail := range Rails(t) {
		for n := range Node(t.Nodes()) {
			r, p := AttachRail(t, n, rail)
			at := place{r, p}
			if !exists(t, at) {
				return nil, fmt.Errorf("node %d hangs on port %d of router %d, which does not exist", n, p, r)
			}
			if other, twice := taken[at]; twice {
				return nil, fmt.Errorf("nodes %d and %d both hang on port %d of router %d", other, n, p, r)
			}
			taken[at] = n
		}
	}
	return taken, nil
}

// checkPeers returns an error unless Peer is its own inverse, leads to places that exist, and
// leaves out the places of nodes, which are taken.
func checkPeers(t Topology, taken map[place]Node) error {
	for r := range Router(t.Routers()) {
		for p := range Port(t.Ports()) {
			r2, p2, ok := t.Peer(r, p)
			if !ok {
				continue
			}
			if n, node := taken[place{r, p}]; node {
				return fmt.Errorf("port %d of router %d carries node %d and leads to router %d", p, r, n, r2)
			}
			if !exists(t, place{r2, p2}) {
				return fmt.Errorf("Peer(%d, %d) is (%d, %d), which does not exist", r, p, r2, p2)
			}
			if r2 == r && p2 == p {
				return fmt.Errorf("Peer(%d, %d) is the port itself", r, p)
			}
			if r3, p3, ok := t.Peer(r2, p2); !ok || r3 != r || p3 != p {
				return fmt.Errorf("Peer(%d, %d) is (%d, %d), whose peer is (%d, %d)", r, p, r2, p2, r3, p3)
			}
		}
	}
	return nil
}

// A ConfigError reports the wrong field of a configuration, such as CubeConfig. A reader of files
// can replace the field by the name that its users know.
type ConfigError struct {
	// Field is the name of the field, such as Dims.
	Field string
	// Problem says what is wrong, as the rest of a sentence that begins with the field.
	Problem string
	// Right says what would be right.
	Right string
}

// Error names the field as Go does.
func (e *ConfigError) Error() string { return e.Field + " " + e.Problem + ": " + e.Right }

// bad returns the error for a field: its problem, and what would be right.
func bad(field, right, problem string, args ...any) *ConfigError {
	return &ConfigError{Field: field, Problem: fmt.Sprintf(problem, args...), Right: right}
}

// tooLarge returns an error that names a field if a machine has too many nodes or ports.
func tooLarge(field string, routers, ports, nodesEach int) error {
	switch {
	case ports > MaxPorts:
		return bad(field, fmt.Sprintf("a router has at most %d", MaxPorts), "makes routers of %d ports",
			ports)
	case routers > MaxNodes/nodesEach:
		return bad(field, fmt.Sprintf("a machine has at most %d nodes", MaxNodes),
			"makes %d routers of %d nodes each", routers, nodesEach)
	case routers > MaxAllPorts/ports:
		return bad(field, fmt.Sprintf("the routers of a machine have at most %d in all", MaxAllPorts),
			"makes %d routers of %d ports each", routers, ports)
	}
	return nil
}

// ParseDragonfly reads the size of a dragonfly, such as a4h2p2g9:relative.
func ParseDragonfly(size string) (c DragonflyConfig, ok bool) {
	shape, arrangement, named := strings.Cut(size, ":")
	if named {
		if c.Arrangement, ok = ArrangementNamed(arrangement); !ok {
			return c, false
		}
	}
	n, ok := readLettered(shape, "ahpg")
	c.GroupRouters, c.GlobalLinks, c.Concentration, c.Groups = n['a'], n['h'], n['p'], n['g']
	return c, ok && n['a'] > 0 && n['h'] > 0
}

// ParseFatTree reads the size of a fat tree, such as 4x4x4, 4x4x4:2 or 4x4x4:2x1:b2r2.
func ParseFatTree(size string) (c FatTreeConfig, ok bool) {
	parts := strings.Split(size, ":")
	if c.Children, ok = ParseDims(parts[0]); !ok || len(parts) > 3 {
		return c, false
	}
	more := parts[1:]
	if len(more) > 0 && more[0] != "" && more[0][0] >= '0' && more[0][0] <= '9' {
		if c.Parents, ok = ParseDims(more[0]); !ok {
			return c, false
		}
		more = more[1:]
	}
	if len(more) == 0 {
		return c, true
	}
	n, ok := readLettered(more[0], "br")
	if c.Rails = n['r']; n['b'] > 0 {
		c.Bundle = []int{n['b']}
	}
	return c, ok && len(more) == 1
}

// ParseHyperX reads the size of a HyperX, such as 4x4:p4w2.
func ParseHyperX(size string) (c HyperXConfig, ok bool) {
	dims, more, given := strings.Cut(size, ":")
	if c.Dims, ok = ParseDims(dims); !ok || !given {
		return c, ok
	}
	n, ok := readLettered(more, "pw")
	if c.Concentration = n['p']; n['w'] > 0 {
		c.Width = []int{n['w']}
	}
	return c, ok
}

// ParseDims reads numbers of at least 1 separated by x, such as 16x16.
func ParseDims(text string) (list []int, ok bool) {
	for part := range strings.SplitSeq(text, "x") {
		n, err := strconv.Atoi(part)
		if err != nil || n < 1 {
			return nil, false
		}
		list = append(list, n)
	}
	return list, true
}

// readLettered reads numbers of at least 1, each after a different one of some letters, such as
// a4h2.
func readLettered(text, letters string) (map[byte]int, bool) {
	list := map[byte]int{}
	for text != "" {
		letter := text[0]
		digits := len(text) - 1
		if i := strings.IndexFunc(text[1:], func(r rune) bool { return r < '0' || r > '9' }); i >= 0 {
			digits = i
		}
		n, err := strconv.Atoi(text[1 : 1+digits])
		if err != nil || n < 1 || list[letter] > 0 || !slices.Contains([]byte(letters), letter) {
			return nil, false
		}
		list[letter], text = n, text[1+digits:]
	}
	return list, len(list) > 0
}
