package netsim

import (
	"math/rand/v2"
	"testing"

	"contend/internal/must"
	"contend/router"
	"contend/router/topology"
)

// Theory of detours on dragonflies (Kim et al. 2008, sec. 4). The dragonfly has a routers a
// group, h global links and p nodes a router with a = 2p = 2h: see fly.

// carried is what a network accepts of an offered load, in flits per node and cycle, the mean
// latency of its packets in cycles, and the flits per cycle of a link between groups.
type carried struct{ accepted, latency, global float64 }

// carry runs a network under traffic: "uniform", or "adversarial" from each group to the next.
func carry(t *testing.T, c Config, traffic string, load float64) carried {
	t.Helper()
	return carryTo(t, c, destinationsOf(t, traffic, c.Topology, false).To, load)
}

// carryTo runs a network under traffic to destinations.
func carryTo(t *testing.T, c Config, to func(topology.Node, *rand.Rand) topology.Node,
	load float64) carried {
	t.Helper()
	const warm, until = 4000, 10_000
	n := must.Have(New(c))
	nodes := c.Topology.Nodes()
	tr := started(n, Traffic{Destination: to, Load: load, Flits: 4}, 21, 22)
	run(t, n, tr, warm)
	n.ResetUsage()
	run(t, n, tr, until)
	total := n.Totals()
	return carried{float64(total.Flits) / (until - warm) / float64(nodes),
		float64(total.Latency) / float64(total.Packets), betweenGroups(n) / (until - warm)}
}

// betweenGroups returns the mean flits that a link between groups of a dragonfly has carried, 0
// on other networks.
func betweenGroups(n *Network) float64 {
	m, ok := n.Config().Topology.(*topology.Dragonfly)
	if !ok {
		return 0
	}
	w, flits, links := n.Wiring(), 0.0, 0.0
	for l := range router.Link(w.Links()) {
		from, to := w.Ends(l)
		if w.Kind(l) == router.Network && m.Group(from.Router) != m.Group(to.Router) {
			flits += float64(n.Usage(l).Flits)
			links++
		}
	}
	return flits / links
}

// Under adversarial traffic all a·p nodes of a group send over one global link, which carries a
// flit a cycle: minimal routing saturates at 1/(a·p) flits per node and cycle.
func TestMinimalOnDragonflyMeetsItsBound(t *testing.T) {
	if slow {
		return // other tests check invariants on this network
	}
	const bound = 1.0 / (flyRouters * flyNodes)
	got := carry(t, fly(t, "minimal"), "adversarial", 0.5).accepted
	if got > bound*1.001 || got < 0.95*bound {
		t.Errorf("minimal routing accepts %.4f flits per node and cycle, the global link carries %.4f",
			got, bound)
	}
}
