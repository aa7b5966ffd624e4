package router

import (
	"testing"

	"contend/netsim/topology"
)

func machines(t *testing.T) []*topology.Cube {
	t.Helper()
	var out []*topology.Cube
	for _, c := range []topology.CubeConfig{
		{Dims: []int{9}}, {Dims: []int{5, 4}}, {Dims: []int{3, 4, 2}}, {Dims: []int{2, 2, 2, 2}},
		{Dims: []int{8, 8}, Wrap: []bool{true, true}}, {Dims: []int{5, 4}, Wrap: []bool{true, false}},
		{Dims: []int{3, 3, 3}, Wrap: []bool{true, true, true}},
		{Dims: []int{3, 3}, Concentration: 3}, {Dims: []int{4, 4}, Concentration: 2,
			ServiceRows: []int{1, 2}, Wrap: []bool{true, true}},
	} {
		m, err := topology.NewCube(c)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, m)
	}
	return out
}

// dimensionOrders returns dimension-order routing of each kind over channels with so
// many virtual ones.
func dimensionOrders(t *testing.T, w *Wiring) []Routing {
	t.Helper()
	var out []Routing
	for _, dateline := range []bool{false, true} {
		if dateline && w.VirtualChannels == 1 {
			continue
		}
		x, err := NewDimensionOrder(w, dateline)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, x)
	}
	if w.VirtualChannels > 1 {
		x, err := NewBalanced(w, 3)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, x)
	}
	return out
}

// Every route arrives, over as many network channels as the nodes are apart,
// whichever of the channels offered is taken, and only over channels that
// leave the router it is at.
func TestRoutesArriveAndAreMinimal(t *testing.T) {
	for _, m := range machines(t) {
		for _, virtual := range []int{1, 2, 3} {
			w := NewWiring(m, virtual, 1)
			for _, x := range dimensionOrders(t, w) {
				for a := range topology.Node(m.Nodes()) {
					for b := range topology.Node(m.Nodes()) {
						follow(t, m, w, x, a, b)
					}
				}
			}
		}
	}
}

// measuring is a topology that counts hops.
type measuring interface {
	topology.Topology
	topology.Metric
}

func follow(t *testing.T, m measuring, w *Wiring, x Routing, a, b topology.Node) {
	t.Helper()
	at := w.Injection(a)
	for hops := 0; ; hops++ {
		_, here := w.Ends(w.LinkOf(at))
		offered := x.Route(nil, here.Router, at, &Header{Source: a, Destination: b,
			Packet: int64(a) + 7*int64(b)}, nil)
		if len(offered) == 0 || len(offered) > traitsOf(w, x).Choices {
			t.Fatalf("%T: %d channels offered at %s", m, len(offered), w.Describe(at))
		}
		for _, o := range offered {
			if from, _ := w.Ends(w.LinkOf(o)); from.Router != here.Router {
				t.Fatalf("%T: %s is offered at router %d", m, w.Describe(o), here.Router)
			}
		}
		at = offered[(hops+int(a))%len(offered)]
		if at == w.Ejection(b) {
			if hops != m.Distance(a, b) {
				t.Fatalf("%T of %d routers: %d hops from %d to %d, which are %d apart", m, m.Routers(), hops,
					a, b, m.Distance(a, b))
			}
			return
		}
		if hops > m.Routers() {
			t.Fatalf("%T of %d routers: from %d to %d the route does not arrive", m, m.Routers(), a, b)
		}
	}
}

// Every channel has one number, and the numbers know where they come from.
func TestWiring(t *testing.T) {
	for _, m := range machines(t) {
		w := NewWiring(m, 2, 3)
		network := 0
		for r := range topology.Router(m.Routers()) {
			for p := range topology.Port(m.Ports()) {
				r2, p2, ok := m.Peer(r, p)
				if !ok {
					continue
				}
				network++
				l, ok := w.Out(r, p)
				from, to := w.Ends(l)
				if !ok || w.Kind(l) != Network || from.Router != r || from.Port != p || to.Router != r2 ||
					to.Port != p2 {
					t.Fatalf("%v: the channel from port %d of router %d goes from %+v to %+v", m.Dims(), p, r,
						from, to)
				}
			}
		}
		if got, want := w.Links(), network+4*m.Nodes(); got != want {
			t.Errorf("%v: %d links, want %d", m.Dims(), got, want)
		}
		if got, want := w.Channels(), 2*network+4*m.Nodes(); got != want {
			t.Errorf("%v: %d channels, want %d", m.Dims(), got, want)
		}
		for n := range topology.Node(m.Nodes()) {
			r, p := m.Attach(n)
			if from, to := w.Ends(w.LinkOf(w.Injection(n))); from.Node != n || to.Router != r ||
				to.Port != p {
				t.Errorf("%v: node %d injects from %+v to %+v", m.Dims(), n, from, to)
			}
			if from, to := w.Ends(w.LinkOf(w.Ejection(n))); to.Node != n || from.Router != r ||
				from.Port != p {
				t.Errorf("%v: node %d is reached from %+v at %+v", m.Dims(), n, from, to)
			}
		}
	}
}

// Dependencies are exactly what a route takes one after the other.
func TestDependenciesOfALine(t *testing.T) {
	m, err := topology.NewCube(topology.CubeConfig{Dims: []int{3}})
	if err != nil {
		t.Fatal(err)
	}
	w := NewWiring(m, 1, 1)
	x, err := NewDimensionOrder(w, false)
	if err != nil {
		t.Fatal(err)
	}
	next := Dependencies(w, x)
	right, _ := w.Out(0, 1)
	on, _ := w.Out(1, 1)
	got := next[w.First(right)]
	if len(got) != 2 || got[0] != w.First(on) || got[1] != w.Ejection(1) {
		t.Errorf("0->1 is followed by %v, want 1->2 (%d) and node 1 (%d)", got, w.First(on),
			w.Ejection(1))
	}
	if got := next[w.Injection(1)]; len(got) != 3 { // left, right, itself
		t.Errorf("node 1 is followed by %v", got)
	}
}

// On a mesh of two dimensions the channel found without jumps is that of the rule, at the ends of
// the largest meshes too.
func TestTowardsFollowsTheRule(t *testing.T) {
	ends := []int{0, 1, 2, 1<<15 - 2, 1<<15 - 1}
	const down, up, eject = 10, 11, 20
	for _, hx := range ends {
		for _, hy := range ends {
			k := MeshWay{At: [4]Channel{down, up, down + 2, up + 2}, Eject: eject,
				Here: Place(hx<<16 | hy)}
			for _, x := range ends {
				for _, y := range ends {
					want := Channel(eject)
					switch {
					case x < hx:
						want = down
					case x > hx:
						want = up
					case y < hy:
						want = down + 2
					case y > hy:
						want = up + 2
					}
					if got := k.Towards(Place(x<<16 | y)); got != want {
						t.Fatalf("from (%d,%d) to (%d,%d) by %d, want %d", hx, hy, x, y, got, want)
					}
				}
			}
		}
	}
}
