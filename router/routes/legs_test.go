package routes

import (
	"math/rand/v2"
	"testing"

	"contend/internal/must"
	"contend/router"
	"contend/router/topology"
	"contend/router/topology/topologytest"
)

// Ways by pairs of routers are those that a search from each arrival finds, wherever a packet of the
// routing may be, of each routing that says so.
func TestLegsAreWays(t *testing.T) {
	for machine, share := range map[string]int{"dragonfly:a3h1p1": 8, "dragonfly:a2h2p2g4": 8,
		"dragonfly:a3h2g4p1": 8, "hyperx:3x3:p1": 8, "hyperx:3x2:w2p2": 2, "hyperx:2x1x2": 8,
		"mesh:4x3": 8, "torus:4x3": 8, "fat-tree:3x3:2": 4, "fat-tree:2x2x2:2x1:b2": 3} {
		m := topologytest.Machine(t, machine)
		for _, maker := range Builtin() {
			virtual := 1
			if maker.VirtualChannels != nil && maker.Suits(m) {
				virtual = maker.VirtualChannels(m)
			}
			w := router.NewEscapeWiring(m, virtual, 1, 1)
			if !maker.Suits(m) || topology.Wraps(m) && maker.Name == "dimension-order" {
				continue
			}
			cables, failed := cablesOf(w), make([]bool, w.Links())
			k := NewLeftover(w, must.Have(maker.New(w, 1))).(*leftover)
			states, cut := 0, 0
			for seed := range uint64(4) {
				clear(failed)
				for _, at := range rand.New(rand.NewPCG(seed, 1)).Perm(len(cables))[:1+len(cables)/share] {
					failed[cables[at][0]], failed[cables[at][1]] = true, true
				}
				k.SetFailed(failed, true)
				if k.legs == nil {
					break
				}
				legs := k.legs
				eachArrival(k, func(c router.Channel, h router.Header) {
					before := h
					k.legs = nil
					want := k.waysOf(c, &h) != noWay
					k.legs = legs
					if states++; !want {
						cut++
					}
					if got := legs.lead(w.Enters(c), c, &h); got != want || h != before {
						t.Fatalf("%s on %s: at %s %+v has a way: %t, not %t", maker.Name, machine, w.Describe(c),
							before, got, want)
					}
				})
			}
			if k.legs != nil && (states < 100 || cut == 0 || cut > states/2) {
				t.Errorf("%s on %s: %d of %d arrivals have no way", maker.Name, machine, cut, states)
			}
		}
	}
}

// eachArrival calls f with each arrival of packets between all nodes under the routing over all links.
func eachArrival(k *leftover, f func(c router.Channel, h router.Header)) {
	type state struct {
		c router.Channel
		h router.Header
	}
	seen, list := map[state]bool{}, []state(nil)
	add := func(c router.Channel, h router.Header) {
		if s := (state{c, h}); !seen[s] {
			seen[s] = true
			list = append(list, s)
		}
	}
	for from := range topology.Node(k.w.Nodes()) {
		for to := range topology.Node(k.w.Nodes()) {
			add(k.w.Injection(from), router.Header{Source: from, Destination: to})
		}
	}
	for len(list) > 0 {
		s := list[len(list)-1]
		list = list[:len(list)-1]
		f(s.c, s.h)
		r, heads := k.w.Enters(s.c), []router.Header{s.h}
		if k.branch != nil {
			heads = k.branch.Branches(nil, r, s.c, s.h)
		}
		for _, h := range heads {
			for _, c := range k.whole.Possible(nil, r, s.c, &h) {
				if k.w.Enters(c) != none {
					add(c, h)
				}
			}
		}
	}
}
