package spec

import (
	"slices"
	"strconv"
	"strings"

	"contend/experiments/spec/input"
)

// Jobs that run together (workload.source = "together") have one size, start at once,
// and stay at the places that workload.placement gives, as do the sixteen instances of
// an application in Pascual et al. 2009, sec. 5. There is no queue and no allocation,
// so the difference between two placements is that of the network.

// What the machine does beside the job looked at, beside a pattern's name.
const (
	backgroundSame = "same" // all jobs are alike, and all are looked at
	backgroundIdle = "idle" // there is one job
)

// Background returns the pattern of the jobs that run beside the first, and false if
// there are none.
func (s *Spec) Background() (Weighted, bool) {
	b := s.Workload.Background
	if s.Workload.Source != "together" || b == backgroundSame || b == backgroundIdle {
		return Weighted{}, false
	}
	mix, err := ParseMix(b)
	if err != nil {
		return Weighted{}, false
	}
	return mix[0], true
}

// checkTogether refuses keys that do not fit jobs that run together.
func (s *Spec) checkTogether() *input.Error {
	w := &s.Workload
	if w.Source != "together" {
		return nil
	}
	if _, err := ParsePlacement(w.Placement); err != nil {
		return err
	}
	if mix, err := ParseMix(s.Job.Pattern); err != nil || len(mix) > 1 {
		return input.Bad("job.pattern", "give one pattern; that of the others is workload.background",
			"job.pattern is %s, for jobs that run together", s.Job.Pattern)
	}
	if mix, err := ParseMix(w.Background); err != nil || len(mix) > 1 {
		return input.Bad("workload.background", "give one pattern", "workload.background is %s",
			w.Background)
	}
	if b, ok := s.Background(); ok {
		if _, err := s.Registry.canonicalPart(b); err != nil {
			err.Key = string(FieldBackground)
			return err
		}
	}
	return nil
}

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
