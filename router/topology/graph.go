package topology

import (
	"fmt"
	"slices"
	"strconv"
)

// Graph is a network given by its routers and links: any connected graph. With several rails it has
// one connected graph, a plane, for each network interface of a node. Planes may differ; distances
// between nodes are those between their first network interfaces.
//
// The ports of a router are numbered in the order of its links, and after those in the
// order of its nodes.
type Graph struct {
	first    []int32  // first[r] is the index in linkEnds of router r; one more at the end
	linkEnds []end    // the other ends of all links, router by router
	home     []Router // routers of the first network interfaces of all nodes, then of the second ones
	port     []Port   // port of home to which each interface is linked
	rails    int      // network interfaces of a node
	ports    int      // maximum number of ports of a router
	names    []string // by router; nil: numbers
	groups   []int32  // by router; nil: no groups
	nGroups  int      // number of groups
	levels   []int    // by router; nil: no levels
	hops     hopRows  // distances computed last
}

// end is the far end of a link.
type end struct {
	router     Router
	port       Port
	cycles     int32 // delay of a flit on the way to it; 0: not given
	flitCycles int32 // cycles from one flit to the next; 0: not given
}

// GraphConfig describes a Graph.
type GraphConfig struct {
	// Routers is the number of routers, at least 1.
	Routers int
	// Nodes are the routers of the nodes, in the order of the nodes' numbers. With several rails the
	// routers of all first network interfaces come first, then those of all second ones, and so on.
	Nodes []Router
	// Links join the routers of each plane to a connected graph, and no two planes. Several links may
	// join the same two routers.
	Links []GraphLink
	// Rails is the number of network interfaces of a node; 0 stands for 1.
	Rails int
	// Names are the names of the routers; nil means numbers.
	Names []string
	// Groups are the groups of the routers, numbered from 0 without a gap; nil for none.
	Groups []int
	// Levels are the heights of the routers above the nodes, from 0; nil for none. Links join routers
	// of different levels.
	Levels []int
}

// GraphLink is a link between two routers, for both directions.
type GraphLink struct {
	// From and To are the routers that it joins, two different ones.
	From, To Router
	// Cycles is the delay of a flit from From to To, and Back from To to From; 0 means the network's
	// delay of all links.
	Cycles, Back int
	// FlitCycles is the time from one flit to the next from From to To, and BackFlit from To to From;
	// 0 as above.
	FlitCycles, BackFlit int
}

// NewGraph builds the network the configuration describes.
func NewGraph(c GraphConfig) (*Graph, error) {
	if err := checkGraph(c); err != nil {
		return nil, err
	}
	t := &Graph{first: make([]int32, c.Routers+1), home: slices.Clone(c.Nodes),
		rails: max(1, c.Rails), names: slices.Clone(c.Names)}
	for _, l := range c.Links {
		t.first[l.From+1]++
		t.first[l.To+1]++
	}
	for r := range c.Routers {
		t.first[r+1] += t.first[r]
	}
	t.linkEnds = make([]end, 2*len(c.Links))
	used := make([]Port, c.Routers)
	for _, l := range c.Links {
		p, q := used[l.From], used[l.To]
		used[l.From]++
		used[l.To]++
		t.linkEnds[t.first[l.From]+int32(p)] = end{l.To, q, int32(l.Cycles), int32(l.FlitCycles)}
		t.linkEnds[t.first[l.To]+int32(q)] = end{l.From, p, int32(l.Back), int32(l.BackFlit)}
	}
	for _, r := range c.Nodes {
		t.port = append(t.port, used[r])
		used[r]++
	}
	t.ports = int(slices.Max(used))
	if err := tooLarge("Links", c.Routers, max(1, t.ports), 1); err != nil {
		return nil, err
	}
	for _, g := range c.Groups {
		t.groups, t.nGroups = append(t.groups, int32(g)), max(t.nGroups, g+1)
	}
	t.levels = slices.Clone(c.Levels)
	t.hops = make(hopRows, min(c.Routers, maxHopRows))
	return t, t.checkConnected()
}

