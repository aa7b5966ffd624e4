//go:build long

package center_test

import (
	"slices"
	"testing"

	"contend/allocation"
	"contend/allocation/allocationtest"
	"contend/allocation/center"
	"contend/allocation/exact"
	"contend/router/topology"
	"contend/router/topology/topologytest"
)

// Allocators that count hops decide on 65,536 nodes of today's networks, whose 16,384 routers
// are more than a table has room for. On an otherwise full machine the choice is that among
// few free processors, so it can be done again by their distances.
func TestDecisionsOnLargeNetworksOfToday(t *testing.T) {
	for _, short := range []string{"dragonfly:a32h16p4g512", "hyperx:32x32x16:p4"} {
		m := topologytest.Machine(t, short)
		if m.Nodes() != 1<<16 {
			t.Fatalf("%s has %d nodes", short, m.Nodes())
		}
		d, err := allocation.NewDistances(m)
		if err != nil || allocation.TableBytes(m.Routers()) != 0 {
			t.Fatalf("%s: %v", short, err)
		}
		for _, name := range []string{"gen-alg", "mm", "optimal"} {
			free := allocation.NewFreeSet(m.Nodes())
			for n := range topology.Node(m.Nodes()) {
				if n%5461 != 7 {
					free.Take([]topology.Node{n})
				}
			}
			left := free.AppendTo(nil)
			table := append(center.Allocators(), exact.Allocators()...)
			a, err := allocation.Named(table, name, allocation.Site{Machine: m,
				Distances: func(topology.Topology) (*allocation.Distances, error) {
					return d, nil
				}})
			if err != nil {
				t.Fatalf("%s on %s: %v", name, short, err)
			}
			got, ok := a.Allocate(nil, free, allocation.Request{Size: 3})
			sum := allocationtest.PairsApart(m, got)
			if !ok || name == "optimal" && sum != allocationtest.MinPairSum(m.(topology.Metric).Distance,
				left, 3) || sum > 2*allocationtest.MinPairSum(m.(topology.Metric).Distance, left, 3) {
				t.Errorf("%s on %s: nodes %v with distances of %d, the closest have %d", name, short, got,
					sum, allocationtest.MinPairSum(m.(topology.Metric).Distance, left, 3))
			}
		}
	}
}

// A machine of more routers than a table has room for allocates as smaller ones do.
func TestMachinesWithoutATable(t *testing.T) {
	line := func(routers int) *topology.Cube {
		return topologytest.Cube(t, topology.CubeConfig{Dims: []int{routers, 1, 1, 1}, Concentration: 2,
			Wrap: []bool{true, false, false, false}})
	}
	large, small := line(8194), line(60)
	for _, short := range []string{"gen-alg", "mm-inc"} {
		var got [2][]topology.Node
		for i, m := range []*topology.Cube{large, small} {
			free := allocation.NewFreeSet(m.Nodes())
			for n := range topology.Node(m.Nodes()) {
				if n%7 < 3 || n >= 50 {
					free.Take([]topology.Node{n})
				}
			}
			got[i], _ = makeCenter(t, short, m).Allocate(nil, free, allocation.Request{Size: 9})
		}
		if len(got[0]) != 9 || !slices.Equal(got[0], got[1]) {
			t.Errorf("%s: %v on the large machine, %v on the small one", short, got[0], got[1])
		}
	}
}
