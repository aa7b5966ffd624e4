package router

import "contend/netsim/topology"

// The case of sendPlain in which flits and credits take a cycle, as they do by default. A channel
// is in the list of a cycle if and only if it can send a flit then, and once. So a flit is moved
// without a question, and nothing is remembered of cycles:
//
//   - Whoever can send a flit and has not sent it, still can in the next cycle, since nobody else
//     takes the flit or its place.
//   - A channel enters the list of the next cycle when it has sent a flit and can send another;
//     when its header comes to an empty FIFO, or a flit does, and there is a place ahead; and when
//     a place is made in a full FIFO and there is a flit. These exclude each other in a cycle.
//
// Nodes come first, so that they do not see the places that flits leave in the same cycle.

// promptEngine implements engine.
type promptEngine struct{ cycleEngine }

func (e *promptEngine) granted(o, i Channel) {
	e.link(o, i)
	if int32(e.channels[o].count) < e.timing.Buffer {
		e.calendar.try(o, e.now)
	}
}

// sendPrompt is stage 4.
func (b *Routers) sendPrompt(nodes []topology.Node, list []Channel) {
	b.injectEach(nodes)
	if len(list) == 0 {
		return
	}
	channels, size, soon := b.channels, b.timing.Buffer, b.now+1
	next := &b.calendar.tries[b.calendar.now(soon)]
	tries := *next
	for _, o := range list {
		out := &channels[o]
		i := out.holder
		in := &channels[i]
		if in.left < 0 || b.trace != nil {
			b.noteSent(o, out, Channel(i), in)
		}
		if int32(in.count) == size {
			if h := in.holder; h < 0 {
				b.wakeNode(Channel(i), in)
			} else if channels[h].count > 0 {
				tries = append(tries, Channel(i))
			}
		}
		in.count--
		in.left--
		out.count += int16(out.keeps)
		switch {
		case out.out < 0:
			if out.packet == none {
				b.headed(o, out, in.packet, soon)
			}
		case out.count == 1:
			if int32(channels[out.out].count) < size {
				tries = append(tries, Channel(out.out))
			}
		}
		switch {
		case in.left == 0:
			b.ended(o, out, Channel(i), in, b.now)
		case in.count > 0 && int32(out.count) < size:
			tries = append(tries, o)
		}
	}
	if *next = tries; len(tries) > 0 {
		b.calendar.at(soon)
	}
}

// wakeNode has the node that sends into FIFO i looked at in the next cycle, if there is one and it
// has a packet under way.
func (b *Routers) wakeNode(i Channel, in *channel) {
	if in.injects {
		b.tryNode(b.node(i), b.now+1)
	}
}
