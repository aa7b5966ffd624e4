package center

import (
	"math"
	"slices"

	"contend/netsim/topology"
)

// divider divides nodes of a last shell by ranks, one center after the other, which is what
// LastShellPrevious asks for.
type divider struct {
	ranks   []int32 // of each member of the class
	at      []int32 // number of members with each rank
	members []topology.Node
}

// rank ranks the members of a class.
func (k *divider) rank(class []topology.Node, rank func(n topology.Node) int) {
	k.ranks = k.ranks[:0]
	for _, n := range class {
		k.ranks = append(k.ranks, int32(rank(n)))
	}
}

// divide takes some members of a class by their ranks, take of them in all. It puts those of
// less than the rank at which there are enough first, and those of more last. It returns those
// of that rank, in their order, and how many of them to take.
func (k *divider) divide(class []topology.Node, take int) ([]topology.Node, int) {
	least, most := int32(math.MaxInt32), int32(0)
	for _, rank := range k.ranks {
		least, most = min(least, rank), max(most, rank)
	}
	if least == most || take == len(class) {
		return class, take
	}
	k.at = append(k.at[:0], make([]int32, most-least+1)...)
	for _, rank := range k.ranks {
		k.at[rank-least]++
	}
	bound, within := least, 0
	for within+int(k.at[bound-least]) < take {
		within += int(k.at[bound-least])
		bound++
	}
	k.members = append(k.members[:0], class...)
	before, equal, end := 0, within, len(class)
	for i, n := range k.members {
		switch rank := k.ranks[i]; {
		case rank < bound:
			class[before] = n
			before++
		case rank == bound:
			class[equal] = n
			equal++
		default:
			end--
			class[end] = n
		}
	}
	return class[within:equal], take - within
}

// takeBefore puts those nodes of the last shell first that come first by their shells around
// the candidate before the index-th, then around the one before that, and so on, and finally
// by number; rest of them, in no particular order. In each step some nodes are taken, some are
// dropped, and the class of equals at the bound remains.
func (p *picker) takeBefore(index, rest int) {
	class := p.shell
	for i := index - 1; i >= 0 && rest < len(class); i-- {
		around := p.shell0(i)
		p.class.rank(class, func(n topology.Node) int { return p.shellOf(p.Coordinates(n), &around) })
		class, rest = p.class.divide(class, rest)
	}
	slices.Sort(class)
}

// takeGreedily puts nodes of a last shell first, so many of them one after the other: the one
// with the least sum of distances to those taken so far, and among equals the first. The sums
// begin with those of the nodes taken before.
func (s *distanceSums) takeGreedily(l *Lattice, shell []topology.Node, take int) {
	for i := range take {
		best, least := i, math.MaxInt
		for j, n := range shell[i:] {
			if sum := s.of(l.Coordinates(n)); sum < least {
				best, least = i+j, sum
			}
		}
		n := shell[best]
		copy(shell[i+1:best+1], shell[i:best])
		shell[i] = n
		s.add(l, l.Coordinates(n), 1)
	}
}
