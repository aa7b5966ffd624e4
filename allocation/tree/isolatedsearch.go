package tree

import "math/bits"

// maxSearched bounds the rows that isolated tries in one decision, over all levels, shapes
// and parents. Beyond it the job waits, although there may be room. The bound keeps a
// decision below a millisecond.
const maxSearched = 100_000

// rowSearch finds rows with enough free classes in common, by backtracking.
type rowSearch struct {
	rows    []int  // the rows found, ascending
	classes uint64 // the classes, as bits, that the job gets of each
	left    int    // rows that may still be tried
}

// find reports whether shape.rows rows have shape.classes free classes in common, and sets rows
// and classes to the first such ones.
func (s *rowSearch) find(free []uint64, shape rowShape) bool {
	s.rows = s.rows[:0]
	if !s.extend(free, 0, ^uint64(0), shape) {
		return false
	}
	for n := bits.OnesCount64(s.classes); n > shape.classes; n-- {
		s.classes &^= 1 << (63 - bits.LeadingZeros64(s.classes)) // the first ones stay
	}
	return true
}

// extend adds rows from one on, given the classes that all rows so far have free.
func (s *rowSearch) extend(free []uint64, from int, common uint64, shape rowShape) bool {
	missing := shape.rows - len(s.rows)
	if missing == 0 {
		s.classes = common
		return true
	}
	for row := from; row+missing <= len(free); row++ {
		if s.left--; s.left < 0 {
			return false
		}
		both := common & free[row]
		if bits.OnesCount64(both) < shape.classes {
			continue
		}
		s.rows = append(s.rows, row)
		if s.extend(free, row+1, both, shape) {
			return true
		}
		s.rows = s.rows[:len(s.rows)-1]
	}
	return false
}
