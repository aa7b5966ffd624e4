package allocation_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"contend/allocation"
	"contend/internal/call"
	"contend/internal/must"
	"contend/router/topology"
	"contend/router/topology/topologytest"
)

// TestTraits compares the traits of entries with the allocators.
func TestTraits(t *testing.T) {
	var machines []topology.Topology
	for _, side := range []int{8, 4} { // ptas works on small machines only
		mesh := must.Have(topology.NewCube(topology.CubeConfig{Dims: []int{side, side}}))
		machines = append(machines, mesh)
	}
	tree := must.Have(topology.NewTree(topology.TreeConfig{Arity: 4, Levels: 3}))
	machines = append(machines, tree, topologytest.Dragonfly(t, 4, 2, 2, 0), topologytest.Hyper(t, 2, 4,
		4), topologytest.Tree(t, 2, 4, 0))
	for _, e := range entries() {
		for _, text := range []string{e.Name, e.Name + ":1", e.Name + ":2"} {
			v, bad := call.Parse(text, e.Parameters)
			if bad != nil || text != e.Name && e.Name != "paging" {
				continue
			}
			var a allocation.Allocator
			var err error
			var machine topology.Topology
			for _, machine = range machines {
				if a, err = made(text, machine); err == nil {
					break
				}
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := allocation.CountDecides(a); got != e.DecidesByCount(v) {
				t.Errorf("%s: count decides: %v, by its entry %v", text, got, !got)
			}
			if _, ok := a.(allocation.TieCounter); ok != e.CountsTies {
				t.Errorf("%s counts ties: %v, by its entry %v", text, ok, !ok)
			}
			if got := drawsPlaces(t, text, machine); got != e.Draws {
				t.Errorf("%s draws: %v, by its entry %v", text, got, !got)
			}
		}
	}
}

// drawsPlaces reports whether two streams lead to different places.
func drawsPlaces(t *testing.T, text string, machine topology.Topology) bool {
	t.Helper()
	var places [2][]topology.Node
	for i := range places {
		site := allocation.Site{Machine: machine, Stream: rand.New(rand.NewPCG(uint64(i), 7))}
		a := must.Have(allocation.Named(entries(), text, site))
		places[i], _ = a.Allocate(nil, allocation.NewFreeSet(machine.Nodes()),
			allocation.Request{Size: 7})
	}
	return !slices.Equal(places[0], places[1])
}
