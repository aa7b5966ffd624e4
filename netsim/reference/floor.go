package reference

import (
	"cmp"
	"encoding/binary"
	"math/bits"
	"slices"

	"contend/netsim"
	"contend/router"
	"contend/router/topology"
)

// A mesh of 8x8 routers with a node each.
const (
	floorSide, floorVCs, floorLink = 8, 4, 3
	floorRouters                   = floorSide * floorSide

	nodePort, nodeSink = 4, 5 // ports to which flits from and to the node come
	// Sets of VCs: of a port, and of the FIFOs of a router.
	allVCs, withFIFO = 1<<floorVCs - 1, (1<<floorVCs - 1) * 0x01_01_01_01_01
	nobody           = 63 // a VC that no router has
	// The last bit of a port and the last VC, after which the first is in turn.
	lastPort, lastVC = nodePort * 8, floorVCs - 1
	ports, slots     = floorRouters * 8, floorRouters * 64   // numbers of ports and of VCs
	gather           = 1<<55 | 1<<48 | 1<<41 | 1<<34 | 1<<27 // moves bit 8p + 4 to bit 59 + p
)

// Floor simulates one network as fast as its flits can be simulated one by one, as a lower bound
// for the time of engines. It shares no code with the engines, and computes the same packet times
// as they do under FloorConfig.
//
// Port p of router r has the number 8r + p, and its virtual channel (VC) v the slot 8(8r + p) + v.
// Input ports come from the routers before and behind in x and then in y; outputs are in the order
// of the routers they lead to. Sets of the VCs of a router are words, with a byte for each port.
// The work of a cycle is in lists, each of which is read once; unwanted entries are overwritten. So
// few branches depend on the places of flits, which the processor could not predict.
//
// The senders' counts of the flits in each FIFO, 0 to 8, are kept for all FIFOs of a router at
// once, in the bits of four words. A FIFO has the counted flits, less those sent in the last two
// cycles, less the one that left it in the last cycle.
type Floor struct {
	// Now is the cycle, Flits the number of flits sent by routers so far, those to nodes included.
	Now, Flits int64
	length     uint32 // of packets, in flits
	// By router.
	routers [floorRouters]floorRouter
	onward  [floorRouters][floorRouters]uint8 // outputs, also by destination
	// By input port.
	sent     portVCs       // VCs on which a flit was sent in this cycle
	left     portVCs       // FIFOs that a flit has left in this cycle
	unrouted portVCs       // FIFOs that had no packet at the front, or whose tail has left
	atFront  portVCs       // heads at the front that have not been sent on
	inputs   [ports]uint16 // see traverse
	upstream [ports]uint16 // output that leads to it
	// By output.
	outputs  [ports]uint16 // input port at its end
	sendable [ports]uint64 // VCs of its router that hold a VC of it with credits
	waiting  [ports]uint64 // VCs of its router whose heads wait for a VC of it
	held     portVCs       // VCs of it that are held
	lastVC   [ports]uint8  // VC of it that was granted last
	accepted [ports]uint8  // VC that sent on it last
	choice   [ports]uint8  // VC to which it offers itself
	// By VC.
	fronts [slots]floorFront
	vcs    [slots]floorVC

	queues          [floorRouters][]floorPacket              // source queues
	nodes           [floorRouters]struct{ flits, vc uint32 } // left to send, and the VC
	queued, sending uint64                                   // nodes: with a queue; amid a packet

	packets  []floorPacket
	free     []uint16
	tails    [4][]uint16 // packets whose tails arrive in a cycle mod 4
	arrivals []Packet

	// Lists of a cycle.
	serve                               int // number of outputs in serving
	asking, serving                     [2 * ports]uint16
	requested, accepting, heads, tailed [ports]uint16
}

// floorRouter is the state of a router's FIFOs: a cache line.
type floorRouter struct {
	known                  [4]uint64 // flits that the sender knows of, a bit a word; the last: full
	sentBefore, leftBefore uint64    // Floor.sent and left of the cycle before the last
	occupied               uint64    // FIFOs with a flit
	_                      uint64
}

