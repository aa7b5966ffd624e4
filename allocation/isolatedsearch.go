package allocation

import "math/bits"

// mostSearched bounds the rows that isolated tries in one decision, over all levels, shapes
// and parents. Beyond it the job waits, although there may be room. The bound keeps a
// decision below a millisecond.
const mostSearched = 100_000

// rowSearch finds rows that have enough free units in common, by backtracking.
type rowSearch struct {
	rows  []int  // the rows found, ascending
	units uint64 // the units taken of each
	left  int    // rows that may still be tried
}

// find reports whether so many rows have so many free units in common. rows and units
// hold what it found.
func (s *rowSearch) find(free []uint64, shape rowShape) bool {
	s.rows = s.rows[:0]
	enough := 0
	for _, row := range free {
		if bits.OnesCount64(row) >= shape.units {
			enough++
		}
	}
	if enough < shape.rows || !s.extend(free, 0, ^uint64(0), shape) {
		return false
	}
	for n := bits.OnesCount64(s.units); n > shape.units; n-- {
		s.units &^= 1 << (63 - bits.LeadingZeros64(s.units)) // the first ones stay
	}
	return true
}

// extend adds rows from one on, given the units that all rows so far have free.
func (s *rowSearch) extend(free []uint64, from int, common uint64, shape rowShape) bool {
	missing := shape.rows - len(s.rows)
	if missing == 0 {
		s.units = common
		return true
	}
	for row := from; row+missing <= len(free); row++ {
		if s.left--; s.left < 0 {
			return false
		}
		both := common & free[row]
		if bits.OnesCount64(both) < shape.units {
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
