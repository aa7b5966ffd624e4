package patterns

import (
	"cmp"
	"math"
)

// Code is one iteration of a communication in which every process waits only for its
// own messages and never for a barrier. It comes in parts, so that long iterations need
// not be stored whole. All processes have the same number of parts. A part may be
// empty.
//
// A process has one thread or more. Part k belongs to thread k mod Threads(). Each thread runs its
// own parts in order and waits for its own messages alone, as the channels of NCCL do, which are
// thread blocks of a GPU.
//
// Messages between two processes have the number of the receiving thread as their tag, so those of
// a thread are received in the order in which they were sent. No process sends to itself: messages
// of a benchmark from a process to itself are left out, because they do not enter the network.
type Code interface {
	// Threads returns the number of threads of a process, at least 1.
	Threads() int
	// Parts returns the number of parts of an iteration, at least 0, a multiple of Threads().
	Parts() int
	// Part appends the operations of process r in part k, from 0 to Parts()-1.
	Part(dst []Operation, r Rank, k int) []Operation
	// Messages returns the number of messages of an iteration, the same for all
	// iterations.
	Messages() int64
}

// Independent is a Code whose threads do not wait for each other between iterations, as processes
// that share a node. A thread without operations takes no part.
type Independent interface {
	Code
	Independent()
}

// Redrawn is a Code that differs from iteration to iteration, in everything but the numbers of its
// threads, parts and messages. Part is that of the first iteration.
type Redrawn interface {
	Code
	PartOf(dst []Operation, r Rank, iteration int64, k int) []Operation
}

// coded is a Code made of its counts and a function.
type coded struct {
	threads  int // 0 means 1
	parts    int
	messages int64
	part     func(dst []Operation, r Rank, k int) []Operation
}

func (c coded) Threads() int                                    { return max(1, c.threads) }
func (c coded) Parts() int                                      { return c.parts }
func (c coded) Messages() int64                                 { return c.messages }
func (c coded) Part(dst []Operation, r Rank, k int) []Operation { return c.part(dst, r, k) }

// onePart returns a code of a single part.
func onePart(messages int64, part func(dst []Operation, r Rank) []Operation) Code {
	return coded{1, 1, messages,
		func(dst []Operation, r Rank, _ int) []Operation { return part(dst, r) }}
}

// partOf appends the operations of process r in part k of an iteration of a code.
func partOf(c Code, dst []Operation, r Rank, iteration int64, k int) []Operation {
	if d, ok := c.(Redrawn); ok {
		return d.PartOf(dst, r, iteration, k)
	}
	return c.Part(dst, r, k)
}

// isIdle reports whether a thread of a code has no operations.
func isIdle(c Code, r Rank, thread int) bool {
	for k := thread; k < c.Parts(); k += c.Threads() {
		if len(c.Part(nil, r, k)) > 0 {
			return false
		}
	}
	return true
}

// repeatCode returns a script that runs a code the given number of times. A process begins
// its next iteration as soon as all its threads, or an independent thread, have finished the
// previous one and computed for pause cycles. The script is that of the threads that newThreads
// numbers.
func repeatCode(c Code, times, pause int64) Script {
	threads := c.Threads()
	parts := int64(c.Parts() / threads) // of a thread
	_, independent := c.(Independent)
	return func(dst []Operation, v Rank, k int) ([]Operation, bool) {
		r, thread := v/Rank(threads), int(v)%threads
		iteration, part := int64(k)/parts, int(int64(k)%parts)
		if iteration >= times || independent && k == 0 && isIdle(c, r, thread) {
			return dst, false
		}
		if part == 0 && k > 0 {
			if threads > 1 && !independent {
				dst = append(dst, Operation{kind: joinOperation})
			}
			if pause > 0 {
				dst = append(dst, Compute(pause))
			}
		}
		return partOf(c, dst, r, iteration, part*threads+thread), true
	}
}

