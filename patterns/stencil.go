package patterns

// NearNeighbour is the exchange of a stencil computation. Each process of a grid sends
// to its neighbours along every dimension; the boundaries are open. It has one phase. A
// process sends to the lower and then the higher neighbour along x, then along y, and
// so on. A grid of w x h has 2(w-1)h + 2w(h-1) messages.
func NearNeighbour(dims []int, flits int32) Pattern {
	return nearNeighbour{newGrid(dims, flits)}
}

type nearNeighbour struct{ grid }

func (p nearNeighbour) Phases() int                          { return 1 }
func (p nearNeighbour) Messages() int64                      { return p.exchanges(1) }
func (p nearNeighbour) Phase(dst []Message, k int) []Message { return p.exchange(dst, 1) }