// portVCs has a byte for each port of all routers, with a bit for each VC.
type portVCs [ports]uint8

// of returns the bytes of router r, and set sets them.
func (p *portVCs) of(r uint) uint64       { return binary.LittleEndian.Uint64(p[r*8 : r*8+8]) }
func (p *portVCs) set(r uint, set uint64) { binary.LittleEndian.PutUint64(p[r*8:r*8+8], set) }

// floorFront is the state, for sending a flit, of the packet at the front of a FIFO: the number of
// its flits still to be sent, the port at which they arrive, shifted by 16, and the VC, as bit 28 +
// v.
type floorFront uint32

// slot returns the slot at which the packet's flits arrive.
func (k floorFront) slot() uint {
	vc := uint(k >> 28)
	return uint(k>>16)<<3&(slots-8) + vc>>1 - vc>>3
}

// floorVC is a VC with its FIFO.
type floorVC struct {
	packets    [8]uint16 // ring of the packets whose heads have been sent to it
	first, end uint8     // of the ring
	last       uint8     // first bit of the port that got the VC last
	holder     uint8     // VC of the router before whose packet holds it, or nobody
	ready      uint32    // cycle from which the head at the front is
}

// floorPacket is a packet.
type floorPacket struct {
	created, injected, blocked uint32
	from, to                   uint8
}

// inTurn has the first bit of the first port of a set after the last one, round the router, by the
// set and the last one, shifted by 5. switchVC has the VC of a port that sends: the first with a
// body after the last one, round the port, or with a head if there are no bodies. It goes by the
// set of bodies, shifted by 6, that of heads, shifted by 2, and the last one.
var inTurn, switchVC = func() (turns [256]uint8, vcs [1024]uint8) {
	after := func(last, set, n int) uint8 {
		for last++; set>>(last%n)&1 == 0; last++ {
		}
		return uint8(last % n)
	}
	for i := range turns {
		if set := i & 31; set != 0 {
			turns[i] = after(i>>5, set, 5) * 8
		}
	}
	for i := 4; i < len(vcs); i++ {
		vcs[i] = after(i&3, cmp.Or(i>>6, i>>2&allVCs), floorVCs)
	}
	return turns, vcs
}()

// firstPort returns the first bit of the first port that has VCs in a set after that of a bit.
func firstPort(last uint8, set uint64) uint8 {
	return inTurn[last&^7<<2+uint8((set+withFIFO)&0x10_10_10_10_10*gather>>59)]
}

// FloorConfig returns the configuration of a Floor.
func FloorConfig(flits int) (netsim.Config, error) {
	m, err := topology.NewCube(topology.CubeConfig{Dims: []int{floorSide, floorSide}})
	c := netsim.Default(m)
	c.PacketFlits, c.BufferFlits, c.VirtualChannels = flits, 8, floorVCs
	c.LinkCycles, c.CreditCycles, c.RoutingCycles = floorLink, 2, 0
	c.Arbiter, c.VCSelect = router.RoundRobin, router.SelectRoundRobin
	c.SwitchAllocator, c.HeadersYield = router.ISLIP, true
	return c, err
}

// NewFloor returns an idle network for packets of some flits, less than 2^16.
func NewFloor(flits int) *Floor {
	f := &Floor{length: uint32(flits)}
	for r := range uint(floorRouters) {
		f.unrouted.set(r, withFIFO)
		for to := range uint(floorRouters) { // in x before y
			f.onward[r][to] = [9]uint8{1, 1, 1, 0, nodePort, 3, 2, 2, 2}[4+
				3*cmp.Compare(to%floorSide, r%floorSide)+cmp.Compare(to/floorSide, r/floorSide)]
		}
		f.nodes[r].vc = lastVC
		for d, end := range [5]uint{(r-floorSide)*8 + 3, (r-1)*8 + 1, (r + 1) * 8,
			(r+floorSide)*8 + 2, r*8 + nodeSink} {
			if end < ports { // a link round the edge is never used
				f.outputs[r*8+uint(d)], f.upstream[end] = uint16(end), uint16(r*8+uint(d))
			}
		}
	}
	for i := range f.inputs {
		f.inputs[i], f.accepted[i], f.lastVC[i] = lastVC<<8|lastPort<<2, lastPort, lastVC
	}
	for i := range f.vcs {
		f.vcs[i].holder, f.vcs[i].last = nobody, lastPort
	}
	return f
}

