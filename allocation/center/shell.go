package center

import (
	"slices"

	"contend/allocation"
	"contend/netsim/topology"
)

// shellTaker decides which processors of its last shell the candidate of a median
// takes. All of them are equally far from the center in L1. The papers leave this open:
// "breaking ties arbitrarily" [Bender et al. 2005, sec. 2.1].
type shellTaker struct {
	last    string  // one of LastShells except LastShellL1
	rows    []int32 // for each center, the first center of its row
	class   divider
	nearest distanceSums // for greedy: distances to all taken nodes
}

func newShellTaker(l *Lattice, last string) shellTaker {
	return shellTaker{last: last, rows: make([]int32, 0, l.Nodes()), nearest: newDistanceSums(l)}
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
		return
	case a.shell.last == LastShellPrevious:
		a.takePrevious(shell, index, take)
	case a.shell.last == LastShellGreedy:
		a.strike(shell)
		a.shell.nearest.load(&a.Lattice, &a.census)
		a.shell.nearest.takeGreedily(&a.Lattice, shell, take)
		for _, n := range shell {
			a.census.Add(a.Coordinates(n))
		}
	}
	a.strike(shell[take:])
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
			class, take = a.byRow(class, take, i)
			i = int(rows[i]) - 1
		default:
			i = a.beforeAlike(class, i)
		}
		if i < 0 {
			break
		}
		center := a.Coordinates(a.centers[i])
		a.shell.class.rank(class, func(n topology.Node) int {
			return a.Distance(a.Coordinates(n),
				center)
		})
		class, take = a.shell.class.divide(class, take)
	}
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

// byRow divides a class by its distances to the centers before the index-th in a row
// that does not wrap, from the last to the first. All of the class are equally far from
// the index-th center. Of two processors the one at the smaller x is nearer to the
// first center that lies before the center and the other processor. Both are equally
// far from the centers between. So x decides. All x at or behind the center count as
// one value, and so do all x at or before the first center of the row.
func (a *onLattice) byRow(class []topology.Node, take, index int) ([]topology.Node, int) {
	to := a.Coordinates(a.centers[index])[0]
	from := a.Coordinates(a.centers[a.shell.rows[index]])[0]
	a.shell.class.rank(class, func(n topology.Node) int {
		return max(from, min(a.Coordinates(n)[0], to))
	})
	return a.shell.class.divide(class, take)
}

// MedianShells returns the LastShells that distinguish processors equally far in L1.
func MedianShells() []allocation.Info {
	return slices.DeleteFunc(LastShells(),
		func(w allocation.Info) bool { return w.Name == LastShellL1 })
}
