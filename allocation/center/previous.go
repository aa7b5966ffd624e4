package center

import (
	"math"
	"slices"

	"contend/netsim/topology"
)

// shellClass is working memory for takeBefore.
type shellClass struct {
	ranks   []int32
	at      []int32 // number of members with each rank
	members []uint64
}

// takeBefore puts those nodes of the last shell first that come first by their shells around
// the candidate before the index-th, then around the one before that, and so on, and finally
// by number; rest of them, in no particular order. In each step some nodes are taken, some are
// dropped, and the class of equals at the bound remains.
func (p *picker) takeBefore(index, rest int) {
	class := p.shell
	for i := index - 1; i >= 0 && rest < len(class); i-- {
		around := p.shell0(i)
		class, rest = p.divide(class, rest, &around)
	}
	slices.Sort(class)
}

// divide takes some members of a class by their shells around a box, take of them in all. It
// puts those nearer than the shell at which there are enough first, and those farther last.
// It returns those in that shell, and how many of them to take.
func (p *picker) divide(class []uint64, take int, around *box) ([]uint64, int) {
	k := &p.class
	k.ranks = k.ranks[:0]
	least, most := int32(math.MaxInt32), int32(0)
	for _, key := range class {
		rank := int32(p.shellOf(p.Coordinates(topology.Node(key)), around))
		k.ranks = append(k.ranks, rank)
		least, most = min(least, rank), max(most, rank)
	}
	if least == most {
		return class, take
	}
	k.at = append(k.at[:0], make([]int32, most-least+1)...)
	for _, rank := range k.ranks {
		k.at[rank-least]++
	}
	bound, nearer := least, 0
	for nearer+int(k.at[bound-least]) < take {
		nearer += int(k.at[bound-least])
		bound++
	}
	k.members = append(k.members[:0], class...)
	before, equal, end := 0, nearer, len(class)
	for i, key := range k.members {
		switch rank := k.ranks[i]; {
		case rank < bound:
			class[before] = key
			before++
		case rank == bound:
			class[equal] = key
			equal++
		default:
			end--
			class[end] = key
		}
	}
	return class[nearer:equal], take - nearer
}
