package cosim

import (
	"math"

	"contend/allocation"
	"contend/netsim/topology"
)

// countedTies is an allocator whose decisions with a tie are counted: those in
// which several different sets of processors had the best score [Johnson, Bunde
// and Leung 2010, Fig. 4].
//
// Every decision that places a job is taken to start it. That holds for the
// allocators that count ties: for all of them counts decide, so no policy asks
// them about a machine as it would be.
type countedTies struct {
	allocation.Allocator
	counter                allocation.TieCounter
	decisions, tied, among int
}

// countTies makes an allocator count, and returns nil for one that cannot.
func countTies(a allocation.Allocator) *countedTies {
	counter, ok := a.(allocation.TieCounter)
	if !ok || !allocation.CountDecides(a) {
		return nil
	}
	counter.CountTies(true)
	return &countedTies{Allocator: a, counter: counter}
}

// Allocate implements allocation.Allocator.
func (t *countedTies) Allocate(dst []topology.Node, free *allocation.FreeSet, req allocation.Request) ([]topology.Node, bool) {
	dst, ok := t.Allocator.Allocate(dst, free, req)
	if !ok {
		return dst, false
	}
	t.decisions++
	if n := t.counter.Ties(); n > 1 {
		t.tied++
		t.among += n
	}
	return dst, true
}

// CountDecides implements allocation.Counting.
func (t *countedTies) CountDecides() bool { return true }

// metrics adds what was counted.
func (t *countedTies) metrics(add func(string, float64)) {
	add("decisions_tied", float64(t.tied))
	add("ties_percent", share(100*t.tied, t.decisions))
	add("ties_mean", share(t.among, t.tied))
}

// share is NaN where there is nothing to share.
func share(part, of int) float64 {
	if of == 0 {
		return math.NaN()
	}
	return float64(part) / float64(of)
}
