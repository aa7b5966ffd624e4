package routes

import (
	"testing"

	"contend/internal/must"
	"contend/router"
	"contend/router/deadlock"
	"contend/router/topology"
)

// onMesh returns a wiring of a mesh of those sides, and a routing made for it.
func onMesh[T any](t testing.TB, virtual int, make func(w *router.Wiring) (T, error),
	dims ...int) (*router.Wiring, T) {
	t.Helper()
	m := must.Have(topology.NewCube(topology.CubeConfig{Dims: dims}))
	w := router.NewWiring(m, virtual, 1)
	x := must.Have(make(w))
	return w, x
}

func turnModel(turns turns) func(w *router.Wiring) (*turnModelRouting, error) {
	return func(w *router.Wiring) (*turnModelRouting, error) { return newTurnModelRouting(w, turns) }
}

// paths counts the ways from router r by channel in to the destination.
func paths(w *router.Wiring, x router.Routing, in router.Channel, h router.Header) int {
	if w.Kind(w.LinkOf(in)) == router.Ejection {
		return 1
	}
	n := 0
	for _, c := range x.Possible(nil, w.Enters(in), in, &h) {
		n += paths(w, x, c, h)
	}
	return n
}

// choose returns how many ways there are to take a steps of one kind and b of another.
func choose(a, b int) int {
	n := 1
	for i := range a {
		n = n * (b + i + 1) / (i + 1)
	}
	return n
}

// On a mesh of two dimensions the turn models allow as many shortest paths as their paper
// says: all of them on some sides of the source, one on the others.
func TestTurnModelsAllowTheirPaths(t *testing.T) {
	const side = 5
	for turns, free := range map[turns]func(east, north int) bool{
		westFirst:     func(east, _ int) bool { return east >= 0 },
		northLast:     func(_, north int) bool { return north <= 0 },
		negativeFirst: func(east, north int) bool { return east >= 0 == (north >= 0) },
	} {
		w, x := onMesh(t, 1, turnModel(turns), side, side)
		for a := range topology.Node(side * side) {
			for b := range topology.Node(side * side) {
				east, north := int(b%side-a%side), int(b/side-a/side)
				want := 1
				if free(east, north) {
					want = choose(max(east, -east), max(north, -north))
				}
				h := router.Header{Source: a, Destination: b}
				if got := paths(w, x, w.Injection(a), h); got != want && east != 0 && north != 0 {
					t.Errorf("turn model %d has %d paths for %d east and %d north, want %d", turns, got,
						east, north, want)
				}
			}
		}
	}
}

// turn is a turn of a packet on a mesh of two dimensions: from one direction into another one,
// 0 to 3 for west, east, south and north, in a column.
type turn struct{ from, to, column int }

// turnsOf returns the turns that packets may take.
func turnsOf(w *router.Wiring, x router.Routing) map[turn]bool {
	side := w.Topology.(*topology.Cube).Dims()[0]
	out := func(c router.Channel) int {
		from, _ := w.Ends(w.LinkOf(c))
		return int(from.Port)
	}
	found := map[turn]bool{}
	for c, list := range deadlock.Dependencies(w, x) {
		for _, d := range list {
			if w.Kind(w.LinkOf(router.Channel(c))) == router.Network &&
				w.Kind(w.LinkOf(d)) == router.Network {
				found[turn{out(router.Channel(c)), out(d), int(w.Enters(router.Channel(c))) % side}] = true
			}
		}
	}
	return found
}

// Packets on the odd-even model turn as its two rules say, and take every turn that these
// leave but those that lead away from all destinations.
func TestOddEvenTurns(t *testing.T) {
	const side, west, east, south, north = 6, 0, 1, 2, 3
	w, x := onMesh(t, 1, newOddEven, side, side)
	found := turnsOf(w, x)
	for column := range side {
		even := column%2 == 0
		for _, vertical := range []int{south, north} {
			for _, k := range []struct {
				turn    turn
				allowed bool
			}{
				{turn{east, vertical, column}, !even && column > 0},
				{turn{vertical, west, column}, even && column > 0},
				{turn{west, vertical, column}, column < side-1},
				{turn{vertical, east, column}, column < side-1},
			} {
				// Going west, packets turn in even columns and in that of the destination; going
				// north or south, they turn east in the column of the source, and in odd ones.
				if got := found[k.turn]; got != k.allowed {
					t.Errorf("turn %+v: taken is %v, allowed %v", k.turn, got, k.allowed)
				}
			}
		}
	}
	for _, k := range []struct {
		turns    turns
		from, to int
	}{{westFirst, south, west}, {westFirst, north, west}, {northLast, north, east},
		{northLast, north, west}, {negativeFirst, north, west}, {negativeFirst, east, south}} {
		w, x := onMesh(t, 1, turnModel(k.turns), side, side)
		for found := range turnsOf(w, x) {
			if found.from == k.from && found.to == k.to {
				t.Errorf("turn model %d takes the turn %+v", k.turns, found)
			}
		}
	}
}

// Half-way round a ring both directions are nearer, elsewhere one.
func TestAdaptiveHalfWayRound(t *testing.T) {
	for n := 3; n <= 6; n++ {
		w := torus(t, 3, n, n)
		x := must.Have(NewMinimalAdaptive(w, false))
		for ahead := 1; ahead < n; ahead++ {
			h := router.Header{Destination: topology.Node(ahead)}
			links := map[router.Link]bool{}
			for _, c := range x.Possible(nil, 0, w.Injection(0), &h) {
				links[w.LinkOf(c)] = true
			}
			want := 1
			if 2*ahead == n {
				want = 2
			}
			if len(links) != want {
				t.Errorf("%d routers in a row, %d ahead: %d links, want %d", n, ahead, len(links), want)
			}
		}
	}
}
