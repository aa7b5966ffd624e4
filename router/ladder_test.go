package router

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"contend/netsim/topology"
	"contend/netsim/topology/topologytest"
)

// rising returns the ladder of a routing and whether it ascends, from the witnesses or from all
// packets.
func rising(t *testing.T, w *Wiring, x Routing, witnesses bool) (*ladder, bool) {
	t.Helper()
	k := newWalk(w, x)
	k.escapes = make([]bool, w.Channels())
	var made *ladder
	if witnesses {
		pairs := x.(EscapeWitnessing).EscapeWitnesses(x)
		k.offers(pairs)
		made = k.climbing(pairs)
	} else {
		k.all()
		made = k.climbing(nil)
	}
	if k.err != nil {
		t.Fatal(k.err)
	}
	return made, made.ascends()
}

// sameLadder checks that witnesses make the ladder that all packets make, and that it says of
// deadlock what the extended dependency graph says.
func sameLadder(t *testing.T, name string, w *Wiring, x Routing) {
	t.Helper()
	all, up := rising(t, w, x, false)
	few, upToo := rising(t, w, x, true)
	for c := range all.next {
		slices.Sort(all.next[c])
		slices.Sort(few.next[c])
		slices.Sort(all.rungs[c])
		slices.Sort(few.rungs[c])
		if !slices.Equal(all.next[c], few.next[c]) || !slices.Equal(all.rungs[c], few.rungs[c]) {
			t.Fatalf("%s: behind %s come %v, rungs %v; by all packets %v, rungs %v", name,
				w.Describe(Channel(c)), few.next[c], few.rungs[c], all.next[c], all.rungs[c])
		}
	}
	extended := newWalk(w, x)
	extended.escapes = make([]bool, w.Channels())
	extended.all()
	extended.forget()
	extended.between = true
	extended.all()
	if cycle := shortOfAll(extended.sorted()); up != upToo || up != (cycle == nil) {
		t.Fatalf("%s: the ladder ascends: %v, by witnesses %v; the extended graph has a cycle: %v",
			name, up, upToo, cycle)
	}
}

// Witnesses of escape channels make the ladder that all packets make. Without datelines it does
// not ascend where the extended graph has a cycle.
func TestEscapeWitnessesMakeTheLadder(t *testing.T) {
	for _, m := range witnessedCubes(t) {
		if m.Nodes() > 64 {
			continue
		}
		for _, stays := range []bool{false, true} {
			w := NewNodeWiring(m, 3, 1, 2)
			x, err := NewMinimalAdaptive(w, stays)
			if err != nil {
				t.Fatal(err)
			}
			sameLadder(t, fmt.Sprint(m.Dims(), m.Wrap(), stays), w, x)
		}
	}
	for _, size := range []string{"3:p2", "2x2:p1", "4x3:p2w2", "1x4x2:p1", "3x1x3:p2", "3x3x3:p1"} {
		m, w, x := dal(t, size, 3)
		y, err := NewHyperAdaptive(w)
		if err != nil {
			t.Fatal(err)
		}
		sameLadder(t, "dal on "+size, w, x)
		sameLadder(t, fmt.Sprint("minimal-adaptive on ", m.Dims()), w, y)
	}
}

// undated is minimal adaptive routing whose escape channels have no datelines.
func undated(t *testing.T, dims ...int) (*Wiring, *MinimalAdaptive) {
	t.Helper()
	wrap := slices.Repeat([]bool{true}, len(dims))
	m, err := topology.NewCube(topology.CubeConfig{Dims: dims, Wrap: wrap})
	if err != nil {
		t.Fatal(err)
	}
	w := NewWiring(m, 3, 1)
	x, err := NewMinimalAdaptive(w, false)
	if err != nil {
		t.Fatal(err)
	}
	x.order.dateline = false
	return w, x
}

// A routing that can deadlock is found, on small machines and on large ones, with the same cycle
// that all packets have.
func TestLadderOfRoutingsThatDeadlock(t *testing.T) {
	for _, dims := range [][]int{{5}, {6, 2}, {4, 5}, {3, 3}} {
		w, x := undated(t, dims...)
		sameLadder(t, fmt.Sprint("without datelines ", dims), w, x)
	}
	w, x := undated(t, followEscapes+1)
	if escapeWitnesses(w, x) == nil {
		t.Fatal("no witnesses on a large machine")
	}
	if _, ascends := rising(t, w, x, true); ascends {
		t.Error("the ladder of a ring without datelines ascends")
	}
	var cycle *CycleError
	if err := CheckDeadlock(w, x); !errors.As(err, &cycle) || len(cycle.Channels) < 3 {
		t.Errorf("a large ring without datelines: %v", err)
	}
}

// Large machines of the built-in routings are decided by witnesses, and a routing that embeds one
// of them has none.
func TestLargeMachinesByEscapeWitnesses(t *testing.T) {
	for _, c := range []string{"mesh:17x16", "torus:17x16", "hyperx:17x16:p1"} {
		m := topologytest.Machine(t, c)
		w := NewWiring(m, 3, 1)
		for _, k := range Builtin() {
			if k.Suits(m) && (k.Name == "minimal-adaptive" || k.Name == "min-adapt" || k.Name == "dal") {
				x, err := k.New(w, 1)
				if err != nil {
					t.Fatal(err)
				}
				if escapeWitnesses(w, x) == nil {
					t.Errorf("%s on %s: no witnesses", k.Name, c)
				}
				if x.(EscapeWitnessing).EscapeWitnesses(plainly{x}) != nil {
					t.Errorf("%s on %s: another routing has its witnesses", k.Name, c)
				}
				if err := CheckDeadlock(w, x); err != nil {
					t.Errorf("%s on %s: %v", k.Name, c, err)
				}
			}
		}
	}
}
