package external

import (
	"context"
	"fmt"
	"sync"

	"contend/internal/lifetime"
	"contend/patterns"
	"contend/patterns/tasks"
)

// Question is the line to a program that is a pattern: what do the processes of a job send?
type Question struct {
	// Processes is their number, at least 1.
	Processes int `json:"processes"`
	// Shape is the submesh that the job requests, x first, or nil.
	Shape []int `json:"shape,omitempty"`
	// FlitBytes is the number of bytes in a flit, PacketFlits the largest number of flits in a packet.
	FlitBytes   int `json:"flit_bytes"`
	PacketFlits int `json:"packet_flits"`
}

// Traffic is one iteration of a job: phases or, if Tasks is not nil, a graph of tasks.
type Traffic struct {
	Phases patterns.Phases
	Tasks  *tasks.Graph
	// refused is why the program has no answer for this number of processes, or "".
	refused string
}

// maxTrafficBytes bounds the answer of a pattern.
const maxTrafficBytes = 64 << 20

// Pattern is a pattern that is a program. Several goroutines may use it at the same time.
type Pattern struct {
	command  string
	maxBytes int // of an answer, maxTrafficBytes except in tests

	mu      sync.Mutex
	life    *lifetime.Run // of the program; nil while there is none
	program runProgram
}

// NewPattern returns the pattern of a command. The program starts with the first question.
func NewPattern(command string) *Pattern {
	return &Pattern{command: command, maxBytes: maxTrafficBytes}
}

// Ask returns the answer of the program to a question. It is a *patterns.SizeError if the program
// refuses the number of processes. After another error the program ends, and the next question
// starts it again.
func (p *Pattern) Ask(q Question) (t Traffic, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.life == nil {
		life := lifetime.New(context.Background())
		if p.program, err = newProgram(p.command, life, p.maxBytes); err != nil {
			return t, err
		}
		p.life = life
	}
	p.program.ask(nil, q, func(answer []byte) (err error) {
		t, err = q.readTraffic(answer)
		return err
	})
	if err = p.life.Err(); err != nil {
		p.end()
	} else if t.refused != "" {
		err = patterns.NewSizeError(fmt.Sprintf("%s refuses processes = %d: %s",
			p.program.command.Line(), q.Processes, t.refused))
	}
	return t, err
}

// End ends the program.
func (p *Pattern) End() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.end()
}

// end is End for a caller that holds the lock.
func (p *Pattern) end() {
	if p.life != nil {
		p.life.End()
		p.life = nil
	}
}
