package netfile

import (
	"fmt"

	"contend/netsim/topology"
)

// link is all that joins two routers, the lower number first: how many links in parallel, the
// cycles up from the lower to the higher number and down, and those from one flit to the next, 0
// where nothing is said.
type link struct {
	count, up, down  int
	flitUp, flitDown int
}

// join joins two routers. A pair that is joined already keeps its links: both directions of
// a link may be written. Cycles are those from one to the other, 0 where none are given.
func (n *Network) join(from, to, cycles, count int) error {
	if from == to {
		return n.bad("leave it out", "there is a link from router %d to itself", from)
	}
	if cycles > topology.MaxLinkCycles {
		return n.bad(fmt.Sprintf("at most %d", topology.MaxLinkCycles), "a link takes %d cycles", cycles)
	}
	if count < 1 || count > mostCount {
		return n.bad(fmt.Sprintf("give 1 to %d", mostCount), "there are %d parallel links", count)
	}
	for _, r := range []int{from, to} {
		if err := n.router(r); err != nil {
			return err
		}
	}
	key := [2]int{min(from, to), max(from, to)}
	k := n.links[key]
	if k == nil {
		k = &link{}
		n.links[key], n.order = k, append(n.order, key)
	}
	if k.count > 1 && count > 1 && k.count != count {
		return n.bad("give one of them", "%d links and %d join router %d and router %d", k.count, count,
			key[0], key[1])
	}
	if err := n.addLinks(k, max(0, count-k.count)); err != nil {
		return err
	}
	at := &k.up
	if from > to {
		at = &k.down
	}
	if cycles > 0 && *at > 0 && *at != cycles {
		return n.bad("give one of them", "the link from router %d to router %d takes %d cycles, and %d",
			from, to, *at, cycles)
	}
	*at = max(*at, cycles)
	return nil
}

// pace says how many cycles there are from flit to flit from one router to another one, 0 for
// nothing.
func (n *Network) pace(from, to, cycles int) error {
	k := n.links[[2]int{min(from, to), max(from, to)}]
	at := &k.flitUp
	if from > to {
		at = &k.flitDown
	}
	switch {
	case cycles > topology.MaxFlitCycles:
		return n.bad(fmt.Sprintf("at most %d", topology.MaxFlitCycles),
			"a flit of a link takes %d cycles", cycles)
	case cycles > 0 && *at > 0 && *at != cycles:
		return n.bad("give one of them", "a flit of the link from router %d to router %d takes %d "+
			"cycles, and %d", from, to, *at, cycles)
	}
	*at = max(*at, cycles)
	return nil
}

// addLinks adds parallel links to a pair.
func (n *Network) addLinks(k *link, more int) error {
	k.count += more
	if n.all += more; n.all > mostLinks {
		return n.bad("give fewer", "there are more than %d links", mostLinks)
	}
	return nil
}