// checkGraph returns an error if a number of a configuration is out of its bounds.
func checkGraph(c GraphConfig) error {
	switch {
	case c.Routers < 1 || c.Routers > MaxNodes:
		return bad("Routers", fmt.Sprintf("give 1 to %d", MaxNodes), "is %d", c.Routers)
	case len(c.Nodes) < 1 || len(c.Nodes) > MaxNodes:
		return bad("Nodes", fmt.Sprintf("give 1 to %d", MaxNodes), "has %d entries", len(c.Nodes))
	case c.Rails < 0 || c.Rails > MaxRails:
		return bad("Rails", fmt.Sprintf("give 1 to %d", MaxRails), "is %d", c.Rails)
	case len(c.Nodes)%max(1, c.Rails) != 0:
		return bad("Nodes", "give one router for each network interface",
			"has %d entries for %d rails", len(c.Nodes), c.Rails)
	case len(c.Links) > MaxAllPorts/2:
		return bad("Links", fmt.Sprintf("give at most %d", MaxAllPorts/2), "has %d entries",
			len(c.Links))
	}
	for _, list := range []struct {
		field   string
		given   bool
		entries int
	}{{"Names", c.Names != nil, len(c.Names)}, {"Groups", c.Groups != nil, len(c.Groups)},
		{"Levels", c.Levels != nil, len(c.Levels)}} {
		if list.given && list.entries != c.Routers {
			return bad(list.field, fmt.Sprintf("give %d", c.Routers), "has %d entries for %d routers",
				list.entries, c.Routers)
		}
	}
	exists := func(r Router) bool { return r >= 0 && int(r) < c.Routers }
	right := fmt.Sprintf("routers are 0 to %d", c.Routers-1)
	for n, r := range c.Nodes {
		if !exists(r) {
			return bad("Nodes", right, "hangs node %d on router %d", n, r)
		}
	}
	for _, l := range c.Links {
		switch {
		case !exists(l.From) || !exists(l.To):
			return bad("Links", right, "has one from router %d to router %d", l.From, l.To)
		case l.From == l.To:
			return bad("Links", "leave it out", "has one from router %d to itself", l.From)
		case l.Cycles < 0 || l.Back < 0 || l.Cycles > MaxLinkCycles || l.Back > MaxLinkCycles:
			return bad("Links", fmt.Sprintf("give 0 to %d", MaxLinkCycles),
				"has one from router %d to router %d of %d and %d cycles", l.From, l.To, l.Cycles, l.Back)
		case l.FlitCycles < 0 || l.BackFlit < 0 || l.FlitCycles > MaxFlitCycles ||
			l.BackFlit > MaxFlitCycles:
			return bad("Links", fmt.Sprintf("give 0 to %d", MaxFlitCycles),
				"has one from router %d to router %d of %d and %d cycles a flit", l.From, l.To,
				l.FlitCycles, l.BackFlit)
		case c.Levels != nil && c.Levels[l.From] == c.Levels[l.To]:
			return bad("Levels", "let each link lead up", "puts router %d and router %d, which a link "+
				"joins, on level %d", l.From, l.To, c.Levels[l.From])
		}
	}
	for r, level := range c.Levels {
		if level < 0 || level > MaxLevel {
			return bad("Levels", fmt.Sprintf("levels are 0 to %d", MaxLevel), "puts router %d on level %d",
				r, level)
		}
	}
	return checkGroups(c.Groups)
}

// MaxLinkCycles is the maximum delay of a link of a graph.
const MaxLinkCycles = 1 << 20

// MaxFlitCycles is the maximum number of cycles from one flit to the next on a link of a graph.
const MaxFlitCycles = 1<<16 - 1

// MaxLevel is the maximum level of a router of a graph.
const MaxLevel = 31

// checkGroups returns an error unless every group from 0 to the last has a router.
func checkGroups(groups []int) error {
	hasRouter := make([]bool, len(groups)) // by group
	for r, g := range groups {
		if g < 0 || g >= len(groups) {
			return bad("Groups", fmt.Sprintf("groups are 0 to %d at most", len(groups)-1),
				"puts router %d into group %d", r, g)
		}
		hasRouter[g] = true
	}
	if gap := slices.Index(hasRouter, false); gap >= 0 && slices.Contains(hasRouter[gap:], true) {
		return bad("Groups", "number groups from 0 without a gap", "has no router of group %d", gap)
	}
	return nil
}

// Nodes implements Topology.
func (t *Graph) Nodes() int { return len(t.home) / t.rails }

// Routers implements Topology.
func (t *Graph) Routers() int { return len(t.first) - 1 }

// Ports implements Topology.
func (t *Graph) Ports() int { return t.ports }

