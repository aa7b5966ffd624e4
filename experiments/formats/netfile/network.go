// Package netfile reads networks from the files of other programs: graphs of routers and links from
// BookSim anynet and TOML files, and from the topology.conf and topology.yaml of Slurm.
//
// An example: topology.yaml has
//
//	[{topology: t, tree: {switches: [
//	  {switch: root, children: "s[1-2]"},
//	  {switch: s1, nodes: "n[01-02]"},
//	  {switch: s2, nodes: "n[03-04]"}]}}]
//
// and ReadFile returns a Network with the lines
//
//	router 0 name root level 1 router 1 x2 router 2 x2
//	router 1 name s1 level 0 node 0 node 1
//	router 2 name s2 level 0 node 2 node 3
//
// A switch is a router with as many parallel links up as nodes below, and nodes are numbered by
// their names.
//
// A Network is a graph whose routers may have names. Lines writes it as texts, one for each
// router, in a form that anynet files have too, and Parse reads that. So a network can stand
// in a study itself, and a study with a network from a file needs the file no more. What is
// wrong with a file is a *input.Error with its line.
package netfile

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"contend/internal/input"
	"contend/router/topology"
)

// Limits are the limits of the files that this package reads.
var Limits = input.Limits{Bytes: 16 << 20, Line: 1 << 20}

// MaxRouters bounds the routers of a network.
const MaxRouters = 1 << 20

// Bounds of the nodes and links of a network, and of the parallel links between two routers.
const (
	maxNodes = 1 << 20
	maxLinks = 1 << 22
	maxCount = 1 << 10
)

// Network is a graph of routers and links as a file describes it.
type Network struct {
	routers   []router
	attached  []attachment // in the order of the file
	rails     [][]int      // by rail and node: the router of the node; set by finish
	links     map[[2]int]*link
	pairs     [][2]int     // the keys of links in ascending order; set by finish
	linkCount int          // with each of parallel links
	tapers    [][2]float64 // of a file of Slurm: see Tapers
	file      string       // for errors
	line      int          // being read, for errors; 0 for none
}

// router is a router as far as it has been read. A group or level of -1 is not given.
type router struct {
	name               string
	group, rail, level int
	known              bool // false for a gap in the numbers of routers
}

// attachment attaches a node to a router, by the network interface of the router's rail.
type attachment struct{ node, router, line int }

// newNetwork returns a network without routers. Its errors name the file.
func newNetwork(file string) *Network {
	return &Network{links: map[[2]int]*link{}, file: file}
}

// bad returns an error about the line being read.
func (n *Network) bad(right, problem string, args ...any) error {
	return &input.Error{File: n.file, Line: n.line, Problem: fmt.Sprintf(problem, args...),
		Right: right}
}

// defineRouter adds router r, unless there is one.
func (n *Network) defineRouter(r int) error {
	if r >= MaxRouters {
		return n.bad(fmt.Sprintf("routers are 0 to %d", MaxRouters-1), "there is a router %d", r)
	}
	for len(n.routers) <= r {
		n.routers = append(n.routers, router{group: -1, level: -1})
	}
	n.routers[r].known = true
	return nil
}

// attachNode attaches a node to a router, which it defines.
func (n *Network) attachNode(node, r int) error {
	if node >= maxNodes {
		return n.bad(fmt.Sprintf("nodes are 0 to %d", maxNodes-1), "there is a node %d", node)
	}
	n.attached = append(n.attached, attachment{node, r, n.line})
	return n.defineRouter(r)
}

// finish completes a network after its last line: it refuses numbers with gaps, resolves rails, and
// sorts the links, so that their order does not depend on the form of a file.
func (n *Network) finish() error {
	n.line = 0
	n.pairs = slices.SortedFunc(maps.Keys(n.links), func(a, b [2]int) int {
		return slices.Compare(a[:], b[:])
	})
	if len(n.routers) == 0 {
		return n.bad("name a router", "there is no router")
	}
	if i := slices.IndexFunc(n.routers, func(r router) bool { return !r.known }); i >= 0 {
		return n.bad("number routers from 0 without a gap", "there is no router %d", i)
	}
	if len(n.attached) == 0 {
		return n.bad("hang nodes on routers", "there is no node")
	}
	return n.resolveRails()
}

