// Package reference is the network model of package netsim, written down as
// plainly as possible: every cycle looks at everything, and nothing is remembered
// but what the rules speak of. It shares the wiring and the routing with the
// engines, and nothing else. The tests of package netsim and contend doctor
// compare the engines with it, packet for packet and flit for flit.
package reference

import (
	"cmp"
	"math"
	"slices"

	"contend/netsim"
	"contend/netsim/topology"
	"contend/router"
)

// Cycle is a point in time, as in package netsim.
type Cycle = netsim.Cycle

// Model is a network that follows the rules in the documentation of package
// netsim to the letter, and slowly.
type Model struct {
	c       netsim.Config
	w       *router.Wiring
	x       router.Routing
	now     Cycle
	vcs     []refVC
	links   []refLink
	inputs  []refInput     // by link that ends at a router
	queue   [][]*refPacket // by node
	ports   []*refPacket   // by injection link
	entered []int          // by injection link: the virtual channel of its last packet
	rests   []Cycle        // by node: until when it may not begin a packet
	done    []*refPacket
	count   int64
	sent    []Sending
	pointer map[router.Channel]int // of each class of VCs, by the first of it
}

type refVC struct {
	fifo    []refFlit
	left    []Cycle // when the n-th flit left the far FIFO
	sent    int     // flits ever sent
	holder  *refPacket
	freeAt  Cycle
	headAt  Cycle // h of the packet at the head
	known   *refPacket
	offered []router.Channel // what routing offers it, from q on
	wants   []router.Channel // of these the escape channels
	granted router.Channel
	lastIn  router.Channel // input that had it last, for round-robin
}

type refLink struct {
	nextSend Cycle
	turn     int
}

type refFlit struct {
	p     *refPacket
	index int
	at    Cycle
}

type refPacket struct {
	from, to                              topology.Node
	length                                int
	created, injected, delivered, blocked Cycle
	turn                                  Cycle // its turn came, or -1
	number                                int64
	hops                                  int
	gone                                  int // flits injected
	header                                router.Header
}

// New returns an idle network.
func New(c netsim.Config) (*Model, error) {
	c, err := c.Resolved()
	if err != nil {
		return nil, err
	}
	w, x, err := c.Wire()
	if err != nil {
		return nil, err
	}
	r := &Model{c: c, w: w, x: x, vcs: make([]refVC, w.Channels()),
		links: make([]refLink, w.Links()), inputs: make([]refInput, w.Links()),
		entered: make([]int, w.Links()),
		queue:   make([][]*refPacket, c.Topology.Nodes()), ports: make([]*refPacket, w.Links()),
		rests: make([]Cycle, c.Topology.Nodes()), pointer: map[router.Channel]int{}}
	for i := range r.vcs {
		r.vcs[i].granted, r.vcs[i].lastIn = -1, -1
	}
	for l := range r.entered {
		r.entered[l] = c.NodeVirtualChannels - 1
	}
	return r, nil
}

// Send queues a message at its node, now.
func (r *Model) Send(m netsim.Message) {
	for left := int(m.Flits); left > 0; left -= r.c.PacketFlits {
		r.queue[m.From] = append(r.queue[m.From], &refPacket{from: m.From, to: m.To,
			length: min(left, r.c.PacketFlits), created: r.now, number: r.count, turn: -1,
			header: router.Header{Source: m.From, Destination: m.To, Packet: r.count}})
		r.count++
	}
}

func (r *Model) router(c router.Channel) topology.Router {
	_, to := r.w.Ends(r.w.LinkOf(c))
	return to.Router
}

// asks reports whether the header at the head of FIFO i asks for a channel in
// this cycle, and since when.
func (r *Model) asks(i router.Channel) (q Cycle, ok bool) {
	v := &r.vcs[i]
	if v.known == nil || v.granted >= 0 {
		return 0, false
	}
	q = v.headAt + Cycle(r.c.RoutingCycles)
	if r.c.Switching == router.StoreAndForward {
		stored := false
		for _, f := range v.fifo {
			if f.p == v.known && f.index == f.p.length-1 {
				q, stored = max(q, f.at), true
			}
		}
		if !stored {
			return 0, false
		}
	}
	return q, q <= r.now
}

