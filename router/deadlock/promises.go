package deadlock

import (
	"fmt"
	"slices"

	"contend/router"
	"contend/router/topology"
)

// The walk checks the contract of a routing: it offers channels that exist and leave the router,
// and Route, Possible and Escape agree.

// checkPossible refuses a routing if Possible lists no channel for a packet at router r, or a
// channel that does not leave the router.
func (k *walk) checkPossible(at step, r topology.Router) {
	if len(k.out) == 0 {
		k.refuse(at, "Possible lists no channel")
	}
	for _, d := range k.out {
		if !k.leaves(r, d) {
			k.refuse(at, "Possible lists %s, which does not leave the router", k.name(d))
		}
	}
}

// leaves reports whether channel c exists and leaves router r.
func (k *walk) leaves(r topology.Router, c router.Channel) bool {
	if !k.wiring.Has(c) {
		return false
	}
	l := k.wiring.LinkOf(c)
	return k.wiring.Leaves(l) == r
}

// name names a channel that may not exist.
func (k *walk) name(c router.Channel) string {
	if !k.wiring.Has(c) {
		return fmt.Sprintf("channel %d (there is no such)", c)
	}
	return k.wiring.Describe(c)
}

// checkOffer refuses a routing unless Route, with no channel free and with all free, offers a
// channel that Escape lists, and none that Possible does not list.
func (k *walk) checkOffer(at step) {
	r := k.wiring.Enters(at.c)
	k.list = k.list[:0]
	if k.branch == nil {
		k.branches = append(k.branches[:0], at.h)
	}
	for _, h := range k.branches {
		k.now.h = h
		k.list = k.x.Possible(k.list, r, at.c, &k.now.h)
	}
	for _, v := range []router.IdleView{{Waiting: 1 << 15}, {Room: 1 << 15}} {
		k.now.h = at.h
		k.offered = k.x.Route(k.offered[:0], r, at.c, &k.now.h, v)
		if k.branch == nil {
			k.now.h = at.h
		}
		k.escape = k.escaping.Escape(k.escape[:0], r, at.c, &k.now.h)
		for _, o := range k.offered {
			if !slices.Contains(k.list, o) {
				k.refuse(at, "Route offers %s, which Possible does not list", k.name(o))
			}
		}
		if !slices.ContainsFunc(k.escape,
			func(e router.Channel) bool { return slices.Contains(k.offered, e) }) {
			k.refuse(at, "Route offers no escape channel")
		}
		for _, e := range k.escape {
			if !slices.Contains(k.list, e) {
				k.refuse(at, "Escape lists %s, which Possible does not", k.name(e))
			}
		}
	}
}

// refuse ends the walk with an error: the routing breaks its contract for the packet of a step.
func (k *walk) refuse(at step, format string, args ...any) {
	if k.err == nil {
		k.err = fmt.Errorf("the routing breaks its contract: of a packet from node %d to node %d that "+
			"comes by %s, %s",
			at.h.Source, at.h.Destination, k.wiring.Describe(at.c), fmt.Sprintf(format, args...))
	}
}
