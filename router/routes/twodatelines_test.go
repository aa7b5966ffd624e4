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
