package topology

import (
	"fmt"
	"slices"
	"strconv"
)

// Graph is a network given by its routers and links: any connected graph, or with several rails
// one such graph, a plane, for each network interface of a node. Planes may differ; distances
// between nodes are those of their first network interfaces.
//
// The ports of a router are numbered in the order of its links, and after those in the
// order of its nodes.
type Graph struct {
	first  []int32  // first[r] is the first link end of router r; one more at the end
	peers  []end    // the other ends of links, router by router
	home   []Router // of the first network interfaces of all nodes, then of the second ones
	port   []Port   // that each of these hangs on
	rails  int
	ports  int
	names  []string
	groups []int32 // nil: no groups
	many   int     // groups
	levels []int   // nil: no levels
	hops   hopRows
}

// end is one end of a link: where it leads, how long a flit takes there, and how much later the
// next one may be sent.
type end struct {
	router       Router
	port         Port
	cycles, flit int32
}

// GraphConfig says what a Graph looks like.
type GraphConfig struct {
	// Routers is the number of routers, at least 1.
	Routers int
	// Nodes are the routers that the nodes hang on, by the numbers of the nodes: with several
	// rails first of all nodes those of their first network interface, then those of the second.
	Nodes []Router
	// Links join routers, so that each can be reached from each other of its plane, and none of
	// another one. Several may join the same two.
	Links []GraphLink
	// Rails is the number of network interfaces of a node; 0 stands for 1.
	Rails int
	// Names are what the routers are called; nil for numbers.
	Names []string
	// Groups are the groups of the routers, numbered from 0 without a gap; nil for none.
	Groups []int
	// Levels say how high above the nodes the routers are, from 0; nil for none. Links join routers
	// of different levels.
	Levels []int
}

// GraphLink is a link between two routers, for both directions.
type GraphLink struct {
	// From and To are the routers that it joins, two different ones.
	From, To Router
	// Cycles are the times a flit takes from From to To, Back the other way round; 0 where
	// the network says it for all links.
	Cycles, Back int
	// FlitCycles are the times from one flit to the next from From to To, BackFlit the other way
	// round; 0 as above.
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
	t.peers = make([]end, 2*len(c.Links))
	used := make([]Port, c.Routers)
	for _, l := range c.Links {
		p, q := used[l.From], used[l.To]
		used[l.From]++
		used[l.To]++
		t.peers[t.first[l.From]+int32(p)] = end{l.To, q, int32(l.Cycles), int32(l.FlitCycles)}
		t.peers[t.first[l.To]+int32(q)] = end{l.From, p, int32(l.Back), int32(l.BackFlit)}
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
		t.groups, t.many = append(t.groups, int32(g)), max(t.many, g+1)
	}
	t.levels = slices.Clone(c.Levels)
	t.hops = make(hopRows, min(c.Routers, maxHopRows))
	return t, t.checkConnected()
}

// checkGraph checks the numbers of a configuration.
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
	case c.Names != nil && len(c.Names) != c.Routers:
		return bad("Names", fmt.Sprintf("give %d", c.Routers), "has %d entries for %d routers",
			len(c.Names), c.Routers)
	case c.Groups != nil && len(c.Groups) != c.Routers:
		return bad("Groups", fmt.Sprintf("give %d", c.Routers), "has %d entries for %d routers",
			len(c.Groups), c.Routers)
	case c.Levels != nil && len(c.Levels) != c.Routers:
		return bad("Levels", fmt.Sprintf("give %d", c.Routers), "has %d entries for %d routers",
			len(c.Levels), c.Routers)
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

// MaxLinkCycles bounds how long a link of a graph may take.
const MaxLinkCycles = 1 << 20

// MaxFlitCycles bounds how many cycles there may be from one flit to the next on a link of a graph.
const MaxFlitCycles = 1<<16 - 1

// MaxLevel bounds the levels of the routers of a graph.
const MaxLevel = 31

// checkGroups checks that every group from 0 up to the last has a router.
func checkGroups(groups []int) error {
	some := make([]bool, len(groups))
	for r, g := range groups {
		if g < 0 || g >= len(groups) {
			return bad("Groups", fmt.Sprintf("groups are 0 to %d at most", len(groups)-1),
				"puts router %d into group %d", r, g)
		}
		some[g] = true
	}
	if none := slices.Index(some, false); none >= 0 && slices.Contains(some[none:], true) {
		return bad("Groups", "number groups from 0 without a gap", "has no router of group %d", none)
	}
	return nil
}

// Nodes implements Topology.
func (t *Graph) Nodes() int { return len(t.home) / t.rails }

// Routers implements Topology.
func (t *Graph) Routers() int { return len(t.first) - 1 }

// Ports implements Topology.
func (t *Graph) Ports() int { return t.ports }

// Links returns how many links router r has; its ports from that number on carry nodes.
func (t *Graph) Links(r Router) int { return int(t.first[r+1] - t.first[r]) }

// Attach implements Topology.
func (t *Graph) Attach(n Node) (Router, Port) { return t.home[n], t.port[n] }

// Peer implements Topology.
func (t *Graph) Peer(r Router, p Port) (Router, Port, bool) {
	if p < 0 || int(p) >= t.Links(r) {
		return 0, 0, false
	}
	e := t.peers[t.first[r]+int32(p)]
	return e.router, e.port, true
}

// LinkCycles implements Timed.
func (t *Graph) LinkCycles(r Router, p Port) int {
	if p < 0 || int(p) >= t.Links(r) {
		return 0
	}
	return int(t.peers[t.first[r]+int32(p)].cycles)
}

// LinkFlitCycles implements Paced.
func (t *Graph) LinkFlitCycles(r Router, p Port) int {
	if p < 0 || int(p) >= t.Links(r) {
		return 0
	}
	return int(t.peers[t.first[r]+int32(p)].flit)
}

// Groups implements Grouped: 1 where none are given.
func (t *Graph) Groups() int { return max(1, t.many) }

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
