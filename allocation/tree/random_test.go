package tree

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"contend/allocation"
	"contend/allocation/allocationtest"
	"contend/router/topology"
	"contend/router/topology/topologytest"
)

// Every ordered choice of 2 of 5 free nodes occurs equally often: 20 outcomes, 20000
// draws, so 1000 each with a standard deviation of 31.
func TestRandomIsUniform(t *testing.T) {
	free := allocationtest.FreeSet([]bool{true, false, true, true, false, true, true})
	a := makeTree(t, "random", topologytest.Mesh(t, 7), nil)
	seen := map[[2]topology.Node]int{}
	for range 20000 {
		nodes, _ := a.Allocate(nil, free, allocation.Request{Size: 2})
		seen[[2]topology.Node(nodes)]++
	}
	if len(seen) != 20 {
		t.Errorf("%d outcomes", len(seen))
	}
	for nodes, n := range seen {
		if n < 850 || n > 1150 {
			t.Errorf("%v comes up %d times of 20000", nodes, n)
		}
	}
}

// Nodes come router by router, or group by group, in their order, all free ones of each but
// the last.
func TestRandomUnitsTakeWholeUnits(t *testing.T) {
	d, g := topologytest.Dragonfly(t, 4, 2, 3, 0), topologytest.GroupedGraph(t)
	for i, machine := range []topology.Grouped{d, g} {
		for _, name := range []string{"random-routers", "random-groups"} {
			t.Run(fmt.Sprint(i, " ", name), func(t *testing.T) {
				a := makeTree(t, name, machine, nil)
				rapid.Check(t, func(rt *rapid.T) {
					free := allocationtest.DrawRouterFree(rt, machine)
					units := whole(machine, free)
					if name == "random-groups" {
						units = nil
						for _, routers := range freeLists(machine, machine.Group, free) {
							units = append(units, slices.Concat(routers...))
						}
					}
					size := rapid.IntRange(1, len(free)).Draw(rt, "size")
					got, ok := allocationtest.Decide(rt, name, a, free, allocationtest.FreeSet(free),
						allocation.Request{Size: size})
					for ok && len(got) > 0 {
						i := slices.IndexFunc(units, func(u []topology.Node) bool {
							return len(u) > 0 && u[0] == got[0]
						})
						if i < 0 || !slices.Equal(got[:min(len(got), len(units[i]))],
							units[i][:min(len(got), len(units[i]))]) {
							rt.Fatalf("%d of free %v: %v are not whole units", size, free, got)
						}
						got = got[min(len(got), len(units[i])):]
					}
				})
			})
		}
	}
}

// Each unit with a free node is as likely to come first, however many it has.
func TestRandomUnitsAreUniform(t *testing.T) {
	machine := topologytest.Dragonfly(t, 4, 2, 2, 0)
	free := slices.Repeat([]bool{true}, machine.Nodes())
	for n := range 8 { // group 0 is full, and group 1 has one free node
		free[n], free[8+n] = false, n == 3
	}
	set := allocationtest.FreeSet(free)
	for name, units := range map[string]int{"random-groups": 8, "random-routers": 29} {
		a := makeTree(t, name, machine, rand.New(rand.NewPCG(5, 5)))
		const draws = 8000
		first := 0
		for range draws {
			got, _ := a.Allocate(nil, set, allocation.Request{Size: 1})
			if got[0] == 11 {
				first++
			}
		}
		mean := float64(draws) / float64(units)
		if math.Abs(float64(first)-mean) > 4*math.Sqrt(mean) {
			t.Errorf("%s: the unit of one node came first %d times of %d, want about %.0f", name, first,
				draws, mean)
		}
	}
}
