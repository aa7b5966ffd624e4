package center

import (
	"math"
	"slices"

	"contend/allocation"
	"contend/netsim/topology"
)

// shellTaker decides which processors of its last shell the candidate of a median
// takes. All of them are equally far from the center in L1. The papers leave this open:
// "breaking ties arbitrarily" [Bender et al. 2005, sec. 2.1].
type shellTaker struct {
	last    string          // one of LastShells except LastShellL1
	rows    []int32         // for each center, the first center of its row
	ranks   []int           // ranks of a class
	at      []int32         // number of members of a class with each rank
	equal   []topology.Node // members of a class with equal rank
	nearest distanceSums    // for greedy: distances to all taken nodes
}

func newShellTaker(l *Lattice, nodes int, last string) shellTaker {
	if last == "" {
		last = LastShells()[0].Name
	}
	diameter := l.Dims[0] + l.Dims[1] + l.Dims[2]
	return shellTaker{
		last: last, rows: make([]int32, 0, l.Nodes()), ranks: make([]int, nodes),
		at: make([]int32, diameter), equal: make([]topology.Node, 0, nodes),
		nearest: newDistanceSums(l),
	}
}

// loadRows records where the rows of the list of centers begin.
func (a *onLattice) loadRows() {
	s := &a.shell
	s.rows = s.rows[:0]
	first, end := int32(0), topology.Node(0) // of the row
	for i, n := range a.centers {
		if n >= end {
			first, end = int32(i), n-n%topology.Node(a.Dims[0])+topology.Node(a.Dims[0])
		}
		s.rows = append(s.rows, first)
	}
}

// settle moves the processors that the index-th candidate takes to the front of its
// last shell, take of them, and removes the others from the census. The shell is in
// node order.
func (a *onLattice) settle(shell []topology.Node, index, take int) {
	switch {
	case take == len(shell):
	case a.shell.last == LastShellPrevious:
		a.takePrevious(shell, index, take)
	case a.shell.last == LastShellGreedy:
		a.takeGreedily(shell, take)
	default:
		a.strike(shell[take:])
	}
}

func (a *onLattice) strike(nodes []topology.Node) {
	for _, n := range nodes {
		a.census.remove(a.Coordinates(n))
	}
}

// takePrevious takes the processors that come first in a list that is sorted, stably,
// by the distance to one center after the other. They are those nearest to the previous
// center, among equals those nearest to the center before that, and so on. takePrevious
// goes from center to center, or from row to row if that gives the same result. In each
// step some processors are taken, some are dropped, and the class of equals at the
// bound remains.
func (a *onLattice) takePrevious(shell []topology.Node, index, take int) {
	class, rows := shell, a.shell.rows
	for i := index; take < len(class); { // all of the class are equally far from i
		if class[0] == class[len(class)-1] {
			break // nothing tells the nodes of a place apart
		}
		switch {
		case !a.Wrap[0]:
			class, take = a.divide(class, take, a.rankInRow(class, i))
			i = int(rows[i]) - 1
		default:
			i = a.beforeAlike(class, i)
		}
		if i < 0 {
			break
		}
		class, take = a.divide(class, take, a.rankFrom(class, i))
	}
	a.strike(class[take:])
}

// beforeAlike returns the last center before the index-th, in a row that wraps, that may be
// nearer to some of a class than to others, or the last center of the row before. All of the
// class are equally far from the index-th. As long as a step back brings all nearer, or takes
// all farther, they remain so.
func (a *onLattice) beforeAlike(class []topology.Node, index int) int {
	first, x := int(a.shell.rows[index]), a.Coordinates(a.centers[index])[0]
	column := a.Coordinates(class[0])[0]
	nearer, least, same := 0, a.Dims[0], true
	for _, n := range class {
		at := a.Coordinates(n)[0]
		steps, comes := a.steady(x - at)
		if comes {
			nearer++
		}
		least, same = min(least, steps), same && at == column
	}
	switch {
	case same: // the whole row is as far from all
		return first - 1
	case nearer > 0 && nearer < len(class):
		return index - 1
	}
	for index--; index >= first && a.Coordinates(a.centers[index])[0] >= x-least; index-- {
	}
	return index
}

