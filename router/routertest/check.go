// Package routertest checks that a routing keeps the contract of router.Routing. It is for the
// tests of any routing, inside and outside of this module.
package routertest

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"contend/router"
	"contend/router/deadlock"
	"contend/router/topology"
)

// Options select checks beyond the contract.
type Options struct {
	// Minimal says that every route must be a shortest path. The topology must be a topology.Metric,
	// with a method Distance.
	Minimal bool
	// MaxHops is the maximum number of network channels of a route; 0 means twice the
	// number of routers.
	MaxHops int
	// Rounds is the number of packets followed between each pair of nodes, each over
	// channels and past routers in a state drawn at random; 0 means 4.
	Rounds int
	// Seed seeds the draws.
	Seed uint64
}

// Check returns the first promise that a routing over the channels of w breaks:
//
//   - packets arrive, for all states of routers and all choices of channels;
//   - Route offers channels that leave the router, each once, no more than the
//     traits say, none that Possible does not list, and one of those of Escape;
//   - Escape lists no channel that Possible does not;
//   - Possible and Escape leave the header as Route does;
//   - equal arguments give equal results, and the traits are true;
//   - Route asks its View about channels that leave the router, unless it says SeesAll;
//   - packets cannot wait for each other for ever: see deadlock.CheckDeadlock.
func Check(w *router.Wiring, x router.Routing, o Options) error {
	if o.MaxHops == 0 {
		o.MaxHops = 2 * w.Topology.Routers()
	}
	if o.Rounds == 0 {
		o.Rounds = 4
	}
	k := checker{w: w, x: x, o: o, rng: rand.New(rand.NewPCG(o.Seed, 0)),
		lists: map[router.Channel][]router.Channel{}}
	if d, ok := x.(router.Described); ok {
		k.traits = d.Traits()
	}
	k.branch, _ = x.(router.Branching)
	k.escaping, _ = x.(router.Escaping)
	nodes := topology.Node(w.Topology.Nodes())
	for from := range topology.Node(w.Nodes()) {
		first := from / nodes * nodes // network interfaces reach those of their number
		for to := first; to < first+nodes; to++ {
			for i := range o.Rounds {
				h := router.Header{Source: from, Destination: to, Packet: k.rng.Int64(),
					Flow: k.rng.Int32()}
				if i == 0 {
					h.Packet, h.Flow = 0, 0
				}
				if k.follow(h, i); k.err != nil {
					return k.err
				}
			}
		}
	}
	return deadlock.CheckDeadlock(w, x)
}

// checker follows packets and keeps the first promise that the routing breaks.
type checker struct {
	w      *router.Wiring
	x      router.Routing
	o      Options
	rng    *rand.Rand
	traits router.Traits
	branch router.Branching
	// nil where there are no escape channels
	escaping router.Escaping
	lists    map[router.Channel][]router.Channel // by link: its list in OutputLinks
	err      error                               // the first
}

// promise records the first broken promise.
func (k *checker) promise(kept bool, text string, args ...any) {
	if !kept && k.err == nil {
		k.err = fmt.Errorf(text, args...)
	}
}

// follow follows one packet from its source to its destination. Rounds take the injection
// channels of the source in turn.
func (k *checker) follow(h router.Header, round int) {
	ways := k.w.InjectionPorts * k.w.NodeVirtualChannels
	at := k.w.Injection(h.Source) + router.Channel(round%ways)
	for hops := 0; ; hops++ {
		offered := k.route(k.w.Enters(at), at, &h)
		if k.err != nil {
			k.err = fmt.Errorf("a packet from node %d to node %d that comes by %s: %w",
				h.Source, h.Destination, k.w.Describe(at), k.err)
			return
		}
		at = offered[k.rng.IntN(len(offered))]
		if k.w.Enters(at) < 0 {
			k.arrived(h, k.w.LinkOf(at), hops)
			return
		}
		if hops == k.o.MaxHops {
			k.promise(false, "a packet from node %d to node %d is not there after %d channels",
				h.Source, h.Destination, hops)
			return
		}
	}
}

