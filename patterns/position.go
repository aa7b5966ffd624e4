package patterns

// Positioned is a Program that repeats itself and reports its position in an iteration.
type Positioned interface {
	Program
	// AppendPosition appends the position to dst. If a program has the same position and the same
	// messages under way at two times, it sends the same messages after both, except that its end
	// may be closer to one of them. AppendPosition reports false if the position is not known.
	AppendPosition(dst []int64) ([]int64, bool)
}

// positioned is a Phases that repeats itself.
type positioned interface {
	// position returns the number of the next phase. It reports false if that is not known.
	position() (int64, bool)
}

// AppendPosition implements Positioned.
func (b *barrier) AppendPosition(dst []int64) ([]int64, bool) {
	phase, ok := positionOf(b.phases)
	return append(dst, int64(b.pending), phase), ok
}

// positionOf returns the position of phases that are positioned.
func positionOf(p Phases) (int64, bool) {
	if k, ok := p.(positioned); ok {
		return k.position()
	}
	return 0, false
}

func (q *quota) position() (int64, bool) { return positionOf(q.phases) }

// position assumes that the pattern draws nothing: see Config.Draws.
func (i *iteration) position() (int64, bool) { return int64(i.k), true }
