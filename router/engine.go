package router

import "contend/router/topology"

// engine finds the times of flits. There are three, one a file, which give the same
// times where they are exact: cycle.go, worm.go and closed.go. What they share, all
// that is decided in the order of time, is in Routers: routing, arbitration, source
// queues, measurements. What those have in common that move flits are methods of Routers too.
type engine interface {
	// offered is told that a message joined the source queue of a node, whose first
	// injection channel is c; first says that it is alone there.
	offered(c Channel, node topology.Node, first bool)
	// begin is what happens before stage 2.
	receive()
	// ask is stage 2 for a list of headers whose routing ends now.
	computeRoutes(list int32)
	// serve is stage 3 for those that wait for some channels, or in some queues.
	serve(ids []int32)
	// granted is told that the header at the head of FIFO i holds channel o.
	granted(o, i Channel)
	// passed is told that i holds channel o in place of the header at the head of
	// FIFO before, which was granted it in this cycle.
	handOver(o, before, i Channel)
	// send is stage 4.
	send()
	// tally brings the measurements of packet p up to date.
	updatePacket(p int32)
}

// Engine says how the times of flits are found.
type Engine uint8

// The engines. All give the same times where they are exact.
const (
	CycleDriven Engine = iota
	Worms              // see WormsAreExact
	ClosedForm         // see ClosedFormIsExact
)

// start gives the routers their engine, and returns how many cycles that looks ahead.
func (b *Routers) start(e Engine) int64 {
	switch e {
	case ClosedForm:
		b.closed = newClosed(b.packetFlits, b.timing)
		b.closed.inlineRouting = b.closed.times == nil && b.queuePerVC &&
			(b.mesh2D != nil || b.tree != nil && !b.tree.BySource)
		b.engine = closedEngine{b}
		return b.wormHorizon()
	case Worms:
		b.newPorts()
		b.newFIFOs()
		b.engine = wormEngine{b}
		return b.wormHorizon()
	}
	b.newPorts()
	b.engine = newCycleEngine(b)
	return b.timing.span(1)
}

// askEach is stage 2 for a list of headers, one after the other.
func (b *Routers) computeEachRoute(c int32) {
	for c != none {
		next := b.vcs[c].next
		b.computeRoute(Channel(c))
		c = next
	}
}

// serve is stage 3 for those that wait for some channels, or in some queues, one after the other.
func (b *Routers) serve(ids []int32) {
	for _, id := range ids {
		if b.queuePerVC {
			b.serveChannel(Channel(id))
		} else if d := &b.requests[id]; d.servedAt == b.now { // else it has been served
			d.servedAt = never
			b.allocate(d)
		}
	}
}

// askOrdered is stage 2 for a list of headers whose one channel is known already: most
// meet nobody and have it at once, which the engine finds in fresh. Those that do not are left
// to askFor, which has them wait.
func (b *Routers) requestOutputs(c int32) {
	vcs, now, fresh := b.vcs, b.now, b.newGrants
	for c != none {
		ch := &vcs[uint32(c)]
		out := &vcs[uint32(ch.outputVC)]
		next := ch.next
		if out.holder&out.firstWaiting == none && out.freeAt <= now {
			out.since, out.holder, ch.state = now, c, active
			fresh = append(fresh, Channel(ch.outputVC))
		} else {
			b.requestVC(Channel(ch.outputVC), Channel(c))
		}
		c = next
	}
	b.newGrants = fresh
}
