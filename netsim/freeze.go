package netsim

import (
	"slices"

	"contend/router"
)

// Frozen is a part of a network whose clock stands: see router.Frozen.
type Frozen struct {
	part *router.Frozen
	at   Cycle
}

// Freeze stops the clock of some links and of the nodes that send on them. The caller sends no
// messages from these nodes until Thaw. Messages between other nodes use none of the links. It
// panics if links may fail, if waits are recorded or if there is congestion control.
func (n *Network) Freeze(links []router.Link) *Frozen {
	if n.config.Congestion != nil {
		panic("netsim: rates cannot be frozen")
	}
	return &Frozen{n.routers.Freeze(links), n.Now()}
}

// FreezeRest stops the clock of all links that are not frozen.
func (n *Network) FreezeRest() *Frozen { return &Frozen{n.routers.FreezeRest(), n.Now()} }

// SetNow sets the clock of a network in which everything is frozen.
func (n *Network) SetNow(cycle Cycle) { n.routers.SetNow(cycle) }

// Thaw lets a part of the network go on now from the state in which it was frozen: its messages are
// those of a network whose clock was later by the cycles since then.
func (n *Network) Thaw(f *Frozen) {
	n.routers.Thaw(f.part)
	if n.pairs == nil {
		return
	}
	for _, p := range n.pairs.pairs {
		if slices.Contains(f.part.Nodes, p.from) {
			for i := range p.waiting {
				p.waiting[i].Created += n.Now() - f.at
			}
		}
	}
}
