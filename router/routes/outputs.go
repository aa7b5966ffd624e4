package routes

import (
	"contend/router"
	"contend/router/topology"
)

// outputs are the output VCs of all routers. A routing embeds it.
type outputs struct {
	wiring   *router.Wiring
	firstVC  []router.Channel // first VC that leaves router r by port p, at r·ports+p
	ports    int              // of a router
	virtual  router.Channel   // VCs of a network channel
	ejection router.Channel   // VCs of an ejection channel
}

// newOutputs returns the output VCs of a wiring.
func newOutputs(w *router.Wiring) outputs {
	return outputs{wiring: w, firstVC: w.Outs(), ports: w.Topology.Ports(),
		virtual:  router.Channel(w.VirtualChannels),
		ejection: router.Channel(w.NodeVirtualChannels)}
}

// out returns the first VC that leaves router r by port p.
func (x *outputs) out(r topology.Router, p topology.Port) router.Channel {
	return x.firstVC[int(r)*x.ports+int(p)]
}

// eject appends the VCs to a node.
func (x *outputs) eject(dst []router.Channel, to topology.Node) []router.Channel {
	return router.AppendRun(dst, x.wiring.Ejection(to), x.ejection)
}

// isBetweenRouters reports whether VC c belongs to a network channel.
func (x *outputs) isBetweenRouters(c router.Channel) bool {
	return x.wiring.Kind(x.wiring.LinkOf(c)) == router.Network
}

// indexOnLink returns the place of VC c among those of its link, from 0.
func (x *outputs) indexOnLink(c router.Channel) router.Channel {
	return c - x.wiring.First(x.wiring.LinkOf(c))
}

// classRange returns the VCs, of n, of one of several classes: those from low to below high.
func classRange(n, class, classes router.Channel) (low, high router.Channel) {
	return class * n / classes, (class + 1) * n / classes
}
