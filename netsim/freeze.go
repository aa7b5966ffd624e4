package netsim

import (
	"slices"

	"contend/router"
	"contend/router/topology"
)

// Frozen is a part of a network whose clock stands: see router.Frozen.
type Frozen struct {
	part    *router.Frozen
	at      Cycle
	resends []resend    // of failing links
	retries []pairEvent // of queue pairs that have had no path
}

// Freeze stops the clock of some links and of the nodes that send on them. The caller sends no
// messages from these nodes until Thaw. Messages between other nodes use none of the links. No link
// fails or is repaired until all parts go on. It panics if the network is not Settled, if waits are
// recorded or if there is congestion control.
func (n *Network) Freeze(links []router.Link) *Frozen {
	if n.config.Congestion != nil {
		panic("netsim: rates cannot be frozen")
	}
	return n.frozen(n.routers.Freeze(links))
}

// FreezeRest stops the clock of all links that are not frozen.
func (n *Network) FreezeRest() *Frozen { return n.frozen(n.routers.FreezeRest()) }

// frozen returns a part of the routers that is frozen now, with what its nodes send later.
func (n *Network) frozen(part *router.Frozen) *Frozen {
	f := &Frozen{part: part, at: n.Now()}
	if n.failing != nil {
		f.resends = n.failing.resends.take(f.has)
	}
	if n.pairs != nil {
		f.retries = n.pairs.take(f.has)
	}
	return f
}

// has reports whether a node belongs to the part.
func (f *Frozen) has(node topology.Node) bool { return slices.Contains(f.part.Nodes, node) }

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
	if n.pairs == nil {
		return
	}
	for _, e := range f.retries {
		n.pairs.foresee(e.cycle+by, e.pair, nil)
	}
	for _, p := range n.pairs.pairs {
		if f.has(p.from) {
			for i := range p.waiting {
				p.waiting[i].Created += by
			}
		}
	}
}
