package patterns

// Rendezvous returns a program whose messages of at least so many flits go by the rendezvous
// protocol, as in MPI libraries (Rashti and Afsahi, Improving Communication Progress and Overlap in
// MPI Rendezvous Protocol over RDMA-enabled Interconnects, HPCS 2008): the sender sends a request,
// the receiver answers that it is clear to send when the receive is posted, and then the message
// follows. Other messages go eagerly, without asking. Requests and answers are messages of control
// flits, so the driver charges their software latency too.
//
// A program that is Meeting says when receives are posted. Of others the answer goes back at once,
// for their processes do not say what they wait for before it arrives.
func Rendezvous(p Program, flits, control int32) Program {
	r := &rendezvous{Program: p, least: flits, control: control}
	r.timed, _ = p.(Timed)
	r.waking, _ = p.(Waking)
	r.meeting, _ = p.(Meeting)
	return r
}

type rendezvous struct {
	Program
	timed   Timed // the program, if it is one, as below
	waking  Waking
	meeting Meeting

	least, control int32
	held           []Message // by number: messages whose numbers are in tags
	free           []int32
	own            []Message // scratch: messages of the program
}

// The kinds of messages of which the tag is not the program's. Such tags are below 0.
const (
	requestKind = iota // for a message
	clearKind          // to send it
	longKind           // the message itself
	eagerKind          // an eager message with a tag below 0
	kindsOfTags
)

// tagOf returns the tag of a held message; kindOf is its inverse.
func tagOf(number int32, kind int) int32 { return -1 - (number*kindsOfTags + int32(kind)) }

func kindOf(tag int32) (number int32, kind int) {
	return (-1 - tag) / kindsOfTags, int(-1-tag) % kindsOfTags
}

// At implements Timed.
func (r *rendezvous) At(cycle int64) {
	if r.timed != nil {
		r.timed.At(cycle)
	}
}

// Start implements Program.
func (r *rendezvous) Start(dst []Message) []Message {
	return r.pass(dst, r.Program.Start(r.own[:0]))
}

// Delivered implements Program.
func (r *rendezvous) Delivered(dst []Message, m Message) []Message {
	if m.Tag >= 0 {
		return r.pass(dst, r.Program.Delivered(r.own[:0], m))
	}
	i, kind := kindOf(m.Tag)
	held := r.held[i]
	switch {
	case kind == requestKind && r.meeting == nil:
		return r.answer(dst, i)
	case kind == requestKind:
		r.meeting.Requested(held, i)
		return r.cleared(dst)
	case kind == clearKind:
		held.Tag, held.Delay = tagOf(i, longKind), 0
		return append(dst, held)
	}
	r.free = append(r.free, i)
	held.Delay = 0
	return r.pass(dst, r.Program.Delivered(r.own[:0], held))
}

// pass appends the messages of the program, or requests for them, and answers to requests.
func (r *rendezvous) pass(dst, own []Message) []Message {
	for _, m := range own {
		switch {
		case m.Flits >= r.least && m.From != m.To:
			m.Tag, m.Flits = tagOf(r.hold(m), requestKind), r.control
		case m.Tag < 0:
			m.Tag = tagOf(r.hold(m), eagerKind)
		}
		dst = append(dst, m)
	}
	r.own = own[:0]
	return r.cleared(dst)
}

// hold keeps a message and returns its number.
func (r *rendezvous) hold(m Message) int32 {
	if n := len(r.free); n > 0 {
		i := r.free[n-1]
		r.free, r.held[i] = r.free[:n-1], m
		return i
	}
	r.held = append(r.held, m)
	return int32(len(r.held) - 1)
}

// cleared appends the answers to requests for which receives have been posted.
func (r *rendezvous) cleared(dst []Message) []Message {
	for r.meeting != nil {
		i, ok := r.meeting.Cleared()
		if !ok {
			break
		}
		dst = r.answer(dst, i)
	}
	return dst
}

// answer appends the answer to the request for a held message.
func (r *rendezvous) answer(dst []Message, i int32) []Message {
	m := &r.held[i]
	return append(dst, Message{From: m.To, To: m.From, Flits: r.control, Tag: tagOf(i, clearKind)})
}

// Next implements Waking.
func (r *rendezvous) Next() (int64, error) {
	if r.waking == nil {
		return Never, nil
	}
	return r.waking.Next()
}

// Wake implements Waking.
func (r *rendezvous) Wake(dst []Message) []Message {
	return r.pass(dst, r.waking.Wake(r.own[:0]))
}

// Sent implements Waking.
func (r *rendezvous) Sent(m Message) {
	if r.waking == nil {
		return
	}
	if m.Tag >= 0 {
		r.waking.Sent(m)
		return
	}
	switch i, kind := kindOf(m.Tag); kind {
	case requestKind:
		r.meeting.Announced(r.held[i])
	case longKind, eagerKind:
		r.waking.Sent(r.held[i])
	}
}
