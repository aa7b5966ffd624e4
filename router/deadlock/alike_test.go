package deadlock_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"contend/internal/must"
	"contend/router"
	"contend/router/deadlock"
	"contend/router/routes"
	"contend/router/topology/topologytest"
)

// Of routings that are Alike, the graph of a network with more VCs is that of the network with the
// minimum, if VCs of a link that follow the same ones and are followed by the same ones are one.
func TestFurtherVirtualChannelsAreAlike(t *testing.T) {
	compared := 0
	for _, text := range []string{"tree:3x2", "tree:2x3", "fat-tree:4x3:2", "fat-tree:2x2x2:2x2",
		"dragonfly:a2h1p1g3", "dragonfly:a3h1p2g4", "hyperx:3x3:p2", "hyperx:4:p1", "mesh:3x3",
		"torus:4x3"} {
		m := topologytest.Machine(t, text)
		for _, k := range routes.Builtin() {
			if !k.Suits(m) || !k.Alike {
				continue
			}
			graph := func(channels int) map[string]bool {
				w := router.NewNodeWiring(m, channels, 1, 1)
				x := must.Have(k.New(w, 1))
				if _, escapes := x.(router.Escaping); escapes {
					return joined(w, deadlock.Extended(w, x))
				}
				return joined(w, deadlock.Dependencies(w, x))
			}
			want := graph(fewest(k, m))
			for more := 1; more <= 5; more++ {
				compared += len(want)
				if got := graph(fewest(k, m) + more); !maps.Equal(got, want) {
					t.Errorf("%s on %s with %d more VCs has %d edges between classes of VCs, not %d", k.Name,
						text, more, len(got), len(want))
				}
			}
		}
	}
	if compared < 10_000 {
		t.Errorf("only %d edges were compared", compared)
	}
}

// joined returns the edges of a graph whose channels are classes of alike VCs, numbered on each
// link in the order of their first VCs.
func joined(w *router.Wiring, next [][]router.Channel) map[string]bool {
	prior := make([][]router.Channel, len(next))
	for c, list := range next {
		for _, d := range list {
			prior[d] = append(prior[d], router.Channel(c))
		}
	}
	names := make([]string, len(next))
	classes := map[router.Link][]string{}
	for c := range next {
		l := w.LinkOf(router.Channel(c))
		if w.First(l) < 0 || !w.Has(router.Channel(c)) {
			continue
		}
		kind := fmt.Sprint(next[c], prior[c])
		at := slices.Index(classes[l], kind)
		if at < 0 {
			at = len(classes[l])
			classes[l] = append(classes[l], kind)
		}
		names[c] = fmt.Sprint(l, ".", at)
	}
	edges := map[string]bool{}
	for c, list := range next {
		for _, d := range list {
			edges[names[c]+" -> "+names[d]] = true
		}
	}
	return edges
}
