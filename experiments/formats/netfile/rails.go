package netfile

import (
	"slices"

	"contend/router/topology"
)

// Nodes may have several network interfaces. Those of one number make a rail: each hangs on a
// router of that rail, and no link joins routers of two rails. So a file gives for each router
// which rail it belongs to, and node n is that with number n on every rail.

// resolveRails finds the router of each node on each rail.
func (n *Network) resolveRails() error {
	n.rails = nil
	for _, k := range n.attached {
		rail := n.routers[k.router].rail
		for len(n.rails) <= rail {
			n.rails = append(n.rails, nil)
		}
		for len(n.rails[rail]) <= k.node {
			n.rails[rail] = append(n.rails[rail], -1)
		}
		at := &n.rails[rail][k.node]
		if n.line = k.line; *at >= 0 && *at != k.router {
			return n.bad("a node hangs on one router of each rail",
				"node %d hangs on router %d, and on router %d", k.node, *at, k.router)
		}
		*at = k.router
	}
	n.line = 0
	for rail, homes := range n.rails {
		if len(homes) == 0 {
			return n.bad("number rails from 0 without a gap", "no node hangs on a router of rail %d", rail)
		}
		if i := slices.Index(homes, -1); i >= 0 {
			return n.bad("number nodes from 0 without a gap", "there is no node %d", i)
		}
		if len(homes) != len(n.rails[0]) {
			return n.bad("hang every node on a router of each rail", "there are %d nodes on rail 0, and "+
				"%d on rail %d", len(n.rails[0]), len(homes), rail)
		}
	}
	return nil
}

// setRail puts a router on a rail.
func (n *Network) setRail(r, rail int) error {
	if rail >= topology.MaxRails {
		return n.bad("give fewer", "a router belongs to rail %d, and there are at most %d", rail,
			topology.MaxRails)
	}
	n.routers[r].rail = rail
	return nil
}

// railsOf returns the rail of each router of a topology: that of the network interfaces that its
// links lead to.
func railsOf(t topology.Topology) []int {
	rails := make([]int, t.Routers())
	for rail := 1; rail < topology.Rails(t); rail++ {
		start, _ := topology.AttachRail(t, 0, rail)
		rails[start] = rail
		for queue := []topology.Router{start}; len(queue) > 0; queue = queue[1:] {
			for p := range topology.Port(t.Ports()) {
				if to, _, ok := t.Peer(queue[0], p); ok && rails[to] != rail {
					rails[to] = rail
					queue = append(queue, to)
				}
			}
		}
	}
	return rails
}
