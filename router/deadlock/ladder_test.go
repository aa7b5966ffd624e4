package deadlock_test

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"slices"
	"testing"

	"contend/internal/must"
	"contend/router"
	"contend/router/deadlock"
	"contend/router/routes"
	"contend/router/topology"
)

// sameLadder checks that witnesses make the ladder that all packets make, and that it says of
// deadlock what the extended dependency graph says.
func sameLadder(t *testing.T, name string, w *router.Wiring, x router.Routing) {
	t.Helper()
	all, err := deadlock.LadderOf(w, x, false)
	few, err2 := deadlock.LadderOf(w, x, true)
	if err := cmp.Or(err, err2); err != nil {
		t.Fatal(err)
	}
	for c := range all.Next {
		if !slices.Equal(all.Next[c], few.Next[c]) || !slices.Equal(all.Rungs[c], few.Rungs[c]) {
			t.Fatalf("%s: behind %s come %v, rungs %v; by all packets %v, rungs %v", name,
				w.Describe(router.Channel(c)), few.Next[c], few.Rungs[c], all.Next[c], all.Rungs[c])
		}
	}
	cycle := deadlock.Cycle(deadlock.Extended(w, x))
	if all.Ascends != few.Ascends || all.Ascends != (cycle == nil) {
		t.Fatalf("%s: the ladder ascends: %v, by witnesses %v; the extended graph has a cycle: %v",
			name, all.Ascends, few.Ascends, cycle)
	}
}

// undated is dimension order with the first virtual channels for escapes, without datelines.
type undated struct{ *routes.DimensionOrder }

func onRings(dims ...int) (*router.Wiring, undated) {
	m := must.Have(topology.NewCube(topology.CubeConfig{Dims: dims,
		Wrap: slices.Repeat([]bool{true}, len(dims))}))
	w := router.NewWiring(m, 2, 1)
	return w, undated{must.Have(routes.NewDimensionOrder(w, false))}
}

// Escape implements Escaping.
func (x undated) Escape(dst []router.Channel, r topology.Router, in router.Channel,
	h *router.Header) []router.Channel {
	return append(dst, x.Possible(nil, r, in, h)[0])
}

// Witnesses implements Witnessing.
func (x undated) Witnesses() (router.Routing, iter.Seq[router.Header]) {
	_, headers := x.DimensionOrder.Witnesses()
	return x, headers
}

// A routing that can deadlock is found, on small machines and on large ones, with the same cycle
// that all packets have.
func TestLadderOfRoutingsThatDeadlock(t *testing.T) {
	for _, dims := range [][]int{{5}, {6, 2}, {4, 5}, {3, 3}} {
		w, x := onRings(dims...)
		sameLadder(t, fmt.Sprint("without datelines ", dims), w, x)
	}
	w, x := onRings(deadlock.FollowEscapes + 1)
	if !deadlock.ByWitnesses(w, x) {
		t.Fatal("no witnesses on a large machine")
	}
	if made, err := deadlock.LadderOf(w, x, true); err != nil || made.Ascends {
		t.Error("the ladder of a ring without datelines ascends")
	}
	var cycle *deadlock.CycleError
	if err := deadlock.CheckDeadlock(w, x); !errors.As(err, &cycle) || len(cycle.Channels) < 3 {
		t.Errorf("a large ring without datelines: %v", err)
	}
}
