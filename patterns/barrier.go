package patterns

// maxEmptyPhases is the greatest number of consecutive phases without a message. A
// communication with more of them is assumed never to send again.
const maxEmptyPhases = 1 << 20

// Barrier turns phases into a program. All processes wait until every message of a
// phase has arrived, and then the next phase begins (Lo et al., CIS-TR-94-11, App. A).
// Every process computes for computeCycles, at least 0, between two phases; App. A has
// no computation. In a phase without messages all processes only compute.
func Barrier(p Phases, computeCycles int64) Program {
	if computeCycles < 0 {
		panic("patterns: a computation takes at least 0 cycles")
	}
	return &barrier{phases: p, computeCycles: computeCycles}
}

type barrier struct {
	phases        Phases
	computeCycles int64
	pending       int // number of messages under way in the current phase
	started, done bool
}

// Start implements Program.
func (b *barrier) Start(dst []Message) []Message {
	if b.started {
		panic("patterns: a program started twice")
	}
	b.started = true
	return b.next(dst, 0)
}

// Delivered implements Program.
func (b *barrier) Delivered(dst []Message, m Message) []Message {
	if b.pending == 0 {
		panic("patterns: a message arrived that was not under way")
	}
	if b.pending--; b.pending > 0 {
		return dst
	}
	return b.next(dst, b.computeCycles)
}

// Done implements Program.
func (b *barrier) Done() bool { return b.done }

// next appends the next phase that has messages. The messages are created after the
// given delay and the computations of the empty phases before them.
func (b *barrier) next(dst []Message, delay int64) []Message {
	start := len(dst)
	for range maxEmptyPhases {
		var ok bool
		if dst, ok = b.phases.Next(dst); !ok {
			b.done = true
			return dst
		}
		if b.pending = len(dst) - start; b.pending > 0 {
			for i := start; i < len(dst) && delay > 0; i++ {
				dst[i].Delay += delay
			}
			return dst
		}
		delay += b.computeCycles
	}
	panic("patterns: too many phases without a message")
}
