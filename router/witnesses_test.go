package router

import (
	"fmt"
	"slices"
	"testing"

	"contend/netsim/topology"
	"contend/netsim/topology/topologytest"
)

// The witnesses bring about all dependencies that all packets do.
func TestWitnessesBringAboutAllDependencies(t *testing.T) {
	for _, m := range witnessedCubes(t) {
		for virtual := 1; virtual <= 3; virtual++ {
			w := NewNodeWiring(m, virtual, 1+virtual%2, 1+virtual%2)
			for k, x := range dimensionOrders(t, w) {
				sameByWitnesses(t, fmt.Sprint(m.Dims(), m.Wrap(), virtual, " routing ", k), w, x)
			}
		}
	}
	for _, c := range witnessedTrees() {
		m, err := topology.NewTree(c)
		if err != nil {
			t.Fatal(err)
		}
		for _, choice := range everyChoice {
			w, x := upDown(t, m, 1+int(choice)%2, choice)
			sameByWitnesses(t, fmt.Sprintf("tree %+v choice %d", c, choice), w, x)
		}
	}
	for _, c := range append(fatTrees, topology.FatTreeConfig{Children: []int{4, 4, 3},
		Parents: []int{2, 3}, Bundle: []int{3, 2}, Nodes: 41}) {
		m, err := topology.NewFatTree(c)
		if err != nil {
			t.Fatal(err)
		}
		for _, choice := range everyChoice {
			w, x := upDown(t, m, 1+int(choice)%2, choice)
			sameByWitnesses(t, fmt.Sprintf("fat tree %+v choice %d", c, choice), w, x)
		}
	}
}

// witnessedCubes are lines, planes and spaces with sides of all kinds, wrapping or not.
func witnessedCubes(t *testing.T) (cubes []*topology.Cube) {
	t.Helper()
	for _, dims := range [][]int{{1}, {2}, {3}, {4}, {5}, {9}, {10}, {2, 2}, {4, 3}, {5, 7}, {8, 6},
		{3, 4, 5}, {4, 5, 3}, {6, 2, 4}, {2, 2, 2, 2}, {3, 2, 1, 4}} {
		for wraps := range 1 << len(dims) {
			wrap := make([]bool, len(dims))
			for d := range wrap {
				wrap[d] = wraps>>d&1 == 1
			}
			for per := 1; per <= 2; per++ {
				m, err := topology.NewCube(topology.CubeConfig{Dims: dims, Wrap: wrap, Concentration: per})
				if err != nil {
					t.Fatal(err)
				}
				cubes = append(cubes, m)
			}
		}
	}
	return cubes
}

// witnessedTrees are trees of all heights, slim ones and those with missing nodes.
func witnessedTrees() (trees []topology.TreeConfig) {
	for _, c := range []topology.TreeConfig{{Arity: 2, Levels: 1}, {Arity: 5, Levels: 1},
		{Arity: 2, Levels: 2}, {Arity: 2, Levels: 5}, {Arity: 3, Levels: 3}, {Arity: 4, Levels: 3},
		{Arity: 4, Levels: 3, UpPorts: []int{3, 2}}, {Arity: 4, Levels: 3, UpPorts: []int{1}},
		{Arity: 3, Levels: 3, UpPorts: []int{2, 3}}, {Arity: 2, Levels: 5, UpPorts: []int{2, 1, 2, 1}},
		{Arity: 5, Levels: 2, UpPorts: []int{3}}} {
		places := 1
		for range c.Levels {
			places *= c.Arity
		}
		for _, missing := range []int{0, 1, 3, places / 3, places / 2, 2 * places / 3, places - 1} {
			if c.Nodes = places - missing; c.Nodes > 0 {
				trees = append(trees, c)
			}
		}
	}
	return trees
}

// sameByWitnesses checks that a routing has witnesses, and what they bring about.
func sameByWitnesses(t *testing.T, name string, w *Wiring, x Routing) {
	t.Helper()
	pairs := x.(Witnessing).Witnesses(x)
	if pairs == nil {
		t.Fatalf("%s: no witnesses", name)
	}
	k := newWalk(w, x)
	if k.pairs(pairs); k.err != nil {
		t.Fatalf("%s: %v", name, k.err)
	}
	got := k.sorted()
	for c, want := range Dependencies(w, x) {
		if !slices.Equal(got[c], want) {
			t.Fatalf("%s: %s is followed by %v, by all packets %v", name, w.Describe(Channel(c)), got[c],
				want)
		}
	}
}

