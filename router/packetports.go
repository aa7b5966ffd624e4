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
	speedup int     // packets that a port may send at a time
	until   []int64 // by port, speedup of each: cycles from which it may send another packet
	ports   []packetPort
	list    []Link // ports with heads that could be sent
}

// packetPort is an input port, with sets of its VCs.
type packetPort struct {
	able    uint32 // those whose heads could be sent in this cycle
	chosen  uint32 // of these the nominees
	sent    uint32 // of these those that are sent
	pointer uint32 // VC from which on it nominates
}

// newPacketPorts returns the ports, nil if there is no limit.
func newPacketPorts(w *Wiring, t *Timing) *packetPorts {
	if t.InputSpeedup == 0 || w.VirtualChannels == 1 {
		return nil
	}
	n := w.Links()
	return &packetPorts{speedup: int(t.InputSpeedup), until: make([]int64, n*int(t.InputSpeedup)),
		ports: make([]packetPort, n)}
}

// untilOf returns the cycles from which a port may send another packet.
func (p *packetPorts) untilOf(port Link) []int64 {
	return p.until[int(port)*p.speedup:][:p.speedup]
}

// nominate has a port nominate heads in a cycle.
func (p *packetPorts) nominate(port Link, cycle int64) {
	k := &p.ports[port]
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

// take has a port send a packet until a cycle.
func (p *packetPorts) take(port Link, now, until int64) {
	list := p.untilOf(port)
	for i, t := range list {
		if t <= now {
			list[i] = until
			return
		}
	}
	panic("router: an input port sends too many packets")
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
		at := &p.ports[port]
		if at.able == 0 {
			p.list = append(p.list, port)
		}
		at.able |= vc
	}
}

// serveNominees lets the ports nominate heads, sends on each link of a list the nominee whose turn
// it is, and says when to look at the links again.
func (e packetEngine) serveNominees(links []int32) {
	p := e.x.ports
	for _, port := range p.list {
		if at := &p.ports[port]; e.w.Width(port) == 1 {
			at.chosen = at.able // it has no limit
		} else {
			p.nominate(port, e.now)
		}
	}
	for _, l := range links {
		if k := &e.x.links[l]; k.sendable != 0 && k.freeAt <= e.now {
			e.sendNominee(Link(l), k)
		}
	}
	for _, port := range p.list {
		at := &p.ports[port]
		if sent := at.sent; sent != 0 {
			if before := sent & (1<<at.pointer - 1); before != 0 {
				sent = before
			}
			at.pointer = uint32(bits.Len32(sent)) // behind the last VC: from the first on
		}
		at.able, at.chosen, at.sent = 0, 0, 0
	}
	p.list = p.list[:0]
	for _, l := range links {
		k := &e.x.links[l]
		k.touched = false
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
}

// sendNominee sends the nominee for a link whose turn it is.
func (e packetEngine) sendNominee(l Link, k *packetLink) {
	p, lead, nominees := e.x.ports, e.w.firstVC(l), uint32(0)
	for set := k.sendable; set != 0; set &= set - 1 {
		if port, vc := e.portOf(lead + Channel(bits.TrailingZeros32(set))); p.ports[port].chosen&vc != 0 {
			nominees |= set & -set
		}
	}
	if nominees == 0 {
		return
	}
	e.sendNext(l, k, nominees)
	i := Channel(k.from)
	port := e.w.link(i)
	p.ports[port].sent |= 1 << (i - e.w.firstVC(port))
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
			t = max(t, slices.Min(p.untilOf(port)))
		}
		soonest = min(soonest, t)
	}
	return soonest
}