// arrived checks a route that ends on an ejection channel.
func (k *checker) arrived(h router.Header, l router.Link, hops int) {
	_, to := k.w.Ends(l)
	k.promise(l == k.w.LinkOf(k.w.Ejection(h.Destination)),
		"a packet from node %d to node %d arrives at node %d", h.Source, h.Destination, to.Node)
	if !k.o.Minimal {
		return
	}
	m, ok := k.w.Topology.(topology.Metric)
	if k.promise(ok, "Options.Minimal needs a topology with a method Distance, which %T has not",
		k.w.Topology); !ok {
		return
	}
	nodes := topology.Node(k.w.Topology.Nodes())
	d := m.Distance(h.Source%nodes, h.Destination%nodes)
	k.promise(hops == d, "a packet from node %d to node %d takes %d channels, but they are %d apart",
		h.Source, h.Destination, hops, d)
}

// route checks the channels that a head may take and returns them. It leaves the head as the
// router does.
func (k *checker) route(r topology.Router, in router.Channel, h *router.Header) []router.Channel {
	view, before, again := k.drawView(r), *h, *h
	offered := k.x.Route(nil, r, in, h, view)
	second := k.x.Route(nil, r, in, &again, view)
	k.promise(slices.Equal(offered, second) && again == *h, "asked twice, Route offers %v and %v",
		offered, second)
	k.promise(!k.traits.Stateless || *h == before,
		"the traits say Stateless, but Route leaves the header as %+v", *h)
	asked := before
	if k.branch != nil {
		asked = *h
		k.promise(slices.Contains(k.branch.Branches(nil, r, in, before), *h),
			"routing leaves the header as %+v, which Branches does not list", *h)
	}
	left, escape := asked, asked
	possible := k.x.Possible(nil, r, in, &left)
	k.promise(left == *h, "method Possible leaves the header as %+v, Route as %+v", left, *h)
	k.checkOffered(r, offered, possible)
	k.checkTables(r, in, before, *h, view, offered)
	if c := view.foreign; c != nil && !k.traits.SeesAll {
		k.promise(false, "its Route asks its View about %s, which does not leave the router",
			k.w.Describe(*c))
	}
	if k.escaping != nil {
		some, escapes := false, k.escaping.Escape(nil, r, in, &escape)
		k.checkEscapeVCs(offered, escapes)
		for _, c := range escapes {
			some = some || slices.Contains(offered, c)
			k.promise(slices.Contains(possible, c), "its Escape lists %s, which Possible does not",
				name{k.w, c})
		}
		k.promise(some, "routing offers no escape channel")
		k.promise(escape == *h, "method Escape leaves the header as %+v, Route as %+v", escape, *h)
	}
	if !k.traits.Flows {
		other := before
		other.Flow = k.rng.Int32()
		elsewhere := k.x.Route(nil, r, in, &other, view)
		k.promise(slices.Equal(offered, elsewhere),
			"the traits do not say Flows, but of two flows Route offers %v and %v", offered, elsewhere)
	}
	if k.traits.Oblivious {
		other := k.x.Route(nil, r, in, &before, k.drawView(r))
		k.promise(slices.Equal(offered, other), "the traits say Oblivious, but Route offers %v or %v",
			offered, other)
	}
	return offered
}

// checkOffered checks the promises that concern the offered channels alone.
func (k *checker) checkOffered(r topology.Router, offered, possible []router.Channel) {
	k.promise(len(offered) > 0, "routing offers nothing")
	most := k.traits.Choices
	k.promise(most == 0 || len(offered) <= most,
		"routing offers %d channels, but the traits say at most %d", len(offered), most)
	k.promise(!k.traits.OneLink || slices.IsSorted(offered),
		"the traits say OneLink, but routing offers %v", offered)
	for i, c := range offered {
		if !k.w.Has(c) {
			k.promise(false, "routing offers channel %d, which does not exist", c)
			return
		}
		l := k.w.LinkOf(c)
		k.promise(k.w.Leaves(l) == r, "routing offers %s, which does not leave router %d",
			name{k.w, c}, r)
		k.promise(!k.traits.OneLink || l == k.w.LinkOf(offered[0]),
			"the traits say OneLink, but routing offers %s and %s", name{k.w, offered[0]}, name{k.w, c})
		k.promise(!slices.Contains(offered[:i], c), "routing offers %s twice", name{k.w, c})
		k.promise(slices.Contains(possible, c), "routing offers %s, which Possible does not list",
			name{k.w, c})
	}
}

