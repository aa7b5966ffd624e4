package router

import (
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/gonum/graph/simple"
	"gonum.org/v1/gonum/graph/topo"
)

// A CycleError says that a routing can deadlock: its channel dependency graph
// has a cycle (Dally and Seitz 1987, Theorem 1).
type CycleError struct {
	// Channels are those of one cycle, each waiting for the next, the last
	// for the first.
	Channels []Channel
	text     string
}

func (e *CycleError) Error() string { return e.text }

// CheckDeadlock builds the channel dependency graph of a routing, from every
// node to every node (see Dependencies), and returns a *CycleError that names a
// shortest cycle if it has one.
func CheckDeadlock(w *Wiring, x Routing) error {
	next := Dependencies(w, x)
	g := simple.NewDirectedGraph()
	for c := range next {
		if len(next[c]) > 0 && g.Node(int64(c)) == nil {
			g.AddNode(simple.Node(c))
		}
		for _, d := range next[c] {
			if int(d) == c {
				return cycleError(w, []Channel{d})
			}
			g.SetEdge(simple.Edge{F: simple.Node(c), T: simple.Node(d)})
		}
	}
	var best []Channel
	for _, part := range topo.TarjanSCC(g) {
		if len(part) < 2 {
			continue
		}
		in := make(map[Channel]bool, len(part))
		start := Channel(part[0].ID())
		for _, n := range part {
			in[Channel(n.ID())] = true
			start = min(start, Channel(n.ID()))
		}
		// Components come in an order that depends on a map: take the
		// shortest cycle, and among equals the one of the lowest channel.
		cycle := shortestCycle(next, in, start)
		if best == nil || len(cycle) < len(best) || len(cycle) == len(best) && cycle[0] < best[0] {
			best = cycle
		}
	}
	if best != nil {
		return cycleError(w, best)
	}
	return nil
}

// shortestCycle returns a shortest cycle through start within a strongly
// connected component, by breadth-first search.
func shortestCycle(next [][]Channel, in map[Channel]bool, start Channel) []Channel {
	from := map[Channel]Channel{}
	queue := []Channel{start}
	for len(queue) > 0 {
		c := queue[0]
		queue = queue[1:]
		for _, d := range next[c] {
			if d == start {
				cycle := []Channel{c}
				for c != start {
					c = from[c]
					cycle = append(cycle, c)
				}
				slices.Reverse(cycle)
				return cycle
			}
			if _, known := from[d]; in[d] && !known {
				from[d] = c
				queue = append(queue, d)
			}
		}
	}
	panic("router: no cycle in a strongly connected component")
}

func cycleError(w *Wiring, cycle []Channel) error {
	names := make([]string, 0, len(cycle)+1)
	for _, c := range append(slices.Clone(cycle), cycle[0]) {
		names = append(names, w.Describe(c))
	}
	return &CycleError{Channels: cycle, text: fmt.Sprintf(
		"the routing can deadlock: its channel dependency graph has a cycle of %d channels, each waiting for the next:\n  %s",
		len(cycle), strings.Join(names, "\n  "))}
}