// Config returns the configuration of the network as a topology.
func (n *Network) Config() topology.GraphConfig {
	c := topology.GraphConfig{Routers: len(n.routers)}
	for _, homes := range n.rails {
		for _, r := range homes {
			c.Nodes = append(c.Nodes, topology.Router(r))
		}
	}
	if len(n.rails) > 1 {
		c.Rails = len(n.rails)
	}
	for _, key := range n.pairs {
		k := n.links[key]
		for range k.count {
			c.Links = append(c.Links, topology.GraphLink{From: topology.Router(key[0]),
				To: topology.Router(key[1]), Cycles: k.up.Cycles, Back: k.down.Cycles,
				FlitCycles: k.up.FlitCycles, BackFlit: k.down.FlitCycles})
		}
	}
	if slices.ContainsFunc(n.routers, func(r router) bool { return r.name != "" }) {
		c.Names = make([]string, len(n.routers))
		for i, r := range n.routers {
			if c.Names[i] = r.name; r.name == "" {
				c.Names[i] = fmt.Sprint(i)
			}
		}
	}
	c.Groups = n.numbersOf(func(r router) int { return r.group })
	c.Levels = n.numbersOf(func(r router) int { return r.level })
	return c
}

// numbersOf returns a number of each router, 0 for those that have none, or nil if no router has
// one.
func (n *Network) numbersOf(number func(r router) int) (numbers []int) {
	if !slices.ContainsFunc(n.routers, func(r router) bool { return number(r) >= 0 }) {
		return nil
	}
	for _, r := range n.routers {
		numbers = append(numbers, max(0, number(r)))
	}
	return numbers
}

// Lines writes the network as texts, one for each router. Nodes, and the links to routers
// of higher numbers, come in ascending order.
func (n *Network) Lines() []string {
	lines := make([]strings.Builder, len(n.routers))
	for i, r := range n.routers {
		fmt.Fprintf(&lines[i], "router %d", i)
		if r.name != "" {
			fmt.Fprintf(&lines[i], " name %s", r.name)
		}
		if r.group >= 0 {
			fmt.Fprintf(&lines[i], " group %d", r.group)
		}
		if r.rail > 0 {
			fmt.Fprintf(&lines[i], " rail %d", r.rail)
		}
		if r.level >= 0 {
			fmt.Fprintf(&lines[i], " level %d", r.level)
		}
	}
	for _, homes := range n.rails {
		for node, r := range homes {
			fmt.Fprintf(&lines[r], " node %d", node)
		}
	}
	for _, key := range n.pairs {
		k := n.links[key]
		writeLink(&lines[key[0]], key[1], k.up, k.count)
		if k.down != (Times{}) {
			writeLink(&lines[key[1]], key[0], k.down, 1)
		}
	}
	texts := make([]string, len(lines))
	for i := range lines {
		texts[i] = lines[i].String()
	}
	return texts
}

// writeLink writes a link to router r, as Parse reads it.
func writeLink(to *strings.Builder, r int, times Times, count int) {
	fmt.Fprintf(to, " router %d", r)
	if times.Cycles > 0 {
		fmt.Fprintf(to, " %d", times.Cycles)
	}
	if times.FlitCycles > 0 {
		fmt.Fprintf(to, " f%d", times.FlitCycles)
	}
	if count > 1 {
		fmt.Fprintf(to, " x%d", count)
	}
}

// link is the links between two routers.
type link struct {
	count int
	// up are the times from the lower to the higher number of a router, down those back.
	up, down Times
}

// joinRouters joins two routers by count links, with the times from the first to the second. A pair
// that is joined already keeps its links, because both directions of a link may be written.
func (n *Network) joinRouters(from, to int, times Times, count int) error {
	if from == to {
		return n.bad("leave it out", "there is a link from router %d to itself", from)
	}
	if count < 1 || count > maxCount {
		return n.bad(fmt.Sprintf("give 1 to %d", maxCount), "there are %d parallel links", count)
	}
	for _, r := range []int{from, to} {
		if err := n.defineRouter(r); err != nil {
			return err
		}
	}
	key := [2]int{min(from, to), max(from, to)}
	k := n.links[key]
	if k == nil {
		k = &link{}
		n.links[key] = k
	}
	if k.count > 1 && count > 1 && k.count != count {
		return n.bad("give one of them", "%d links and %d join router %d and router %d", k.count, count,
			key[0], key[1])
	}
	if err := n.addLinks(k, max(0, count-k.count)); err != nil {
		return err
	}
	at := &k.up
	if from > to {
		at = &k.down
	}
	for _, t := range []struct {
		of            string
		at            *int
		cycles, limit int
	}{{"", &at.Cycles, times.Cycles, topology.MaxLinkCycles},
		{"a flit of ", &at.FlitCycles, times.FlitCycles, topology.MaxFlitCycles}} {
		if t.cycles > t.limit {
			return n.bad(fmt.Sprintf("at most %d", t.limit), "%sa link takes %d cycles", t.of, t.cycles)
		}
		if t.cycles > 0 && *t.at > 0 && *t.at != t.cycles {
			return n.bad("give one of them", "%sthe link from router %d to router %d takes %d cycles, "+
				"and %d", t.of, from, to, *t.at, t.cycles)
		}
		*t.at = max(*t.at, t.cycles)
	}
	return nil
}

