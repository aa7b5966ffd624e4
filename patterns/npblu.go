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