// Links returns the number of links of router r. The ports from that number on carry nodes.
func (t *Graph) Links(r Router) int { return int(t.first[r+1] - t.first[r]) }

// Attach implements Topology.
func (t *Graph) Attach(n Node) (Router, Port) { return t.home[n], t.port[n] }

// Peer implements Topology.
func (t *Graph) Peer(r Router, p Port) (Router, Port, bool) {
	e, ok := t.linkEnd(r, p)
	return e.router, e.port, ok
}

// linkEnd returns the other end of the link at port p of router r, and false if there is none.
func (t *Graph) linkEnd(r Router, p Port) (end, bool) {
	if p < 0 || int(p) >= t.Links(r) {
		return end{}, false
	}
	return t.linkEnds[t.first[r]+int32(p)], true
}

// LinkCycles implements Timed.
func (t *Graph) LinkCycles(r Router, p Port) int {
	e, _ := t.linkEnd(r, p)
	return int(e.cycles)
}

// LinkFlitCycles implements Paced.
func (t *Graph) LinkFlitCycles(r Router, p Port) int {
	e, _ := t.linkEnd(r, p)
	return int(e.flitCycles)
}

// Groups implements Grouped. Without groups all routers are in one.
func (t *Graph) Groups() int { return max(1, t.nGroups) }

// Group implements Grouped.
func (t *Graph) Group(r Router) int {
	if t.groups == nil {
		return 0
	}
	return int(t.groups[r])
}

// Level implements Levelled.
func (t *Graph) Level(r Router) (int, bool) {
	if t.levels == nil {
		return 0, false
	}
	return t.levels[r], true
}

// Label implements Labelled.
func (t *Graph) Label(r Router) string {
	if t.names != nil {
		return t.names[r]
	}
	return strconv.Itoa(int(r))
}

// Family implements Routed.
func (t *Graph) Family() string { return "a graph" }

// DefaultRouting implements Routed.
func (t *Graph) DefaultRouting(int) string { return "up-down" }

// The plane of a rail is the set of routers that its network interfaces reach.

// checkConnected returns an error if two rails share a plane, or if a router cannot be reached from
// the others of its plane.
func (t *Graph) checkConnected() error {
	plane := make([]int, t.Routers()) // of each router, counted from 1
	for rail := range t.rails {
		start, _ := t.AttachRail(0, rail)
		if plane[start] > 0 {
			return bad("Links", "no links join the routers of two rails",
				"leads from router %s to the network interfaces of rails %d and %d", t.Label(start),
				plane[start]-1, rail)
		}
		for r, hops := range t.search(start) {
			if hops != unreached {
				plane[r] = rail + 1
			}
		}
	}
	for i, r := range t.home {
		start := t.home[i/t.Nodes()*t.Nodes()]
		if plane[r] != plane[start] {
			return t.unreachable(start, r)
		}
	}
	if r := slices.Index(plane, 0); r >= 0 {
		return t.unreachable(0, Router(r))
	}
	return nil
}

// unreachable returns the error that no path leads from one router to another.
func (t *Graph) unreachable(from, to Router) error {
	return bad("Links", "every router must be reachable from every other",
		"leaves no way from router %s to router %s", t.Label(from), t.Label(to))
}

// Rails implements Railed.
func (t *Graph) Rails() int { return t.rails }

// AttachRail implements Railed: the router and its port to which interface rail of node n is
// linked.
func (t *Graph) AttachRail(n Node, rail int) (Router, Port) {
	i := rail*t.Nodes() + int(n)
	return t.home[i], t.port[i]
}

// maxSources is the largest number of nodes from which PlanesDiffer compares distances.
const maxSources = 256

// PlanesDiffer reports whether, from some node, a distance on another rail differs from the
// distance on rail 0. On graphs of more than 256 nodes it tests at most 256 source nodes.
func (t *Graph) PlanesDiffer() bool {
	if t.rails == 1 {
		return false
	}
	step := (t.Nodes() + maxSources - 1) / maxSources
	for from := 0; from < t.Nodes(); from += step {
		first := t.search(t.home[from])
		for rail := 1; rail < t.rails; rail++ {
			at := rail * t.Nodes()
			hops := t.search(t.home[at+from])
			for to := range t.Nodes() {
				if hops[t.home[at+to]] != first[t.home[to]] {
					return true
				}
			}
		}
	}
	return false
}
