package router

import "contend/router/topology"

// engine computes the times of flits. There are three, which give the same times where they are
// exact: cycle.go, worm.go and closed.go. Routers has what they share, all that is decided in the
// order of time: route computation, VC allocation, source queues, measurements.
type engine interface {
	// offered handles a message that joined the source queue of a node, whose first injection VC is
	// c. first says that the queue was empty.
	offered(c Channel, node topology.Node, first bool)
	// receive takes in the flits and credits that arrive in this cycle.
	receive()
	// computeRoutes computes the routes of a list of heads (RC).
	computeRoutes(list int32)
	// granted handles the grant of VC o to the head at the front of FIFO i (VA).
	granted(o, i Channel)
	// handOver gives VC o, granted in this cycle to the head at the front of FIFO before, to that of
	// FIFO i.
	handOver(o, before, i Channel)
	// send sends flits (SA, ST, LT).
	send()
	// updatePacket brings the measurements of packet p up to date.
	updatePacket(p int32)
}

// Engine names an engine.
type Engine uint8

// The engines. All give the same times where they are exact.
const (
	CycleDriven Engine = iota
	Worms              // see WormsAreExact
	ClosedForm         // see ClosedFormIsExact
)

// start gives the routers their engine, and returns how many cycles ahead it schedules.
func (b *Routers) start(e Engine) int64 {
	switch e {
	case ClosedForm:
		b.closed = newClosed(b.packetFlits, b.timing)
		b.closed.inlined = b.closed.times == nil && b.mesh2D != nil
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
