package patterns

import "math/rand/v2"

// Pattern is one iteration of a communication. Callers can request its phases in order,
// again and again. A random pattern draws anew at each request of phase 0 and serves
// one iterator at a time.
//
// The messages of a phase are listed sender by sender, in order of rank. The messages
// of a sender are listed in the order in which it sends them. The constructor of the
// pattern defines that order.
type Pattern interface {
	// Phases returns the number of phases of an iteration.
	Phases() int
	// Phase appends the messages of phase k, 0 to Phases()-1.
	Phase(dst []Message, k int) []Message
	// Messages returns the number of messages of an iteration, the same for all
	// iterations. It is 0 if no process has a partner, as in a job of one process.
	Messages() int64
}

// Forever makes Iterate repeat a pattern without end.
const Forever = -1

// Iterate repeats a pattern the given number of times, or for ever, one phase after the
// other. A pattern without messages has no phases.
func Iterate(p Pattern, times int64) Phases {
	if times < Forever {
		panic("patterns: iterated a negative number of times")
	}
	if p.Messages() == 0 {
		times = 0
	}
	return &iteration{pattern: p, left: times}
}

// iteration is a Pattern in progress. Phase k is next, and left counts the remaining
// iterations including the current one.
type iteration struct {
	pattern Pattern
	k       int
	left    int64
}

// Next implements Phases.
func (i *iteration) Next(dst []Message) ([]Message, bool) {
	if i.left == 0 {
		return dst, false
	}
	dst = i.pattern.Phase(dst, i.k)
	if i.k++; i.k == i.pattern.Phases() {
		i.k = 0
		i.left-- // Forever is negative and only moves away from 0
	}
	return dst, true
}

// group holds what every pattern knows: the number of processes and the length of their
// messages.
type group struct {
	n     Rank
	flits int32
}

// newGroup panics if the arguments of a constructor are out of range.
func newGroup(n int, flits int32) group {
	if n < 1 || n > MaxProcesses {
		panic("patterns: a job has 1 to MaxProcesses processes")
	}
	if flits < 1 {
		panic("patterns: a message has at least one flit")
	}
	return group{Rank(n), flits}
}

// MaxProcesses is the greatest number of processes of a job.
const MaxProcesses = 1 << 24

// send appends a message of the group's length.
func (g group) send(dst []Message, from, to Rank) []Message {
	return append(dst, Message{From: from, To: to, Flits: g.flits})
}

// shift returns the rank d places, 0 to n, after r round the ring.
func (g group) shift(r, d Rank) Rank {
	if r >= g.n-d {
		return r + d - g.n
	}
	return r + d
}

// others returns n-1 as a number of messages.
func (g group) others() int64 { return int64(g.n) - 1 }

// draw returns a random rank. All ranks are equally likely.
func (g group) draw(rng *rand.Rand) Rank { return Rank(rng.Int32N(int32(g.n))) }
