package router

import (
	"fmt"

	"contend/netsim/topology"
)

// UpPort says which port up a packet takes on its way to a common ancestor in
// a tree; down there is one way only.
type UpPort uint8

// The ways to choose among the ports up. The first three take one port, so a
// packet that finds its channel taken waits for it; adaptive takes what is free.
const (
	// ByDestination is d-mod-k: the digit of the destination that belongs to
	// the level. All packets to a node come down the same way, so those to
	// different nodes part early (Zahavi 2010, "D-Mod-K routing providing
	// non-blocking traffic for shift permutations on real life fat trees").
	ByDestination UpPort = iota
	// BySource is s-mod-k: that digit of the source.
	BySource
	// Drawn is a port drawn uniformly for each packet and router.
	Drawn
	// Adaptive is any port up that is free: that of d-mod-k first, then the
	// others in turn.
	Adaptive
)

// UpDown routes on a Tree: up until the destination is below, then down to it.
// Every path is a shortest one. A channel up is followed by channels of higher
// levels and by channels down, one down by lower ones only, so there is no
// cycle of channels with any number of virtual channels, all of which are
// candidates.
type UpDown struct {
	wiring  *Wiring
	choice  UpPort
	seed    uint64
	arity   int32
	virtual Channel
	ports   int
	places  []treePlace
	first   []Channel // first channel that leaves router r by port p, at r·ports+p
	most    int       // ports up of the router that has most
}

// treePlace is what a router knows of where it is.
type treePlace struct {
	from, span int32 // the nodes below
	step       int32 // nodes below each port down
	up         int32 // ports up
	digit      int32 // the routers of the level above the same nodes
	// the same for only
	perStep, perUp, perDigit divisor
}

// NewUpDown returns up/down routing over the channels of w, which must be those
// of a Tree. Only the port drawn depends on the seed.
func NewUpDown(w *Wiring, choice UpPort, seed uint64) (*UpDown, error) {
	t, ok := w.Topology.(*topology.Tree)
	if !ok {
		return nil, fmt.Errorf("up/down routing needs a tree")
	}
	x := &UpDown{wiring: w, choice: choice, seed: seed, arity: int32(t.Arity()),
		virtual: Channel(w.VirtualChannels), ports: w.ports}
	x.first = w.out
	for r := range topology.Router(t.Routers()) {
		level, subtree, _ := t.Place(r)
		span := t.Span(level)
		x.places = append(x.places, treePlace{from: int32(subtree * span), span: int32(span),
			step: int32(span / t.Arity()),
			up:   int32(t.UpPorts(level)), digit: int32(t.Width(level)),
			perStep: newDivisor(int32(span / t.Arity())), perDigit: newDivisor(int32(t.Width(level))),
			perUp: newDivisor(max(1, int32(t.UpPorts(level))))})
		x.most = max(x.most, t.UpPorts(level))
	}
	return x, nil
}

// Traits implements Described.
func (x *UpDown) Traits() Traits {
	t := Traits{Choices: int(x.virtual), OneLink: x.choice != Adaptive, Oblivious: true,
		NoEscape: true, Stateless: true}
	if x.choice == Adaptive {
		t.Choices *= max(1, x.most)
	}
	t.Choices = max(t.Choices, x.wiring.NodeVirtualChannels)
	return t
}

// Route implements Routing.
func (x *UpDown) Route(dst []Channel, r topology.Router, _ Channel, h *Header, _ View) []Channel {
	at := &x.places[r]
	if below := int32(h.Destination) - at.from; uint32(below) < uint32(at.span) {
		return x.down(dst, r, at, below, h.Destination)
	}
	switch x.choice {
	case BySource:
		return x.up(dst, r, int32(h.Source)/at.digit%at.up, 1)
	case Drawn:
		return x.up(dst, r, draw(x.seed, h.Packet, int64(r), at.up), 1)
	case Adaptive:
		return x.up(dst, r, int32(h.Destination)/at.digit%at.up, at.up)
	}
	return x.up(dst, r, int32(h.Destination)/at.digit%at.up, 1)
}

// Possible implements Routing: where the port is drawn, any port up.
func (x *UpDown) Possible(dst []Channel, r topology.Router, in Channel, h *Header) []Channel {
	at := &x.places[r]
	if below := int32(h.Destination) - at.from; x.choice != Drawn || uint32(below) < uint32(at.span) {
		return x.Route(dst, r, in, h, nil)
	}
	return x.up(dst, r, 0, at.up)
}

// Escape implements Routing: there are no escape channels.
func (x *UpDown) Escape(dst []Channel, r topology.Router, in Channel, h *Header) []Channel {
	return x.Possible(dst, r, in, h)
}

// SourceGroup implements Grouping: s-mod-k looks at the digits of the source
// from this level up, and only on the way up.
func (x *UpDown) SourceGroup(r topology.Router, _ Channel, h *Header) int32 {
	at := &x.places[r]
	if below := int32(h.Destination) - at.from; x.choice != BySource ||
		uint32(below) < uint32(at.span) {
		return 0
	}
	return int32(h.Source) / at.digit
}

// only returns the channel Route offers packet k where there is one virtual channel and
// the choice is not Adaptive. It finds the ports up and down and takes one, without a jump that
// nobody could predict. The port down of the lowest routers leads to the node.
func (x *UpDown) only(r topology.Router, k *Packet) Channel {
	at := &x.places[r]
	below, key := int32(k.To)-at.from, int32(k.To)
	switch x.choice {
	case BySource:
		key = int32(k.From)
	case Drawn: // as the hash is long, not where it is not needed
		if uint32(below) >= uint32(at.span) {
			return x.first[int(r)*x.ports+int(x.arity+draw(x.seed, k.Number, int64(r), at.up))]
		}
	}
	class := at.perDigit.into(key)
	up := x.arity + class - at.perUp.into(class)*at.up
	isDown := int32((uint64(uint32(below)) - uint64(uint32(at.span))) >> 63)
	port := up + (at.perStep.into(below)-up)&-isDown
	return x.first[int(r)*x.ports+int(port)]
}

// down appends the channels towards the destination, the node of that number
// among those below.
func (x *UpDown) down(dst []Channel, r topology.Router, at *treePlace, below int32,
	to topology.Node) []Channel {
	first, many := x.first[int(r)*x.ports+int(below/at.step)], x.virtual
	if at.step == 1 {
		first, many = x.wiring.Ejection(to), Channel(x.wiring.NodeVirtualChannels)
	}
	return run(dst, first, many)
}

// up appends the channels of so many ports up from the given one on, in turn:
// the first virtual channel of each, then the second, so that an idle link is
// taken before a busy one is shared.
func (x *UpDown) up(dst []Channel, r topology.Router, from, many int32) []Channel {
	ports := x.first[int(r)*x.ports+int(x.arity):]
	total := x.places[r].up
	for v := range x.virtual {
		for i := range many {
			port := from + i
			if port >= total {
				port -= total
			}
			dst = append(dst, ports[port]+v)
		}
	}
	return dst
}
