package netfile

import (
	"strconv"
	"strings"

	"contend/router/topology"
)

// Times are the delay and the pace of a link in one direction.
type Times struct {
	// Cycles is the time from one end of the link to the other; 0 if it is not given.
	Cycles int
	// FlitCycles is the time from one flit to the next; 0 if it is not given.
	FlitCycles int
}

// Describe returns a topology as a network, with the times of the link at each port of each
// router. The names of routers are their labels, or their numbers if labels are no valid names or
// not unique.
//
// Describe refuses parallel links with different times, because a file of a network has one time
// for all of them.
func Describe(t topology.Topology, times func(r topology.Router, p topology.Port) Times) (
	*Network, error) {
	n := newNetwork("network")
	grouped, _ := t.(topology.Grouped)
	rails := railsOf(t)
	for r, name := range namesOf(t) {
		if err := n.defineRouter(r); err != nil {
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
			if err := n.attachNode(int(k), int(r)); err != nil {
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
			if err := n.addDescribedLink([2]int{int(r), int(to)}, times(r, p), times(to, q)); err != nil {
				return nil, err
			}
		}
	}
	return n, n.finish()
}

// addDescribedLink adds a link between two routers, the lower number first, with its times up and
// down.
func (n *Network) addDescribedLink(key [2]int, up, down Times) error {
	k := link{1, up, down}
	old := n.links[key]
	if old == nil {
		if err := n.joinRouters(key[0], key[1], up, 1); err != nil {
			return err
		}
		return n.joinRouters(key[1], key[0], down, 1)
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

// namesOf returns a name for each router: see Describe.
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
