package patterns

import "fmt"

// lines is NAS BT and SP, an implicit scheme that solves for all lines of a cube of
// points along x, then y, then z, in each iteration. The q x q processes have q cells
// each, the diagonal multipartition (Naik, 1993): every slab of cells across any axis
// contains one cell of each process. So all processes work in each of the q stages of a
// solve. Each one works on its cell of a slab and sends the result to the process with
// the next cell, first forward and then back. Before the solves all neighbours exchange
// two layers of points of all their cells. A process computes its cell in every stage
// before it sends.
type lines struct {
	traffic
	side int64 // of the cube, in points
	q    Rank  // processes and cells along an axis
	// perCell returns the bytes that a cell sends.
	perCell func(l *lines, cell [3]Rank, axis int, forth bool) int64
}

// newBT makes BT.
func newBT(t traffic) (Code, error) {
	return newLines(t, (*lines).blockBytes, btSides[:])
}

// newSP makes SP.
func newSP(t traffic) (Code, error) {
	return newLines(t, (*lines).scalarBytes, spSides[:])
}

// newLines makes a code with the given message sizes and sides of the cube by class.
func newLines(t traffic, perCell func(*lines, [3]Rank, int, bool) int64,
	sides []int64) (Code, error) {
	side := ofClass(&t, sides)
	fits := func(n int) bool {
		if int64(n) > side/3*(side/3) {
			return false
		}
		w, h := NearSquare(n)
		return w == h
	}
	if err := t.checkSize(fmt.Sprintf("a square, at most %d", side/3*(side/3)), fits); err != nil {
		return nil, err
	}
	q, _ := NearSquare(int(t.n))
	return &lines{t, side, Rank(q), perCell}, nil
}

// blockBytes is the message size of BT. The forward message has a block of 5x5 and a
// vector of 5 for every point of the largest face; the backward message has a vector.
// Both have room for one more point along each side.
func (l *lines) blockBytes(_ [3]Rank, _ int, forth bool) int64 {
	m := l.side/int64(l.q) + 1
	if forth {
		return 240 * m * m
	}
	return 40 * m * m
}

// scalarBytes is the message size of SP: 22 numbers for every point of the cell's face
// off the boundary of the cube, and 10 on the way back.
func (l *lines) scalarBytes(cell [3]Rank, axis int, forth bool) int64 {
	points := interior(l.side, l.q, cell[(axis+1)%3]) * interior(l.side, l.q, cell[(axis+2)%3])
	if forth {
		return 176 * points
	}
	return 80 * points
}

func (l *lines) Parts() int { return 1 + 3*2*int(l.q) }

func (l *lines) Messages() int64 {
	if l.q == 1 {
		return 0
	}
	return int64(l.n) * (6 + 3*2*int64(l.q-1))
}

func (l *lines) steps() int64 { return 3 * 2 * int64(l.q) }

func (l *lines) Part(dst []Operation, r Rank, k int) []Operation {
	if k == 0 {
		return l.exchangeFaces(dst, r)
	}
	axis, stage := (k-1)/int(2*l.q), Rank((k-1)%int(2*l.q))
	before, after := l.next(r, axis, -1), l.next(r, axis, 1)
	forth := stage < l.q
	slab := stage
	if !forth {
		slab = 2*l.q - 1 - stage
		before, after, stage = after, before, stage-l.q
	}
	if stage > 0 {
		dst = l.receive(dst, before)
	}
	dst = l.compute(dst)
	if stage < l.q-1 {
		dst = l.send(dst, after, l.perCell(l, l.cell(r, axis, slab), axis, forth))
	}
	return dst
}

// cell returns the coordinates of process r's cell in a slab across an axis. Process r
// = i + q·j has the cells (i+z+1, j-z-1, z), all modulo q.
func (l *lines) cell(r Rank, axis int, slab Rank) [3]Rank {
	q, i, j := l.q, r%l.q, r/l.q
	z := slab
	switch axis {
	case 0:
		z = (slab - i - 1 + 2*q) % q
	case 1:
		z = (j - slab - 1 + 2*q) % q
	}
	return [3]Rank{(i + z + 1) % q, (j - z - 1 + 2*q) % q, z}
}

// next returns the process whose cells are one place further along an axis (by = 1) or
// one place back (by = -1).
func (l *lines) next(r Rank, axis int, by Rank) Rank {
	i, j := r%l.q, r/l.q
	switch axis {
	case 0:
		i += by
	case 1:
		j += by
	default:
		i, j = i-by, j+by
	}
	return (i+l.q)%l.q + l.q*((j+l.q)%l.q)
}

// interior returns the i-th share of the points along the side of a cube without those on its
// boundary.
func interior(side int64, parts, i Rank) int64 {
	n := share(side, parts, i)
	if i == 0 {
		n--
	}
	if i == parts-1 {
		n--
	}
	return n
}

// exchangeFaces appends the simultaneous exchange with all six neighbours: two layers of five
// numbers per point, of all cells that have a neighbour there.
func (l *lines) exchangeFaces(dst []Operation, r Rank) []Operation {
	if l.q == 1 {
		return dst
	}
	for axis := range 3 {
		for _, by := range []Rank{1, -1} {
			points := int64(0)
			for slab := range l.q {
				if by == 1 && slab == l.q-1 || by == -1 && slab == 0 {
					continue
				}
				cell := l.cell(r, axis, slab)
				points += share(l.side, l.q, cell[(axis+1)%3]) * share(l.side, l.q, cell[(axis+2)%3])
			}
			dst = l.send(dst, l.next(r, axis, by), 80*points)
		}
	}
	for axis := range 3 {
		dst = l.receive(dst, l.next(r, axis, 1))
		dst = l.receive(dst, l.next(r, axis, -1))
	}
	return dst
}
