package routes

import (
	"math/rand/v2"
	"testing"

	"contend/internal/must"
	"contend/router"
	"contend/router/topology"
	"contend/router/topology/topologytest"
)

// Where cables have failed, packets take shortest paths over those left, unless these are longer
// than the longest without failures.
func TestShortestPathsLeft(t *testing.T) {
	m := topologytest.DrawnGraph(t, 3, 24, 48)
	w := router.NewEscapeWiring(m, shortestMaker.VirtualChannels(m), 1, 1)
	k := NewLeftover(w, must.Have(newShortest(w, false, 1)))
	most := k.Whole().(*shortestPaths).most
	cables, longer, escaped := cablesOf(w), 0, 0
	for seed := range uint64(8) {
		failed := make([]bool, w.Links())
		for _, at := range rand.New(rand.NewPCG(seed, 1)).Perm(len(cables))[:6] {
			failed[cables[at][0]], failed[cables[at][1]] = true, true
		}
		k.SetFailed(failed, true)
		for from := range topology.Node(m.Nodes()) {
			for to := range topology.Node(m.Nodes()) {
				home, _ := m.Attach(to)
				left := hopsAround(w, failed, home)
				start, _ := m.Attach(from)
				if left[start] == topology.Unreached {
					continue
				}
				h, hops := router.Header{Source: from, Destination: to, Packet: int64(from)}, 0
				onEscapePath := false
				for c := w.Injection(from); w.Enters(c) != home; hops++ {
					c = k.Route(nil, w.Enters(c), c, &h, router.IdleView{Room: 8})[0]
					onEscapePath = onEscapePath || w.IsEscapePath(c)
				}
				switch want := int(left[start]); {
				case onEscapePath != (want > most) || !onEscapePath && hops != want:
					t.Fatalf("from %d to %d: %d hops, on an escape path: %t; %d hops are left, at most %d are "+
						"possible", from, to, hops, onEscapePath, want, most)
				case onEscapePath:
					escaped++
				case want > int(hopsOf(m).hops[home][start]):
					longer++
				}
			}
		}
	}
	if longer < 100 || escaped == 0 {
		t.Errorf("%d paths are longer than without failures, %d are escape paths", longer, escaped)
	}
}

// hopsAround returns the hops from each router to another one over links that have not failed, by
// repeating all links until nothing changes.
func hopsAround(w *router.Wiring, failed []bool, to topology.Router) []uint16 {
	hops := make([]uint16, w.Topology.Routers())
	for r := range hops {
		hops[r] = topology.Unreached
	}
	hops[to] = 0
	for changed := true; changed; {
		changed = false
		for l := range router.Link(w.Links()) {
			if failed[l] || w.Kind(l) != router.Network {
				continue
			}
			a, b := w.Leaves(l), w.Enters(w.First(l))
			if hops[b] != topology.Unreached && hops[b]+1 < hops[a] {
				hops[a], changed = hops[b]+1, true
			}
		}
	}
	return hops
}
