package external

import (
	"contend/allocation"
	"contend/internal/input"
	"contend/router/topology"
)

// Allocator is an allocator that is a program. It is asked with the lines of contend allocate:
// which nodes are free, and the size and the shape of the request.
type Allocator struct {
	site  allocation.Site
	child child
	free  []topology.Node // scratch
}

// NewAllocator returns the allocator of a command. The program starts with the first request.
func NewAllocator(command string, s allocation.Site) (*Allocator, error) {
	c, err := ParseCommand(command)
	if err != nil {
		return nil, err
	}
	a := &Allocator{site: s, free: []topology.Node{}}
	a.child, err = newChild(c, s.Run, s.Machine.Nodes())
	return a, err
}

// Check implements allocation.Allocator. Requests that the program refuses on the empty machine end
// the run when they are the only job.
func (a *Allocator) Check(req allocation.Request) error { return req.Check(a.site.Machine.Nodes()) }

// Allocate implements allocation.Allocator. After a failure it refuses everything.
func (a *Allocator) Allocate(
	dst []topology.Node, free *allocation.FreeSet, req allocation.Request,
) ([]topology.Node, bool) {
	a.free = free.AppendTo(a.free[:0])
	answer, ok := a.child.ask(a.describe, encode(request{a.free, req.Size, req.Shape}))
	if !ok {
		return dst, false
	}
	dst, placed, err := readPlace(dst, answer, free, req.Size)
	if err = a.child.refuse(answer, err); err != nil {
		a.site.Run.Fail(err)
	}
	return dst, placed
}

func (a *Allocator) describe() []byte { return describe(&a.site, "") }

// request is the line of a request.
type request struct {
	Free  []topology.Node `json:"free"`
	Size  int             `json:"size"`
	Shape []int           `json:"shape,omitempty"`
}

// encode returns a line.
func encode(line any) []byte { return append(input.EncodeJSON(line), '\n') }
