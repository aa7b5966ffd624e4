package config

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"contend/internal/call"
	"contend/internal/input"
	"contend/netsim"
)

// Jobs that run together (workload.source = "together") have one size, start at once,
// and stay at the places that workload.placement gives, as do the sixteen instances of
// an application in Pascual et al. 2009, sec. 5. There is no queue and no allocation,
// so the difference between two placements is that of the network.

// What the machine does beside the job that is measured, beside a pattern's name.
const (
	backgroundSame = "same" // all jobs are alike, and all are measured
	backgroundIdle = "idle" // there is one job
)

// Background returns the pattern of the jobs that run beside the first, and false if
// there are none.
func (s *Spec) Background() (Weighted, bool) {
	b := s.Workload.Background
	if s.Workload.Source != "together" || b.text == backgroundSame || b.text == backgroundIdle {
		return Weighted{}, false
	}
	return b.Parts[0], true
}

// checkTogether refuses keys that do not fit jobs that run together.
func (s *Spec) checkTogether() *input.Error {
	w := &s.Workload
	if w.Source != "together" {
		return nil
	}
	if len(s.Job.Pattern.Parts) > 1 {
		return input.Bad("job.pattern", "give one pattern; that of the others is workload.background",
			"job.pattern is %s, for jobs that run together", s.Job.Pattern)
	}
	if len(w.Background.Parts) > 1 {
		return input.Bad("workload.background", "give one pattern", "workload.background is %s",
			w.Background)
	}
	return nil
}

// Placement says where jobs that run together lie, relative to each other.
type Placement struct {
	text string        // in canonical form
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

// placementNames are the texts of kinds of placements.
var placementNames = []string{"contiguous", "away", "dealt", "scattered", "random"}

// String returns the text of the kind.
func (k PlacementKind) String() string { return placementNames[k] }

// ParsePlacement reads workload.placement.
func ParsePlacement(text string) (Placement, error) {
	name, number, given := strings.Cut(text, ":")
	kind := slices.Index(placementNames, name)
	p := Placement{text: text, Kind: PlacementKind(max(0, kind))}
	away, err := strconv.Atoi(number)
	if p.Kind == PlaceAway && err == nil && away >= 1 {
		p.Away = away
		return p, nil
	}
	if kind >= 0 && p.Kind != PlaceAway && !given {
		return p, nil
	}
	return p, errors.New("which is no placement")
}

// String returns the placement in canonical form.
func (p Placement) String() string { return p.text }

// draws reports whether places are drawn at random.
func (p Placement) draws() bool {
	return p.Kind == PlaceAway || p.Kind == PlaceScattered || p.Kind == PlaceRandom
}

// trafficTable is the table of the names of traffic.
const trafficTable = "traffics"

// traffics are the kinds of traffic, which no registry has.
func traffics() (list []Name) {
	for _, k := range netsim.TrafficKinds() {
		doc := k.Doc
		if parameters := k.Parameters(); parameters != "" {
			doc += "; " + parameters
		}
		list = append(list, Name{Name: k.Name, Doc: doc, Source: k.Source})
	}
	return list
}

// canonicalTraffic writes traffic in canonical form. That of a matrix has the digest of its file,
// so that results depend on its bytes: the file is read unless a resolved study gives the digest.
func canonicalTraffic(text string) (string, *input.Error) {
	p, err := netsim.ParseTraffic(text)
	if err != nil {
		return text, FieldTraffic.Refuse(err)
	}
	if p.File != "" && p.Digest == "" {
		if _, p.Digest, err = netsim.ReadMatrix(p); err != nil {
			bad := networkFileError(err)
			bad.Key = string(FieldTraffic)
			return text, bad
		}
	}
	return p.String(), nil
}

// pinnedTraffic returns traffic as a study writes it, that of a matrix with the digest of its
// file.
func pinnedTraffic(text string) (string, *input.Error) {
	if p, err := netsim.ParseTraffic(text); err != nil || p.File == "" {
		return text, nil
	}
	return canonicalTraffic(text)
}

// lengthsPath is the key of several lengths of messages.
const lengthsPath = "workload.message_lengths"

// canonicalLengths writes lengths with their weights in canonical form.
func canonicalLengths(text string) (string, *input.Error) {
	if text == "" {
		return "", nil
	}
	lengths, err := parseLengths(text)
	if err != nil {
		return text, err
	}
	var parts []string
	for _, l := range lengths {
		parts = append(parts, fmt.Sprintf("%d:%s", l.Flits, call.FormatNumber(l.Share)))
	}
	return strings.Join(parts, "+"), nil
}

// parseLengths reads workload.message_lengths.
func parseLengths(text string) ([]netsim.Length, *input.Error) {
	list, err := netsim.ParseLengths(text)
	if err != nil {
		return nil, input.Bad(lengthsPath, "give two or more lengths in flits with weights, such as "+
			"1:0.8+8:0.2; one length is job.flits", "%s is %q, %v", lengthsPath, text, err)
	}
	return list, nil
}

// checkTraffic refuses traffic that no machine and no load allows.
func (s *Spec) checkTraffic() *input.Error {
	if s.Workload.Source != "traffic" {
		return nil
	}
	t, bad := s.trafficPlan()
	if bad != nil {
		return bad.(*input.Error)
	}
	of := netsim.Traffic{Flits: int32(s.Job.Flits), Lengths: t.Lengths, Bursts: t.Bursts}
	if err := of.Check(); err != nil {
		return input.Bad("workload.burst_cycles", "", "workload.burst_cycles is %v with "+
			"workload.burst_share %v: %v", t.Bursts.Cycles, t.Bursts.Share, err)
	}
	return nil
}

// trafficPlan decodes what nodes send where there are no jobs. The file of a matrix is not read.
func (s *Spec) trafficPlan() (t TrafficPlan, err error) {
	w := &s.Workload
	t = TrafficPlan{Load: w.TrafficLoad, Warmup: w.WarmupCycles, Window: w.WindowCycles,
		Self: w.SelfMessages, Bursts: netsim.Bursts{Cycles: w.BurstCycles, Share: w.BurstShare}}
	if t.Pattern, err = netsim.ParseTraffic(w.Traffic); err != nil {
		return t, FieldTraffic.Refuse(err)
	}
	if w.Lengths == "" {
		return t, nil
	}
	lengths, bad := parseLengths(w.Lengths)
	if bad != nil {
		return t, bad
	}
	t.Lengths = lengths
	return t, nil
}
