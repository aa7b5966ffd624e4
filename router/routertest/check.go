// Package routertest checks that a routing keeps what router.Routing promises. It is
// for the tests of any routing, this module's and others'.
package routertest

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"contend/netsim/topology"
	"contend/router"
	"contend/router/deadlock"
)

// Options say what is checked beyond the contract.
type Options struct {
	// Minimal says that every route is a shortest one. The topology has to be a
	// topology.Metric: it has to have a method Distance.
	Minimal bool
	// MostHops is how many network channels a route may have; 0 means twice the
	// number of routers.
	MostHops int
	// Rounds is how many packets are followed between each pair of nodes, each over
	// channels and past routers in a state drawn at random; 0 means 4.
	Rounds int
	// Seed is that of the draws.
	Seed uint64
}

// Check returns the first promise that a routing over the channels of w breaks:
//
//   - packets arrive, whatever a router looks like and whichever channel is taken;
//   - Route offers channels that leave the router, each once, no more than the
//     traits say, none that Possible does not list, and one of those of Escape;
//   - Escape lists nothing that Possible does not;
//   - Possible and Escape leave the header as Route does;
//   - equal questions get equal answers, and what the traits say is true;
//   - Route asks its View about channels that leave the router, unless it says SeesAll;
//   - packets cannot wait for each other for ever: see deadlock.CheckDeadlock.
func Check(w *router.Wiring, x router.Routing, o Options) error {
	if o.MostHops == 0 {
		o.MostHops = 2 * w.Topology.Routers()
	}
	if o.Rounds == 0 {
		o.Rounds = 4
	}
	k := checker{w: w, x: x, o: o, rng: rand.New(rand.NewPCG(o.Seed, 0))}
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
				h := router.Header{Source: from, Destination: to, Packet: k.rng.Int64()}
				if i == 0 {
					h.Packet = 0
				}
				if err := k.follow(h, i); err != nil {
					return err
				}
			}
		}
	}
	return deadlock.CheckDeadlock(w, x)
}

type checker struct {
	w      *router.Wiring
	x      router.Routing
	o      Options
	rng    *rand.Rand
	traits router.Traits
	branch router.Branching
	// nil where there are no escape channels
	escaping router.Escaping
}

// follow follows one packet from its source to its destination. Rounds take the injection
// channels of the source in turn.
func (k *checker) follow(h router.Header, round int) error {
	ways := k.w.InjectionPorts * k.w.NodeVirtualChannels
	at := k.w.Injection(h.Source) + router.Channel(round%ways)
	for hops := 0; ; hops++ {
		_, here := k.w.Ends(k.w.LinkOf(at))
		offered, after, err := k.ask(here.Router, at, h)
		if err != nil {
			return fmt.Errorf("a packet from node %d to node %d that comes by %s: %w",
				h.Source, h.Destination, k.w.Describe(at), err)
		}
		h = after
		at = offered[k.rng.IntN(len(offered))]
		l := k.w.LinkOf(at)
		if k.w.Kind(l) == router.Ejection {
			return k.arrived(h, l, hops)
		}
		if hops == k.o.MostHops {
			return fmt.Errorf("a packet from node %d to node %d is not there after %d channels",
				h.Source, h.Destination, hops)
		}
	}
}

// arrived checks a route that ends on an ejection channel.
func (k *checker) arrived(h router.Header, l router.Link, hops int) error {
	if _, to := k.w.Ends(l); l != k.w.LinkOf(k.w.Ejection(h.Destination)) {
		return fmt.Errorf("a packet from node %d to node %d arrives at node %d",
			h.Source, h.Destination, to.Node)
	}
	if !k.o.Minimal {
		return nil
	}
	m, ok := k.w.Topology.(topology.Metric)
	if !ok {
		return fmt.Errorf("Options.Minimal needs a topology with a method Distance, which %T has not",
			k.w.Topology)
	}
	nodes := topology.Node(k.w.Topology.Nodes())
	if d := m.Distance(h.Source%nodes, h.Destination%nodes); hops != d {
		return fmt.Errorf("a packet from node %d to node %d takes %d channels, but they are %d apart",
			h.Source, h.Destination, hops, d)
	}
	return nil
}

