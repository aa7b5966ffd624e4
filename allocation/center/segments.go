package center

// segments counts the free processors of an interval of a row or column in constant time, from
// running counts. A line has entries for three times its length, so that an interval around any
// place is contiguous: of a dimension that wraps the line three times, of another one the line
// between places without processors.
type segments struct {
	*Lattice
	per [2]int // entries of a row and of a column
	// below[0] holds, row by row, the number of free processors before each entry; below[1]
	// column by column
	below [2][]int32
}

// newSegments returns memory for the running counts of a lattice.
func newSegments(l *Lattice) segments {
	s := segments{Lattice: l}
	for d := range s.per {
		s.per[d] = 3*l.Dims[d] + 1
		s.below[d] = make([]int32, l.Nodes()/l.Dims[d]*s.per[d])
	}
	return s
}

// load computes the running counts; free has the number of free processors of each place.
func (s *segments) load(free []int32) {
	for z := range s.Dims[2] {
		for y := range s.Dims[1] {
			s.loadLine(0, y+s.Dims[1]*z, free[s.node(0, y, z):], 1)
		}
		for x := range s.Dims[0] {
			s.loadLine(1, x+s.Dims[0]*z, free[s.node(x, 0, z):], s.Dims[0])
		}
	}
}

// loadLine counts the processors of a line whose places lie a stride apart.
func (s *segments) loadLine(d, line int, free []int32, stride int) {
	n, below := s.Dims[d], s.below[d][line*s.per[d]:][:s.per[d]]
	before, all := below[n:2*n+1], int32(0)
	for i := range n {
		before[i] = all
		all += free[i*stride]
	}
	before[n] = all
	if !s.Wrap[d] {
		for i := range n {
			below[i], below[2*n+1+i] = 0, all
		}
		return
	}
	for i := range n {
		below[i], below[2*n+1+i] = before[i]-all, before[i+1]+all
	}
}
