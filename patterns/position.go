package patterns

// Positioned is a Program that repeats itself and tells where in an iteration it is.
type Positioned interface {
	Program
	// AppendPosition appends numbers to dst. Where they are the same at two moments, and the same
	// messages are under way, the program goes on in the same way from both, but that it may end
	// earlier from one of them. It reports false if it cannot tell.
	AppendPosition(dst []int64) ([]int64, bool)
}

// positioned is a Phases that repeats itself and tells which phase is the next.
type positioned interface {
	// position reports false if it cannot tell.
	position() (int64, bool)
}

// AppendPosition implements Positioned.
func (b *barrier) AppendPosition(dst []int64) ([]int64, bool) {
	phase, ok := positionOf(b.phases)
	return append(dst, int64(b.pending), phase), ok
}

// positionOf returns the position of phases that tell it.
func positionOf(p Phases) (int64, bool) {
	if k, ok := p.(positioned); ok {
		return k.position()
	}
	return 0, false
}

func (q *quota) position() (int64, bool) { return positionOf(q.phases) }

// position counts on the pattern, which draws nothing unless it says so: see Config.Draws.
func (i *iteration) position() (int64, bool) { return int64(i.k), true }
