package netfile

import (
	"strconv"
	"strings"

	"contend/router/topology"
)

// Times are how long a link takes in one direction.
type Times struct {
	// Cycles are those for a flit to be at the other end, 0 where nothing is said.
	Cycles int
	// FlitCycles are those from one flit to the next, 0 where nothing is said.
	FlitCycles int
}

// Describe returns the network that a topology is, with the times of the links at the ports of
// its routers. Routers have their labels as names, or their numbers where labels are no names or
// not one for each.
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
	for rail := range topology.Rails(t) {
		for k := range topology.Node(t.Nodes()) {
			r, _ := topology.AttachRail(t, k, rail)
			if err := n.node(int(k), int(r)); err != nil {
				return nil, err
			}
		}
	}
	for r := range topology.Router(t.Routers()) {
		for p := range topology.Port(t.Ports()) {
			to, q, ok := t.Peer(r, p)
			if !ok || to <= r {
				continue
			}
			if err := n.describeLink([2]int{int(r), int(to)}, times(r, p), times(to, q)); err != nil {
				return nil, err
			}
		}
	}
	return n, n.whole()
}

// describeLink adds a link between two routers, the lower number first.
func (n *Network) describeLink(key [2]int, up, down Times) error {
	k := link{1, up, down}
	old := n.links[key]
	if old == nil {
		if err := n.join(key[0], key[1], up, 1); err != nil {
			return err
		}
		return n.join(key[1], key[0], down, 1)
	}
	if k.count = old.count; k != *old {
		return n.bad("make them alike", "two links join router %d and router %d that differ in times",
			key[0], key[1])
	}
	if old.count == maxCount {
		return n.bad("give fewer", "more than %d links join router %d and router %d", maxCount, key[0],
			key[1])
	}
	return n.addLinks(old, 1)
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
