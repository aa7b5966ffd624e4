package deadlock_test

import (
	"fmt"
	"iter"
	"slices"
	"testing"

	"contend/internal/must"
	"contend/netsim/topology"
	"contend/netsim/topology/topologytest"
	"contend/router"
	"contend/router/deadlock"
	"contend/router/routes"
)

// The witnesses of a routing bring about all dependencies that all packets do, and those of escape
// channels make the ladder that all packets make.
func TestWitnessesStandForAllPackets(t *testing.T) {
	for _, m := range witnessed(t) {
		for _, k := range routes.Builtin() {
			for more := range 2 {
				if !k.Suits(m.Topology) || branches(k.Name) && m.Nodes() > mostBranching {
					continue
				}
				w, x := over(t, k, m.Topology, more)
				name := fmt.Sprintf("%s on %s with %d more", k.Name, m.name, more)
				if _, ok := x.(router.Escaping); ok {
					if m.Nodes() <= 64 {
						sameLadder(t, name, w, x)
					}
					continue
				}
				headers := headersOf(x)
				if headers == nil {
					continue
				}
				got, err := deadlock.Followed(w, x, headers)
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				for c, want := range deadlock.Dependencies(w, x) {
					if !slices.Equal(got[c], want) {
						t.Fatalf("%s: %s is followed by %v, by all packets %v", name,
							w.Describe(router.Channel(c)), got[c], want)
					}
				}
			}
		}
	}
}

// branches reports whether headers under a routing are in many states, which takes long to follow.
func branches(name string) bool {
	return slices.Contains([]string{"valiant", "romm", "ugal", "ugal-l", "ugal-g", "par"}, name)
}

// headersOf returns the packets that a routing knows.
func headersOf(x router.Routing) iter.Seq[router.Header] {
	if k, ok := x.(deadlock.Witnessing); ok {
		if of, headers := k.Witnesses(); of == x {
			return headers
		}
	}
	return nil
}

// A routing that embeds another one has no witnesses, nor has one on routers without nodes.
func TestNoWitnesses(t *testing.T) {
	x := square(t)
	if headersOf(x) != nil {
		t.Error("a routing has the witnesses of the one it embeds")
	}
	if headersOf(x.DimensionOrder) == nil {
		t.Error("dimension order has no witnesses")
	}
	m := must.Have(topology.NewCube(topology.CubeConfig{Dims: []int{4, 4}, ServiceRows: []int{1}}))
	w := router.NewWiring(m, 2, 1)
	for _, x := range dimensionOrders(t, w) {
		if headersOf(x) != nil {
			t.Errorf("%T has witnesses where a router has no node", x)
		}
	}
}

// Large machines are checked by witnesses, which find the cycle that all packets find.
func TestDeadlockOfLargeMachines(t *testing.T) {
	m := must.Have(topology.NewCube(topology.CubeConfig{Dims: []int{11, 10, 10},
		Wrap: []bool{false, true, true}}))
	w := router.NewWiring(m, 2, 1)
	for k, x := range dimensionOrders(t, w) {
		if !deadlock.ByWitnesses(w, x) || deadlock.ByWitnesses(w, plainly{x}) {
			t.Fatalf("%T: witnesses where there are none, or the other way round", x)
		}
		got, want := deadlock.CheckDeadlock(w, x), deadlock.Cycle(deadlock.Dependencies(w, x))
		if k == 0 && len(want) != 10 || k > 0 && want != nil {
			t.Fatalf("%T: a cycle of %d", x, len(want))
		}
		cycle, _ := got.(*deadlock.CycleError)
		if (cycle == nil) != (want == nil) || cycle != nil && !slices.Equal(cycle.Channels, want) {
			t.Errorf("%T: %v, by all packets %v", x, got, want)
		}
	}
}

// The check of machines of 65,536 nodes, and of a dragonfly of 16,512.
func BenchmarkCheckDeadlockLarge(b *testing.B) {
	run := func(name string, m topology.Topology, virtual int,
		f func(*router.Wiring) (router.Routing, error)) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				w := router.NewWiring(m, virtual, 1)
				x := must.Have(f(w))
				if !deadlock.ByWitnesses(w, x) {
					b.Skip("all pairs of nodes are followed")
				}
				if err := deadlock.CheckDeadlock(w, x); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	for _, c := range []topology.CubeConfig{{Dims: []int{256, 256}},
		{Dims: []int{64, 32, 32}, Wrap: []bool{true, true, true}}} {
		m := must.Have(topology.NewCube(c))
		for _, k := range routes.Builtin() {
			if k.Suits(m) && (topology.Wraps(m) == (k.Name != "dimension-order")) {
				run(fmt.Sprint(c.Dims, "/", k.Name), m, fewest(k, m),
					func(w *router.Wiring) (router.Routing, error) { return k.New(w, 1) })
			}
		}
	}
	m := must.Have(topology.NewTree(topology.TreeConfig{Arity: 4, Levels: 8}))
	for _, k := range routes.Builtin() {
		if k.Suits(m) {
			run("tree/"+k.Name, m, 1, func(w *router.Wiring) (router.Routing, error) { return k.New(w, 1) })
		}
	}
	for _, short := range []string{"dragonfly:a16h8p8", "hyperx:16x16x16:p16"} {
		m := topologytest.Machine(b, short)
		for _, k := range routes.Builtin() {
			if k.Suits(m) {
				run(short+"/"+k.Name, m, fewest(k, m),
					func(w *router.Wiring) (router.Routing, error) { return k.New(w, 1) })
			}
		}
	}
}
