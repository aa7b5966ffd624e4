package routes

import (
	"fmt"
	"testing"

	"contend/internal/must"
	"contend/router"
	"contend/router/deadlock"
	"contend/router/routertest"
	"contend/router/topology"
)

// torus returns the wiring of a torus with so many virtual channels a link.
func torus(t *testing.T, virtual int, dims ...int) *router.Wiring {
	t.Helper()
	c := topology.CubeConfig{Dims: dims}
	for range dims {
		c.Wrap = append(c.Wrap, true)
	}
	m := must.Have(topology.NewCube(c))
	return router.NewWiring(m, virtual, 1)
}

// On a ring the shorter way is taken, and upwards where both are as long.
func TestShorterWayRound(t *testing.T) {
	for n := 3; n <= 9; n++ {
		w := torus(t, 2, n)
		x := must.Have(NewDimensionOrder(w, true))
		for ahead := 1; ahead < n; ahead++ {
			port := topology.Port(1)
			if 2*ahead > n {
				port = 0
			}
			want, _ := w.Out(0, port)
			h := router.Header{Destination: topology.Node(ahead)}
			if c := x.Route(nil, 0, 0, &h, nil)[0]; w.LinkOf(c) != want {
				t.Errorf("%d routers, %d ahead: by %s", n, ahead, w.Describe(c))
			}
		}
	}
}

// Half of the packets that go half-way round a ring go either way, and each has
// one virtual channel all along.
func TestBalancedWays(t *testing.T) {
	w := torus(t, 2, 8)
	x := must.Have(newBalancedDateline(w, 1))
	const packets = 2000
	upwards := 0
	for p := range int64(packets) {
		h := router.Header{Source: topology.Node(p % 8), Destination: topology.Node((p + 4) % 8),
			Packet: p}
		at, class := w.Injection(h.Source), router.Channel(-1)
		for hop := 0; ; hop++ {
			_, here := w.Ends(w.LinkOf(at))
			offered := x.Route(nil, here.Router, at, &h, nil)
			if at = offered[0]; at == w.Ejection(h.Destination) {
				break
			}
			from, to := w.Ends(w.LinkOf(at))
			if hop == 0 && (int(to.Router)-int(from.Router)+8)%8 == 1 {
				upwards++
			}
			v := at - w.First(w.LinkOf(at))
			if len(offered) != 1 || class >= 0 && v != class {
				t.Fatalf("packet %d from %d: %d channels offered, virtual channel %d after %d",
					p, h.Source, len(offered), v, class)
			}
			class = v
		}
	}
	// Five standard deviations of a fair coin are 112.
	if upwards < packets/2-112 || upwards > packets/2+112 {
		t.Errorf("%d of %d packets go upwards", upwards, packets)
	}
}

// Packets round a ring have the lower half of the virtual channels if they cross its end, the upper
// half if they cross its middle, and keep it; of others about half have either. BookSim 2
// (dim_order_bal) has the halves the other way about.
func TestHalvesOfTwoDatelines(t *testing.T) {
	for n := 3; n <= 9; n++ {
		w := torus(t, 4, n)
		x := must.Have(newTwoDatelines(w, 1))
		drawn, lower := 0, 0
		for p := range int64(4000) {
			h := router.Header{Source: topology.Node(p % int64(n)),
				Destination: topology.Node(p / int64(n) % int64(n)), Packet: p}
			if h.Source == h.Destination {
				continue
			}
			halves, end, middle := along(t, w, x, &h)
			switch {
			case end && middle || len(halves) != 1:
				t.Fatalf("%d routers, %+v: halves %v, over the end %v, over the middle %v", n, h, halves,
					end, middle)
			case end != halves[0] && end, middle && halves[0]:
				t.Fatalf("%d routers, %+v: lower half %v", n, h, halves[0])
			case !end && !middle:
				drawn++
				if halves[0] {
					lower++
				}
			}
		}
		if 10*lower < 4*drawn || 10*lower > 6*drawn {
			t.Errorf("%d routers: %d of %d packets drew the lower half", n, lower, drawn)
		}
	}
}

// along follows a packet on a ring of links of 4 VCs. It returns whether it has the lower half of
// them, once for each change, and whether it crosses the end and the middle of the ring.
func along(t *testing.T, w *router.Wiring, x router.Routing, h *router.Header) (lower []bool, end,
	middle bool) {
	n := w.Topology.Routers()
	for at := w.Injection(h.Source); ; {
		_, here := w.Ends(w.LinkOf(at))
		offered := x.Route(nil, here.Router, at, h, nil)
		if at = offered[0]; at == w.Ejection(h.Destination) {
			return lower, end, middle
		}
		from, to := w.Ends(w.LinkOf(at))
		high, low := max(from.Router, to.Router), min(from.Router, to.Router)
		end = end || high-low > 1
		middle = middle || int(low) == (n-1)/2 && int(high) == (n-1)/2+1
		half := at-w.First(w.LinkOf(at)) < 2
		if len(offered) != 2 {
			t.Fatalf("%d channels are offered", len(offered))
		}
		if len(lower) == 0 || lower[len(lower)-1] != half {
			lower = append(lower, half)
		}
	}
}

// The routing keeps the contract and cannot deadlock, on rings of any length and any number of
// virtual channels; it would deadlock if both halves had the middle one of three everywhere.
func TestTwoDatelinesIsFreeOfDeadlock(t *testing.T) {
	for _, dims := range [][]int{{2}, {3}, {4}, {5}, {6}, {7}, {8}, {9}, {4, 4}, {5, 3}, {2, 6},
		{3, 4, 2}} {
		for virtual := 2; virtual <= 5; virtual++ {
			t.Run(fmt.Sprint(dims, virtual), func(t *testing.T) {
				w := torus(t, virtual, dims...)
				x := must.Have(newTwoDatelines(w, 1))
				if err := routertest.Check(w, x, routertest.Options{Minimal: true}); err != nil {
					t.Fatal(err)
				}
				if virtual%2 == 0 || dims[0] < 5 || len(dims) > 1 {
					return
				}
				clear(x.sharing)
				if deadlock.CheckDeadlock(w, x) == nil {
					t.Error("no cycle where both halves have the middle one everywhere")
				}
			})
		}
	}
}
