package patterns

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
