package routes

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"contend/internal/must"
	"contend/router"
	"contend/router/deadlock"
	"contend/router/routertest"
	"contend/router/topology"
)

// randomGraph returns a connected graph of so many routers, each with a node: a ring and some
// links across.
func randomGraph(t testing.TB, routers, across int, seed uint64) *topology.Graph {
	t.Helper()
	c := topology.GraphConfig{Routers: routers}
	rng := rand.New(rand.NewPCG(seed, 0))
	for r := range topology.Router(routers) {
		c.Nodes = append(c.Nodes, r)
		c.Links = append(c.Links, topology.GraphLink{From: r, To: (r + 1) % topology.Router(routers)})
	}
	for range across {
		a := topology.Router(rng.IntN(routers))
		b := (a + 1 + topology.Router(rng.IntN(routers-1))) % topology.Router(routers)
		c.Links = append(c.Links, topology.GraphLink{From: a, To: b})
	}
	m := must.Have(topology.NewGraph(c))
	return m
}

// deliversAll fails unless a routing keeps its contract and takes shortest paths.
func deliversAll(t *testing.T, w *router.Wiring, x router.Routing) {
	t.Helper()
	if err := routertest.Check(w, x, routertest.Options{Minimal: true, Rounds: 1}); err != nil {
		t.Errorf("%d routers: %v", w.Topology.Routers(), err)
	}
}

// Layers keep shortest paths free of cycles; in one layer a ring has one.
func TestLayersOfShortestPaths(t *testing.T) {
	for _, k := range []struct{ routers, across int }{{3, 0}, {8, 0}, {12, 3}, {20, 20}, {30, 90}} {
		m := randomGraph(t, k.routers, k.across, 7)
		needed := forLayers(m)
		for _, virtual := range []int{needed, needed + 1} {
			w := router.NewNodeWiring(m, virtual, 1, 1)
			x := must.Have(newLayers(w))
			deliversAll(t, w, x)
		}
		if needed == 1 {
			continue
		}
		w := router.NewWiring(m, needed, 1)
		x := must.Have(newLayers(w))
		for to := range x.layers {
			clear(x.layers[to])
		}
		var cycle *deadlock.CycleError
		if err := deadlock.CheckDeadlock(w, x); !errors.As(err, &cycle) {
			t.Errorf("%d routers need %d layers, but one has the error %v", k.routers, needed, err)
		}
	}
	if ring := randomGraph(t, 8, 0, 1); forLayers(ring) != 2 {
		t.Errorf("a ring has %d layers, want 2", forLayers(ring))
	}
}

// A layer takes dependencies as long as they close no cycle, whatever their order, as a search
// over all of them tells.
func TestLayersHaveNoCycle(t *testing.T) {
	const channels = 12
	rng := rand.New(rand.NewPCG(5, 6))
	refused := 0
	for range 200 {
		k, next := newLayer(channels), make([][]router.Channel, channels)
		for range 30 {
			way := make([]int32, 2+rng.IntN(3))
			for i, c := range rng.Perm(channels)[:len(way)] {
				way[i] = int32(c)
			}
			longer := make([][]router.Channel, channels)
			for c := range next {
				longer[c] = append(longer[c], next[c]...)
			}
			for i, c := range way[1:] {
				longer[way[i]] = append(longer[way[i]], router.Channel(c))
			}
			free := !cyclic(longer)
			if k.addPath(way) != free {
				t.Fatalf("way %v over %v: free of cycles is %v", way, next, free)
			}
			if free {
				next = longer
			} else {
				refused++
			}
		}
	}
	if refused == 0 {
		t.Error("nothing was refused")
	}
}

// cyclic reports whether a graph has a cycle: it takes away what nothing left follows.
func cyclic(next [][]router.Channel) bool {
	gone, again := make([]bool, len(next)), true
	for again {
		again = false
		for c := range next {
			if !gone[c] && !slices.ContainsFunc(next[c], func(d router.Channel) bool { return !gone[d] }) {
				gone[c], again = true, true
			}
		}
	}
	return slices.Contains(gone, false)
}

// BenchmarkLayers reports what it takes to layer a graph of as many links across as routers.
func BenchmarkLayers(b *testing.B) {
	for _, routers := range []int{64, 256, 1024} {
		b.Run(fmt.Sprint(routers), func(b *testing.B) {
			m := randomGraph(b, routers, routers, 7)
			for b.Loop() {
				findLayers(m)
			}
			b.ReportMetric(float64(forLayers(m)), "layers")
		})
	}
}
