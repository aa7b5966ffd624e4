package center_test

import (
	"slices"
	"testing"

	"contend/allocation"
	"contend/allocation/allocationtest"
	"contend/router/topology"
	"contend/router/topology/topologytest"
)

// crossPolytope frees half of the job's processors near one point and half near
// another, length apart. Around each it frees single processors just inside of that
// distance in all other directions [Bender et al. 2005, Lemmas 1 and 6].
func crossPolytope(machine *topology.Cube, length int) *allocation.FreeSet {
	dims := machine.Dims()
	f := allocation.NewFreeSet(machine.Nodes())
	for n := range topology.Node(machine.Nodes()) {
		f.Take([]topology.Node{n})
	}
	free := func(offset ...int) { // from the first point
		at := make([]int, len(dims))
		for d := range at {
			at[d] = length + offset[d]
		}
		f.Release([]topology.Node{topology.Node(machine.At(at...))})
	}
	unit := func(d, n int) []int {
		offset := make([]int, len(dims))
		offset[d] = n
		return offset
	}
	for _, shift := range []int{0, length} {
		for i := range 2 * len(dims) { // half of the job
			offset := make([]int, len(dims))
			for d := range offset {
				offset[d] = i >> d & 1
			}
			offset[0] += shift
			free(offset...)
		}
		for d := 1; d < len(dims); d++ {
			for _, sign := range []int{-1, 1} {
				offset := unit(d, sign*(length-3))
				offset[0] += shift
				free(offset...)
			}
		}
	}
	free(unit(0, 3-length)...)
	free(unit(0, 2*length-3)...)
	return f
}

// Bender et al. 2005, Lemmas 1 and 6: MM comes arbitrarily close to 2 - 1/(2d) times
// the optimum.
func TestBenderLemma1(t *testing.T) {
	for _, c := range []struct {
		dims        []int
		length      int
		least, most float64
	}{{[]int{364, 244}, 120, 1.65, 1.75}, {[]int{124, 84, 84}, 40, 1.6,
		11.0 / 6}}[:allocationtest.Rounds(2, 1)] {
		machine := topologytest.Mesh(t, c.dims...)
		f, size := crossPolytope(machine, c.length), 4*len(c.dims)
		mm, _ := makeCenter(t, "mm", machine).Allocate(nil, f, allocation.Request{Size: size})
		least := allocationtest.PairsApart(machine, crossHalves(machine, c.length))
		ratio := float64(allocationtest.PairsApart(machine, mm)) / float64(least)
		t.Logf("%v: %.4f times the sum of the two halves", c.dims, ratio)
		if ratio < c.least || ratio > c.most {
			t.Errorf("%v: MM has %.4f times the sum of the two halves, want %.2f to %.4f", c.dims, ratio,
				c.least, c.most)
		}
	}
}

// crossHalves returns the two halves of the job of crossPolytope.
func crossHalves(machine *topology.Cube, length int) []topology.Node {
	var nodes []topology.Node
	for n := range topology.Node(machine.Nodes()) {
		r, near := machine.RouterOf(n), true
		half := 0
		for d := range machine.Dims() {
			x := machine.Coordinate(r, d) - length
			if d == 0 && x >= length {
				x -= length
			}
			near = near && (x == 0 || x == 1)
			half |= x << d
		}
		if near && half < 2*len(machine.Dims()) {
			nodes = append(nodes, n)
		}
	}
	return nodes
}

// Bender et al. 2005, sec. 1 and Fig. 1: for a 3x1 request MC first takes the free
// processors of the 3x1 submesh, then those of the 5x3 around it.
func TestBenderFig1(t *testing.T) {
	machine := topologytest.Mesh(t, 7, 5)
	free := make([]bool, 35)
	// (2,2), (3,2); (2,1), (5,3); far corners
	for _, n := range []topology.Node{16, 17, 9, 26, 0, 34} {
		free[n] = true
	}
	nodes, _ := makeCenter(t, "mc", machine).Allocate(nil, allocationtest.FreeSet(free),
		allocation.Request{Size: 3, Shape: []int{3, 1}})
	if want := []topology.Node{9, 16, 17}; !slices.Equal(nodes, want) {
		t.Errorf("got %v, want %v", nodes, want)
	}
}

// Johnson et al. 2010, Fig. 1: shells of MC1x1 are the squares of L-infinity distance.
// A diagonal neighbour is as near as an adjacent one.
func TestJohnsonFig1(t *testing.T) {
	machine := topologytest.Mesh(t, 5, 5)
	for _, c := range []struct {
		free, want []topology.Node
	}{
		// (1,1) is in shell 1 of (2,2), (4,2) in shell 2
		{[]topology.Node{12, 6, 14}, []topology.Node{6, 12}},
		// both are in shell 1: nearest in L1 first, if so configured
		{[]topology.Node{12, 16, 17}, []topology.Node{12, 17}},
	} {
		free := make([]bool, 25)
		for _, n := range c.free {
			free[n] = true
		}
		if nodes, _ := makeCenter(t, "mc1x1:l1", machine).Allocate(nil, allocationtest.FreeSet(free),
			allocation.Request{Size: 2}); !slices.Equal(nodes, c.want) {
			t.Errorf("of %v got %v, want %v", c.free, nodes, c.want)
		}
	}
}

// Johnson et al. 2010, Fig. 2: of two equally good places for four processors the
// tie-breaking takes the one that leaves the large free area whole.
func TestJohnsonFig2(t *testing.T) {
	machine := topologytest.Mesh(t, 8, 8)
	f := allocation.NewFreeSet(64)
	for x := range topology.Node(8) { // a wall of busy processors around the 2x2 at the lower right
		f.Take([]topology.Node{16 + x})
	}
	f.Take([]topology.Node{5, 13, 0, 8, 1, 9, 2, 10, 3, 11, 4, 12})
	plain, _ := makeCenter(t, "mc1x1", machine).Allocate(nil, f, allocation.Request{Size: 4})
	tied, _ := makeCenter(t, "mc1x1-tie:2,1,0,0", machine).Allocate(nil, f,
		allocation.Request{Size: 4})
	if want := []topology.Node{6, 7, 14, 15}; !slices.Equal(tied, want) {
		t.Errorf("got %v, without tie-breaking %v, want %v", tied, plain, want)
	}
}
