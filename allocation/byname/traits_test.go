package byname_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"contend/allocation"
	"contend/allocation/byname"
	"contend/internal/must"
	"contend/router/topology"
	"contend/router/topology/topologytest"
)

// TestTraits compares the traits of allocators by name with the allocators.
func TestTraits(t *testing.T) {
	var machines []topology.Topology
	for _, side := range []int{8, 4} { // ptas works on small machines only
		mesh := must.Have(topology.NewCube(topology.CubeConfig{Dims: []int{side, side}}))
		machines = append(machines, mesh)
	}
	tree := must.Have(topology.NewTree(topology.TreeConfig{Arity: 4, Levels: 3}))
	machines = append(machines, tree, topologytest.Dragonfly(t, 4, 2, 2, 0), topologytest.Hyper(t, 2, 4,
		4), topologytest.Tree(t, 2, 4, 0))
	for _, info := range byname.Names() {
		for page := range 3 {
			c := byname.Config{Name: info.Name}
			if info.Name == "paging" {
				c.Page = page
			}
			var a allocation.Allocator
			var err error
			var machine topology.Topology
			for _, machine = range machines {
				if a, err = byname.New(c, machine, rand.New(rand.NewPCG(1, 1))); err == nil {
					break
				}
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := allocation.CountDecides(a); got != c.CountDecides() {
				t.Errorf("%v: count decides: %v, by its name %v", c, got, !got)
			}
			if _, ok := a.(allocation.TieCounter); ok != slices.Contains(byname.TieCounters(), info.Name) {
				t.Errorf("%v counts ties: %v, by its name %v", c, ok, !ok)
			}
			if got := drawsPlaces(t, c, machine); got != byname.Draws(info.Name) {
				t.Errorf("%v draws: %v, by its name %v", c, got, !got)
			}
		}
	}
}

// drawsPlaces reports whether two streams lead to different places.
func drawsPlaces(t *testing.T, c byname.Config, machine topology.Topology) bool {
	t.Helper()
	var places [2][]topology.Node
	for i := range places {
		a := must.Have(byname.New(c, machine, rand.New(rand.NewPCG(uint64(i), 7))))
		places[i], _ = a.Allocate(nil, allocation.NewFreeSet(machine.Nodes()),
			allocation.Request{Size: 7})
	}
	return !slices.Equal(places[0], places[1])
}
