package patterns

// NearNeighbour is the exchange of a stencil computation: each process of a
// grid sends to its neighbours along every dimension, the boundaries open. One
// phase; a process sends to the lower, then the higher neighbour along x, then
// along y, ...; a grid of w x h has 2(w-1)h + 2w(h-1) messages.
func NearNeighbour(dims []int, flits int32) Pattern {
	return nearNeighbour{newGrid(dims, flits)}
}

type nearNeighbour struct{ grid }

func (p nearNeighbour) Phases() int                          { return 1 }
func (p nearNeighbour) Messages() int64                      { return p.exchanges(1) }
func (p nearNeighbour) Phase(dst []Message, k int) []Message { return p.exchange(dst, 1) }
