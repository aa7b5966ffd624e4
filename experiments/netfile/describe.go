package netfile

import (
	"strconv"
	"strings"

	"contend/netsim/topology"
)

// Times are how long a link takes in one direction.
type Times struct {
	// Cycles are those for a flit to be at the other end, at least 1.
	Cycles int
	// FlitCycles are those from one flit to the next, at least 1.
	FlitCycles int
}

// Describe returns the network that a topology is, with the times of the links at the ports of
// its routers and with the classes of links where the topology has some. Routers have their
// labels as names, or their numbers where labels are no names or not one for each. Nodes are
// numbered router by router.
//
// It returns an error for parallel links that differ, which the files of networks cannot tell
// apart.
func Describe(t topology.Topology, times func(r topology.Router, p topology.Port) Times) (
	*Network, error) {
	n := newNetwork("network")
	grouped, _ := t.(topology.Grouped)
	rails := railsOf(t)
	for r, name := range namesOf(t) {
		if err := n.router(r); err != nil {
			return nil, err
		}
		n.routers[r].name, n.routers[r].rail = name, rails[r]
		if grouped != nil && grouped.Groups() > 1 {
			n.routers[r].group = grouped.Group(topology.Router(r))
		}
	}
	if err := n.describeNodes(t); err != nil {
		return nil, err
	}
	for r := range topology.Router(t.Routers()) {
		for p := range topology.Port(t.Ports()) {
			to, q, ok := t.Peer(r, p)
			if !ok || to <= r {
				continue
			}
			ends := [2]topology.Router{r, to}
			if err := n.describeLink(t, ends, p, times(r, p), times(to, q)); err != nil {
				return nil, err
			}
		}
	}
	return n, n.whole()
}

// describeNodes hangs as many nodes on each router as a topology does.
func (n *Network) describeNodes(t topology.Topology) error {
	for rail := range topology.Rails(t) {
		carried, next := make([]int, t.Routers()), 0
		for k := range topology.Node(t.Nodes()) {
			r, _ := topology.AttachRail(t, k, rail)
			carried[r]++
		}
		for r, count := range carried {
			for range count {
				if err := n.node(next, r); err != nil {
					return err
				}
				next++
			}
		}
	}
	return nil
}

// describeLink adds the link at a port of the first of two routers.
func (n *Network) describeLink(t topology.Topology, ends [2]topology.Router, p topology.Port,
	up, down Times) error {
	k := link{1, up.Cycles, down.Cycles, remarks{flitUp: up.FlitCycles, flitDown: down.FlitCycles}}
	if classed, ok := t.(topology.Classed); ok {
		k.class = classed.LinkClasses()[classed.LinkClass(ends[0], p)]
	}
	key := [2]int{int(ends[0]), int(ends[1])}
	old := n.links[key]
	if old == nil {
		return n.joinAs(key, k)
	}
	if k.count = old.count; k != *old {
		return n.bad("make them alike", "two links join router %d and router %d that differ in class "+
			"or times", key[0], key[1])
	}
	if old.count == mostCount {
		return n.bad("give fewer", "more than %d links join router %d and router %d", mostCount, key[0],
			key[1])
	}
	return n.addLinks(old, 1)
}

// joinAs joins two routers that are not joined.
func (n *Network) joinAs(key [2]int, k link) error {
	if err := n.join(key[0], key[1], k.up, 1); err != nil {
		return err
	}
	if err := n.join(key[1], key[0], k.down, 1); err != nil {
		return err
	}
	n.links[key].remarks = k.remarks
	return nil
}

// namesOf returns a name for each router.
func namesOf(t topology.Topology) []string {
	names, seen := make([]string, t.Routers()), map[string]bool{}
	labelled, ok := t.(topology.Labelled)
	for r := range names {
		if ok {
			names[r] = strings.ReplaceAll(labelled.Label(topology.Router(r)), " ", "-")
			ok = validName(names[r]) && !seen[names[r]]
			seen[names[r]] = true
		}
	}
	if !ok {
		for r := range names {
			names[r] = strconv.Itoa(r)
		}
	}
	return names
}

// Ordered reports whether a topology numbers its nodes router by router, as files of networks
// other than anynet do.
func Ordered(t topology.Topology) bool {
	for rail := range topology.Rails(t) {
		last := topology.Router(0)
		for k := range topology.Node(t.Nodes()) {
			r, _ := topology.AttachRail(t, k, rail)
			if r < last {
				return false
			}
			last = r
		}
	}
	return true
}
