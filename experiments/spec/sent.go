package spec

import (
	"slices"

	"contend/patterns"
)

// sent lists the patterns jobs may have.
func (s *Spec) sent() []Weighted {
	mix := s.mixed()
	if mix == nil {
		return nil
	}
	for _, r := range s.rules() {
		mix = append(mix, r.Pattern)
	}
	if b, ok := s.Background(); ok {
		mix = append(mix, b)
	}
	return mix
}

// MessageFlits returns the length of all messages, or 0 if lengths differ.
func (s *Spec) MessageFlits() int {
	if !oneLength.Holds(s) {
		return 0
	}
	mix := s.sent()
	if mix == nil || slices.ContainsFunc(mix,
		func(m Weighted) bool { return !s.Registry.oneLength(m) }) {
		return 0
	}
	return s.Job.Flits
}

// MessageMultiple returns a number that divides the length of every message, or 0 if
// there is no such promise.
func (s *Spec) MessageMultiple() int {
	if !oneLength.Holds(s) {
		lengths, _ := ParseLengths(s.Workload.Lengths)
		return commonDivisor(lengths)
	}
	mix := s.sent()
	if mix == nil || slices.ContainsFunc(mix,
		func(m Weighted) bool { return !patterns.OwnSizes(m.Name) }) {
		return 0
	}
	return s.Network.PadFlits
}
