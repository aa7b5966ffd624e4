package patterns

// lu is NAS LU, symmetric successive over-relaxation on a cube of points. A grid of
// processes as square as possible divides the cube along x and y, with process r at (r
// mod width, r / width). A sweep takes the planes one after the other, as a wavefront
// from the north-west corner of the grid to the south-east corner. A second sweep goes
// back. A process waits for the boundary from its two neighbours and sends its own on.
// After the sweeps neighbours exchange two layers of points. A process computes in
// every plane before it sends.
//
// North and south are the neighbours along x, west and east those along y.
type lu struct {
	traffic
	side          int64
	width, height Rank
}

func newLU(t traffic) (Code, error) {
	side := ofClass(&t, luSides[:])
	fits := func(n int) bool {
		if int64(n) > side/3*(side/3) {
			return false
		}
		w, h := NearSquare(n)
		return w <= 2*h && int64(w) <= side/3
	}
	if err := t.fit("a grid no longer than twice its width, with 3 points of the cube along each "+
		"side of a process", fits); err != nil {
		return nil, err
	}
	w, h := NearSquare(int(t.n))
	return lu{t, side, Rank(w), Rank(h)}, nil
}

func (l lu) planes() int { return int(l.side) - 2 }
func (l lu) Parts() int  { return 2*l.planes() + 1 }

func (l lu) Messages() int64 {
	w, h := int64(l.width), int64(l.height)
	return 2 * (int64(l.planes()) + 1) * ((w-1)*h + w*(h-1))
}

func (l lu) Part(dst []Operation, r Rank, k int) []Operation {
	x, y := r%l.width, r/l.width
	if k == 2*l.planes() {
		dst = l.swap(dst, r, x, l.width, 1, 80*l.side*l.points(y, l.height))
		return l.swap(dst, r, y, l.height, l.width, 80*l.side*l.points(x, l.width))
	}
	forth := k < l.planes()
	alongX, alongY := 40*l.interior(y, l.height), 40*l.interior(x, l.width)
	dst = l.await(dst, r, x, l.width, 1, forth)
	dst = l.await(dst, r, y, l.height, l.width, forth)
	dst = l.compute(dst)
	dst = l.hand(dst, r, x, l.width, 1, forth, alongX)
	return l.hand(dst, r, y, l.height, l.width, forth, alongY)
}

// points returns the number of points along a side of the process at coordinate c of
// extent.
func (l lu) points(c, extent Rank) int64 { return share(l.side, extent, c) }

// interior is points without those on the boundary of the cube.
func (l lu) interior(c, extent Rank) int64 { return interior(l.side, extent, c) }

// await appends a wait for the neighbour upstream of a sweep, if there is one.
func (l lu) await(dst []Operation, r, c, extent, unit Rank, forth bool) []Operation {
	switch {
	case forth && c > 0:
		return l.receive(dst, r-unit)
	case !forth && c < extent-1:
		return l.receive(dst, r+unit)
	}
	return dst
}

// hand appends the message to the neighbour downstream of a sweep, if there is one.
func (l lu) hand(dst []Operation, r, c, extent, unit Rank, forth bool, bytes int64) []Operation {
	switch {
	case forth && c < extent-1:
		return l.send(dst, r+unit, bytes)
	case !forth && c > 0:
		return l.send(dst, r-unit, bytes)
	}
	return dst
}

// swap appends the exchange of layers along an axis, first up and then down.
func (l lu) swap(dst []Operation, r, c, extent, unit Rank, bytes int64) []Operation {
	dst = l.hand(dst, r, c, extent, unit, true, bytes)
	dst = l.await(dst, r, c, extent, unit, true)
	dst = l.hand(dst, r, c, extent, unit, false, bytes)
	return l.await(dst, r, c, extent, unit, false)
}
