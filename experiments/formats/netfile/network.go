// Package netfile reads networks from the files of other programs: graphs of routers
// and links from BookSim anynet and TOML files.
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
	pairs     [][2]int   // the keys of links in ascending order; set by finish
	linkCount int        // with each of parallel links
	tapers    [2]float64 // of a file of Slurm: see Tapers
	file      string     // for errors
	line      int        // being read, for errors; 0 for none
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
