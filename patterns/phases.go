package patterns

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
)

// Phases is a Work that lists the messages of an iteration phase by phase. Their sizes are in
// bytes. The messages of a phase stand sender by sender, in order of rank.
type Phases [][]Transfer

// Transfer is a message of Phases.
type Transfer struct {
	// From and To are the sender and the receiver, two different processes.
	From, To Rank
	// Bytes is the length of the message, at least 0.
	Bytes int64
}

// ErrNoPhases is the error of a request for the phases of a graph of tasks.
var ErrNoPhases = errors.New("its processes run graphs of tasks, which have no phases")

// Messages implements Work.
func (p Phases) Messages() (n int64) {
	for _, phase := range p {
		n += int64(len(phase))
	}
	return n
}

// Program implements Work. Every process computes for ComputeCycles between two phases.
func (p Phases) Program(c Config, iterations int64) Program {
	c.Iterations = iterations
	return newPhaseProgram(p.pattern(c), c, 0)
}

// pattern returns the phases as a Pattern, with lengths in flits.
func (p Phases) pattern(c Config) Pattern {
	per, pad := int64(cmp.Or(c.FlitBytes, 8)), int64(cmp.Or(c.PadFlits, 1))
	scale := cmp.Or(c.Scale, 1)
	return phased{len(p), p.Messages(), func(dst []Message, k int) []Message {
		for _, t := range p[k] {
			dst = append(dst, Message{From: t.From, To: t.To, Flits: FlitsOf(t.Bytes, per, pad, scale)})
		}
		return dst
	}}
}

// workPhases returns the phases of Work as a Pattern, or ErrNoPhases.
func (c Config) workPhases(n int, shape []int, rng *rand.Rand) (Pattern, error) {
	w, err := c.Work(n, shape, rng)
	if err != nil {
		return nil, err
	}
	p, ok := w.(Phases)
	if !ok {
		return nil, fmt.Errorf("pattern %s: %w", c.Name, ErrNoPhases)
	}
	return p.pattern(c), nil
}
