package router

// The state of virtual channels, in flat arrays by channel.

// none marks the absence of a packet, channel or queue entry.
const none = -1

// source is the holder of an injection channel in use.
const source = -2

// never is later than any cycle.
const never = int64(1) << 62

// The states of a virtual channel, which are those of the packet at the head of its
// buffer.
const (
	idle      = iota // there is none
	routing          // its header is being routed
	waitingVC        // its header waits for a virtual channel
	active           // it holds a virtual channel
	arriving         // store and forward: routed, the tail is not here yet
)

// vcState is what the allocation of channels knows of one: who holds it, and the
// header at the head of the FIFO at its far end. All of it changes once a packet,
// and it is all the closed form looks at. Sixty-four bytes, one cache line.
type vcState struct {
	ready        int64 // cycle from which the header at the head of the FIFO may ask, or asks
	freeAt       int64 // cycle from which the channel may be granted again, if not held
	since        int64 // cycle of the last grant
	tailLeft     int64 // closed form: cycle the last packet's tail left the FIFO in
	holder       int32 // input channel whose packet holds this one, source or none
	packet       int32 // at the head of the FIFO, or none
	outputVC     int32 // the first channel its header may take
	next         int32 // next in the list of routed or waiting headers this one is in
	firstWaiting int32 // of the list of headers that wait for this channel and no other, or none
	job          int32 // of the last packet that has left the channel
	router       int32 // the channel ends at, or none
	state        uint8 // of the packet at the head of the FIFO
	flags        uint8 // see toNode and those after it
}

// The marks of a virtual channel. Without any, and without headers that wait for it, nothing
// follows when it gets free or when the FIFO at its far end does.
const (
	toNode   = 1 << iota // ends at a node, which always accepts
	fromNode             // comes from a node
	late                 // closed form: the packet that holds it waits for the place of its header
	choice               // headers that want it may want others too, and wait elsewhere
)

// sink reports whether the channel ends at a node, which always accepts.
func (k *vcState) sink() bool { return k.flags&toNode != 0 }

// load is what the virtual channels of a physical one were used for.
type load struct {
	flits int64 // carried
	held  int64 // cycles they were held, summed
}
