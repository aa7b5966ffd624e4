package external

import (
	"contend/allocation"
	"contend/router/topology"
)

// Allocator is an allocator that is a program, which answers the requests "machine" and "free" of
// contend network.
type Allocator struct {
	site    allocation.Site
	program runProgram
	free    []topology.Node // scratch
}

// NewAllocator returns the allocator of a command. The program starts with the first request.
func NewAllocator(command string, s allocation.Site) (*Allocator, error) {
	c, err := newChild(command, s)
	return &Allocator{site: s, program: c, free: []topology.Node{}}, err
}

// Check implements allocation.Allocator by the size alone. A request that the program refuses on
// the empty machine ends the run when it is the only job.
func (a *Allocator) Check(req allocation.Request) error { return req.Check(a.site.Machine.Nodes()) }

// Allocate implements allocation.Allocator. After a failure it refuses everything.
func (a *Allocator) Allocate(
	dst []topology.Node, free *allocation.FreeSet, req allocation.Request,
) (nodes []topology.Node, placed bool) {
	a.free = free.AppendTo(a.free[:0])
	nodes = dst
	line := allocatorLine{a.free, req.Size, req.Shape}
	a.program.ask(a.firstLine, line, func(answer []byte) (err error) {
		nodes, placed, err = readPlacement(dst, answer, free, req.Size)
		return err
	})
	return nodes, placed
}

// firstLine describes the machine.
func (a *Allocator) firstLine() firstLine { return firstLine{Machine: describeMachine(&a.site)} }

// allocatorLine is the line of a request for nodes.
type allocatorLine struct {
	Free  []topology.Node `json:"free"`
	Size  int             `json:"size"`
	Shape []int           `json:"shape,omitempty"`
}

// Placement is the answer to a request for nodes.
type Placement struct {
	Nodes    []topology.Node    `json:"nodes,omitempty"`
	Reserved []topology.Node    `json:"reserved,omitempty"`
	Measures map[string]float64 `json:"measures,omitempty"`
	Refused  string             `json:"refused,omitempty"`
}