// Send queues a packet at its node, now.
func (f *Floor) Send(from, to topology.Node) {
	f.queues[from] = append(f.queues[from], floorPacket{created: uint32(f.Now), from: uint8(from),
		to: uint8(to)})
	f.queued |= 1 << from
}

// Step simulates a cycle and returns the packets whose tails arrive at the end of it, which are
// valid until the next call.
func (f *Floor) Step() []Packet {
	f.allocateVCs(f.receive())
	f.traverse(f.allocateSwitch(f.request()))
	f.inject()
	f.Now++
	return f.deliver()
}

// receive counts the flits and credits that arrive. It lists in asking the heads that request a VC
// from now on, and returns their number.
func (f *Floor) receive() (asks uint) {
	for r := range uint(floorRouters) {
		k := &f.routers[r]
		sent, left := f.sent.of(r), f.left.of(r)
		sentBefore, credits := k.sentBefore, k.leftBefore
		k.sentBefore, k.leftBefore = sent, left
		f.sent.set(r, 0)
		f.left.set(r, 0)
		// A flit and a credit together change nothing. Carry is what is left to count, up or down.
		carry := sent&withFIFO ^ credits
		n0, n1, n2, full := k.known[0], k.known[1], k.known[2], k.known[3]
		carry, n0 = carry&(n0^credits), n0^carry
		carry, n1 = carry&(n1^credits), n1^carry
		carry, n2 = carry&(n2^credits), n2^carry
		full ^= carry
		k.known[0], k.known[1], k.known[2], k.known[3] = n0, n1, n2, full
		// Less those that are on the way and that have left, 0 to 3.
		one, two := sent^sentBefore^left, sent&sentBefore|left&(sent|sentBefore)
		occupied := ((n0 ^ one) | (n1 ^ two) | n2 | full) & withFIFO
		k.occupied = occupied
		unrouted := f.unrouted.of(r)
		ask := unrouted & occupied
		f.unrouted.set(r, unrouted^ask)
		f.atFront.set(r, f.atFront.of(r)|ask)
		for ; ask != 0; ask &= ask - 1 {
			f.asking[asks] = uint16(r<<6) | uint16(bits.TrailingZeros64(ask))
			asks++
		}
		if carry != 0 {
			f.changeRoom(r, carry, full)
		}
	}
	return asks
}

// changeRoom enables or disables the packets that hold VCs of a set, of FIFOs of router r, which
// have become full or have room again.
func (f *Floor) changeRoom(r uint, changed, full uint64) {
	for ; changed != 0; changed &= changed - 1 {
		bit := uint(bits.TrailingZeros64(changed)) & 63
		to := &f.sendable[f.upstream[r<<3+bit>>3]]
		by := f.vcs[r<<6+bit].holder & 63
		*to = *to&^(1<<by) | (^full>>bit&1)<<by
	}
}

