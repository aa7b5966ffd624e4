package router

import (
	"math/bits"
	"slices"
)

// packetPorts is the state of input ports of the packet engine that send a limited number of
// packets at a time. In each cycle a port nominates, from its pointer on, as many of its heads that
// could be sent as it has places; each link sends one of the nominees; and the pointer moves past
// the last nominee that is sent.
type packetPorts struct {
	speedup int      // packets that a port may send at a time
	until   []int64  // by port, speedup of each: cycles from which it may send another packet
	pointer []uint8  // by port: VC from which on it nominates
	able    []uint32 // by port: VCs whose heads could be sent in this cycle
	chosen  []uint32 // by port: of these the nominees
	sent    []uint32 // by port: of these those that are sent
	list    []Link   // ports with heads that could be sent
}

// newPacketPorts returns the ports, nil if there is no limit.
func newPacketPorts(w *Wiring, t *Timing) *packetPorts {
	if t.InputSpeedup == 0 || w.VirtualChannels == 1 {
		return nil
	}
	n := w.Links()
	return &packetPorts{speedup: int(t.InputSpeedup), until: make([]int64, n*int(t.InputSpeedup)),
		pointer: make([]uint8, n), able: make([]uint32, n), chosen: make([]uint32, n),
		sent: make([]uint32, n)}
}

// places returns how many packets a port may begin to send in a cycle.
func (p *packetPorts) places(port Link, cycle int64) (n int) {
	for _, t := range p.until[int(port)*p.speedup:][:p.speedup] {
		if t <= cycle {
			n++
		}
	}
	return n
}

// take has a port send a packet until a cycle.
func (p *packetPorts) take(port Link, now, until int64) {
	for i, t := range p.until[int(port)*p.speedup:][:p.speedup] {
		if t <= now {
			p.until[int(port)*p.speedup+i] = until
			return
		}
	}
	panic("router: an input port sends too many packets")
}

// ahead returns those of a set of VCs that are at or after the pointer of a port, or all if there
// are none.
func (p *packetPorts) ahead(port Link, set uint32) uint32 {
	if later := set &^ (1<<p.pointer[port] - 1); later != 0 {
		return later
	}
	return set
}

// portOf returns the input port of the head that holds VC o, and its VC there as a bit.
func (e packetEngine) portOf(o Channel) (port Link, vc uint32) {
	i := Channel(e.vcs[o].holder)
	port = e.w.link(i)
	return port, 1 << (i - e.w.firstVC(port))
}

// offerHeads enters the heads that could be sent on a link in the sets of their ports.
func (e packetEngine) offerHeads(l Link, k *packetLink) {
	p := e.x.ports
	e.findSendable(l, k)
	if k.freeAt > e.now {
		return
	}
	for set := k.sendable; set != 0; set &= set - 1 {
		port, vc := e.portOf(e.w.firstVC(l) + Channel(bits.TrailingZeros32(set)))
		if p.able[port] == 0 {
			p.list = append(p.list, port)
		}
		p.able[port] |= vc
	}
}

// serveNominees lets the ports nominate heads, sends on each link of a list the nominee whose turn
// it is, and says when to look at the links again.
func (e packetEngine) serveNominees(links []int32) {
	p := e.x.ports
	for _, port := range p.list {
		able := p.able[port]
		p.chosen[port], p.able[port] = able, 0
		if e.w.Width(port) == 1 {
			continue // it has no limit
		}
		p.chosen[port] = 0
		for n := p.places(port, e.now); n > 0 && able != 0; n-- {
			ahead := p.ahead(port, able)
			p.chosen[port] |= ahead & -ahead
			able &^= ahead & -ahead
		}
	}
	for _, l := range links {
		if k := &e.x.links[l]; k.sendable != 0 && k.freeAt <= e.now {
			e.sendNominee(Link(l), k)
		}
	}
	for _, port := range p.list {
		if sent := p.sent[port]; sent != 0 {
			if before := sent & (1<<p.pointer[port] - 1); before != 0 {
				sent = before
			}
			p.pointer[port] = uint8(bits.Len32(sent)) // that of the last VC is beyond all: see ahead
		}
		p.chosen[port], p.sent[port] = 0, 0
	}
	p.list = p.list[:0]
	for _, l := range links {
		k := &e.x.links[l]
		k.touched = false
		if t := min(k.soonest, e.nextPlace(Link(l), k)); t < never {
			e.wake(Link(l), k, max(t, k.freeAt))
		}
	}
}

// sendNominee sends the nominee for a link whose turn it is.
func (e packetEngine) sendNominee(l Link, k *packetLink) {
	p, lead, nominees := e.x.ports, e.w.firstVC(l), uint32(0)
	for set := k.sendable; set != 0; set &= set - 1 {
		if port, vc := e.portOf(lead + Channel(bits.TrailingZeros32(set))); p.chosen[port]&vc != 0 {
			nominees |= set & -set
		}
	}
	if nominees == 0 {
		return
	}
	e.sendNext(l, k, nominees)
	i := Channel(k.from)
	port := e.w.link(i)
	p.sent[port] |= 1 << (i - e.w.firstVC(port))
	if e.w.Width(port) > 1 {
		p.take(port, e.now, k.freeAt)
	}
}

// nextPlace returns the next cycle in which the port of a head that could be sent on a link may
// nominate it, or never if there is none.
func (e packetEngine) nextPlace(l Link, k *packetLink) int64 {
	p, soonest := e.x.ports, never
	for set := k.sendable; set != 0; set &= set - 1 {
		port, _ := e.portOf(e.w.firstVC(l) + Channel(bits.TrailingZeros32(set)))
		t := e.now + 1
		if e.w.Width(port) > 1 {
			t = max(t, slices.Min(p.until[int(port)*p.speedup:][:p.speedup]))
		}
		soonest = min(soonest, t)
	}
	return soonest
}
