package external

import (
	"strconv"

	"contend/allocation"
	"contend/netsim/topology"
)

// Allocator is an allocator that is a program. It is asked with the lines of contend allocate:
// which nodes are free, and the size and the shape of the request.
type Allocator struct {
	site  allocation.Site
	child child
	line  []byte
}

// NewAllocator returns the allocator of a command. The program starts with the first request.
func NewAllocator(command string, s allocation.Site) (*Allocator, error) {
	c, err := ParseCommand(command)
	if err != nil {
		return nil, err
	}
	a := &Allocator{site: s}
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
	a.line = appendRequest(a.line[:0], free, req)
	answer, ok := a.child.ask(a.describe, a.line)
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

// appendRequest appends the line of a request.
func appendRequest(line []byte, free *allocation.FreeSet, req allocation.Request) []byte {
	line = append(line, `{"free":[`...)
	first := len(line)
	for n, ok := free.Next(0); ok; n, ok = free.Next(n + 1) {
		line = append(strconv.AppendInt(line, int64(n), 10), ',')
	}
	line = closeList(line, first)
	line = strconv.AppendInt(append(line, `,"size":`...), int64(req.Size), 10)
	return append(appendShape(line, req.Shape), "}\n"...)
}

// appendShape appends the key shape where there is one.
func appendShape(line []byte, shape []int) []byte {
	if shape == nil {
		return line
	}
	line = append(line, `,"shape":[`...)
	first := len(line)
	for _, side := range shape {
		line = append(strconv.AppendInt(line, int64(side), 10), ',')
	}
	return closeList(line, first)
}

// closeList puts a bracket in place of the comma behind the last entry of a list that begins at
// first.
func closeList(line []byte, first int) []byte {
	if len(line) > first {
		line = line[:len(line)-1]
	}
	return append(line, ']')
}
