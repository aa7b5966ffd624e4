package patterns

import "fmt"

// mg is NAS MG, a multigrid V-cycle on a periodic cube of points that a 3-D torus of
// processes divides. On each level a process exchanges the faces of its box with its
// neighbours, axis after axis. On levels with fewer points than processes along an
// axis, only every second, fourth, ... process along it has points. On the way back to
// finer levels these processes send points to the processes between them. A process
// computes before the exchange of a level.
type mg struct {
	traffic
	grid  [3]Rank // number of processes along each axis
	cycle []mgStep
}

// mgStep is an exchange on a level whose cube has side points along each axis.
type mgStep struct {
	side   int64
	expand bool // from the processes with points on the next coarser level to the others
}

// newMG makes MG.
func newMG(t traffic) (Code, error) {
	side := ofClass(&t, mgSides[:])
	if err := t.checkPower(side * side * side); err != nil {
		return nil, err
	}
	m := mg{traffic: t}
	logs := log2(t.n)
	x := logs / 3
	y := (logs - x) / 2
	m.grid = [3]Rank{1 << x, 1 << y, 1 << (logs - x - y)}
	for s := side / 2; s >= 2; s /= 2 { // down: restrict to each coarser level
		m.cycle = append(m.cycle, mgStep{side: s})
	}
	m.cycle = append(m.cycle, mgStep{side: 2}) // smooth on the coarsest
	for s := int64(4); s <= side; s *= 2 {     // up: interpolate, residual, smooth
		m.cycle = append(m.cycle, mgStep{side: s, expand: true}, mgStep{side: s}, mgStep{side: s})
	}
	m.cycle = append(m.cycle, mgStep{side: side}) // the residual
	return m, nil
}

func (m mg) Parts() int { return len(m.cycle) }

func (m mg) Messages() int64 {
	sum := int64(0)
	for _, s := range m.cycle {
		active, axes := int64(1), int64(0)
		for _, p := range m.grid {
			active *= min(int64(p), s.side)
			if p > 1 {
				axes++
			}
			if s.expand && int64(p) >= s.side {
				sum += s.side * int64(m.n/p) // two from every second process that has points
			}
		}
		if !s.expand {
			sum += 2 * active * axes
		}
	}
	return sum
}

// steps counts the exchanges of levels. On every level some process has points.
func (m mg) steps() int64 {
	count := int64(0)
	for _, s := range m.cycle {
		if !s.expand {
			count++
		}
	}
	return count
}

func (m mg) Part(dst []Operation, r Rank, k int) []Operation {
	at := [3]Rank{r % m.grid[0], r / m.grid[0] % m.grid[1], r / m.grid[0] / m.grid[1]}
	step := m.cycle[k]
	box := m.box(at, step.side)
	if step.expand {
		return m.expand(dst, r, at, box, step.side)
	}
	if box[0] == 0 || box[1] == 0 || box[2] == 0 {
		return dst
	}
	dst = m.compute(dst)
	for axis := range 3 {
		lower, upper := m.neighbours(r, at, axis, step.side)
		if lower == r {
			continue // alone on the axis
		}
		bytes := 8 * face(box, axis)
		dst = m.send(dst, upper, bytes)
		dst = m.send(dst, lower, bytes)
		dst = m.receive(dst, upper)
		dst = m.receive(dst, lower)
	}
	return dst
}

// box returns the number of points of a process along each axis of a cube of the given
// side. It is 0 if the process has none.
func (m mg) box(at [3]Rank, side int64) (box [3]int64) {
	for a := range box {
		p, c := int64(m.grid[a]), int64(at[a])
		box[a] = (c+1)*side/p - c*side/p
	}
	return box
}

// face returns the number of points that an exchange along an axis sends. It includes
// the boundary points received along earlier axes.
func face(box [3]int64, axis int) int64 {
	switch axis {
	case 0:
		return box[1] * box[2]
	case 1:
		return (box[0] + 2) * box[2]
	}
	return (box[0] + 2) * (box[1] + 2)
}

// neighbours returns the next lower and upper process along an axis that has points of
// a cube of the given side.
func (m mg) neighbours(r Rank, at [3]Rank, axis int, side int64) (lower, upper Rank) {
	p := m.grid[axis]
	stride := Rank(max(1, int64(p)/side))
	unit := Rank(1)
	for a := range axis {
		unit *= m.grid[a]
	}
	c := at[axis]
	return r + ((c-stride+p)%p-c)*unit, r + ((c+stride)%p-c)*unit
}

