package deadlock_test

import (
	"fmt"
	"testing"

	"contend/internal/must"
	"contend/router"
	"contend/router/deadlock"
	"contend/router/routes"
	"contend/router/topology"
)

var everyChoice = []routes.UpPort{routes.ByDestination, routes.BySource, routes.Drawn,
	routes.TreeAdaptive}

// The footprint of a packet on a mesh is its path. On a tree it has all ways up to the nearest
// common ancestors and all down from there, or one, if the way depends on the pair alone.
func TestFootprint(t *testing.T) {
	w, order := inOrder(t, 4, 3)
	checkFootprints(t, "mesh", w, order, func(from, to topology.Node) int {
		return 2 + w.Topology.(topology.Metric).Distance(from, to)
	})
	const arity, levels = 3, 3
	m := must.Have(topology.NewTree(topology.TreeConfig{Arity: arity, Levels: levels}))
	w = router.NewWiring(m, 1, 1)
	for _, choice := range everyChoice {
		x := routes.NewTreeUpDown(w, choice, 0)
		checkFootprints(t, fmt.Sprint("tree ", choice), w, x, func(from, to topology.Node) int {
			ways, links := 1, 2
			for a, b := from/arity, to/arity; a != b; a, b = a/arity, b/arity {
				if choice == routes.ByDestination || choice == routes.BySource {
					links += 2
				} else {
					ways *= arity
					links += 2 * ways
				}
			}
			return links
		})
	}
}

// checkFootprints compares the number of different links that packets of each pair may use.
func checkFootprints(t *testing.T, name string, w *router.Wiring, x router.Routing,
	want func(from, to topology.Node) int) {
	t.Helper()
	f := deadlock.NewFootprint(w, x)
	f.Exhaust() // pairs may be more than there are numbers
	nodes := topology.Node(w.Topology.Nodes())
	for from := range nodes {
		for to := range nodes {
			if from == to {
				continue
			}
			links := map[router.Link]bool{}
			f.Links(from, to, func(l router.Link) { links[l] = true })
			if want := want(from, to); len(links) != want {
				t.Fatalf("%s: packets from %d to %d may use %d links, want %d", name, from, to,
					len(links), want)
			}
		}
	}
}
