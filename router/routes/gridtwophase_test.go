package routes

import (
	"fmt"
	"math"
	"testing"

	"contend/internal/must"
	"contend/router"
	"contend/router/topology"
)

// twoPhases returns Valiant's routing and ROMM over the channels of w.
func twoPhases(t *testing.T, w *router.Wiring) []*gridTwoPhase {
	t.Helper()
	var list []*gridTwoPhase
	for _, minimal := range []bool{false, true} {
		x := must.Have(NewGridTwoPhase(w, minimal, 7))
		list = append(list, x)
	}
	return list
}

// drawnVia returns how often packets from one node to another are sent to each router.
func drawnVia(x *gridTwoPhase, w *router.Wiring, from, to topology.Node,
	packets int) map[topology.Router]int {
	count := map[topology.Router]int{}
	for p := range packets {
		h := router.Header{Source: from, Destination: to, Packet: int64(p)}
		in := w.Injection(from)
		if x.Route(nil, w.Enters(in), in, &h, nil); h.Phase == homeward {
			h.Via = w.Enters(in)
		}
		count[h.Via]++
	}
	return count
}

// Valiant's routing draws every router as often, ROMM every router on a shortest path.
func TestRoutersAreDrawnEvenly(t *testing.T) {
	const packets = 40_000
	w := torus(t, 4, 6, 5)
	for i, x := range twoPhases(t, w) {
		// From (0,0) to (4,2): two hops down, where the dimension wraps, and two up.
		want := map[topology.Router]bool{}
		for r := range topology.Router(30) {
			a, b := r%6, r/6
			want[r] = i == 0 || (a == 0 || a >= 4) && b <= 2
		}
		routers := 0
		for _, in := range want {
			if in {
				routers++
			}
		}
		for r, n := range drawnVia(x, w, 0, 4+2*6, packets) {
			mean := float64(packets) / float64(routers)
			if !want[r] || math.Abs(float64(n)-mean) > 4*math.Sqrt(mean) {
				t.Errorf("minimal %v: router %d was drawn %d times, want %.0f of %d routers", x.minimal, r,
					n, mean, routers)
			}
		}
		if got := len(drawnVia(x, w, 0, 4+2*6, packets)); got != routers {
			t.Errorf("minimal %v: %d routers were drawn, want %d", x.minimal, got, routers)
		}
	}
}

// Valiant's routing draws a router for packets that stay at theirs too, ROMM has that one only.
func TestPacketsToTheirOwnRouterAreSentOverOthers(t *testing.T) {
	w := torus(t, 4, 6, 5)
	for i, x := range twoPhases(t, w) {
		if got, want := len(drawnVia(x, w, 7, 7, 1000)), []int{30, 1}[i]; got != want {
			t.Errorf("minimal %v: %d routers were drawn, want %d", x.minimal, got, want)
		}
	}
}

// Half of the packets go x first on o1turn, and each turns at most once.
func TestO1TurnDrawsTheOrder(t *testing.T) {
	const packets = 10_000
	make := func(w *router.Wiring) (*o1TurnRouting, error) { return newO1Turn(w, 3) }
	w, x := onMesh(t, 2, make, 5, 5)
	first := 0
	for p := range int64(packets) {
		h := router.Header{Source: 0, Destination: 24, Packet: p}
		var way string
		for at := w.Injection(0); w.Kind(w.LinkOf(at)) != router.Ejection; {
			at = x.Route(nil, w.Enters(at), at, &h, nil)[0]
			from, _ := w.Ends(w.LinkOf(at))
			way += fmt.Sprint(from.Port)
		}
		switch way {
		case "111133334":
			first++
		case "333311114":
		default:
			t.Fatalf("packet %d leaves by ports %s", p, way)
		}
	}
	if math.Abs(float64(first)-packets/2) > 4*math.Sqrt(packets)/2 {
		t.Errorf("%d of %d packets go x first", first, packets)
	}
}

// Distances that matter on a ring are those of the nearest routers, the farthest, and one less.
func TestHopsThatMatter(t *testing.T) {
	for n, far := range map[int][]int{5: {1, 2}, 6: {2, 3}, 8: {3, 4}, 9: {3, 4}} {
		w := torus(t, 2, n)
		x := must.Have(NewGridTwoPhase(w, false, 1))
		got := map[int]bool{}
		for _, by := range x.hops(0) {
			got[by] = true
		}
		for _, by := range append(far, 1) {
			if !got[by] || !got[-by] && 2*by != n {
				t.Errorf("%d routers: %v, without %d hops either way", n, x.hops(0), by)
			}
		}
	}
}
