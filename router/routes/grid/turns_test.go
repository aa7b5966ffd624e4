package grid

import (
	"errors"
	"testing"

	"contend/netsim/topology"
	"contend/router"
	"contend/router/deadlock"
)

// onMesh returns a wiring of a mesh of those sides, and a routing made for it.
func onMesh[T any](t testing.TB, virtual int, make func(w *router.Wiring) (T, error),
	dims ...int) (*router.Wiring, T) {
	t.Helper()
	m, err := topology.NewCube(topology.CubeConfig{Dims: dims})
	if err != nil {
		t.Fatal(err)
	}
	w := router.NewWiring(m, virtual, 1)
	x, err := make(w)
	if err != nil {
		t.Fatal(err)
	}
	return w, x
}

func turnModel(turns Turns) func(w *router.Wiring) (*TurnModel, error) {
	return func(w *router.Wiring) (*TurnModel, error) { return NewTurnModel(w, turns) }
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
	for turns, free := range map[Turns]func(east, north int) bool{
		WestFirst:     func(east, _ int) bool { return east >= 0 },
		NorthLast:     func(_, north int) bool { return north <= 0 },
		NegativeFirst: func(east, north int) bool { return east >= 0 == (north >= 0) },
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
	w, x := onMesh(t, 1, NewOddEven, side, side)
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
		turns    Turns
		from, to int
	}{{WestFirst, south, west}, {WestFirst, north, west}, {NorthLast, north, east},
		{NorthLast, north, west}, {NegativeFirst, north, west}, {NegativeFirst, east, south}} {
		w, x := onMesh(t, 1, turnModel(k.turns), side, side)
		for found := range turnsOf(w, x) {
			if found.from == k.from && found.to == k.to {
				t.Errorf("turn model %d takes the turn %+v", k.turns, found)
			}
		}
	}
}

// loose is a routing that lists the channels of another function.
type loose struct {
	router.Routing
	list func(dst []router.Channel, r topology.Router, h *router.Header) []router.Channel
}

func (x loose) Possible(dst []router.Channel, r topology.Router, _ router.Channel,
	h *router.Header) []router.Channel {
	return x.list(dst, r, h)
}

// refused checks that packets on a routing can wait for each other.
func refused(t *testing.T, name string, w *router.Wiring, x router.Routing) {
	t.Helper()
	var cycle *deadlock.CycleError
	if err := deadlock.CheckDeadlock(w, x); !errors.As(err, &cycle) {
		t.Errorf("%s: a routing with cycles was found to have the error %v", name, err)
	}
}

// What each routing does against deadlock is needed: without it there are cycles.
func TestWithoutItsRulesARoutingHasCycles(t *testing.T) {
	for _, dims := range [][]int{{4, 4}, {3, 3, 3}} {
		for _, turns := range []Turns{WestFirst, NorthLast, NegativeFirst} {
			w, x := onMesh(t, 2, turnModel(turns), dims...)
			clear(x.early)
			refused(t, "turn model", w, x)
		}
		w, any := onMesh(t, 2, func(w *router.Wiring) (*MinimalAdaptive, error) {
			return NewMinimalAdaptive(w, false)
		}, dims...)
		refused(t, "minimal-adaptive", w, loose{Routing: any,
			list: func(dst []router.Channel, r topology.Router, h *router.Header) []router.Channel {
				return any.Possible(dst, r, 0, h)
			}})
		for _, minimal := range []bool{false, true} {
			w, x := onMesh(t, 2, func(w *router.Wiring) (*TwoPhase, error) {
				return NewTwoPhase(w, minimal, 1)
			}, dims...)
			refused(t, "two-phase", w, oneClass{x, w})
		}
	}
	w, x := onMesh(t, 2, func(w *router.Wiring) (*O1Turn, error) { return NewO1Turn(w, 1) }, 4, 4)
	refused(t, "o1turn", w, loose{Routing: x,
		list: func(dst []router.Channel, r topology.Router, h *router.Header) []router.Channel {
			return x.Possible(dst, r, w.Injection(0), h)
		}})
}

// oneClass has the packets of a two-phase routing use the first virtual channel alone.
type oneClass struct {
	*TwoPhase
	w *router.Wiring
}

func (x oneClass) Possible(dst []router.Channel, r topology.Router, in router.Channel,
	h *router.Header) []router.Channel {
	for _, c := range x.TwoPhase.Possible(nil, r, in, h) {
		dst = append(dst, x.w.First(x.w.LinkOf(c)))
	}
	return dst
}
