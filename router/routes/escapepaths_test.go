package routes

import (
	"math/rand/v2"
	"testing"

	"contend/internal/must"
	"contend/router"
	"contend/router/deadlock"
	"contend/router/topology"
	"contend/router/topology/topologytest"
)

// together is a routing whose packets may take the channels of any of several routings at every
// router.
type together []router.Routing

func (x together) Route(dst []router.Channel, r topology.Router, in router.Channel,
	h *router.Header, _ router.View) []router.Channel {
	return x.Possible(dst, r, in, h)
}

func (x together) Possible(dst []router.Channel, r topology.Router, in router.Channel,
	h *router.Header) []router.Channel {
	before := *h
	for _, one := range x {
		*h = before
		dst = one.Possible(dst, r, in, h)
	}
	return dst
}

// escapingTogether is together of routings with escape channels.
type escapingTogether struct{ together }

func (x escapingTogether) Escape(dst []router.Channel, r topology.Router, in router.Channel,
	h *router.Header) []router.Channel {
	before := *h
	for _, one := range x.together {
		*h = before
		dst = one.(router.Escaping).Escape(dst, r, in, h)
	}
	return dst
}

// allTogether returns what is left of a routing after two failures, with lost packets.
func allTogether(before, after router.Leftover) router.Routing {
	x := together{before, after, after.Lost()}
	if _, ok := before.Whole().(router.Escaping); ok {
		return escapingTogether{x}
	}
	return x
}

// cablesOf returns the links of each cable between routers.
func cablesOf(w *router.Wiring) (cables [][2]router.Link) {
	for l := range router.Link(w.Links()) {
		if from, to := w.Ends(l); w.Kind(l) == router.Network && from.Router < to.Router {
			back, _ := w.Out(to.Router, to.Port)
			cables = append(cables, [2]router.Link{l, back})
		}
	}
	return cables
}

// Packets of the routing, on escape paths before and after a failure that finds packets there, and
// lost ones cannot wait for each other for ever. Drawn cables fail, and then drawn ones more. If the
// order of routers changed beside packets on escape paths some of them could.
func TestEscapePathsCannotDeadlock(t *testing.T) {
	reached, cycles := 0, 0
	for _, k := range []struct{ machine, routing string }{{"dragonfly:a4h1p1", "minimal"},
		{"hyperx:4x4:p1", "dimension-order"}, {"mesh:4x4", "dimension-order"},
		{"torus:4x4", "dateline"}, {"fat-tree:2x3:2:b2", "d-mod-k"}, {"hyperx:4x3:p1", "dal"},
		{"mesh:4x4", "minimal-adaptive"}, {"torus:4x3", "minimal-adaptive"},
		{"graph", "shortest"}} {
		var m topology.Topology
		if m = topologytest.DrawnGraph(t, 1, 10, 20); k.machine != "graph" {
			m = topologytest.Machine(t, k.machine)
		}
		for _, maker := range Builtin() {
			if maker.Name != k.routing || !maker.Suits(m) {
				continue
			}
			virtual := 1
			if maker.VirtualChannels != nil {
				virtual = maker.VirtualChannels(m)
			}
			w := router.NewEscapeWiring(m, virtual, 1, 1)
			cables := cablesOf(w)
			for seed := range uint64(12) {
				rng := rand.New(rand.NewPCG(seed, 0))
				first, second := make([]bool, w.Links()), make([]bool, w.Links())
				for i, at := range rng.Perm(len(cables))[:2+rng.IntN(4)] {
					for _, l := range cables[at] {
						first[l], second[l] = i%2 == 0, true
					}
				}
				before := NewLeftover(w, must.Have(maker.New(w, 1)))
				after := NewLeftover(w, must.Have(maker.New(w, 1)))
				before.SetFailed(first, true)
				after.SetFailed(first, true)
				if after.SetFailed(second, false) {
					t.Fatal("escape paths are open with packets of an earlier order on them")
				}
				if err := deadlock.CheckDeadlock(w, allTogether(before, after)); err != nil {
					t.Fatalf("%s, %s, seed %d: %v", k.machine, k.routing, seed, err)
				}
				for c, next := range deadlock.Dependencies(w, before) {
					if w.IsEscapePath(router.Channel(c)) && len(next) > 0 {
						reached++
					}
				}
				if !after.SetFailed(second, true) {
					t.Fatal("escape paths without packets stay closed")
				}
				if deadlock.CheckDeadlock(w, allTogether(before, after)) != nil {
					cycles++
				}
			}
		}
	}
	if reached == 0 || cycles == 0 {
		t.Errorf("%d channels of escape paths are used; %d pairs of orders have cycles", reached, cycles)
	}
}
