package graph

import (
	"math"
	"testing"

	"contend/netsim/topology"
	"contend/router"
)

// Packets arrive on shortest paths, with a virtual channel for each hop and with more, and cannot
// wait for each other for ever.
func TestDrawnShortestPaths(t *testing.T) {
	for _, k := range []struct{ routers, across, needed int }{{3, 0, 1}, {8, 0, 4}, {12, 3, 0},
		{20, 20, 0}, {30, 90, 0}} {
		m := randomGraph(t, k.routers, k.across, 7)
		needed := forShortest(m)
		if k.needed > 0 && needed != k.needed {
			t.Errorf("a ring of %d routers needs %d virtual channels, want %d", k.routers, needed, k.needed)
		}
		for _, virtual := range []int{needed, needed + 1, 2*needed + 1} {
			w := router.NewNodeWiring(m, virtual, 1, 1)
			x, err := NewShortest(w, 5)
			if err != nil {
				t.Fatal(err)
			}
			deliversAll(t, w, x)
		}
		if needed > 1 {
			if _, err := NewShortest(router.NewWiring(m, needed-1, 1), 5); err == nil {
				t.Errorf("%d routers: %d virtual channels are enough", k.routers, needed-1)
			}
		}
	}
}

// Of several links that bring a packet nearer each is drawn as often, and another seed draws
// others: on a ring of four with a side of two links, two links one way round and one the other.
func TestShortestPathsAreDrawnAlike(t *testing.T) {
	link := func(a, b topology.Router) topology.GraphLink { return topology.GraphLink{From: a, To: b} }
	m, err := topology.NewGraph(topology.GraphConfig{Routers: 4, Nodes: []topology.Router{0, 1, 2, 3},
		Links: []topology.GraphLink{link(0, 1), link(0, 1), link(1, 2), link(2, 3), link(3, 0)}})
	if err != nil {
		t.Fatal(err)
	}
	w := router.NewWiring(m, 2, 1)
	const packets = 6000
	drawn := func(seed uint64) (list [packets]router.Channel) {
		x, err := NewShortest(w, seed)
		if err != nil {
			t.Fatal(err)
		}
		for i := range list {
			h := router.Header{Source: 0, Destination: 2, Packet: int64(i)}
			offered := x.Route(nil, 0, w.Injection(0), &h, nil)
			if len(offered) != 1 {
				t.Fatalf("%d channels are offered, want the one of the first class", len(offered))
			}
			list[i] = offered[0]
		}
		return list
	}
	first, other := drawn(1), drawn(2)
	count, same := map[router.Channel]float64{}, 0.0
	for i, c := range first {
		if count[c]++; other[i] == c {
			same++
		}
	}
	if len(count) != 3 || math.Abs(same-packets/3) > 5*math.Sqrt(packets*2/9) {
		t.Errorf("%d links are drawn, %v of %d the same with another seed", len(count), same, packets)
	}
	for c, n := range count {
		if math.Abs(n-packets/3) > 5*math.Sqrt(packets*2/9) {
			t.Errorf("%s is drawn %v times of %d", w.Describe(c), n, packets)
		}
	}
}
