package netsim

import (
	"slices"

	"contend/router"
	"contend/router/topology"
)

// Frozen is a part of a network whose clock stands: see router.Frozen. The clock of a queue pair
// stands with the links from its source and to its destination, and the clock of what a destination
// throttles with the link to it.
type Frozen struct {
	part    *router.Frozen
	at      Cycle
	pairs   []*queuePair
	owed    []*throttledNode
	events  []pairEvent
	resends []resend // of failing links
}

// Freeze stops the clock of some links and of the nodes that send on them. The caller sends no
// messages from these nodes until Thaw. Messages between other nodes use none of the links. No link
// fails or is repaired until all parts go on. It panics if the network is not Settled or if waits are
// recorded.
func (n *Network) Freeze(links []router.Link) *Frozen {
	part := n.routers.Freeze(links)
	return n.frozen(part, func(p *queuePair) bool {
		return n.partOf(n.wiring.Injection(p.from)) == part &&
			(len(p.waiting) > 0 || n.partOf(n.wiring.Ejection(p.to)) == part)
	})
}

// FreezeRest stops the clock of all links that are not frozen, and of all queue pairs.
func (n *Network) FreezeRest() *Frozen {
	return n.frozen(n.routers.FreezeRest(), func(*queuePair) bool { return true })
}

// frozen returns a part of the routers that is frozen now, with what its nodes send later and the
// queue pairs that stands chooses. A pair of two parts has no messages, unless the destination cannot
// be reached: a destination may throttle a source that now sends elsewhere.
func (n *Network) frozen(part *router.Frozen, stands func(p *queuePair) bool) *Frozen {
	f, q := &Frozen{part: part, at: n.Now()}, n.pairs
	if n.failing != nil {
		f.resends = n.failing.resends.take(f.has)
	}
	if q == nil {
		return f
	}
	for i := range q.interfaces {
		s := &q.interfaces[i]
		if s.owed != nil && n.partOf(n.wiring.Ejection(topology.Node(i))) == part {
			f.owed = append(f.owed, s.owed)
		}
		for _, p := range s.pairs {
			if !p.frozen && stands(p) {
				p.frozen = true
				f.pairs = append(f.pairs, p)
			}
		}
	}
	list := q.events
	q.events = nil
	for _, e := range list {
		if e.pair.frozen {
			f.events = append(f.events, e)
		} else {
			q.events.Push(e)
		}
	}
	return f
}

// has reports whether a node belongs to the part.
func (f *Frozen) has(node topology.Node) bool { return slices.Contains(f.part.Nodes, node) }

// partOf returns the frozen part that has the link of a channel, or nil.
func (n *Network) partOf(c router.Channel) *router.Frozen {
	return n.routers.PartOf(n.wiring.LinkOf(c))
}

// SetNow sets the clock of a network in which everything is frozen.
func (n *Network) SetNow(cycle Cycle) { n.routers.SetNow(cycle) }

// Thaw lets a part of the network go on now from the state in which it was frozen: its messages are
// those of a network whose clock was later by the cycles since then.
func (n *Network) Thaw(f *Frozen) {
	n.routers.Thaw(f.part)
	by := n.Now() - f.at
	if n.failing != nil {
		n.failing.delay(by, f.has)
		for _, k := range f.resends {
			k.Created += by
			n.failing.resends.add(k.cycle+by, k.Offer)
		}
	}
	for _, p := range f.pairs {
		p.frozen = false
		p.delay(by)
	}
	for _, d := range f.owed {
		for i := range d.senders {
			d.senders[i].last += by
		}
	}
	for _, e := range f.events {
		e.cycle += by
		n.pairs.events.Push(e)
	}
}

// delay moves the times of a queue pair.
func (p *queuePair) delay(by Cycle) {
	for i := range p.waiting {
		p.waiting[i].Created += by
	}
	p.notBefore, p.nextNotice = p.notBefore+by, p.nextNotice+by
	if p.limiter != nil {
		p.limiter.delay(by)
	}
}
