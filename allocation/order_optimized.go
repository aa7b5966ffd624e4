package allocation

import (
	"fmt"
	"math/rand/v2"

	"contend/netsim/topology"
)

// optimizedOrder puts the nodes of any machine in an order of low objective
// (see objective.go) by threshold accepting [Dueck and Scheuer 1990] from the
// best of the orders in startingOrders. Unlike [Leung et al. 2002, sec. 2.2],
// who state an integer programme, it makes no claim to have found the least.
//
// Homes are moved with all their nodes. Where all carry the same number, the
// objective of the homes is that of the nodes; where they do not, it stands in
// for it, and the starting order is kept if the search has made it no better.
// The same machine has the same order: the stream is seeded with its size.
//
// On one idle core of 2020s make it takes a second for 32x32 routers of one
// node, 0.05 s for as many nodes on 16x16, 3 s for 64x64 (see
// BenchmarkOptimizedOrder), and memory for a table of distances.
func optimizedOrder(machine topology.Topology) ([]topology.Node, error) {
	d, err := newDistances(machine)
	if err != nil {
		return nil, fmt.Errorf("order %s: %w", Optimized, err)
	}
	best, least := startingOrder(machine, d)
	stream := rand.New(rand.NewPCG(uint64(len(d.home)), uint64(d.homes)))
	for _, weights := range searchThresholds {
		s := newOrderSearch(d, homesOf(d, best), stream)
		s.run(weights)
		order := s.nodes(machine)
		if cost := objective(d, order); cost < least {
			best, least = order, cost
		}
	}
	return best, nil
}

// searchThresholds are what a move may add at first, in weights of two homes
// next to each other and one hop, search by search: much higher ones undo the
// start, lower ones find less where the start was poor and more where it was
// good already.
var searchThresholds = [...]int64{2, 1}

// startingOrder returns the best of the curves, each turned in the ways that
// matter, and its objective; on a machine without coordinates the order of the
// node numbers.
func startingOrder(machine topology.Topology, d *distances) (best []topology.Node, least int64) {
	for _, name := range startingOrders(machine) {
		order, err := NewOrder(name, machine)
		if err != nil {
			continue
		}
		if cost := objective(d, order); best == nil || cost < least {
			best, least = order, cost
		}
	}
	return best, least
}

// startingOrders are the names of the curves of a machine.
func startingOrders(machine topology.Topology) []string {
	names := []string{RowMajor, Snake, ShuffledRowMajor, ShuffledSnake, Hilbert, HIndex}
	if cube, ok := machine.(*topology.Cube); ok && len(cube.Dims()) == 2 {
		for _, name := range names {
			names = append(names, name+"/yx")
		}
	}
	return names
}

// homesOf lists the homes of an order in which the nodes of a home follow each
// other.
func homesOf(d *distances, order []topology.Node) []int32 {
	homes := make([]int32, 0, d.homes)
	for _, n := range order {
		if home := d.home[n]; len(homes) == 0 || homes[len(homes)-1] != home {
			homes = append(homes, home)
		}
	}
	return homes
}