// expand appends the messages after an interpolation to a cube of the given side. Along
// each axis on which the coarser level left out every second process, such a process
// gets a face from both sides: one layer from below, two from above.
func (m mg) expand(dst []Operation, r Rank, at [3]Rank, box [3]int64, side int64) []Operation {
	below := m.box(at, side/2)
	for axis := range 3 {
		if int64(m.grid[axis]) < side || box[axis] == 0 {
			continue
		}
		lower, upper := m.neighbours(r, at, axis, side)
		if below[axis] == 0 {
			dst = m.receive(dst, upper)
			dst = m.receive(dst, lower)
			continue
		}
		a, b := (axis+1)%3, (axis+2)%3
		layer := 8 * (box[a] + 2) * (box[b] + 2)
		dst = m.send(dst, upper, 2*layer)
		dst = m.send(dst, lower, layer)
	}
	return dst
}

// lu is NAS LU, symmetric successive over-relaxation on a cube of points. A grid of processes as
// square as possible divides the cube along x and y, with process r at (r mod width, r / width). A
// sweep takes the planes one after the other, as a wavefront from the north-west corner of the grid
// to the south-east corner. A second sweep goes back. A process waits for the boundaries of two
// neighbours and sends its own boundary to the other two. After the sweeps neighbours exchange two
// layers of points. A process computes in every plane before it sends.
//
// North and south are the neighbours along x, west and east those along y.
type lu struct {
	traffic
	side          int64 // of the cube, in points
	width, height Rank
}

// newLU makes LU.
func newLU(t traffic) (Code, error) {
	side := ofClass(&t, luSides[:])
	fits := func(n int) bool {
		if int64(n) > side/3*(side/3) {
			return false
		}
		w, h := NearSquare(n)
		return w <= 2*h && int64(w) <= side/3
	}
	if err := t.checkSize("a grid no longer than twice its width, with 3 points of the cube along "+
		"each side of a process", fits); err != nil {
		return nil, err
	}
	w, h := NearSquare(int(t.n))
	return lu{t, side, Rank(w), Rank(h)}, nil
}

// planes returns the number of planes that a sweep takes.
func (l lu) planes() int { return int(l.side) - 2 }

func (l lu) Parts() int { return 2*l.planes() + 1 }

func (l lu) Messages() int64 {
	w, h := int64(l.width), int64(l.height)
	return 2 * (int64(l.planes()) + 1) * ((w-1)*h + w*(h-1))
}

func (l lu) steps() int64 { return 2 * int64(l.planes()) }

func (l lu) Part(dst []Operation, r Rank, k int) []Operation {
	x := luAxis{l.traffic, r, r % l.width, l.width, 1}
	y := luAxis{l.traffic, r, r / l.width, l.height, l.width}
	if k == 2*l.planes() {
		dst = x.exchangeLayers(dst, 80*l.side*share(l.side, l.height, y.at))
		return y.exchangeLayers(dst, 80*l.side*share(l.side, l.width, x.at))
	}
	forth := k < l.planes()
	dst = x.receiveUpstream(dst, forth)
	dst = y.receiveUpstream(dst, forth)
	dst = l.compute(dst)
	dst = x.sendDownstream(dst, forth, 40*interior(l.side, l.height, y.at))
	return y.sendDownstream(dst, forth, 40*interior(l.side, l.width, x.at))
}

// luAxis is an axis of the grid as process r sees it.
type luAxis struct {
	traffic
	r          Rank
	at, extent Rank // coordinate of r, and number of processes
	unit       Rank // difference of the ranks of neighbours
}

// receiveUpstream appends the receive from the neighbour upstream of a sweep, if there is one.
func (a *luAxis) receiveUpstream(dst []Operation, forth bool) []Operation {
	switch {
	case forth && a.at > 0:
		return a.receive(dst, a.r-a.unit)
	case !forth && a.at < a.extent-1:
		return a.receive(dst, a.r+a.unit)
	}
	return dst
}

// sendDownstream appends the message to the neighbour downstream of a sweep, if there is one.
func (a *luAxis) sendDownstream(dst []Operation, forth bool, bytes int64) []Operation {
	switch {
	case forth && a.at < a.extent-1:
		return a.send(dst, a.r+a.unit, bytes)
	case !forth && a.at > 0:
		return a.send(dst, a.r-a.unit, bytes)
	}
	return dst
}

// exchangeLayers appends the exchange of layers of points with both neighbours, first up and then
// down.
func (a *luAxis) exchangeLayers(dst []Operation, bytes int64) []Operation {
	for _, forth := range []bool{true, false} {
		dst = a.receiveUpstream(a.sendDownstream(dst, forth, bytes), forth)
	}
	return dst
}

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
