package netfile

import (
	"fmt"

	"contend/router/topology"
)

// link is the links between two routers.
type link struct {
	count int
	// up are the times from the lower to the higher number of a router, down those back.
	up, down Times
}

// joinRouters joins two routers by count links, with the times from the first to the second. A pair
// that is joined already keeps its links, because both directions of a link may be written.
func (n *Network) joinRouters(from, to int, times Times, count int) error {
	if from == to {
		return n.bad("leave it out", "there is a link from router %d to itself", from)
	}
	if count < 1 || count > maxCount {
		return n.bad(fmt.Sprintf("give 1 to %d", maxCount), "there are %d parallel links", count)
	}
	for _, r := range []int{from, to} {
		if err := n.defineRouter(r); err != nil {
			return err
		}
	}
	key := [2]int{min(from, to), max(from, to)}
	k := n.links[key]
	if k == nil {
		k = &link{}
		n.links[key] = k
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
	for _, t := range []struct {
		of            string
		at            *int
		cycles, limit int
	}{{"", &at.Cycles, times.Cycles, topology.MaxLinkCycles},
		{"a flit of ", &at.FlitCycles, times.FlitCycles, topology.MaxFlitCycles}} {
		if t.cycles > t.limit {
			return n.bad(fmt.Sprintf("at most %d", t.limit), "%sa link takes %d cycles", t.of, t.cycles)
		}
		if t.cycles > 0 && *t.at > 0 && *t.at != t.cycles {
			return n.bad("give one of them", "%sthe link from router %d to router %d takes %d cycles, "+
				"and %d", t.of, from, to, *t.at, t.cycles)
		}
		*t.at = max(*t.at, t.cycles)
	}
	return nil
}

// addLinks adds parallel links between two routers.
func (n *Network) addLinks(k *link, more int) error {
	k.count += more
	if n.linkCount += more; n.linkCount > maxLinks {
		return n.bad("give fewer", "there are more than %d links", maxLinks)
	}
	return nil
}
