package patterns

import (
	"fmt"
	"strings"
)

// Verified is a script that is known to end. Verify returns one. It can run any number
// of times.
type Verified struct {
	n        int
	script   Script
	messages int64
}

// Messages returns the number of messages of a run.
func (v Verified) Messages() int64 { return v.messages }

// Program returns a new run.
func (v Verified) Program() *Processes { return newProcesses(v.n, v.script) }

// Verify executes a script without a network, where each message arrives at once. It
// returns an error if an operation is invalid, if processes wait for each other in a
// cycle, or if a message is received but never sent, or sent but never received.
//
// One execution suffices. The processes send without blocking and receive from a named
// process, so the behaviour of each does not depend on the order in which messages of
// different routes arrive (Kahn, IFIP 1974). If one execution ends, all end, with the
// same messages.
func Verify(n int, s Script) (Verified, error) {
	if n < 1 || n > MaxProcesses {
		return Verified{}, fmt.Errorf("a script for %d processes: a job has 1 to %d", n, MaxProcesses)
	}
	if l, ok := s.(Lists); ok && len(l) != n {
		return Verified{}, fmt.Errorf("%d lists of operations for %d processes", len(l), n)
	}
	c := &checked{script: s, n: Rank(n)}
	p := newProcesses(n, c)
	_ = Rehearse(p, func(Message) {}) // p does nothing by itself
	if c.err != nil {
		return Verified{}, c.err
	}
	if err := p.stuck(); err != nil {
		return Verified{}, err
	}
	if err := p.unreceived(); err != nil {
		return Verified{}, err
	}
	return Verified{n, s, p.sent}, nil
}

// checked is a Script that ends a process at an invalid operation and keeps the first
// such error.
type checked struct {
	script Script
	n      Rank
	err    error
}

// Part implements Script.
func (c *checked) Part(dst []Operation, r Rank, k int) ([]Operation, bool) {
	start := len(dst)
	dst, ok := c.script.Part(dst, r, k)
	for i, o := range dst[start:] {
		if wrong := c.wrong(r, o); wrong != "" {
			if c.err == nil {
				c.err = fmt.Errorf("process %d, part %d, operation %d (%v): %s", r, k, i, o, wrong)
			}
			return dst[:start], false
		}
	}
	return dst, ok
}

// wrong returns what is wrong with an operation, or "".
func (c *checked) wrong(r Rank, o Operation) string {
	switch o.kind {
	case sendOperation, receiveOperation:
		switch {
		case o.peer < 0 || o.peer >= c.n:
			return fmt.Sprintf("there are processes 0 to %d", c.n-1)
		case o.peer == r:
			return "a process exchanges no messages with itself"
		case o.kind == sendOperation && o.flits < 1:
			return "a message has at least one flit"
		}
	case computeOperation:
		if o.cycles < 0 {
			return "a computation takes at least 0 cycles"
		}
	default:
		return "use Send, Receive or Compute"
	}
	return ""
}

// stuck returns an error if a process waits although no message is under way. It
// follows the processes from the first one that waits to the one it waits for. The
// chain ends at a process that has finished, or in a cycle.
func (p *Processes) stuck() error {
	r := Rank(0)
	for ; int(r) < len(p.waits) && p.waits[r] == finished; r++ {
	}
	if int(r) == len(p.waits) {
		return nil
	}
	seen := map[Rank]int{} // position in chain
	var chain []Rank
	for {
		seen[r] = len(chain)
		chain = append(chain, r)
		c := p.channels[p.waits[r]]
		if p.waits[c.from] == finished {
			return fmt.Errorf("process %d waits for a message with tag %d from process %d, which has "+
				"finished and never sends it", r, c.tag, c.from)
		}
		if start, again := seen[c.from]; again {
			return p.cycle(chain[start:])
		}
		r = c.from
	}
}

// cycle returns the error for processes that wait for each other in a cycle. It names
// no more than a few.
func (p *Processes) cycle(chain []Rank) error {
	const named = 8
	var b strings.Builder
	for i, r := range chain {
		if i == named {
			fmt.Fprintf(&b, "; and %d more", len(chain)-named)
			break
		}
		if i > 0 {
			b.WriteString("; ")
		}
		c := p.channels[p.waits[r]]
		fmt.Fprintf(&b, "%d for tag %d from %d", r, c.tag, c.from)
	}
	return fmt.Errorf("deadlock: %d processes wait for each other in a cycle: %s", len(chain),
		b.String())
}

// unreceived returns an error if a message is left that no process has received.
func (p *Processes) unreceived() error {
	for _, c := range p.channels {
		if c.waiting > 0 {
			return fmt.Errorf("process %d never receives %d of the messages with tag %d from process %d",
				c.to, c.waiting, c.tag, c.from)
		}
	}
	return nil
}