// steady returns for how many steps back along the first dimension, which wraps, the distance to
// a coordinate so far behind changes by one each in the same sense, and whether it falls.
func (a *onLattice) steady(behind int) (steps int, falls bool) {
	n := a.Dims[0]
	if behind < 0 {
		behind += n
	}
	if behind > 0 && behind <= n/2 {
		return behind, true
	}
	return n/2 - (n-behind)%n, false
}

// rankRange is the least and the greatest of some ranks.
type rankRange struct{ least, most int }

// rankFrom ranks a class by the distance to the index-th center.
func (a *onLattice) rankFrom(class []topology.Node, index int) rankRange {
	center, ranks := a.Coordinates(a.centers[index]), a.shell.ranks[:len(class)]
	e := rankRange{math.MaxInt, 0}
	for i, n := range class {
		d := a.Distance(a.Coordinates(n), center)
		ranks[i] = d
		e.least, e.most = min(e.least, d), max(e.most, d)
	}
	return e
}

// rankInRow ranks a class by its distances to the centers before the index-th in a row
// that does not wrap, from the last to the first. All of the class are equally far from
// the index-th center. Of two processors the one at the smaller x is nearer to the
// first center that lies before the center and the other processor. Both are equally
// far from the centers between. So x decides. All x at or behind the center count as
// one value, and so do all x at or before the first center of the row.
func (a *onLattice) rankInRow(class []topology.Node, index int) rankRange {
	to := a.Coordinates(a.centers[index])[0]
	from := a.Coordinates(a.centers[a.shell.rows[index]])[0]
	ranks := a.shell.ranks[:len(class)]
	e := rankRange{to, from}
	for i, n := range class {
		x := max(from, min(a.Coordinates(n)[0], to))
		ranks[i] = x
		e.least, e.most = min(e.least, x), max(e.most, x)
	}
	return e
}

// divide takes some members of a class by their ranks, take of them in all. It finds
// the rank at which there are enough. It removes those beyond that rank from the census
// and puts those within it first. It returns those at that rank, in their previous
// order, and how many of them to take.
func (a *onLattice) divide(class []topology.Node, take int, e rankRange) ([]topology.Node, int) {
	if e.least == e.most || take == len(class) {
		return class, take
	}
	s := &a.shell
	bound, within := s.bound(len(class), take, e), 0
	s.equal = s.equal[:0]
	for i, n := range class {
		switch rank := s.ranks[i]; {
		case rank < bound:
			class[within] = n
			within++
		case rank == bound:
			s.equal = append(s.equal, n)
		default:
			a.census.remove(a.Coordinates(n))
		}
	}
	class = class[within : within+len(s.equal)]
	copy(class, s.equal)
	return class, take - within
}

// bound returns the least rank at which there are enough members of a class.
func (s *shellTaker) bound(class, take int, e rankRange) int {
	for _, rank := range s.ranks[:class] {
		s.at[rank]++
	}
	bound := e.least
	for n := int(s.at[bound]); n < take; n += int(s.at[bound]) {
		bound++
	}
	clear(s.at[e.least : e.most+1])
	return bound
}

// takeGreedily takes one processor after the other: the one with the least sum of
// distances to the processors taken so far, and among equals the first in node order.
func (a *onLattice) takeGreedily(shell []topology.Node, take int) {
	a.strike(shell)
	a.shell.nearest.load(&a.Lattice, &a.census)
	sums := a.shell.ranks[:len(shell)]
	for i, n := range shell {
		sums[i] = a.shell.nearest.of(a.Coordinates(n))
	}
	for i := range take {
		best := i
		for j, sum := range sums[i:] {
			if sum < sums[best] {
				best = i + j
			}
		}
		n := shell[best]
		copy(shell[i+1:best+1], shell[i:best])
		copy(sums[i+1:best+1], sums[i:best])
		shell[i] = n
		at := a.Coordinates(n)
		a.census.Add(at)
		for j := i + 1; j < len(shell); j++ {
			sums[j] += a.Distance(at, a.Coordinates(shell[j]))
		}
	}
}

// MedianShells returns the LastShells that distinguish processors equally far in L1.
func MedianShells() []allocation.Info {
	return slices.DeleteFunc(LastShells(),
		func(w allocation.Info) bool { return w.Name == LastShellL1 })
}
