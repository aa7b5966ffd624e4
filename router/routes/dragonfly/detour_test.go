package dragonfly

import (
	"math/rand/v2"
	"testing"

	"contend/internal/must"
	"contend/netsim/topology"
	"contend/netsim/topology/topologytest"
	"contend/router"
	"contend/router/deadlock"
	"contend/router/routes/frame"
)

// queued is a router whose channels have queues.
type queued []int32

func (v queued) Free(router.Channel) bool       { return true }
func (v queued) Credits(c router.Channel) int32 { return 9 - v[c] }
func (v queued) Queued(router.Channel) int32    { return 0 }

// Where both ways begin on one link UGAL compares the mean queues of the virtual channels that it
// may take on each: on the minimal path those that ascend, on a detour the lowest.
func TestUGALComparesMeansOnOneLink(t *testing.T) {
	m := topologytest.Machine(t, "dragonfly:a4h2p1").(*topology.Dragonfly)
	w := router.NewWiring(m, 3, 1)
	x := must.Have(NewDetour(w, LocalUGAL, 1))
	rng, in, compared, detours := rand.New(rand.NewPCG(5, 6)), w.Injection(0), 0, 0
	for range 4000 {
		h := router.Header{Destination: topology.Node(rng.IntN(m.Nodes()))}
		via, goal := topology.Router(rng.IntN(m.Routers())), x.goal(&h)
		if !x.mayDetour(0, goal) || m.Group(via) == 0 || m.Group(via) == m.Group(goal) {
			continue
		}
		second := h
		second.Phase, second.Via, h.Phase = frame.Outward, via, frame.Homeward
		first, _ := x.next(0, in, &h)
		if b, _ := x.next(0, in, &second); first != b {
			continue
		}
		queue := make(queued, w.Channels())
		for c := first; c < first+3; c++ {
			queue[c] = rng.Int32N(9)
		}
		low := float64(queue[first])
		mean := (low + float64(queue[first+1])) / 2
		want := float64(x.hops(0, goal))*mean <= float64(x.detourHops(0, via, goal))*low
		if got := x.minimalIsBetter(0, via, in, &h, queue); got != want {
			t.Fatalf("%v over %d with queues %v: minimal is %v", h, via, queue[first:first+3], got)
		}
		if compared++; !want {
			detours++
		}
	}
	if compared < 100 || detours < 30 {
		t.Errorf("%d detours of %d say little", detours, compared)
	}
}

// Where several links join two groups, minimal packets use all of them.
func TestDragonflySpreadsOverLinks(t *testing.T) {
	m := topologytest.Machine(t, "dragonfly:a8h2p1g3").(*topology.Dragonfly)
	w := router.NewWiring(m, 2, 1)
	x := must.Have(NewMinimal(w))
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
