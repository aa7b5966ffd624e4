package patterns

import "fmt"

// Operation is one step of a process. Send, Receive and Compute construct operations.
type Operation struct {
	kind   operationKind
	peer   Rank
	flits  int32
	tag    int32
	cycles int64
}

type operationKind uint8

const (
	sendOperation operationKind = iota + 1
	receiveOperation
	computeOperation
)

// Send sends a message to another process. It does not block.
func Send(to Rank, flits, tag int32) Operation {
	return Operation{kind: sendOperation, peer: to, flits: flits, tag: tag}
}

// Receive waits for the next message with this tag from another process.
func Receive(from Rank, tag int32) Operation {
	return Operation{kind: receiveOperation, peer: from, tag: tag}
}

// Compute keeps the process busy for the given cycles.
func Compute(cycles int64) Operation {
	return Operation{kind: computeOperation, cycles: cycles}
}

// String returns the operation as errors print it.
func (o Operation) String() string {
	switch o.kind {
	case sendOperation:
		return fmt.Sprintf("send %d flits to %d with tag %d", o.flits, o.peer, o.tag)
	case receiveOperation:
		return fmt.Sprintf("receive from %d with tag %d", o.peer, o.tag)
	case computeOperation:
		return fmt.Sprintf("compute %d cycles", o.cycles)
	}
	return "no operation"
}

// Script is the behaviour of each process of a job. It comes in parts, for example one
// for each time step, so that long programs need not be stored whole.
type Script interface {
	// Part appends the operations of part k of a process, with k from 0. It reports
	// false and leaves dst unchanged if there is no such part. Callers request parts in
	// order. A part never changes.
	Part(dst []Operation, r Rank, k int) ([]Operation, bool)
}

// Lists is a Script of one part for each process. Lists[r] is the list of operations of
// process r.
type Lists [][]Operation

// Part implements Script.
func (l Lists) Part(dst []Operation, r Rank, k int) ([]Operation, bool) {
	if k > 0 || int(r) >= len(l) {
		return dst, false
	}
	return append(dst, l[r]...), true
}

// ScriptFunc is a function that implements Script.
type ScriptFunc func(dst []Operation, r Rank, k int) ([]Operation, bool)

// Part implements Script.
func (f ScriptFunc) Part(dst []Operation, r Rank, k int) ([]Operation, bool) { return f(dst, r, k) }

// maxEmptyParts is the greatest number of consecutive parts without an operation. A
// script with more of them is assumed never to end.
const maxEmptyParts = 1 << 20

// reader reads the script of one process.
type reader struct {
	part []Operation
	pc   int // next operation in part
	k    int // number of the next part
}

// peek returns the current operation of the process. It reports false at the end.
func (r *reader) peek(s Script, rank Rank) (Operation, bool) {
	for empty := 0; r.pc == len(r.part); empty++ {
		if empty == maxEmptyParts {
			panic("patterns: too many parts of a script without an operation")
		}
		var ok bool
		r.part, ok = s.Part(r.part[:0], rank, r.k)
		r.pc = 0
		if !ok {
			r.part = r.part[:0]
			return Operation{}, false
		}
		r.k++
	}
	return r.part[r.pc], true
}

// skip moves to the operation after the one that peek returned.
func (r *reader) skip() { r.pc++ }

// Sends returns what a send sends, and to whom. It reports false for other operations.
func (o Operation) Sends() (to Rank, flits int32, ok bool) {
	return o.peer, o.flits, o.kind == sendOperation
}

// Receives returns from whom a receive receives. It reports false for other operations.
func (o Operation) Receives() (from Rank, ok bool) {
	return o.peer, o.kind == receiveOperation
}