// addLinks adds parallel links between two routers.
func (n *Network) addLinks(k *link, more int) error {
	k.count += more
	if n.linkCount += more; n.linkCount > maxLinks {
		return n.bad("give fewer", "there are more than %d links", maxLinks)
	}
	return nil
}

// Nodes may have several network interfaces. Those of one number make a rail: each hangs on a
// router of that rail, and no link joins routers of two rails. So a file gives for each router
// which rail it belongs to, and node n is that with number n on every rail.

// resolveRails finds the router of each node on each rail.
func (n *Network) resolveRails() error {
	n.rails = nil
	for _, k := range n.attached {
		rail := n.routers[k.router].rail
		for len(n.rails) <= rail {
			n.rails = append(n.rails, nil)
		}
		for len(n.rails[rail]) <= k.node {
			n.rails[rail] = append(n.rails[rail], -1)
		}
		at := &n.rails[rail][k.node]
		if n.line = k.line; *at >= 0 && *at != k.router {
			return n.bad("a node hangs on one router of each rail",
				"node %d hangs on router %d, and on router %d", k.node, *at, k.router)
		}
		*at = k.router
	}
	n.line = 0
	for rail, homes := range n.rails {
		if len(homes) == 0 {
			return n.bad("number rails from 0 without a gap", "no node hangs on a router of rail %d", rail)
		}
		if i := slices.Index(homes, -1); i >= 0 {
			return n.bad("number nodes from 0 without a gap", "there is no node %d", i)
		}
		if len(homes) != len(n.rails[0]) {
			return n.bad("hang every node on a router of each rail", "there are %d nodes on rail 0, and "+
				"%d on rail %d", len(n.rails[0]), len(homes), rail)
		}
	}
	return nil
}

// setRail puts a router on a rail.
func (n *Network) setRail(r, rail int) error {
	if rail >= topology.MaxRails {
		return n.bad("give fewer", "a router belongs to rail %d, and there are at most %d", rail,
			topology.MaxRails)
	}
	n.routers[r].rail = rail
	return nil
}

// railsOf returns the rail of each router of a topology: that of the network interfaces that its
// links lead to.
func railsOf(t topology.Topology) []int {
	rails := make([]int, t.Routers())
	for rail := 1; rail < topology.Rails(t); rail++ {
		start, _ := topology.AttachRail(t, 0, rail)
		rails[start] = rail
		for queue := []topology.Router{start}; len(queue) > 0; queue = queue[1:] {
			for p := range topology.Port(t.Ports()) {
				if to, _, ok := t.Peer(queue[0], p); ok && rails[to] != rail {
					rails[to] = rail
					queue = append(queue, to)
				}
			}
		}
	}
	return rails
}

// Lengthen adds cycles to every link, in both directions. A link without a time takes
// one cycle, as in BookSim.
func (n *Network) Lengthen(cycles int) {
	for _, k := range n.links {
		k.up.Cycles, k.down.Cycles = max(k.up.Cycles, 1)+cycles, max(k.down.Cycles, 1)+cycles
	}
}

// IsTree reports whether a connected network has no cycles.
func (n *Network) IsTree() bool { return n.linkCount == len(n.routers)-1 }

// maxUniqueRouters bounds the networks that UniqueShortestPaths searches.
const maxUniqueRouters = 2048

// UniqueShortestPaths reports whether all links take the same cycles and there is one path of the
// fewest hops between any two routers. It reports false for networks above 2048 routers.
func (n *Network) UniqueShortestPaths() bool {
	if len(n.routers) > maxUniqueRouters || n.linkCount > len(n.pairs) {
		return false
	}
	first, next := n.links[n.pairs[0]], make([][]int, len(n.routers))
	for _, key := range n.pairs {
		if k := n.links[key]; k.up.Cycles != first.up.Cycles || k.down.Cycles != first.up.Cycles {
			return false
		}
		next[key[0]], next[key[1]] = append(next[key[0]], key[1]), append(next[key[1]], key[0])
	}
	for from := range next {
		if !uniqueFrom(next, from) {
			return false
		}
	}
	return true
}

// uniqueFrom reports whether there is one path of the fewest hops from a router to each other one.
func uniqueFrom(next [][]int, from int) bool {
	hops := make([]int, len(next))
	hops[from] = 1
	for queue := []int{from}; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		for _, to := range next[at] {
			switch hops[to] {
			case 0:
				hops[to] = hops[at] + 1
				queue = append(queue, to)
			case hops[at] + 1:
				return false
			}
		}
	}
	return true
}
