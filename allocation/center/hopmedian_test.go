package center_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"contend/allocation"
	"contend/allocation/allocationtest"
	"contend/internal/must"
	"contend/router/topology"
	"contend/router/topology/topologytest"
)

// On a lattice the allocators that count hops decide as those that know coordinates, which bound
// scores instead of sorting all free processors around each center.
func TestHopsAgreeWithCoordinates(t *testing.T) {
	small := []string{"gen-alg", "gen-alg:greedy", "gen-alg:node-order", "mm", "mm:greedy",
		"mm:node-order", "mm-inc", "mm-inc:greedy", "mm-inc:node-order"}
	large := []string{"gen-alg", "mm", "mm-inc:greedy"}
	cube := func(concentration int, wrap []bool, dims ...int) *topology.Cube {
		return topologytest.Cube(t, topology.CubeConfig{Dims: dims, Wrap: wrap,
			Concentration: concentration})
	}
	for _, c := range []struct {
		machine *topology.Cube
		forms   []string
	}{{topologytest.Mesh(t, 7), small}, {topologytest.Mesh(t, 5, 4), small},
		{topologytest.Mesh(t, 3, 4, 3), small}, {cube(1, []bool{true, true}, 6, 5), small},
		{cube(1, []bool{false, true}, 5, 4), small}, {cube(3, nil, 5, 4), small},
		{cube(2, []bool{true, true}, 5, 4), small},
		{cube(2, []bool{false, true, false}, 3, 4, 3), small},
		{topologytest.Cube(t, topology.CubeConfig{Dims: []int{4, 5}, Concentration: 3,
			ServiceRows: []int{1, 3}}), small},
		{topologytest.Mesh(t, 14, 11), large}, {topologytest.Mesh(t, 6, 5, 7), large},
		{cube(1, []bool{true, true}, 13, 10), large}, {cube(1, []bool{true}, 40), large},
		{cube(1, []bool{true, true, true}, 6, 5, 6), large}} {
		for _, short := range c.forms {
			allocationtest.Alike(t, fmt.Sprint(short, " on ", c.machine.Dims(), c.machine.Nodes()),
				makeCenter(t, short, topologytest.GridOnly{Grid: c.machine}),
				makeCenter(t, short, c.machine),
				func(rt *rapid.T) []bool { return allocationtest.DrawRouterFree(rt, c.machine) })
		}
	}
}

// byHopsMachines are machines that are no lattice.
func byHopsMachines(t *testing.T) map[string]topology.Topology {
	return map[string]topology.Topology{
		"tree": topologytest.Tree(t, 3, 2, 9), "uneven tree": topologytest.Tree(t, 2, 4, 11),
		"concentrated": topologytest.Cube(t, topology.CubeConfig{Dims: []int{2, 3}, Concentration: 2}),
		"hypercube":    topologytest.Mesh(t, 2, 2, 2, 2),
		"service rows": topologytest.Cube(t, topology.CubeConfig{Dims: []int{2, 4},
			ServiceRows: []int{1}}),
		"plain": topologytest.Unnamed{Topology: topologytest.Mesh(t, 3, 4)},
	}
}

// The least sum on a machine is that of all subsets, and the others keep the bound of
// Krumke et al. 1997 in any metric space.
func TestHopsOnAnyMachine(t *testing.T) {
	for name, machine := range byHopsMachines(t) {
		d := must.Have(allocation.NewRows(machine))
		meter, stream := allocation.PairSumOf(machine, d), rand.New(rand.NewPCG(1, 2))
		distance := func(a, b topology.Node) int { return int(meter.Sum([]topology.Node{a, b})) }
		for range 40 {
			free := allocationtest.DrawnFree(stream, machine.Nodes(), 1+stream.IntN(machine.Nodes()))
			size := 1 + stream.IntN(free.Count())
			least := int64(allocationtest.LeastApart(distance, free.AppendTo(nil), size))
			for _, short := range []string{"gen-alg", "gen-alg:greedy", "mm", "mm:node-order", "mm-inc",
				"optimal"} {
				a := makeCenter(t, short, machine)
				got, ok := a.Allocate(nil, free, allocation.Request{Size: size})
				sum := meter.Sum(got)
				if !ok || len(slices.Compact(slices.Clone(got))) != size || !slices.IsSorted(got) ||
					slices.ContainsFunc(got, func(n topology.Node) bool { return !free.Free(n) }) {
					t.Fatalf("%s, %s: %d of %v are %v", name, short, size, free, got)
				}
				most := float64(least) * (2 - 2/float64(size))
				if e, is := a.(allocation.Explorer); is {
					if most = float64(least); !proved(e) {
						t.Errorf("%s: %d of %v is not proven", name, size, free)
					}
				}
				if sum < least || float64(sum) > most+1e-9 {
					t.Errorf("%s, %s: %d of %v are %v, %d in all; the least is %d", name, short, size, free,
						got, sum, least)
				}
			}
		}
	}
}

func proved(e allocation.Explorer) bool { _, proven := e.Explored(); return proven }
