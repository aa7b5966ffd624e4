package patterns

import "math/rand/v2"

// Pattern is one iteration of a communication, as phases that can be asked
// for in order, again and again. One that draws at random draws anew each
// time its phase 0 is asked for, and is for one iterator at a time.
//
// Within a phase messages are listed sender by sender, senders in the order of
// their ranks, and those of a sender in the order in which it sends them. What
// that second order is, the function that makes the pattern says.
type Pattern interface {
	// Phases returns the number of phases of an iteration.
	Phases() int
	// Phase appends the messages of phase k, 0 to Phases()-1.
	Phase(dst []Message, k int) []Message
	// Messages returns how many messages an iteration has: always as many. It
	// is 0 where a process has no partner, as in a job of one process.
	Messages() int64
}

// Forever lets Iterate repeat a pattern without end.
const Forever = -1

// Iterate repeats a pattern the given number of times, or for ever, one phase
// after the other. A pattern without messages has no phases, however often.
func Iterate(p Pattern, times int64) Phases {
	if times < Forever {
		panic("patterns: iterated a negative number of times")
	}
	if p.Messages() == 0 {
		times = 0
	}
	return &iteration{pattern: p, left: times}
}

// iteration is a Pattern under way: phase k is next, and left iterations, that
// one included, are still to be done.
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
		i.left-- // Forever, which is negative, only gets further away from 0
	}
	return dst, true
}

// group is what every pattern knows: how many processes there are and how long
// their messages are.
type group struct {
	n     Rank
	flits int32
}

// newGroup checks what the caller of a constructor has to see to.
func newGroup(n int, flits int32) group {
	if n < 1 || n > MaxProcesses {
		panic("patterns: a job has 1 to MaxProcesses processes")
	}
	if flits < 1 {
		panic("patterns: a message has at least one flit")
	}
	return group{Rank(n), flits}
}

// MaxProcesses bounds the number of processes of a job.
const MaxProcesses = 1 << 24

// send appends a message of the group's length.
func (g group) send(dst []Message, from, to Rank) []Message {
	return append(dst, Message{From: from, To: to, Flits: g.flits})
}

// shift returns the rank d places, 0 to n, round the ring from r.
func (g group) shift(r, d Rank) Rank {
	if r >= g.n-d {
		return r + d - g.n
	}
	return r + d
}

// others returns n-1 as a count of messages.
func (g group) others() int64 { return int64(g.n) - 1 }

// draw returns a rank, each equally likely.
func (g group) draw(rng *rand.Rand) Rank { return Rank(rng.Int32N(int32(g.n))) }