// ask asks for the channels a header may take and checks the answer. It returns
// them, and the header as the router leaves it.
func (k *checker) ask(r topology.Router, in router.Channel, h router.Header) ([]router.Channel,
	router.Header, error) {
	view := k.drawView(r)
	after := h
	offered := k.x.Route(nil, r, in, &after, view)
	again := h
	if second := k.x.Route(nil, r, in, &again, view); !slices.Equal(offered,
		second) || again != after {
		return nil, h, fmt.Errorf("asked twice, Route offers %v and %v", offered, second)
	}
	if err := k.checkOffered(r, offered); err != nil {
		return nil, h, err
	}
	if c := view.foreign; c != nil && !k.traits.SeesAll {
		return nil, h, fmt.Errorf("its Route asks its View about %s, which does not leave the router",
			k.w.Describe(*c))
	}
	asked := h
	if k.branch != nil {
		asked = after
		if !slices.Contains(k.branch.Branches(nil, r, in, h), after) {
			return nil, h, fmt.Errorf("routing leaves the header as %+v, which Branches does not list",
				after)
		}
	}
	if k.traits.Stateless && after != h {
		return nil, h, fmt.Errorf("the traits say Stateless, but Route leaves the header as %+v", after)
	}
	possible, escape, err := k.lists(r, in, asked, after)
	if err != nil {
		return nil, h, err
	}
	for _, c := range offered {
		if !slices.Contains(possible, c) {
			return nil, h, fmt.Errorf("routing offers %s, which Possible does not list", k.w.Describe(c))
		}
	}
	some := false
	for _, c := range escape {
		some = some || slices.Contains(offered, c)
		if !slices.Contains(possible, c) {
			return nil, h, fmt.Errorf("its Escape lists %s, which Possible does not", k.w.Describe(c))
		}
	}
	if k.escaping != nil && !some {
		return nil, h, fmt.Errorf("routing offers no escape channel")
	}
	return offered, after, k.checkBlind(r, in, h, offered)
}

// lists returns what Possible and Escape list for a header, which they have to leave as
// Route does.
func (k *checker) lists(r topology.Router, in router.Channel, h, after router.Header) (possible,
	escape []router.Channel, err error) {
	left := h
	if possible = k.x.Possible(nil, r, in, &left); left != after {
		return nil, nil, fmt.Errorf("method Possible leaves the header as %+v, Route as %+v", left, after)
	}
	if left = h; k.escaping == nil {
		return possible, nil, nil
	}
	if escape = k.escaping.Escape(nil, r, in, &left); left != after {
		return nil, nil, fmt.Errorf("method Escape leaves the header as %+v, Route as %+v", left, after)
	}
	return possible, escape, nil
}

// checkOffered checks what can be seen of the channels alone.
func (k *checker) checkOffered(r topology.Router, offered []router.Channel) error {
	if len(offered) == 0 {
		return fmt.Errorf("routing offers nothing")
	}
	if most := k.traits.Choices; most > 0 && len(offered) > most {
		return fmt.Errorf("routing offers %d channels, but the traits say at most %d", len(offered), most)
	}
	if k.traits.OneLink && !slices.IsSorted(offered) {
		return fmt.Errorf("the traits say OneLink, but routing offers %v", offered)
	}
	for i, c := range offered {
		if c < 0 || int(c) >= k.w.Channels() {
			return fmt.Errorf("routing offers channel %d, which does not exist", c)
		}
		if from, _ := k.w.Ends(k.w.LinkOf(c)); k.w.Kind(k.w.LinkOf(c)) == router.Injection ||
			from.Router != r {
			return fmt.Errorf("routing offers %s, which does not leave router %d", k.w.Describe(c), r)
		}
		if k.traits.OneLink && k.w.LinkOf(c) != k.w.LinkOf(offered[0]) {
			return fmt.Errorf("the traits say OneLink, but routing offers %s and %s",
				k.w.Describe(offered[0]), k.w.Describe(c))
		}
		if slices.Contains(offered[:i], c) {
			return fmt.Errorf("routing offers %s twice", k.w.Describe(c))
		}
	}
	return nil
}

// checkBlind asks an oblivious routing with another view.
func (k *checker) checkBlind(r topology.Router, in router.Channel, h router.Header,
	offered []router.Channel) error {
	if !k.traits.Oblivious {
		return nil
	}
	if other := k.x.Route(nil, r, in, &h, k.drawView(r)); !slices.Equal(offered, other) {
		return fmt.Errorf("the traits say Oblivious, but Route offers %v or %v", offered, other)
	}
	return nil
}

// view is a router in a state drawn by channel.
type view struct {
	seed    uint64
	w       *router.Wiring
	r       topology.Router
	foreign *router.Channel // one of those asked about that do not leave the router
}

func (k *checker) drawView(r topology.Router) *view {
	return &view{seed: k.rng.Uint64(), w: k.w, r: r}
}

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