// allocateVCs enters the first heads of asking in the queues of outputs (RC). It allocates VCs of
// the outputs with new heads or with a released VC (VA).
func (f *Floor) allocateVCs(asks uint) {
	serve := f.serve
	for _, s := range f.asking[:asks] {
		s, r, bit := s&(slots-1), s>>6&63, s&63
		v := &f.vcs[s]
		v.ready = uint32(f.Now)
		to := f.packets[v.packets[v.first&7]].to
		out := (r<<3 + uint16(f.onward[r][to&63])) & (ports - 1)
		waiting := f.waiting[out]
		f.waiting[out] = waiting | 1<<bit
		f.serving[serve] = out
		if waiting == 0 { // otherwise it is there, or has no free VC
			serve++
		}
	}
	for k := 0; k < serve; k++ {
		out := uint(f.serving[k]) & (ports - 1)
		waiting, held := f.waiting[out], f.held[out]
		if held == allVCs {
			continue
		}
		v := uint(switchVC[uint(f.lastVC[out]&3)|uint(^held&allVCs)<<2] & 3)
		port := uint(f.outputs[out]) & (ports - 1)
		o := &f.vcs[port<<3|v]
		by := firstPort(o.last, waiting)
		heads := uint(waiting>>(by&63)) & allVCs
		o.last = by
		if heads&(heads-1) == 0 {
			by += switchVC[heads<<2]
		} else {
			by = f.firstReady(out>>3<<6, by, uint8(heads))
		}
		f.lastVC[out], o.holder = uint8(v), by
		f.fronts[out>>3<<6|uint(by&63)] = floorFront(f.length | uint32(port)<<16 | 1<<(v+28))
		waiting &^= 1 << (by & 63)
		full := f.routers[port>>3].known[3] >> (port&7<<3 + v) & 1
		f.sendable[out] |= (full ^ 1) << (by & 63)
		f.waiting[out], f.held[out] = waiting, held|1<<v
		f.serving[serve] = uint16(out)
		if waiting != 0 {
			serve++
		}
	}
}

// firstReady returns the bit of the head that was ready first, of a set of heads of an input port,
// given the first slot of the router and the first bit of the port.
func (f *Floor) firstReady(router uint, port, heads uint8) (best uint8) {
	least := uint32(1<<32 - 1)
	for ; heads != 0; heads &= heads - 1 {
		bit := port + uint8(bits.TrailingZeros8(heads))
		if t := f.vcs[router+uint(bit)].ready; t < least {
			best, least = bit, t
		}
	}
	return best
}

// request lists in requested the outputs for which routers have flits that may be sent, and returns
// their number.
func (f *Floor) request() (n uint) {
	for r := range uint(floorRouters) {
		occupied := f.routers[r].occupied
		for out := r * 8; out < r*8+5; out++ {
			f.requested[n&(ports-1)] = uint16(out)
			if occupied&f.sendable[out] != 0 {
				n++
			}
		}
	}
	return n
}

// allocateSwitch lets each output in requested offer itself to an input port (SA), and lists in
// accepting the ports that have an offer.
func (f *Floor) allocateSwitch(requests uint) (n uint) {
	for _, i := range f.requested[:requests] {
		out := uint(i) & (ports - 1)
		able := f.routers[out>>3].occupied & f.sendable[out]
		in := firstPort(f.accepted[out], able)
		port := (out&^7 + uint(in>>3)) & (ports - 1)
		vcs, input := uint(able>>(in&63))&allVCs, f.inputs[port]
		heads := vcs & uint(f.atFront[port])
		f.choice[out] = in + switchVC[((vcs^heads)<<6+heads<<2+uint(input>>8))&1023]
		f.inputs[port] = input | 1<<(out&7)
		f.accepting[n&(ports-1)] = uint16(port)
		if input&31 == 0 {
			n++
		}
	}
	return n
}

// traverse sends a flit from each input port in accepting, through the output that it accepts (ST,
// LT). The state of a port has the outputs that offer themselves, that which it accepted last,
// shifted by 5, and the VC that sent last, shifted by 8.
func (f *Floor) traverse(n uint) {
	length, heads, tails := uint16(f.length), uint(0), uint(0)
	for _, i := range f.accepting[:n] {
		port := uint(i) & (ports - 1)
		out := inTurn[uint8(f.inputs[port])]
		router := port &^ 7
		o := (router + uint(out>>3)) & (ports - 1)
		bit := f.choice[o]
		f.accepted[o] = bit
		f.inputs[port] = uint16(bit&3)<<8 | uint16(out)<<2
		f.left[port] = 1 << (bit & 7)
		from := (router<<3 + uint(bit)) & (slots - 1)
		front := f.fronts[from]
		f.fronts[from] = front - 1
		f.sent[front>>16&(ports-1)] = uint8(front >> 28)
		f.heads[heads&(ports-1)], f.tailed[tails&(ports-1)] = uint16(from), uint16(from)
		if uint16(front) == length {
			heads++
		}
		if uint16(front) == 1 {
			tails++
		}
	}
	f.Flits += int64(n)
	f.headsSent(heads)
	f.tailsSent(tails)
}

