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
	ready  int64 // cycle from which the header at the head of the FIFO may ask, or asks
	freeAt int64 // cycle from which the channel may be granted again, if not held
	since  int64 // cycle of the last grant
	left   int64 // closed form: cycle the last packet's tail left the FIFO in
	holder int32 // input channel whose packet holds this one, source or none
	packet int32 // at the head of the FIFO, or none
	want   int32 // the first channel its header may take
	next   int32 // next in the list of routed or waiting headers this one is in
	first  int32 // of the list of headers that wait for this channel and no other, or none
	job    int32 // of the last packet that has left the channel
	router int32 // the channel ends at, or none
	state  uint8 // of the packet at the head of the FIFO
	marks  uint8 // see toNode and those after it
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
func (k *vcState) sink() bool { return k.marks&toNode != 0 }

// channel is what the moving of flits knows of a virtual channel. Half a cache line, which the
// closed form does without.
type channel struct {
	holder int32 // as in vcState, but always source where the channel comes from a node
	out    int32 // channel the packet at the head of the FIFO holds, or none
	packet int32 // that packet, or none; of a node source
	last   int32 // the packet that came last, of those in the FIFO: see entered
	// flits of packet that have not been sent on; less than 0 until its header is, then their
	// negative
	left    int32
	behind  int32 // narrowSwitch: the slot of the channel whose packet holds this one, or a spare one
	head    int16 // FIFO ring: index of the oldest flit, where times are kept
	count   int16 // flits in it
	keeps   uint8 // 1, or 0 where the channel ends at a node, where no flits are kept
	many    uint8 // virtual channels of the physical channel
	turn    uint8 // in the first of them: the one that sent last
	injects bool  // comes from a node
}

// mostPlaces is how many places a FIFO has at most.
const mostPlaces = 1<<15 - 1

// line is what the virtual channels of a physical one that leaves a router share. Where a cycle is
// all that flits and credits take, nothing needs to be known of it.
type line struct {
	free int64 // cycle from which it may carry the next flit
	next int64 // earliest cycle it is to be looked at
}

// sink reports whether the channel ends at a node, which always accepts.
func (c *channel) sink() bool { return c.keeps == 0 }

// load is what the virtual channels of a physical one were used for.
type load struct {
	flits int64 // carried
	held  int64 // cycles they were held, summed
}
