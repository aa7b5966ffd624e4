package sim

import (
	"fmt"
	"math/rand/v2"

	"contend/experiments/config"
	"contend/router/topology"
)

// PlaceJobs returns the nodes of jobs of one size. Their number is the number that fits under every
// placement. Process i of a job runs on the i-th of its nodes.
func PlaceJobs(
	p config.Placement, m config.Machine, size int, rng *rand.Rand,
) ([][]topology.Node, error) {
	b, err := newBlocks(m, size)
	if err != nil {
		return nil, err
	}
	switch p.Kind {
	case config.PlaceAway:
		return b.exchange(p.Away, rng)
	case config.PlaceDealt:
		return b.deal(nil), nil
	case config.PlaceScattered:
		return b.deal(rng), nil
	case config.PlaceRandom:
		rng.Shuffle(len(b.order), func(i, j int) { b.order[i], b.order[j] = b.order[j], b.order[i] })
		for i := range b.jobs {
			b.jobs[i] = b.order[i*size : (i+1)*size]
		}
	}
	return b.jobs, nil
}

// ContiguousNodes returns the first contiguous place for a job: the box most like a cube on a grid,
// a part of the smallest subtree on a tree, elsewhere the first nodes in order of number.
func ContiguousNodes(m config.Machine, size int) []topology.Node {
	if b, err := newBlocks(m, size); err == nil && len(b.jobs) > 0 {
		return b.jobs[0]
	}
	return firstNodes(size)
}

// deal gives the nodes to the jobs in rounds. In each round every job gets one node, in order or,
// with rng, at random. Nodes that are left over in a round stay free.
func (b *blocks) deal(rng *rand.Rand) [][]topology.Node {
	round := len(b.order) / b.size
	places := make([][]topology.Node, len(b.jobs))
	for i := range b.size {
		nodes := b.order[i*round : (i+1)*round]
		if rng != nil {
			rng.Shuffle(round, func(i, j int) { nodes[i], nodes[j] = nodes[j], nodes[i] })
		}
		for j := range places {
			places[j] = append(places[j], nodes[j])
		}
	}
	return places
}

// exchange moves random processes of each job to blocks of its family. In each round one process of
// every job moves to the node that a process of another job has left.
func (b *blocks) exchange(away int, rng *rand.Rand) ([][]topology.Node, error) {
	if away > b.size {
		return nil, config.FieldPlacement.Bad(fmt.Sprintf("at most %d", b.size),
			"%d processes away of jobs of %d", away, b.size)
	}
	leave := make([][]int, len(b.jobs))
	places := make([][]topology.Node, len(b.jobs))
	for i := range b.jobs {
		leave[i] = rng.Perm(b.size)[:away]
		places[i] = append(places[i], b.jobs[i]...)
	}
	for first := 0; first < len(b.jobs); first += b.familyJobs {
		n := min(b.familyJobs, len(b.jobs)-first)
		others := n/b.blockJobs - 1 // blocks of the family beside a job's own
		if n%b.blockJobs != 0 || others < 1 {
			return nil, config.FieldPlacement.Bad("take smaller jobs, or a larger machine",
				"jobs of %d processes have no place to go that is away: %s", b.size, b.loneBlock)
		}
		for i := range n {
			for r, process := range leave[first+i] {
				to := first + (i+b.blockJobs*(1+r%min(others, b.partners)))%n
				places[first+i][process] = b.jobs[to][leave[to][r]]
			}
		}
	}
	return places, nil
}
