package routes

import (
	"slices"
	"testing"

	"contend/router"
	"contend/router/deadlock"
	"contend/router/topology"
	"contend/router/topology/topologytest"
)

// With four virtual channels, minimal routing takes the lower two of local links in the group of
// the source and the upper two in that of the destination. On global links and to nodes it may take
// all four, minimal-ascending the upper two only, and the lower two within a group.
func TestClassesOfMinimalPaths(t *testing.T) {
	m := topologytest.Machine(t, "dragonfly:a4h2p1").(*topology.Dragonfly)
	w := router.NewNodeWiring(m, 4, 4, 1)
	for name, k := range map[string]struct {
		x      *dragonflyMinimal
		global []router.Channel
	}{
		"minimal":           {newDragonflyMinimal(w), []router.Channel{0, 1, 2, 3}},
		"minimal-ascending": {newDragonflyAscending(w), []router.Channel{2, 3}},
	} {
		var kinds [3]int // hops before, on and behind the global link
		for from := range topology.Node(m.GroupRouters()) {
			for to := range topology.Node(m.Nodes()) {
				h := router.Header{Source: from, Destination: to}
				for in := w.Injection(from); ; {
					offered := k.x.Possible(nil, w.Enters(in), in, &h)
					l := w.LinkOf(offered[0])
					inGroup := m.Group(m.RouterOf(from)) == m.Group(m.RouterOf(to))
					if w.Kind(l) == router.Ejection {
						want := k.global
						if inGroup && len(want) == 2 {
							want = []router.Channel{0, 1}
						}
						if len(offered) != len(want) || offered[0]-w.First(l) != want[0] {
							t.Fatalf("%s, %d to %d: to the node by %v", name, from, to, offered)
						}
						break
					}
					begin, end := w.Ends(l)
					kind, want := 1, k.global
					switch {
					case m.Group(end.Router) != m.Group(begin.Router):
					case m.Group(end.Router) == m.Group(m.RouterOf(to)):
						kind, want = 2, []router.Channel{2, 3}
						if inGroup && len(k.global) == 2 {
							want = []router.Channel{0, 1}
						}
					default:
						kind, want = 0, []router.Channel{0, 1}
					}
					kinds[kind]++
					var got []router.Channel
					for _, c := range offered {
						got = append(got, c-w.First(l))
					}
					if !slices.Equal(got, want) {
						t.Fatalf("%s, %d to %d: channels %v from router %d to %d, want %v", name, from, to, got,
							begin.Router, end.Router, want)
					}
					in = offered[0]
				}
			}
		}
		// From each of 4 routers to 36: 3 in its group; of the other 32, 2 global links lead to 2·4, the
		// rest take a local link first. A link ends at one of 4 routers.
		if kinds != [3]int{4 * 24, 4 * 32, 4*3 + 4*24} {
			t.Errorf("%s: %v hops", name, kinds)
		}
	}
}

// Where several links join two groups, minimal packets use all of them.
func TestDragonflySpreadsOverLinks(t *testing.T) {
	m := topologytest.Machine(t, "dragonfly:a8h2p1g3").(*topology.Dragonfly)
	w := router.NewWiring(m, 2, 1)
	x := newDragonflyMinimal(w)
	used := map[router.Link]int{}
	f := deadlock.NewFootprint(w, x)
	for a := range topology.Node(8) {
		for b := topology.Node(8); b < 16; b++ {
			f.Links(a, b, func(l router.Link) {
				if from, to := w.Ends(l); w.Kind(l) == router.Network &&
					m.Group(from.Router) != m.Group(to.Router) {
					used[l]++
				}
			})
		}
	}
	if all := m.LinksBetween(0, 1); len(used) != all {
		t.Errorf("packets use %d of %d links between two groups: %v", len(used), all, used)
	}
}
