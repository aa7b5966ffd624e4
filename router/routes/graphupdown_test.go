package routes

import (
	"testing"

	"contend/internal/must"
	"contend/router"
	"contend/router/topology"
	"contend/router/topology/topologytest"
)

// chain returns a graph of routers with a node each: the first two are joined by so many parallel
// links, the second with all others by one.
func chain(t *testing.T, parallel, leaves int) *topology.Graph {
	t.Helper()
	c := topology.GraphConfig{Routers: 2 + leaves, Nodes: []topology.Router{0, 1}}
	for range parallel {
		c.Links = append(c.Links, topology.GraphLink{From: 0, To: 1})
	}
	for leaf := topology.Router(2); int(leaf) < c.Routers; leaf++ {
		c.Nodes = append(c.Nodes, leaf)
		c.Links = append(c.Links, topology.GraphLink{From: 1, To: leaf})
	}
	m := must.Have(topology.NewGraph(c))
	return m
}

// Where several ways are as short, packets for different routers share them.
func TestEqualWaysOfAGraphAreShared(t *testing.T) {
	m := chain(t, 4, 24)
	for _, k := range Builtin() {
		if k.Suits == nil || !k.Suits(m) || k.Name != "up-down" && k.Name != "lash" {
			continue
		}
		w := router.NewWiring(m, max(1, forLayers(m)), 1)
		x := must.Have(k.New(w, 1))
		used := map[router.Link]int{}
		for to := topology.Node(2); int(to) < m.Nodes(); to++ {
			h := router.Header{Source: 0, Destination: to}
			used[w.LinkOf(x.Route(nil, 0, w.Injection(0), &h, nil)[0])]++
		}
		for l, n := range used {
			if len(used) != 4 || n > 12 {
				t.Errorf("%s: %d of 24 packets take link %d of %d", k.Name, n, l, len(used))
			}
		}
	}
}

// What is drawn at one router says nothing of what is drawn at the next.
func TestDrawsOfRoutersAreIndependent(t *testing.T) {
	const packets = 8000
	link := func(a, b topology.Router) topology.GraphLink { return topology.GraphLink{From: a, To: b} }
	m := must.Have(topology.NewGraph(topology.GraphConfig{Routers: 3,
		Nodes: []topology.Router{0, 1, 2},
		Links: []topology.GraphLink{link(0, 1), link(0, 1), link(1, 2), link(1, 2)}}))
	w := router.NewWiring(m, 2, 1)
	x := must.Have(newShortest(w, false, 3))
	count := map[[2]router.Channel]int{}
	for p := range int64(packets) {
		h := router.Header{Source: 0, Destination: 2, Packet: p}
		first := x.Route(nil, 0, w.Injection(0), &h, nil)[0]
		second := x.Route(nil, 1, first, &h, nil)[0]
		count[[2]router.Channel{first, second}]++
	}
	for ways, n := range count {
		// A fourth each; five times the standard deviation of that is 194.
		if len(count) != 4 || n < packets/4-194 || n > packets/4+194 {
			t.Errorf("%d of %d packets go by %v, one of %d ways", n, packets, ways, len(count))
		}
	}
}

// The root of up/down routing is the router of most links, the first of equals.
func TestRootHasMostLinks(t *testing.T) {
	for _, k := range []struct {
		m    *topology.Graph
		root topology.Router
	}{{chain(t, 2, 3), 1}, {chain(t, 4, 1), 1}, {chain(t, 4, 0), 0}} {
		_, x := routed(t, k.m, 0)
		if root := x.order[0]; root != k.root {
			t.Errorf("of %d routers %d is the root, want %d", k.m.Routers(), root, k.root)
		}
	}
}

// What is kept of the last graph is not taken for another one of the same size.
func TestLastGraphIsNoOther(t *testing.T) {
	for range 2 {
		for seed := range uint64(3) {
			m := randomGraph(t, 14, 6, seed)
			w := router.NewWiring(m, max(forLayers(m), forShortest(m)), 1)
			layers := must.Have(newLayers(w))
			shortest := must.Have(newShortest(w, false, 1))
			deliversAll(t, w, layers)
			deliversAll(t, w, shortest)
		}
	}
}

// What is known as soon as a header arrives is what Route offers, whether columns are kept for all
// routers or for one, and whether they have been made before.
func TestOnlyIsWhatUpDownOffers(t *testing.T) {
	m := topologytest.DrawnGraph(t, 6, 20, 40)
	w, routing := routed(t, m, 0)
	all := routing
	one := *all
	one.columns = one.columns[:1:1]
	_, many := all.OutputTables()
	_, few := one.OutputTables()
	for range 2 {
		for a := range topology.Node(m.Nodes()) {
			for b := range topology.Node(m.Nodes()) {
				h := router.Header{Source: a, Destination: b}
				for at := w.Injection(a); w.Enters(at) != none; {
					want := all.Route(nil, w.Enters(at), at, &h, nil)[0]
					k := router.Packet{From: a, To: b}
					if x, y := many.OutputVC(0, at, &k), few.OutputVC(0, at, &k); x != want || y != want {
						t.Fatalf("from %s to node %d: %s and %s, want %s", w.Describe(at), b, w.Describe(x),
							w.Describe(y), w.Describe(want))
					}
					at = want
				}
			}
		}
	}
}