// room reports whether the sender of c knows of room for need flits.
func (r *Model) room(c router.Channel, need int) bool {
	v := &r.vcs[c]
	for k := range need {
		if n := v.sent + k - r.c.BufferFlits; n >= 0 && (n >= len(v.left) ||
			v.left[n]+Cycle(r.c.CreditCycles) > r.now) {
			return false
		}
	}
	return true
}

func (r *Model) need(p *refPacket, index int) int {
	if index == 0 && r.c.Switching == router.VirtualCutThrough {
		return p.length
	}
	return 1
}

// Step is one cycle.
func (r *Model) Step() {
	r.allocate()
	r.turns()
	var moves []func()
	chosen, used := r.nominees(), map[router.Channel]bool{}
	for l := range router.Link(r.w.Links()) {
		if r.links[l].nextSend > r.now {
			continue
		}
		first := r.w.First(l)
		if r.w.Kind(l) == router.Injection {
			from, _ := r.w.Ends(l)
			p := r.ports[l]
			if p == nil && len(r.queue[from.Node]) > 0 && r.now >= r.rests[from.Node] {
				p = r.queue[from.Node][0]
			}
			if v, ok := r.entrance(l, p); ok {
				if p.gone == 0 { // it has this port from now on: the next one sees the packet behind
					if p.injected = r.now; p.turn < 0 {
						p.turn = r.now
					}
					r.rests[from.Node] = r.now + Cycle(math.Ceil(float64(p.length)*r.c.InjectionFlitCycles))
					r.ports[l], r.queue[from.Node], r.entered[l] = p, r.queue[from.Node][1:], v
				}
				moves = append(moves, func() {
					r.transfer(first+router.Channel(v), refFlit{p: p,
						index: p.gone})
					r.inject(l, p)
				})
			}
			continue
		}
		n := r.virtual(l)
		for k := range n {
			turn := (r.links[l].turn + 1 + k) % n
			if i, ok := r.sendable(first + router.Channel(turn)); ok && chosen[i] {
				used[i] = true
				moves = append(moves, func() {
					r.links[l].turn = turn
					r.forward(i,
						first+router.Channel(turn))
				})
				break
			}
		}
	}
	for _, f := range moves {
		f()
	}
	r.moveInputs(used)
	r.now++
	for i := range r.vcs {
		r.newHead(&r.vcs[i])
	}
}

// virtual returns how many virtual channels a link has.
func (r *Model) virtual(l router.Link) int {
	if r.w.Kind(l) == router.Network {
		return r.c.VirtualChannels
	}
	return r.c.NodeVirtualChannels
}

// entrance returns the virtual channel of injection link l on which the next flit of
// packet p may be sent, if it may: of a header the first with room after that of the
// packet before.
func (r *Model) entrance(l router.Link, p *refPacket) (int, bool) {
	if p == nil {
		return 0, false
	}
	n, last := r.virtual(l), r.entered[l]
	if p.gone > 0 {
		return last, r.room(r.w.First(l)+router.Channel(last), 1)
	}
	for k := range n {
		if v := (last + 1 + k) % n; r.room(r.w.First(l)+router.Channel(v), r.need(p, 0)) {
			return v, true
		}
	}
	return 0, false
}

// turns notices the packets whose turn it is: the first of their source queues,
// with an injection channel free.
func (r *Model) turns() {
	for l := range router.Link(r.w.Links()) {
		if r.w.Kind(l) != router.Injection || r.ports[l] != nil || r.links[l].nextSend > r.now {
			continue
		}
		from, _ := r.w.Ends(l)
		if q := r.queue[from.Node]; len(q) > 0 && q[0].turn < 0 && r.now >= r.rests[from.Node] {
			q[0].turn = r.now
		}
	}
}

// newHead notices a header that has got to the head of its FIFO.
func (r *Model) newHead(v *refVC) {
	if v.known == nil && len(v.fifo) > 0 {
		v.known = v.fifo[0].p
		v.headAt = v.fifo[0].at
		if n := len(v.left); n > 0 {
			v.headAt = max(v.headAt, v.left[n-1]+1)
		}
	}
}

func (r *Model) inject(l router.Link, p *refPacket) {
	if p.gone++; p.gone == p.length {
		r.ports[l] = nil
	}
}

