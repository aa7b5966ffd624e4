package reference

import (
	"cmp"
	"encoding/binary"

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
