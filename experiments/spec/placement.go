package spec

import (
	"slices"
	"strconv"
	"strings"

	"contend/experiments/spec/input"
)

// Placement says where jobs that run together lie, relative to each other.
type Placement struct {
	Kind PlacementKind // how the jobs lie
	// Away is the number of processes of each job that lie in blocks of other jobs.
	Away int
}

// PlacementKind is how jobs that run together lie.
type PlacementKind uint8

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
	PlaceContiguous PlacementKind = iota
	PlaceAway
	PlaceDealt
	PlaceScattered
	PlaceRandom
)

var placementNames = []string{"contiguous", "away", "dealt", "scattered", "random"}

func (k PlacementKind) String() string { return placementNames[k] }

// ParsePlacement reads workload.placement.
func ParsePlacement(text string) (Placement, *input.Error) {
	name, number, given := strings.Cut(text, ":")
	kind := slices.Index(placementNames, name)
	p := Placement{Kind: PlacementKind(max(0, kind))}
	away, err := strconv.Atoi(number)
	if p.Kind == PlaceAway && err == nil && away >= 1 {
		p.Away = away
		return p, nil
	}
	if kind >= 0 && p.Kind != PlaceAway && !given {
		return p, nil
	}
	return p, input.Bad("workload.placement",
		"give contiguous, away:T with T from 1, dealt, scattered or random",
		"workload.placement is %q", text)
}

// draws reports whether places are drawn at random.
func (p Placement) draws() bool {
	return p.Kind == PlaceAway || p.Kind == PlaceScattered || p.Kind == PlaceRandom
}
