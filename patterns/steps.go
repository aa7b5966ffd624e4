package patterns

import "cmp"

// Steps are the work of a job of N processes that do one step after the other, together. In a step
// each process computes for Cycles and, at the same time, sends Bytes to each other one: process i
// first to i+1. A step ends when all have computed and all messages have arrived, as a parallel
// task of SimGrid does, which ends when all of its amounts are used up.
type Steps struct {
	N    int
	List []Step
}

// Step is one of Steps. Without Bytes its processes only compute.
type Step struct{ Cycles, Bytes int64 }

// Messages implements Work.
func (s *Steps) Messages() (sum int64) {
	for _, k := range s.List {
		if k.Bytes > 0 {
			sum += int64(s.N) * int64(s.N-1)
		}
	}
	return sum
}

// Program implements Work.
func (s *Steps) Program(c Config, iterations int64) Program {
	return &stepProgram{Steps: s, flitBytes: int64(cmp.Or(c.FlitBytes, 8)),
		pad: int64(cmp.Or(c.PadFlits, 1)), scale: cmp.Or(c.Scale, 1),
		left: iterations * int64(len(s.List))}
}

// stepProgram is one run of Steps.
type stepProgram struct {
	*Steps
	flitBytes, pad int64
	scale          float64

	left   int64 // steps that have not ended
	moving int   // messages of the step that have not arrived
	now    int64
	until  int64 // the end of its computation
}

// At implements Timed.
func (p *stepProgram) At(cycle int64) { p.now = cycle }

// Start implements Program.
func (p *stepProgram) Start(dst []Message) []Message { return p.begin(dst) }

// Delivered implements Program.
func (p *stepProgram) Delivered(dst []Message, _ Message) []Message {
	p.moving--
	return p.Wake(dst)
}

// Wake implements Waking.
func (p *stepProgram) Wake(dst []Message) []Message {
	if p.left > 0 && p.moving == 0 && p.now >= p.until {
		p.left--
		return p.begin(dst)
	}
	return dst
}

// begin begins the next step that takes time, and appends its messages.
func (p *stepProgram) begin(dst []Message) []Message {
	for n := int64(len(p.List)); p.left > 0; p.left-- {
		k := p.List[(n-p.left%n)%n]
		p.until = p.now + k.Cycles
		if k.Bytes > 0 {
			flits, first := FlitsOf(k.Bytes, p.flitBytes, p.pad, p.scale), len(dst)
			for from := range Rank(p.N) {
				for d := Rank(1); d < Rank(p.N); d++ {
					dst = append(dst, Message{From: from, To: (from + d) % Rank(p.N), Flits: flits})
				}
			}
			p.moving = len(dst) - first
		}
		if p.moving > 0 || k.Cycles > 0 {
			break
		}
	}
	return dst
}

// Next implements Waking.
func (p *stepProgram) Next() (int64, error) {
	if p.left > 0 && p.until > p.now {
		return p.until, nil
	}
	return Never, nil
}

// Sent implements Waking.
func (p *stepProgram) Sent(Message) {}

// Done implements Program.
func (p *stepProgram) Done() bool { return p.left == 0 }
