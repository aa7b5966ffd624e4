package router

import (
	"math/bits"
	"slices"
)

// packetPorts is the state of input ports of the packet engine that send a limited number of
// packets at a time. In each cycle a port nominates, from its pointer on, as many of its heads that
// could be sent as it has places; each link sends one of the nominees; and the pointer moves past
// the last nominee that is sent. A port nominates all heads while it has a place for each: only
// links for which heads of other ports could be sent are served in these two steps.
type packetPorts struct {
	speedup int          // packets that a port may send at a time
	ports   []packetLink // by link that ends at the port
	until   []int64      // by port, speedup of each: see packetPort.until; nil if they have room there
	list    []Link       // ports with heads that could be sent on links
	links   []int32      // links to serve in two steps in this cycle
}

// packetPort is an input port, with sets of its VCs.
type packetPort struct {
	sentAt  int64  // cycle in which it sent last
	able    uint32 // VCs whose heads could be sent in this cycle
	chosen  uint32 // of these the nominees
	sent    uint32 // those whose heads were sent in cycle sentAt
	pointer uint8  // VC from which on it nominates
	before  uint8  // pointer before cycle sentAt
	limited bool   // it has several VCs
	until   [2]int64
}

// newPacketPorts returns the ports, nil if there is no limit.
func newPacketPorts(w *Wiring, t *Timing, links []packetLink) *packetPorts {
	if t.InputSpeedup == 0 || w.VirtualChannels == 1 {
		return nil
	}
	p := &packetPorts{speedup: int(t.InputSpeedup), ports: links}
	for l := range links {
		links[l].port = packetPort{sentAt: -1, limited: w.Width(Link(l)) > 1}
	}
	if p.speedup > len(links[0].port.until) {
		p.until = make([]int64, len(links)*p.speedup)
	}
	return p
}

// untilOf returns the cycles from which a port may send another packet.
func (p *packetPorts) untilOf(port Link) []int64 {
	if p.until != nil {
		return p.until[int(port)*p.speedup:][:p.speedup]
	}
	return p.ports[port].port.until[:p.speedup]
}

// hasPlaces reports whether a port has a place for each of its heads that could be sent in this
// cycle.
func (p *packetPorts) hasPlaces(port Link, cycle int64) bool {
	k := &p.ports[port].port
	able := bits.OnesCount32(k.able)
	for _, t := range p.untilOf(port) {
		if t <= cycle {
			able--
		}
	}
	return able <= 0 || !k.limited
}

// nominate has a port nominate heads in a cycle.
func (p *packetPorts) nominate(port Link, cycle int64) {
	k := &p.ports[port].port
	if !k.limited {
		k.chosen = k.able
		return
	}
	for _, t := range p.untilOf(port) {
		if t <= cycle && k.able != 0 {
			next := k.able
			if later := next &^ (1<<k.pointer - 1); later != 0 {
				next = later
			}
			k.chosen |= next & -next
			k.able &^= next & -next
		}
	}
}

// sends has a port send a packet from a VC until a cycle.
func (p *packetPorts) sends(port Link, vc Channel, now, until int64) {
	k := &p.ports[port].port
	if !k.limited {
		return
	}
	if k.sentAt != now {
		k.sentAt, k.sent, k.before = now, 0, k.pointer
	}
	k.sent |= 1 << (vc & 31)
	last := k.sent
	if wrapped := last & (1<<k.before - 1); wrapped != 0 {
		last = wrapped
	}
	k.pointer = uint8(bits.Len32(last)) // behind the last VC: from the first on
	list := p.untilOf(port)
	for i, t := range list {
		if t <= now {
			list[i] = until
			return
		}
	}
	panic("router: an input port sends too many packets")
}

// portVC returns the input port of FIFO i, and the number of its VC there.
func (e packetEngine) portVC(i Channel) (port Link, vc Channel) {
	port = e.w.link(i)
	return port, i - e.w.firstVC(port)
}

// portOf returns the input port of the head that holds VC o, and its VC there as a bit.
func (e packetEngine) portOf(o Channel) (port Link, vc uint32) {
	port, at := e.portVC(Channel(e.vcs[o].holder))
	return port, 1 << (at & 31)
}

// offerHeads notes at their ports the heads that could be sent on a link in this cycle.
func (e packetEngine) offerHeads(l Link, k *packetLink) {
	for set := k.sendable; set != 0; set &= set - 1 {
		port, vc := e.portOf(e.w.firstVC(l) + Channel(bits.TrailingZeros32(set)))
		e.x.links[port].port.able |= vc
	}
}

// havePlaces reports whether the ports of the heads that could be sent on a link have places for
// all their heads. If so they forget these heads, of which the link sends one.
func (e packetEngine) havePlaces(l Link, k *packetLink) bool {
	p, lead := e.x.ports, e.w.firstVC(l)
	for set := k.sendable; set != 0; set &= set - 1 {
		port, _ := e.portOf(lead + Channel(bits.TrailingZeros32(set)))
		if !p.hasPlaces(port, e.now) {
			return false
		}
	}
	for set := k.sendable; set != 0; set &= set - 1 {
		port, vc := e.portOf(lead + Channel(bits.TrailingZeros32(set)))
		p.ports[port].port.able &^= vc
	}
	return true
}

// serveNominees lets ports nominate heads for some links, which are free, sends on each the nominee
// whose turn it is, and says when to look at the links again.
func (e packetEngine) serveNominees() {
	p := e.x.ports
	for _, l := range p.links {
		for set := e.x.links[l].sendable; set != 0; set &= set - 1 {
			port, _ := e.portOf(e.w.firstVC(Link(l)) + Channel(bits.TrailingZeros32(set)))
			if at := &p.ports[port].port; at.chosen == 0 && at.able != 0 {
				p.nominate(port, e.now)
				p.list = append(p.list, port)
			}
		}
	}
	for _, l := range p.links {
		e.sendNominee(Link(l), &e.x.links[l])
	}
	for _, port := range p.list {
		p.ports[port].port.able, p.ports[port].port.chosen = 0, 0
	}
	p.list = p.list[:0]
	for _, l := range p.links {
		k := &e.x.links[l]
		next := k.soonest
		if k.sendable != 0 {
			if next = e.now + 1; k.freeAt <= e.now {
				next = min(k.soonest, e.nextPlace(Link(l), k))
			}
		}
		if next < never {
			e.wake(Link(l), k, max(next, k.freeAt))
		}
	}
	p.links = p.links[:0]
}

// sendNominee sends the nominee for a link whose turn it is.
func (e packetEngine) sendNominee(l Link, k *packetLink) {
	p, lead, nominees := e.x.ports, e.w.firstVC(l), uint32(0)
	for set := k.sendable; set != 0; set &= set - 1 {
		port, vc := e.portOf(lead + Channel(bits.TrailingZeros32(set)))
		if p.ports[port].port.chosen&vc != 0 {
			nominees |= set & -set
		}
	}
	if nominees != 0 {
		e.sendNext(l, k, nominees)
	}
}

// nextPlace returns the next cycle in which the port of a head that could be sent on a link may
// nominate it, or never if there is none.
func (e packetEngine) nextPlace(l Link, k *packetLink) int64 {
	p, soonest := e.x.ports, never
	for set := k.sendable; set != 0; set &= set - 1 {
		port, _ := e.portOf(e.w.firstVC(l) + Channel(bits.TrailingZeros32(set)))
		t := e.now + 1
		if p.ports[port].port.limited {
			t = max(t, slices.Min(p.untilOf(port)))
		}
		soonest = min(soonest, t)
	}
	return soonest
}
