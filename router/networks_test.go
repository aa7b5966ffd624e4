package router

import (
	"fmt"
	"testing"

	"contend/netsim/topology"
	"contend/netsim/topology/topologytest"
)

// routed returns the first routing that suits a machine, over as many virtual channels as it
// needs and some more.
func routed(t testing.TB, m topology.Topology, more int) (*Wiring, Routing) {
	t.Helper()
	for _, k := range Builtin() {
		if k.Suits(m) {
			return over(t, k, m, more)
		}
	}
	t.Fatalf("nothing routes on %T", m)
	return nil, nil
}

// over returns a routing over as many virtual channels as it needs and some more.
func over(t testing.TB, k Maker, m topology.Topology, more int) (*Wiring, Routing) {
	t.Helper()
	w := NewNodeWiring(m, fewest(k, m)+more, 1+more, 1+more)
	x, err := k.New(w, 1)
	if err != nil {
		t.Fatal(err)
	}
	return w, x
}

// hops follows packet 0 between two nodes over the first channels that it is offered.
func hops(w *Wiring, x Routing, from, to topology.Node) int {
	h := Header{Source: from, Destination: to}
	at, n := w.Injection(from), 0
	for {
		at = x.Route(nil, w.Enters(at), at, &h, nil)[0]
		if w.Kind(w.LinkOf(at)) == Ejection {
			return n
		}
		n++
	}
}

// networks are dragonflies, HyperX networks and graphs of all kinds.
func networks(t testing.TB) map[string]topology.Topology {
	t.Helper()
	list := map[string]topology.Topology{}
	for _, size := range []string{"a4h2p2g9", "a4h2g5:relative", "a3h1g4", "a2h3g3",
		"a4h2g7:circulant", "a1h4", "a5h1g1", "a3h3g4:relative"} {
		list["dragonfly:"+size] = topologytest.Machine(t, "dragonfly:"+size)
	}
	for _, size := range []string{"6:p2", "4x3:w2p2", "3x1x4:w3", "2x3x2x2"} {
		list["hyperx:"+size] = topologytest.Machine(t, "hyperx:"+size)
	}
	for seed := range uint64(6) {
		list[fmt.Sprint("graph:", seed)] = topologytest.DrawnGraph(t, seed, 12, 11+4*int(seed))
	}
	for rails := 2; rails <= 3; rails++ {
		list[fmt.Sprint("planes:", rails)] = topologytest.DrawnPlanes(t, 7, rails, 7, 9, 1)
	}
	return list
}

// A packet on a dragonfly takes one global link at most and the fewest channels that way, one
// on a HyperX a shortest path.
func TestHopsOnNetworks(t *testing.T) {
	for name, m := range networks(t) {
		w, x := routed(t, m, 0)
		for a := range topology.Node(m.Nodes()) {
			for b := range topology.Node(m.Nodes()) {
				want := 0
				switch m := m.(type) {
				case *topology.Dragonfly:
					want = m.MinimalHops(m.RouterOf(a), m.RouterOf(b))
				case *topology.HyperX:
					want = m.Distance(a, b)
				case *topology.Graph:
					want = lawful(w, x.(*GraphUpDown), a, b)
				}
				if got := hops(w, x, a, b); got != want {
					t.Fatalf("%s: from node %d to node %d in %d hops, want %d", name, a, b, got, want)
				}
			}
		}
	}
}

// lawful searches for a shortest way that never goes up after it has gone down.
func lawful(w *Wiring, x *GraphUpDown, a, b topology.Node) int {
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

// On a tree of links up/down takes the only path there is.
func TestUpDownOnATreeIsMinimal(t *testing.T) {
	m := topologytest.DrawnGraph(t, 9, 40, 39)
	w, x := routed(t, m, 0)
	for a := range topology.Node(m.Nodes()) {
		for b := range topology.Node(m.Nodes()) {
			if got, want := hops(w, x, a, b), m.Distance(a, b); got != want {
				t.Fatalf("from node %d to node %d in %d hops, %d apart", a, b, got, want)
			}
		}
	}
}

// Columns that are made again are the same: what is kept changes no route.
func TestUpDownColumnsAreMadeAgain(t *testing.T) {
	m := topologytest.DrawnGraph(t, 4, 30, 60)
	w, x := routed(t, m, 0)
	one := *x.(*GraphUpDown)
	one.columns = one.columns[:1:1]
	for a := range topology.Node(m.Nodes()) {
		for b := range topology.Node(m.Nodes()) {
			if got, want := hops(w, &one, a, b), hops(w, x, a, b); got != want {
				t.Fatalf("from node %d to node %d in %d hops with one column, %d with all", a, b, got, want)
			}
		}
	}
}

// The witnesses bring about all dependencies that all packets do.
func TestWitnessesOnNetworks(t *testing.T) {
	for name, m := range networks(t) {
		for _, k := range Builtin() {
			for more := range 2 {
				if !k.Suits(m) {
					continue
				}
				w, x := over(t, k, m, more)
				if _, ok := x.(Witnessing); ok {
					sameByWitnesses(t, name+" "+k.Name, w, x)
				}
			}
		}
	}
}

// A dragonfly needs a virtual channel for each class; a group alone does not.
func TestDragonflyNeedsTwoVirtualChannels(t *testing.T) {
	m := topologytest.Machine(t, "dragonfly:a4h2")
	if _, err := NewDragonflyMinimal(NewWiring(m, 1, 1)); err == nil {
		t.Error("one virtual channel was accepted")
	}
	m = topologytest.Machine(t, "dragonfly:a4h2g1")
	if _, err := NewDragonflyMinimal(NewWiring(m, 1, 1)); err != nil {
		t.Error(err)
	}
}

// Where several links join two groups, minimal packets use all of them.
func TestDragonflySpreadsOverLinks(t *testing.T) {
	m := topologytest.Machine(t, "dragonfly:a8h2p1g3").(*topology.Dragonfly)
	w, x := routed(t, m, 0)
	used := map[Link]int{}
	f := NewFootprint(w, x)
	for a := range topology.Node(8) {
		for b := topology.Node(8); b < 16; b++ {
			f.Links(a, b, func(l Link) {
				if from, to := w.Ends(l); w.Kind(l) == Network && m.Group(from.Router) != m.Group(to.Router) {
					used[l]++
				}
			})
		}
	}
	if all := m.LinksBetween(0, 1); len(used) != all {
		t.Errorf("packets use %d of %d links between two groups: %v", len(used), all, used)
	}
}
