package order

import (
	"fmt"
	"math/rand/v2"

	"contend/allocation"
	"contend/router/topology"
)

// optimizedOrder returns the nodes of any machine in an order of low objective (see
// order_objective.go). It improves the best of startingOrders by threshold accepting
// [Dueck and Scheuer 1990]. It makes no claim to find the minimum, unlike [Leung et al.
// 2002, sec. 2.2], who state an integer programme.
//
// The search moves homes with all their nodes. If all homes carry the same number of
// nodes, the objective of the homes is that of the nodes. Otherwise it is an
// approximation, and the starting order remains if the search has not improved it. The
// same machine always gets the same order, because its size seeds the stream.
//
// On one idle core of the 2020s the search takes a second for 32x32 routers of one
// node, 0.05 s for as many nodes on 16x16, and 3 s for 64x64 (see
// BenchmarkOptimizedOrder). It also needs memory for a table of distances.
func optimizedOrder(machine topology.Topology) ([]topology.Node, error) {
	d, err := allocation.NewTable(machine)
	if err != nil {
		return nil, fmt.Errorf("order %s: %w", Optimized, err)
	}
	best, minCost := startingOrder(machine, d)
	stream := rand.New(rand.NewPCG(uint64(len(d.Home)), uint64(d.Homes)))
	for _, weights := range searchThresholds {
		s := newOrderSearch(d, homesOf(d, best), stream)
		s.run(weights)
		order := s.nodes(machine)
		if cost := objective(d, order); cost < minCost {
			best, minCost = order, cost
		}
	}
	return best, nil
}

// searchThresholds are the initial thresholds of each search, in weights of two
// adjacent homes and one hop. Much higher ones undo the start. Lower ones find less
// from a poor start and more from a good one.
var searchThresholds = [...]int64{2, 1}

// startingOrder returns the best of the curves, each turned in the ways that matter,
// and its objective. For a machine without coordinates it returns the order of the node
// numbers.
func startingOrder(machine topology.Topology, d *allocation.Rows) (best []topology.Node,
	minCost int64) {
	for _, name := range startingOrders(machine) {
		order, err := New(name, machine)
		if err != nil {
			continue
		}
		if cost := objective(d, order); best == nil || cost < minCost {
			best, minCost = order, cost
		}
	}
	return best, minCost
}

// startingOrders returns the names of the curves of a machine.
func startingOrders(machine topology.Topology) []string {
	names := []string{RowMajor, Snake, ShuffledRowMajor, ShuffledSnake, Hilbert, HIndex}
	if cube, ok := machine.(*topology.Cube); ok && len(cube.Dims()) == 2 {
		for _, name := range names {
			names = append(names, name+"/yx")
		}
	}
	return names
}

// homesOf lists the homes of an order in which the nodes of a home follow each other.
func homesOf(d *allocation.Rows, order []topology.Node) []int32 {
	homes := make([]int32, 0, d.Homes)
	for _, n := range order {
		if home := d.Home[n]; len(homes) == 0 || homes[len(homes)-1] != home {
			homes = append(homes, home)
		}
	}
	return homes
}