// A routing that embeds another one has no witnesses, nor has one on routers without nodes.
func TestNoWitnesses(t *testing.T) {
	x := square(t)
	if Witnessing(x).Witnesses(x) != nil {
		t.Error("a routing has the witnesses of the one it embeds")
	}
	if x.DimensionOrder.Witnesses(x.DimensionOrder) == nil {
		t.Error("dimension order has no witnesses")
	}
	m, err := topology.NewCube(topology.CubeConfig{Dims: []int{4, 4}, ServiceRows: []int{1}})
	if err != nil {
		t.Fatal(err)
	}
	w := NewWiring(m, 2, 1)
	for _, x := range dimensionOrders(t, w) {
		if x.(Witnessing).Witnesses(x) != nil {
			t.Errorf("%T has witnesses where a router has no node", x)
		}
	}
}

// Large machines are checked by witnesses, which find the cycle that all packets find.
func TestDeadlockOfLargeMachines(t *testing.T) {
	m, err := topology.NewCube(topology.CubeConfig{Dims: []int{11, 10, 10},
		Wrap: []bool{false, true, true}})
	if err != nil {
		t.Fatal(err)
	}
	w := NewWiring(m, 2, 1)
	for k, x := range dimensionOrders(t, w) {
		if witnesses(w, x) == nil || witnesses(w, plainly{x}) != nil {
			t.Fatalf("%T: witnesses where there are none, or the other way round", x)
		}
		got, want := CheckDeadlock(w, x), shortOfAll(Dependencies(w, x))
		if k == 0 && len(want) != 10 || k > 0 && want != nil {
			t.Fatalf("%T: a cycle of %d", x, len(want))
		}
		cycle, _ := got.(*CycleError)
		if (cycle == nil) != (want == nil) || cycle != nil && !slices.Equal(cycle.Channels, want) {
			t.Errorf("%T: %v, by all packets %v", x, got, want)
		}
	}
}

// fewest returns how many virtual channels a routing needs.
func fewest(k Maker, m topology.Topology) int {
	if k.VirtualChannels == nil {
		return 1
	}
	return k.VirtualChannels(m)
}

// The check of machines of 65,536 nodes, and of a dragonfly of 16,512.
func BenchmarkCheckDeadlockLarge(b *testing.B) {
	run := func(name string, m topology.Topology, virtual int, f func(*Wiring) (Routing, error)) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				w := NewWiring(m, virtual, 1)
				x, err := f(w)
				if err != nil {
					b.Fatal(err)
				}
				if witnesses(w, x) == nil && escapeWitnesses(w, x) == nil {
					b.Skip("all pairs of nodes are followed")
				}
				if err := CheckDeadlock(w, x); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	for _, c := range []topology.CubeConfig{{Dims: []int{256, 256}},
		{Dims: []int{64, 32, 32}, Wrap: []bool{true, true, true}}} {
		m, err := topology.NewCube(c)
		if err != nil {
			b.Fatal(err)
		}
		for _, k := range Builtin() {
			if k.Suits(m) && (topology.Wraps(m) == (k.Name != "dimension-order")) {
				run(fmt.Sprint(c.Dims, "/", k.Name), m, fewest(k, m),
					func(w *Wiring) (Routing, error) { return k.New(w, 1) })
			}
		}
	}
	m, err := topology.NewTree(topology.TreeConfig{Arity: 4, Levels: 8})
	if err != nil {
		b.Fatal(err)
	}
	for _, k := range Builtin() {
		if k.Suits(m) {
			run("tree/"+k.Name, m, 1, func(w *Wiring) (Routing, error) { return k.New(w, 1) })
		}
	}
	for _, short := range []string{"dragonfly:a16h8p8", "hyperx:16x16x16:p16"} {
		m := topologytest.Machine(b, short)
		for _, k := range Builtin() {
			if k.Suits(m) {
				run(short+"/"+k.Name, m, fewest(k, m),
					func(w *Wiring) (Routing, error) { return k.New(w, 1) })
			}
		}
	}
}