// checkEscapeVCs checks the promises of Traits.EscapeVCs for the channels that Route offers.
func (k *checker) checkEscapeVCs(offered, escapes []router.Channel) {
	n := router.Channel(k.traits.EscapeVCs)
	if n == 0 {
		return
	}
	last, seen := router.Channel(-1), map[router.Link]bool{}
	for _, c := range offered {
		l := k.w.LinkOf(c)
		escape := k.w.Kind(l) == router.Ejection || c-k.w.First(l) < n || k.w.IsEscapePath(c)
		k.promise(escape == slices.Contains(escapes, c),
			"the traits say EscapeVCs %d, but of the channels offered %v Escape lists %v", n, offered, escapes)
		if !escape {
			again := seen[l] && k.w.LinkOf(last) != l || last == -2
			k.promise(!again && (!seen[l] || last < c),
				"the traits say EscapeVCs, but routing offers %v, not link by link", offered)
			seen[l], last = true, c
		} else {
			last = -2
		}
	}
}

// checkTables checks that the tables of the routing, if it has any, give what Route offers.
func (k *checker) checkTables(r topology.Router, in router.Channel, before, after router.Header,
	v router.View, offered []router.Channel) {
	tabled, ok := k.x.(router.Tabled)
	if !ok {
		return
	}
	of, tables := tabled.OutputTables()
	if of != k.x {
		return
	}
	if tables.OutputRun != nil {
		first, n := tables.OutputRun(r, in, &before, v)
		run := router.AppendRun(nil, first, n)
		k.promise(slices.Equal(offered, run) && before == after,
			"OutputRun gives %v and leaves the header as %+v, but Route offers %v", run, before, offered)
	}
	if tables.OutputLinks != nil {
		k.checkLinks(r, after.Destination, tables, offered)
	}
}

// checkLinks checks that the table OutputLinks gives what Route offers.
func (k *checker) checkLinks(r topology.Router, to topology.Node, tables *router.OutputTables,
	offered []router.Channel) {
	links, from := tables.OutputLinks(r, to)
	var list []router.Channel
	for v := range k.w.Width(k.w.LinkOf(links[0])) {
		for i := range links {
			list = append(list, links[(from+i)%len(links)]+v)
		}
	}
	k.promise(slices.Equal(offered, list), "OutputLinks gives %v, but Route offers %v", list, offered)
	for _, o := range links { // lists are equal or share no link
		if k.lists[o] == nil {
			k.lists[o] = links
		}
		k.promise(slices.Equal(k.lists[o], links), "OutputLinks gives %v and %v", links, k.lists[o])
	}
}

// name is a channel in an error.
type name struct {
	w *router.Wiring
	c router.Channel
}

// String describes the channel, which may not exist.
func (n name) String() string {
	if !n.w.Has(n.c) {
		return fmt.Sprintf("channel %d", n.c)
	}
	return n.w.Describe(n.c)
}

// view is the View of a router whose channels are in drawn states.
type view struct {
	seed    uint64
	w       *router.Wiring
	r       topology.Router
	foreign *router.Channel // a channel passed to the View that does not leave the router
}

// drawView returns a View of router r in a drawn state.
func (k *checker) drawView(r topology.Router) *view {
	return &view{seed: k.rng.Uint64(), w: k.w, r: r}
}

// draw returns a number below a bound for channel c, and notes the channel if it does not leave the
// router.
func (v *view) draw(c router.Channel, below int32) int32 {
	if from, _ := v.w.Ends(v.w.LinkOf(c)); from.Router != v.r {
		v.foreign = &c
	}
	return rand.New(rand.NewPCG(v.seed, uint64(c))).Int32N(below)
}

// Free implements router.View.
func (v *view) Free(c router.Channel) bool { return v.draw(c, 4) > 0 }

// Credits implements router.View.
func (v *view) Credits(c router.Channel) int32 { return v.draw(c, 5) }

// Queued implements router.View.
func (v *view) Queued(c router.Channel) int32 { return v.draw(c, 17) }
