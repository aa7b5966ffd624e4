package patterns

// Event is an event that a program waits for: its start, the end of a computation, a message that
// enters the network, or a received message. The driver of the program defines its content.
type Event any

// Trace records the event that each message and computation of a program waited for last. The
// methods have no effect on nil, the Trace of a program that is not traced.
type Trace struct {
	// Now is the event that the program handles. The driver sets it before each call of Start,
	// Delivered and Sent, and the program sets it before it handles the end of a computation. When
	// the program is done, Now is its last event.
	Now Event
	// Released has the event that each message waited for last, in the order in which a call of the
	// program appends messages. It is empty if that is Now for all of them.
	Released []Event
	// Compute returns the event of the end, in a cycle, of a computation that waited for Now last.
	Compute func(end int64) Event
}

// Traced is a Program that knows which event each of its messages waited for last. The messages of
// other programs are taken to wait for the event of the call that returns them.
type Traced interface {
	Program
	// Trace makes the program keep a trace. It is called before Start.
	Trace(t *Trace)
}

// Handled returns Now, or nil without a trace.
func (t *Trace) Handled() Event {
	if t == nil {
		return nil
	}
	return t.Now
}

// Handle sets Now.
func (t *Trace) Handle(e Event) {
	if t != nil {
		t.Now = e
	}
}

// Release records the event that the next message of a call waited for last.
func (t *Trace) Release(e Event) {
	if t != nil {
		t.Released = append(t.Released, e)
	}
}

// Computes returns the event of the end of a computation that begins now.
func (t *Trace) Computes(end int64) Event {
	if t == nil {
		return nil
	}
	return t.Compute(end)
}
