package experiments

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"contend/netsim/topology"
)

// placement says where jobs that run together are, relative to each other.
type placement struct {
	kind string
	// away is how many processes of each job are where another should be.
	away int
}

// The kinds of placements. A block is what a job gets to itself under
// contiguous: a subtree of its level, or a submesh.
//
//   - contiguous: each job in a block.
//   - away: T processes of each job, drawn, change places with as many of the
//     jobs in neighbouring blocks: in a tree in the subtrees under the same
//     routers one level up, as of quasi-contiguous jobs (Pascual et al. 2009,
//     sec. 3), on a grid in the next three blocks; the first to the next, the
//     second to the one after, and so on in turn.
//   - dealt: the nodes are dealt out in turn, those of each block in order, so
//     that a job has nodes at equal distances.
//   - scattered: the same, but the nodes of every round of dealing are shuffled:
//     a job's processes are as far from each other, and no routing by digits of
//     node numbers keeps jobs apart by chance.
//   - random: any nodes.
const (
	placeContiguous = "contiguous"
	placeAway       = "away"
	placeDealt      = "dealt"
	placeScattered  = "scattered"
	placeRandom     = "random"
)

// parsePlacement reads workload.placement.
func parsePlacement(text string) (placement, *InputError) {
	kind, number, given := strings.Cut(text, ":")
	p := placement{kind: kind}
	bad := badInput("workload.placement", "give contiguous, away:T with T from 1, dealt, scattered or random", "workload.placement is %q", text)
	if kind == placeAway {
		var err error
		if p.away, err = strconv.Atoi(number); err != nil || p.away < 1 {
			return p, bad
		}
		return p, nil
	}
	switch kind {
	case placeContiguous, placeDealt, placeScattered, placeRandom:
		if !given {
			return p, nil
		}
	}
	return p, bad
}

// draws reports whether places are drawn at random.
func (p placement) draws() bool {
	return p.kind == placeAway || p.kind == placeScattered || p.kind == placeRandom
}

// places returns the nodes of as many jobs of a size as the machine has room
// for under any placement, process i of a job on the i-th of its nodes.
func (p placement) places(machine Machine, size int, rng *rand.Rand) ([][]topology.Node, error) {
	b, err := newBlocks(machine, size)
	if err != nil {
		return nil, err
	}
	switch p.kind {
	case placeAway:
		return b.exchanged(p.away, rng)
	case placeDealt:
		return b.dealt(nil), nil
	case placeScattered:
		return b.dealt(rng), nil
	case placeRandom:
		rng.Shuffle(len(b.order), func(i, j int) { b.order[i], b.order[j] = b.order[j], b.order[i] })
		for i := range b.jobs {
			b.jobs[i] = b.order[i*size : (i+1)*size]
		}
	}
	return b.jobs, nil
}

// dealt deals the nodes out: of every round of as many nodes as there could be
// jobs each gets one, in order or shuffled.
func (b *blocks) dealt(rng *rand.Rand) [][]topology.Node {
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

// exchanged has processes of each job, drawn, change places with those of jobs
// in neighbouring blocks: in each round every job of a family of blocks goes
// with one process to where that of another job has left.
func (b *blocks) exchanged(away int, rng *rand.Rand) ([][]topology.Node, error) {
	if away > b.size {
		return nil, badInput("workload.placement", fmt.Sprintf("at most %d", b.size), "%d processes away of jobs of %d", away, b.size)
	}
	leave := make([][]int, len(b.jobs))
	places := make([][]topology.Node, len(b.jobs))
	for i := range b.jobs {
		leave[i] = rng.Perm(b.size)[:away]
		places[i] = append(places[i], b.jobs[i]...)
	}
	for first := 0; first < len(b.jobs); first += b.family {
		n := min(b.family, len(b.jobs)-first)
		others := n/b.per - 1 // blocks of the family beside a job's own
		if n%b.per != 0 || others < 1 {
			return nil, badInput("workload.placement", "take smaller jobs, or a larger machine", "jobs of %d processes have no place to go that is away: %s", b.size, b.why)
		}
		for i := range n {
			for r, process := range leave[first+i] {
				to := first + (i+b.per*(1+r%min(others, b.near)))%n
				places[first+i][process] = b.jobs[to][leave[to][r]]
			}
		}
	}
	return places, nil
}