// traffic has the parameters that all codes share: the number of processes, the conversion of bytes
// to flits, and the computation in every step.
type traffic struct {
	n             Rank
	name, class   string
	bytes         int64 // length of the vector of a collective
	flitBytes     int64
	pad           int64 // message lengths in flits are multiples of it
	scale         float64
	computeCycles int64
	busy          int64 // of a process before each message
	Collective
}

// Threads is the number of threads of a process in most codes.
func (t traffic) Threads() int { return 1 }

// traffic checks the configuration and fills in the defaults.
func (c Config) traffic(n int) (traffic, error) {
	t := traffic{
		n: Rank(n), name: c.Name, class: cmp.Or(c.Class, "A"), computeCycles: c.ComputeCycles,
		bytes: cmp.Or(c.Bytes, defaultBytes), flitBytes: int64(cmp.Or(c.FlitBytes, 8)),
		pad: int64(cmp.Or(c.PadFlits, 1)), scale: cmp.Or(c.Scale, 1), Collective: c.Collective,
	}
	t.Slices = max(1, t.Slices)
	return t, c.check(n)
}

// flits returns the length of a message of the given bytes.
func (t *traffic) flits(bytes int64) int32 {
	return FlitsOf(bytes, t.flitBytes, t.pad, t.scale)
}

// FlitsOf returns the length in flits of a message: its bytes, scaled and rounded up, in flits of
// flitBytes, rounded up to a multiple of pad. An empty message has one flit before padding.
func FlitsOf(bytes, flitBytes, pad int64, scale float64) int32 {
	if scale < 1 {
		bytes = int64(math.Ceil(float64(bytes) * scale))
	}
	flits := max(1, bytes/flitBytes+min(1, bytes%flitBytes))
	return int32(min((flits+pad-1)/pad, math.MaxInt32/pad) * pad)
}

// send appends a message of the given bytes.
func (t *traffic) send(dst []Operation, to Rank, bytes int64) []Operation {
	if t.busy > 0 {
		dst = append(dst, Compute(t.busy))
	}
	return append(dst, Send(to, t.flits(bytes), 0))
}

// receive appends a wait for the next message from a process.
func (t *traffic) receive(dst []Operation, from Rank) []Operation {
	return append(dst, Receive(from, 0))
}

// exchange appends a message to peer and a wait for one from it, unless peer is the
// process itself.
func (t *traffic) exchange(dst []Operation, me, peer Rank, bytes int64) []Operation {
	if me == peer {
		return dst
	}
	return t.receive(t.send(dst, peer, bytes), peer)
}

// compute appends the computation of a step, if there is one.
func (t *traffic) compute(dst []Operation) []Operation {
	if t.computeCycles == 0 {
		return dst
	}
	return append(dst, Compute(t.computeCycles))
}

// doubling appends the exchanges of a recursive doubling among a power of two of
// processes. Each exchange carries all the bytes.
func (t *traffic) doubling(dst []Operation, me Rank, bytes int64) []Operation {
	for d := Rank(1); d < t.n; d *= 2 {
		dst = t.exchange(dst, me, me^d, bytes)
	}
	return dst
}

// reduce appends a reduction to process 0 along a binomial tree. The process with the
// lowest bit set sends to the process without it.
func (t *traffic) reduce(dst []Operation, me Rank, bytes int64) []Operation {
	for bit := Rank(1); bit < t.n; bit *= 2 {
		if me&bit != 0 {
			return t.send(dst, me-bit, bytes)
		}
		if me+bit < t.n {
			dst = t.add(dst, me+bit)
		}
	}
	return dst
}

// broadcast appends a broadcast from process 0 along a binomial tree.
func (t *traffic) broadcast(dst []Operation, me Rank, bytes int64) []Operation {
	bit := Rank(1)
	for ; bit < t.n; bit *= 2 {
		if me&bit != 0 {
			dst = t.receive(dst, me-bit)
			break
		}
	}
	for bit /= 2; bit > 0; bit /= 2 {
		if me+bit < t.n {
			dst = t.send(dst, me+bit, bytes)
		}
	}
	return dst
}
