package allocation

// segments counts the free nodes of stretches of a row or column in constant time with
// running counts. The layout holds dimensions that wrap twice, so that a stretch across
// the ends is contiguous.
type segments struct {
	*lattice
	per [2]int // entries of a row and of a column
	// below[0] holds, row by row, the number of free nodes before each entry; below[1]
	// column by column
	below [2][]int32
}

func newSegments(l *lattice) segments {
	s := segments{lattice: l}
	for d := range s.per {
		s.per[d] = l.dims[d] + 1
		if l.wrap[d] {
			s.per[d] += l.dims[d]
		}
		s.below[d] = make([]int32, l.nodes()/l.dims[d]*s.per[d])
	}
	return s
}

func (s *segments) load(free *FreeSet) {
	for z := range s.dims[2] {
		for y := range s.dims[1] {
			row := s.row(y, z)
			for i := range row[1:] {
				row[i+1] = row[i] + s.one(free, i%s.dims[0], y, z)
			}
		}
		for x := range s.dims[0] {
			column := s.column(x, z)
			for i := range column[1:] {
				column[i+1] = column[i] + s.one(free, x, i%s.dims[1], z)
			}
		}
	}
}

func (s *segments) one(free *FreeSet, x, y, z int) int32 {
	n := s.node(x, y, z)
	return int32(free.words[n>>6] >> (n & 63) & 1)
}

func (s *segments) row(y, z int) []int32 {
	at := (y + s.dims[1]*z) * s.per[0]
	return s.below[0][at : at+s.per[0]]
}

func (s *segments) column(x, z int) []int32 {
	at := (x + s.dims[0]*z) * s.per[1]
	return s.below[1][at : at+s.per[1]]
}
