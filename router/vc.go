package router

// none marks the absence of a packet, channel or queue entry.
const none = -1

// source is the holder of an injection VC in use.
const source = -2

// never is later than any cycle.
const never = int64(1) << 62

// The states of a VC: those of the packet at the front of its FIFO.
const (
	idle      = iota // there is no packet
	routing          // its route is being computed
	waitingVC        // its head waits for an output VC
	active           // it holds an output VC
	arriving         // store and forward: its route is due when its tail has arrived
)

// vcState is the state of a VC in route computation and VC allocation: who holds it, and the head
// at the front of its FIFO. It changes once a packet, and the closed form needs no more. One cache
// line.
type vcState struct {
	ready        int64 // cycle from which the head requests an output VC
	freeAt       int64 // cycle from which the VC may be granted again, if not held
	since        int64 // cycle of the last grant of the VC
	tailLeft     int64 // closed form: cycle in which the last packet's tail left the FIFO
	holder       int32 // input VC whose packet holds this one, source or none
	packet       int32 // packet at the front of the FIFO, or none
	outputVC     int32 // the first VC that the head may take; if active the one it holds
	next         int32 // next in the list of routed or waiting heads that this one is in
	firstWaiting int32 // of the list of heads that wait for this VC and no other, or none
	job          int32 // job of the last packet that has released the VC
	router       int32 // router at which the VC ends, or none
	state        uint8 // of the packet at the front of the FIFO
	flags        uint8 // see toNode and those after it
}

// The flags of a VC. If no flag is set and no head waits for it, nothing is due when the VC is
// released or its FIFO becomes empty.
const (
	toNode   = 1 << iota // the VC ends at a node, which always accepts
	fromNode             // the VC comes from a node
	late                 // closed form: the packet that holds the VC waits for a place for its head
	choice               // heads that request the VC wait in requests
)

// sink reports whether the VC ends at a node.
func (k *vcState) sink() bool { return k.flags&toNode != 0 }

// load is the use of a link's VCs since the start or ResetUsage.
type load struct {
	flits int64 // flits carried
	held  int64 // cycles held, summed over the VCs
}