// sendable returns the input FIFO from which a flit may go on channel o now.
func (r *Model) sendable(o router.Channel) (router.Channel, bool) {
	for i := range r.vcs {
		v := &r.vcs[i]
		if v.granted == o {
			if len(v.fifo) == 0 || v.fifo[0].at > r.now {
				return 0, false
			}
			f := v.fifo[0]
			ejection := r.w.Kind(r.w.LinkOf(o)) == router.Ejection
			return router.Channel(i), ejection || r.room(o, r.need(f.p, f.index))
		}
	}
	return 0, false
}

func (r *Model) forward(i, o router.Channel) {
	v := &r.vcs[i]
	f := v.fifo[0]
	v.fifo = v.fifo[1:]
	v.left = append(v.left, r.now)
	if f.index == 0 {
		q := v.headAt + Cycle(r.c.RoutingCycles)
		if r.c.Switching == router.StoreAndForward {
			for _, g := range v.fifo {
				if g.p == f.p && g.index == f.p.length-1 {
					q = max(q, g.at)
				}
			}
			if f.p.length == 1 {
				q = max(q, f.at)
			}
		}
		f.p.blocked += r.now - q
		if r.w.Kind(r.w.LinkOf(o)) == router.Network {
			f.p.hops++
		}
	}
	r.transfer(o, f)
	if f.index == f.p.length-1 {
		v.known, v.granted, v.offered = nil, -1, nil
		r.vcs[o].holder, r.vcs[o].freeAt = nil, r.now+Cycle(r.c.FlitCycles)
	}
}

func (r *Model) transfer(o router.Channel, f refFlit) {
	l := r.w.LinkOf(o)
	r.links[l].nextSend = r.now + Cycle(r.c.FlitCycles)
	r.sent = append(r.sent, Sending{r.now, o, f.p.number, int32(f.index)})
	f.at = r.now + Cycle(r.c.LinkCycles)
	if r.w.Kind(l) == router.Ejection {
		if f.index == f.p.length-1 {
			f.p.delivered = f.at
			r.done = append(r.done, f.p)
		}
		return
	}
	v := &r.vcs[o]
	v.sent++
	v.fifo = append(v.fifo, f)
}

// asker is an input FIFO whose header asks for a channel, since cycle q.
type asker struct {
	q Cycle
	i router.Channel
}

// allocate gives free channels to the headers that ask.
func (r *Model) allocate() {
	for n := range topology.Router(r.c.Topology.Routers()) {
		list := r.askers(n)
		for _, a := range list {
			r.route(n, a.i)
		}
		slices.SortFunc(list, func(a, b asker) int {
			return cmp.Or(cmp.Compare(a.q, b.q),
				cmp.Compare(a.i, b.i))
		})
		if r.c.Arbiter != router.FirstCome {
			r.takeTurns(list)
			continue
		}
		for _, a := range list {
			if o, ok := r.chosen(a.i); ok {
				r.give(a.i, o)
			}
		}
	}
}

// askers returns the inputs of router n whose headers ask in this cycle.
func (r *Model) askers(n topology.Router) (list []asker) {
	for i := range router.Channel(len(r.vcs)) {
		if r.w.Kind(r.w.LinkOf(i)) != router.Ejection && r.router(i) == n {
			if q, ok := r.asks(i); ok {
				list = append(list, asker{q, i})
			}
		}
	}
	return list
}

// takeTurns gives each free channel, the lowest first, to the first input that wants
// it after the one that had it last.
func (r *Model) takeTurns(list []asker) {
	for {
		wants := map[router.Channel][]router.Channel{}
		lowest := router.Channel(-1)
		for _, a := range list {
			if o, ok := r.chosen(a.i); ok && r.vcs[a.i].granted < 0 {
				wants[o] = append(wants[o], a.i)
				if lowest < 0 || o < lowest {
					lowest = o
				}
			}
		}
		if lowest < 0 {
			return
		}
		in := wants[lowest]
		slices.Sort(in)
		winner := in[0]
		for _, i := range in {
			if i > r.vcs[lowest].lastIn {
				winner = i
				break
			}
		}
		r.give(winner, lowest)
	}
}

// chosen returns the channel that the header at the head of FIFO i would get now.
func (r *Model) chosen(i router.Channel) (router.Channel, bool) {
	return r.choose(r.vcs[i].known, r.offered(i))
}

// give gives channel o to the header at the head of FIFO i.
func (r *Model) give(i, o router.Channel) {
	r.granted(r.offered(i), o)
	r.vcs[o].holder, r.vcs[i].granted, r.vcs[o].lastIn = r.vcs[i].known, o, i
}
