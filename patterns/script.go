package patterns

// Operation is one step of a process. Send, Receive and Compute construct operations.
type Operation struct {
	kind   operationKind
	peer   Rank  // of a send or receive
	flits  int32 // of a send
	tag    int32 // of a send or receive
	cycles int64 // of a computation
}

// operationKind is what an operation does.
type operationKind uint8

// The kinds of operations.
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

// Script is the behaviour of each process of a job. It comes in parts, for example one
// for each time step, so that long programs need not be stored whole.
//
// A Script appends the operations of part k of process r, with k from 0. It reports
// false and leaves dst unchanged if there is no such part. Callers request parts in
// order. A part never changes.
type Script func(dst []Operation, r Rank, k int) ([]Operation, bool)

// Lists are the operations of each process. Lists.Part is a Script of one part for each process.
type Lists [][]Operation

// Part returns the operations of process r as part 0.
func (l Lists) Part(dst []Operation, r Rank, k int) ([]Operation, bool) {
	if k > 0 {
		return dst, false
	}
	return append(dst, l[r]...), true
}

// reader reads the script of one process.
type reader struct {
	part []Operation
	next int // index of the current operation in part
	k    int // number of the part after it
}

// peek returns the current operation of the process. It reports false at the end.
func (r *reader) peek(s Script, rank Rank) (Operation, bool) {
	for r.next == len(r.part) {
		var ok bool
		r.part, ok = s(r.part[:0], rank, r.k)
		r.next = 0
		if !ok {
			r.part = r.part[:0]
			return Operation{}, false
		}
		r.k++
	}
	return r.part[r.next], true
}

// skip moves to the operation after the one that peek returned.
func (r *reader) skip() { r.next++ }

// Sends returns receiver and length of a send. It reports false for other operations.
func (o Operation) Sends() (to Rank, flits int32, ok bool) {
	return o.peer, o.flits, o.kind == sendOperation
}

// Receives returns the sender of a receive. It reports false for other operations.
func (o Operation) Receives() (from Rank, ok bool) {
	return o.peer, o.kind == receiveOperation
}

// Computes returns the cycles of a computation. It reports false for other operations.
func (o Operation) Computes() (cycles int64, ok bool) {
	return o.cycles, o.kind == computeOperation
}

// Tag returns the tag of a send or a receive.
func (o Operation) Tag() int32 { return o.tag }
