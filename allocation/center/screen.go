package center

import (
	"sort"

	"contend/netsim/topology"
)

// screen refuses candidates of center whose score must exceed a limit, without adding it up.
// One count of free processors in the box around a center, extended by some shells, bounds
// the score from below. The boxes within hold no more, and none holds more than its volume.
// A box further out holds at most as many more as its volume is larger. So does a box around
// another center: the centers next to a refused one in its row are refused without a count.
type screen struct {
	lattice *Lattice
	size    int
	volumes []int // of shell 0 extended by 0, 1, ... shells, up to the first that holds the size
	full    int   // the last of them
	shapes  [][3]int
	probes  [2]probe
	next    [6]topology.Node // of each shape, the first center that is not refused yet
	closed  bool             // all candidates are refused
}

// probe is one look at a candidate.
type probe struct {
	shells int // by which the box is extended
	need   int // free processors it must have
	// faces are the processors that come into the box of each shape, at most, when its
	// center moves by one along the first dimension
	faces [6]int
}

// start begins a search for a job. Turned shapes have the same volumes.
func (s *screen) start(shapes [][3]int, size int) {
	s.size, s.shapes, s.volumes = size, shapes, s.volumes[:0]
	for s.full = 0; s.volume(s.full) < size; s.full++ {
		s.volumes = append(s.volumes, s.volume(s.full))
	}
	s.volumes = append(s.volumes, s.volume(s.full))
	s.probes, s.next, s.closed = [2]probe{}, [6]topology.Node{}, false
}

// volume returns the processors in shell 0 extended by a number of shells, on a machine
// without borders.
func (s *screen) volume(shells int) int {
	return s.face(0, shells) * s.side(0, 0, shells)
}

// face returns the processors of a plane across the first dimension in shell 0 of a shape,
// extended by a number of shells.
func (s *screen) face(shape, shells int) int {
	return s.side(shape, 1, shells) * s.side(shape, 2, shells)
}

// side returns the extent of shell 0 of a shape, extended by a number of shells.
func (s *screen) side(shape, d, shells int) int {
	if d >= s.lattice.Dimensions {
		return 1
	}
	return s.shapes[shape][d] + 2*shells
}

// bottom returns the score of a candidate whose shells before the last are free as a whole, which
// is the least that any may have.
func (s *screen) bottom() int64 { return s.least(s.full, s.size) }

// set makes the screen refuse scores above a limit. A candidate at it has a number of
// shells.
func (s *screen) set(limit int64, last int) {
	s.closed = s.least(s.full, s.size) > limit
	for i, shells := range [...]int{s.full, (s.full + last + 1) / 2} {
		if i > 0 && shells == s.full {
			s.probes[i].need = 0 // the look that was taken
			continue
		}
		s.probes[i] = probe{shells: shells, need: sort.Search(s.size, func(found int) bool {
			return s.least(shells, found) <= limit
		})}
		if s.probes[i].need == 1 { // the center is free
			s.probes[i].need = 0
		}
		for j := range s.shapes {
			s.probes[i].faces[j] = s.face(j, shells)
		}
	}
}

// least returns the least score of a candidate with so many free processors in shell 0
// extended by a number of shells.
func (s *screen) least(shells, found int) int64 {
	score := int64(0)
	for q := range shells + 1 {
		most := found
		if q < len(s.volumes) {
			most = min(most, s.volumes[q])
		}
		score += int64(max(0, s.size-most))
	}
	within := s.volume(shells)
	longest := max(s.lattice.Dims[0], s.lattice.Dims[1], s.lattice.Dims[2])
	for q := shells + 1; q < longest; q++ {
		lacking := s.size - found - (s.volume(q) - within)
		if lacking <= 0 {
			break
		}
		score += int64(lacking)
	}
	return score
}

// refuses reports whether the score of the candidate of a shape around a center exceeds the
// limit, and finds out for which centers after it in its row that is so too.
func (s *screen) refuses(b *boxes, shell0 *box, center topology.Node, shape int) bool {
	for i := range s.probes {
		p := &s.probes[i]
		if p.need == 0 {
			continue
		}
		lacking := p.need - b.count(shell0, p.shells)
		if lacking <= 0 {
			continue
		}
		row := topology.Node(s.lattice.Dims[0])
		steps := (lacking + p.faces[shape] - 1) / p.faces[shape]
		s.next[shape] = min(center+topology.Node(steps), center-center%row+row)
		return true
	}
	return false
}