// headsSent notes the heads that have been sent from the first FIFOs in heads.
func (f *Floor) headsSent(n uint) {
	for _, from := range f.heads[:n] {
		from &= slots - 1
		v, to := &f.vcs[from], &f.vcs[f.fronts[from].slot()]
		p := v.packets[v.first&7]
		f.packets[p].blocked += uint32(f.Now) - v.ready
		f.atFront[from>>3] &^= 1 << (from & 7)
		to.packets[to.end&7] = p // for nobody if it goes to a node
		to.end++
	}
}

// tailsSent releases the VCs on which tails have been sent, from the first FIFOs in tailed.
func (f *Floor) tailsSent(n uint) {
	at, serve := &f.tails[(f.Now+floorLink)&3], 0
	for _, from := range f.tailed[:n] {
		from &= slots - 1
		v, to := &f.vcs[from], f.fronts[from].slot()
		out := f.upstream[to>>3] & (ports - 1)
		f.vcs[to].holder = nobody
		f.held[out] &^= 1 << (to & 7)
		f.sendable[out] &^= 1 << (from & 63)
		f.unrouted[from>>3] |= 1 << (from & 7)
		f.serving[serve] = out
		if f.waiting[out] != 0 {
			serve++
		}
		if *at = append(*at, v.packets[v.first&7]); to>>3&7 != nodeSink {
			*at = (*at)[:len(*at)-1]
		}
		v.first++
	}
	f.serve = serve
}

// inject sends flits of nodes.
func (f *Floor) inject() {
	for set := f.queued &^ f.sending; set != 0; set &= set - 1 {
		f.begin(uint(bits.TrailingZeros64(set)) & 63)
	}
	for set := f.sending; set != 0; set &= set - 1 {
		n := uint(bits.TrailingZeros64(set)) & 63
		k := &f.nodes[n]
		if f.routers[n].known[3]>>(nodePort*8+k.vc&7)&1 != 0 {
			continue
		}
		f.sent[n<<3|nodePort] = 1 << (k.vc & 7)
		if k.flits--; k.flits == 0 {
			f.sending &^= set & -set
		}
	}
}

// begin begins the first packet of a node's queue on the next VC that has credits, if one has.
func (f *Floor) begin(n uint) {
	k := &f.nodes[n]
	free := uint(^f.routers[n].known[3]>>(nodePort*8)) & allVCs
	if free == 0 {
		return
	}
	k.vc, k.flits = uint32(switchVC[free<<2|uint(k.vc&3)]), f.length
	p := f.queues[n][0]
	p.injected = uint32(f.Now)
	if f.queues[n] = slices.Delete(f.queues[n], 0, 1); len(f.queues[n]) == 0 {
		f.queued &^= 1 << n
	}
	f.sending |= 1 << n
	if len(f.free) == 0 {
		f.free, f.packets = append(f.free, uint16(len(f.packets))), append(f.packets, floorPacket{})
	}
	i := f.free[len(f.free)-1]
	f.free = f.free[:len(f.free)-1]
	f.packets[i] = p
	v := &f.vcs[n<<6|nodePort<<3|uint(k.vc)]
	v.packets[v.end&7] = i
	v.end++
}

// deliver returns the packets whose tails arrive now.
func (f *Floor) deliver() []Packet {
	at := &f.tails[f.Now&3]
	f.arrivals, f.free = f.arrivals[:0], append(f.free, *at...)
	for _, i := range *at {
		p := &f.packets[i]
		f.arrivals = append(f.arrivals, Packet{From: topology.Node(p.from), To: topology.Node(p.to),
			Length: int(f.length), Created: Cycle(p.created), Injected: Cycle(p.injected),
			Delivered: f.Now, Blocked: Cycle(p.blocked)})
	}
	*at = (*at)[:0]
	return f.arrivals
}
