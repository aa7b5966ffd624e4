package router

import "contend/netsim/topology"

// Footprint finds the links that packets between two nodes may use: all that Possible
// lists, in every state that the header may be in. It is for one goroutine at a time.
type Footprint struct {
	wiring *Wiring
	x      Routing
	branch Branching // nil: a header is in one state
	// seen[c] is the last pair for which channel c was reached with a header without
	// state; states are the other headers of the current pair.
	seen     []int64
	pair     int64
	states   map[footprintState]bool
	queue    []step
	out      []Channel
	branches []Header
	now      Header // routings get a pointer to it
}

// footprintState is a channel reached by a header whose routing keeps a state.
type footprintState struct {
	c     Channel
	phase uint8
	via   topology.Router
}

// NewFootprint returns a Footprint of the packets that routing x sends over the channels
// of w.
func NewFootprint(w *Wiring, x Routing) *Footprint {
	f := &Footprint{wiring: w, x: x, seen: make([]int64, w.Channels()),
		states: map[footprintState]bool{}}
	f.branch, _ = x.(Branching)
	return f
}

// Links calls use with the links that packets from one node to another may use, those
// from and to the nodes included. It may name a link several times.
func (f *Footprint) Links(from, to topology.Node, use func(Link)) {
	f.pair++
	clear(f.states)
	ports := Channel(f.wiring.InjectionPorts * f.wiring.NodeVirtualChannels)
	for i := range ports {
		f.now = Header{Source: from, Destination: to}
		f.reach(f.wiring.Injection(from)+i, use)
	}
	for len(f.queue) > 0 {
		at := f.queue[len(f.queue)-1]
		f.queue = f.queue[:len(f.queue)-1]
		if f.branch == nil {
			f.take(at.c, at.h, use)
			continue
		}
		r := topology.Router(f.wiring.ends[at.c])
		f.branches = f.branch.Branches(f.branches[:0], r, at.c, at.h)
		for _, h := range f.branches {
			f.take(at.c, h, use)
		}
	}
}

// take reaches the channels that a header may take next.
func (f *Footprint) take(c Channel, h Header, use func(Link)) {
	f.now = h
	f.out = f.x.Possible(f.out[:0], topology.Router(f.wiring.ends[c]), c, &f.now)
	for _, d := range f.out {
		f.reach(d, use)
	}
}

// reach notes that a packet may use channel c with the header of now, and has it followed
// unless it was reached so before.
func (f *Footprint) reach(c Channel, use func(Link)) {
	h := &f.now
	if h.Phase == 0 && h.Via == 0 {
		if f.seen[c] == f.pair {
			return
		}
		f.seen[c] = f.pair
	} else {
		s := footprintState{c, h.Phase, h.Via}
		if f.states[s] {
			return
		}
		f.states[s] = true
	}
	use(f.wiring.link[c])
	if f.wiring.ends[c] >= 0 {
		f.queue = append(f.queue, step{c, none, *h})
	}
}
