package center_test

import (
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
