package patterns

// Event is what a program waits for: its start, the end of a computation, a message that enters the
// network, a message that it has received. What is in one is up to the driver of the program.
type Event any

// Trace is how a driver and a program share what waited for what. The methods have no effect on a
// nil Trace: that of a program which is not traced.
type Trace struct {
	// Now is the event that the program handles. The driver sets it before each call of Start,
	// Delivered and Sent, and the program before it handles the end of a computation. When the
	// program is done, Now is the event that was met last.
	Now Event
	// Released has, for each message that a call of the program appends, the event that the message
	// waited for last. It is empty where that is Now for all of them.
	Released []Event
	// Compute returns the end, in a cycle, of a computation that waited for Now last.
	Compute func(end int64) Event
}

// Traced is a Program that knows which event each of its messages waited for last. The messages of
// other programs are taken to wait for the event of the call that returns them.
type Traced interface {
	Program
	// Trace has the program keep a trace. It is called before Start.
	Trace(t *Trace)
}

// Handled returns Now.
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

// Release notes the event that the next message of a call waited for last.
func (t *Trace) Release(e Event) {
	if t != nil {
		t.Released = append(t.Released, e)
	}
}

// Computes returns the end of a computation that begins now.
func (t *Trace) Computes(end int64) Event {
	if t == nil {
		return nil
	}
	return t.Compute(end)
}
