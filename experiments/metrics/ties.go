package metrics

import (
	"math"

	"contend/allocation"
	"contend/router/topology"
)

// countedTies is an allocator that counts its decisions with a tie. In such a decision several
// different sets of processors have the best score [Johnson, Bunde and Leung 2010, Fig. 4].
//
// It assumes that every decision that places a job also starts the job. That holds for allocators
// that count ties: the number of free nodes decides whether a job fits, so policies do not try them
// on a future state of the machine.
type countedTies struct {
	allocation.Allocator
	counter                allocation.TieCounter
	decisions, tied, among int
}

// countTies returns an allocator that counts ties. It returns nil if a cannot count.
func countTies(a allocation.Allocator) *countedTies {
	counter, ok := a.(allocation.TieCounter)
	if !ok || !allocation.CountDecides(a) {
		return nil
	}
	counter.CountTies(true)
	return &countedTies{Allocator: a, counter: counter}
}

// Allocate implements allocation.Allocator.
func (t *countedTies) Allocate(
	dst []topology.Node, free *allocation.FreeSet, req allocation.Request,
) ([]topology.Node, bool) {
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

// metrics adds the metrics of ties.
func (t *countedTies) metrics(add func(string, float64)) {
	add("decisions_tied", float64(t.tied))
	add("ties_percent", share(100*t.tied, t.decisions))
	add("ties_mean", share(t.among, t.tied))
}

// share returns part over of, NaN if of is 0.
func share(part, of int) float64 {
	if of == 0 {
		return math.NaN()
	}
	return float64(part) / float64(of)
}
