package deadlock_test

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"contend/internal/must"
	"contend/router"
	"contend/router/deadlock"
	"contend/router/routes"
	"contend/router/topology"
	"contend/router/topology/topologytest"
)

// The witnesses of a routing bring about all dependencies that all packets do, and those of escape
// channels make the ladder that all packets make.
func TestWitnessesStandForAllPackets(t *testing.T) {
	for _, m := range witnessed(t) {
		for _, k := range routes.Builtin() {
			for more := range 2 {
				if !k.Suits(m.Topology) || branches(k.Name) && m.Nodes() > maxBranching {
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
	if headersOf(must.Have(routes.NewDimensionOrder(w, true))) != nil {
		t.Error("dimension order has witnesses where a router has no node")
	}
}

// Large machines are checked by witnesses, of escape channels too, but not under a routing that
// hides its own.
func TestLargeMachinesByWitnesses(t *testing.T) {
	for _, c := range []string{"mesh:17x16", "torus:17x16", "hyperx:17x16:p1", "torus:11x10x10"} {
		m := topologytest.Machine(t, c)
		w := router.NewWiring(m, 4, 1)
		for _, k := range routes.Builtin() {
			if !k.Suits(m) || branches(k.Name) || k.Name == "dimension-order" {
				continue
			}
			x := must.Have(k.New(w, 1))
			if _, escapes := x.(router.Escaping); !escapes && m.Nodes() <= 1024 {
				continue
			}
			if !deadlock.ByWitnesses(w, x) || deadlock.ByWitnesses(w, plainly{x}) {
				t.Errorf("%s on %s: witnesses where there are none, or the other way round", k.Name, c)
			}
			if err := deadlock.CheckDeadlock(w, x); err != nil {
				t.Errorf("%s on %s: %v", k.Name, c, err)
			}
		}
	}
}

// Witnesses find the cycle that all packets find.
func TestCycleOfALargeMachine(t *testing.T) {
	w := router.NewWiring(topologytest.Machine(t, "torus:11x10x10"), 2, 1)
	x := must.Have(routes.NewDimensionOrder(w, false))
	got, want := deadlock.CheckDeadlock(w, x), deadlock.Cycle(deadlock.Dependencies(w, x))
	if cycle, ok := got.(*deadlock.CycleError); !ok || !slices.Equal(cycle.Channels, want) {
		t.Errorf("%v, by all packets %v", got, want)
	}
}

// The check of machines of 65,536 nodes, and of a dragonfly of 16,512.
func BenchmarkCheckDeadlockLarge(b *testing.B) {
	run := func(name string, m topology.Topology) {
		for _, k := range routes.Builtin() {
			if !k.Suits(m) || topology.Wraps(m) && k.Name == "dimension-order" ||
				strings.HasPrefix(name, "mesh") && strings.HasSuffix(k.Name, "dateline") {
				continue
			}
			b.Run(name+"/"+k.Name, func(b *testing.B) {
				for b.Loop() {
					w, x := over(b, k, m, 0)
					if !deadlock.ByWitnesses(w, x) {
						b.Skip("all pairs of nodes are followed")
					}
					if err := deadlock.CheckDeadlock(w, x); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
	for _, text := range []string{"mesh:256x256", "torus:64x32x32", "tree:4x8", "dragonfly:a16h8p8",
		"hyperx:16x16x16:p16"} {
		run(text, topologytest.Machine(b, text))
	}
}