// routed returns up/down routing over as many virtual channels as it needs and some more.
func routed(t testing.TB, m topology.Topology, more int) (*router.Wiring, *graphUpDown) {
	t.Helper()
	w := router.NewNodeWiring(m, 1+more, 1+more, 1+more)
	x := newGraphUpDown(w)
	return w, x
}

// Up/down takes the fewest channels that its rule allows: a packet that has gone down never goes up
// again.
func TestUpDownTakesFewestChannels(t *testing.T) {
	for seed := range uint64(8) {
		m := topologytest.DrawnGraph(t, seed, 12, 11+4*int(seed))
		if seed > 5 {
			m = topologytest.DrawnPlanes(t, 7, int(seed)-4, 7, 9, 1)
		}
		w, x := routed(t, m, 0)
		for a := range topology.Node(m.Nodes()) {
			for b := range topology.Node(m.Nodes()) {
				h, at, hops, down := router.Header{Source: a, Destination: b}, w.Injection(a), -1, false
				for ; w.Enters(at) != none; hops++ {
					r := w.Enters(at)
					at = x.Route(nil, r, at, &h, nil)[0]
					if next := w.Enters(at); next != none && x.rank[next] > x.rank[r] {
						down = true
					} else if next != none && down {
						t.Fatalf("graph %d: from node %d to %d up after down at router %d", seed, a, b, r)
					}
				}
				if want := lawful(w, x, a, b); hops != want {
					t.Fatalf("graph %d: from node %d to node %d in %d hops, want %d", seed, a, b, hops, want)
				}
			}
		}
	}
}

// lawful searches for a shortest way that never goes up after it has gone down.
func lawful(w *router.Wiring, x *graphUpDown, a, b topology.Node) int {
	type state struct {
		r    topology.Router
		down bool
	}
	from, _ := w.Topology.Attach(a)
	to, _ := w.Topology.Attach(b)
	hops := map[state]int{{from, false}: 0}
	for queue := []state{{from, false}}; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		if at.r == to {
			return hops[at]
		}
		for p := range topology.Port(w.Topology.Ports()) {
			next, _, ok := w.Topology.Peer(at.r, p)
			if !ok {
				continue
			}
			down := x.rank[next] > x.rank[at.r]
			s := state{next, down}
			if _, known := hops[s]; !known && (down || !at.down) {
				hops[s] = hops[at] + 1
				queue = append(queue, s)
			}
		}
	}
	return -1
}

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
			x := must.Have(newShortest(w, false, 5))
			deliversAll(t, w, x)
		}
	}
}

// Packets for the nodes of one router are dealt to the links that lead there, at every router: 16
// nodes to four parallel links. Those for which packets come by one link are dealt to several of the
// next router.
func TestUpDownDealsNodesToLinks(t *testing.T) {
	c := topology.GraphConfig{Routers: 5} // two leaves, a router above each, and one at the top
	for leaf := range topology.Router(2) {
		for range 16 {
			c.Nodes = append(c.Nodes, leaf)
		}
		for range 4 {
			c.Links = append(c.Links, topology.GraphLink{From: leaf, To: 2 + leaf},
				topology.GraphLink{From: 2 + leaf, To: 4})
		}
	}
	w := router.NewWiring(must.Have(topology.NewGraph(c)), 1, 1)
	x := must.Have(graphUpDownMaker.New(w, 1))
	used, pairs := map[router.Channel]int{}, map[[2]router.Channel]bool{}
	for to := topology.Node(16); to < 32; to++ {
		h := router.Header{Source: 0, Destination: to}
		var path [4]router.Channel
		for i, in := 0, w.Injection(0); i < 4; i++ {
			path[i] = x.Route(nil, w.Enters(in), in, &h, nil)[0]
			in = path[i]
			used[in]++
		}
		for i := range 3 {
			pairs[[2]router.Channel{path[i], path[i+1]}] = true
		}
	}
	for c, n := range used {
		if n != 4 {
			t.Errorf("%d of 16 nodes are reached by %s, not 4", n, w.Describe(c))
		}
	}
	if len(used) != 16 || len(pairs) < 3*8 {
		t.Errorf("%d links and %d pairs of links are used, not 16 and most of 48", len(used), len(pairs))
	}
}
