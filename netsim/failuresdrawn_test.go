package netsim_test

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"contend/internal/laws"
	"contend/internal/must"
	"contend/netsim"
	"contend/netsim/reference"
	"contend/router"
	"contend/router/routertest"
	"contend/router/routes"
	"contend/router/topology"
	"contend/router/topology/topologytest"
)

// failure is something that happens to links in a cycle.
type failure struct {
	at    netsim.Cycle
	links []router.Link
	fails bool
	share float64 // of their bandwidth that links have from now on, if it is not 0: they do not fail
	drops bool    // job 2 is dropped, and no link fails
}

// drawFailures draws failures of links and routers, and repairs of all.
func drawFailures(r *rapid.T, c netsim.Config) (list []failure) {
	n := must.Have(netsim.New(c))
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(r, "seed of failures"), 0))
	span := rapid.SampledFrom([]int{30, 300, 2000}).Draw(r, "span of failures")
	for range rapid.IntRange(1, 6).Draw(r, "failures") {
		at := netsim.Cycle(rng.IntN(span))
		links := []router.Link{router.Link(rng.IntN(n.Wiring().Links()))}
		if rng.IntN(3) == 0 {
			links = n.RouterLinks(topology.Router(rng.IntN(c.Topology.Routers())))
		}
		later := at + 1 + netsim.Cycle(rng.IntN(span))
		if c.SlowestBandwidth > 0 && rng.IntN(2) == 0 {
			list = append(list, failure{at: at, links: links, share: 1 / float64(1+rng.IntN(4))},
				failure{at: later, links: links, share: 1})
			continue
		}
		list = append(list, failure{at: at, links: links, fails: true},
			failure{at: later, links: links})
	}
	if c.Drops {
		list = append(list, failure{at: netsim.Cycle(rng.IntN(span)), drops: true})
	}
	slices.SortStableFunc(list, func(a, b failure) int { return int(a.at - b.at) })
	return list
}

// outcome is what a run with failures shows.
type outcome struct {
	deliveries []netsim.Delivery
	packets    []router.Arrival
	entered    []int32 // messages that have left their source queues
	usage      []router.Usage
	counts     netsim.Failures
	dropped    int // messages
}

// runWithFailures sends the messages of a scenario on a network in some threads while links fail.
// Message i has the user value i.
func runWithFailures(r *rapid.T, c netsim.Config, messages []reference.Timed, failures []failure,
	threads int) (o outcome) {
	c.Threads = threads
	n := must.Have(netsim.New(c))
	if c.LinksFail {
		n.ExpectRepairs(true)
	}
	n.ReportEntries()
	n.Watch(func(p *router.Arrival) { o.packets = append(o.packets, *p) })
	until := func(cycle netsim.Cycle) {
		for n.Now() < cycle {
			_, list, err := n.Advance(cycle)
			if err != nil {
				r.Fatal(err)
			}
			o.deliveries = append(o.deliveries, list...)
			for _, e := range n.Entries() {
				o.entered = append(o.entered, e.User)
			}
		}
	}
	failed := map[router.Link]int{}
	for i, k := 0, 0; i < len(messages) || k < len(failures); {
		if k < len(failures) && (i == len(messages) || failures[k].at <= messages[i].At) {
			until(failures[k].at)
			if failures[k].drops {
				o.dropped = n.Drop(2, allNodes(c))
			} else {
				apply(n, failed, failures[k])
			}
			k++
			continue
		}
		until(messages[i].At)
		m := messages[i].Message
		m.User = int32(i)
		n.Send(m)
		i++
	}
	const most = 10_000_000 // cycles between two messages that arrive
	for end := n.Now() + most; n.Pending() > 0 && n.Now() < end; {
		pending := n.Pending()
		if until(n.Now() + 1000); n.Pending() < pending {
			end = n.Now() + most
		}
	}
	until(n.Now() + 100_000) // lost packets arrive too
	for l := range n.Wiring().Links() {
		o.usage = append(o.usage, n.Usage(router.Link(l)))
	}
	if n.Pending() > 0 {
		r.Fatalf("%d messages do not arrive", n.Pending())
	}
	o.counts = n.Failures()
	return o
}

// allNodes returns the nodes of a network.
func allNodes(c netsim.Config) (list []topology.Node) {
	for i := range topology.Node(c.Topology.Nodes()) {
		list = append(list, i)
	}
	return list
}

// apply lets links fail that have not, or repairs those that no other failure holds.
func apply(n *netsim.Network, failed map[router.Link]int, f failure) {
	if f.share > 0 {
		must.Do(n.SetBandwidth(f.share, f.links...))
		return
	}
	var list []router.Link
	for _, l := range f.links {
		if f.fails {
			if failed[l]++; failed[l] == 1 {
				list = append(list, l)
			}
		} else if failed[l]--; failed[l] == 0 {
			list = append(list, l)
		}
	}
	if f.fails {
		n.Fail(list...)
	} else {
		n.Repair(list...)
	}
}

// checkLeftover checks that what is left of a routing after each failure keeps the contract of
// routings, and cannot deadlock.
func checkLeftover(r *rapid.T, c netsim.Config, failures []failure) {
	c = must.Have(c.Resolved())
	w, x, err := c.Wire()
	must.Do(err)
	failed, count := make([]bool, w.Links()), map[router.Link]int{}
	for _, f := range failures {
		for _, l := range f.links {
			if f.share > 0 || f.drops {
				continue
			}
			if count[l]--; f.fails {
				count[l] += 2
			}
			failed[l] = count[l] > 0
		}
		x.(router.Leftover).SetFailed(failed, true)
		left := asWhole(x.(router.Leftover))
		if err := routertest.Check(w, left, routertest.Options{Rounds: 2}); err != nil {
			r.Fatal(err)
		}
	}
}

// asWhole returns what is left of a routing without Branches, which it has always, unless the
// routing over all links has them.
func asWhole(x router.Leftover) router.Routing {
	if _, ok := x.Whole().(router.Branching); ok {
		return x
	}
	return struct {
		router.Routing
		router.Described
		router.Grouping
		router.Escaping
	}{x, x.(router.Described), x.(router.Grouping), x.(router.Escaping)}
}

// failuresLoseNothing draws networks whose links fail and are repaired.
func failuresLoseNothing(t *testing.T, checks int) {
	laws.AtMost(t, checks)
	onEscapePaths, lost := int64(0), int64(0) // lost: of runs that the packet engine repeats
	rapid.Check(t, func(r *rapid.T) {
		s := drawRouted(r)
		c := s.Config
		if rapid.Bool().Draw(r, "hold links") {
			holdLinks(&c)
		}
		if rapid.Bool().Draw(r, "loaded") {
			s.Messages = slices.Repeat(s.Messages, 4)
			slices.SortStableFunc(s.Messages, func(a, b reference.Timed) int { return int(a.At - b.At) })
		}
		c.Engine, c.EjectionCreditCycles, c.HeadersSpeculate = "cycle", 0, false
		if rapid.IntRange(0, 2).Draw(r, "in a cycle") == 0 {
			c.LinkCycles, c.FlitCycles, c.CreditCycles, c.InjectionFlitCycles = 1, 1, 1, 0
			linksAlike(&c)
		}
		if rapid.Bool().Draw(r, "queue pairs") {
			c.SourceQueues = netsim.QueuePerDestination
			c.Congestion = drawControl(r)
		}
		want := runWithFailures(r, c, s.Messages, nil, 1)
		c.LinksFail, c.ResendCycles = true, netsim.Cycle(rapid.IntRange(0, 300).Draw(r, "resend"))
		if rapid.Bool().Draw(r, "links slow down") {
			c.SlowestBandwidth = 0.25
		}
		if got := runWithFailures(r, c, s.Messages, nil, 1); !reflect.DeepEqual(got, want) {
			r.Fatal("links that may fail, and do not, change a run")
		}
		c.Drops = rapid.IntRange(0, 3).Draw(r, "drops") == 0
		failures := drawFailures(r, c)
		checkLeftover(r, c, failures)
		got := runWithFailures(r, c, s.Messages, failures, 1)
		if other := runWithFailures(r, c, s.Messages, failures, 4); !reflect.DeepEqual(got, other) {
			r.Fatal("4 threads give another run")
		}
		packet := c
		packet.Engine = "packet"
		if _, err := netsim.New(packet); err == nil {
			other := runWithFailures(r, packet, s.Messages, failures, 1)
			if !reflect.DeepEqual(got, other) {
				r.Fatalf("%+v: the packet engine gives another run: %s", c, firstDifference(&other, &got))
			}
			lost += got.counts.Lost
		}
		if c.Drops {
			checkDropped(r, s.Messages, got, failures)
		} else {
			checkDeliveries(r, s.Messages, got)
			checkFlits(r, c, got)
		}
		for _, d := range got.deliveries {
			onEscapePaths += int64(d.OnEscapePaths)
		}
	})
	t.Logf("%d packets on escape paths, %d lost in the packet engine", onEscapePaths, lost)
	if checks >= 100 && (onEscapePaths < int64(checks)/10 || lost < int64(checks)/10) {
		t.Errorf("%d packets on escape paths, %d lost in the packet engine, are too few",
			onEscapePaths, lost)
	}
}

// checkDeliveries checks that each message has left its source queue and arrived, once.
func checkDeliveries(r *rapid.T, messages []reference.Timed, o outcome) {
	times, enters := make([]int, len(messages)), make([]int, len(messages))
	for _, i := range o.entered {
		enters[i]++
	}
	for _, d := range o.deliveries {
		m := messages[d.User].Message
		m.User = d.User
		if times[d.User]++; d.Message != m || d.Created != messages[d.User].At {
			r.Fatalf("%+v arrives as %+v", m, d)
		}
	}
	others := func(n int) bool { return n != 1 }
	if slices.ContainsFunc(times, others) || slices.ContainsFunc(enters, others) {
		r.Fatalf("messages arrive %v times, and leave their queues %v times", times, enters)
	}
}

// checkDropped checks that each message has arrived but for those of job 2 that were dropped, and
// none twice. Of messages that were sent and that arrive some parts may be missing.
func checkDropped(r *rapid.T, messages []reference.Timed, o outcome, failures []failure) {
	drop := failures[slices.IndexFunc(failures, func(f failure) bool { return f.drops })].at
	times, missing := make([]int, len(messages)), 0
	for _, d := range o.deliveries {
		times[d.User]++
	}
	for i, n := range times {
		m := messages[i]
		if n > 1 || n == 0 && (m.Job != 2 || m.At > drop) {
			r.Fatalf("message %d of job %d, sent at %d, arrives %d times", i, m.Job, m.At, n)
		}
		missing += 1 - n
	}
	if missing != o.dropped {
		r.Fatalf("%d messages do not arrive, and %d were dropped", missing, o.dropped)
	}
}

// checkFlits checks that as many flits have left the network as have entered it, and that no other
// packets than lost ones have been sent twice.
func checkFlits(r *rapid.T, c netsim.Config, o outcome) {
	w := must.Have(netsim.New(c)).Wiring()
	in, out, arrived := int64(0), int64(0), int64(0)
	for l, u := range o.usage {
		switch w.Kind(router.Link(l)) {
		case router.Injection:
			in += u.Flits
		case router.Ejection:
			out += u.Flits
		}
	}
	for _, d := range o.deliveries {
		arrived += int64(d.Flits)
	}
	lost := in - arrived
	if in != out || lost < o.counts.Lost || lost > o.counts.Lost*int64(c.PacketFlits) {
		r.Fatalf("%d flits enter, %d leave, %d are delivered, %d packets are lost", in, out, arrived,
			o.counts.Lost)
	}
	if o.counts.Resent != o.counts.Lost || o.counts.Rerouted > o.counts.Lost {
		r.Fatalf("%+v", o.counts)
	}
}

// On networks whose links and routers fail and are repaired every message arrives once.
func TestFailuresLoseNothing(t *testing.T) { failuresLoseNothing(t, 12) }

// drawFailed draws a scenario on one of some dragonflies, HyperX networks, fat trees and meshes on
// which 1% to 10% of the cables, at least one, have failed from the beginning. A fourth of the
// messages are for pairs on escape paths, and all have a path.
func drawFailed(r *rapid.T, machines ...string) reference.Scenario {
	name := rapid.SampledFrom(machines).Draw(r, "machine")
	m := topologytest.Machine(r, name)
	kind, _, _ := strings.Cut(name, ":")
	names := map[string][]string{"dragonfly": {"minimal", "valiant", "ugal-l", "par"},
		"hyperx":   {"dimension-order", "dal", "ugal", "minimal-adaptive"},
		"fat-tree": {"adaptive", "d-mod-k", "random"}, "mesh": {"minimal-adaptive", "o1turn"}}[kind]
	routing := rapid.SampledFrom(names).Draw(r, "routing")
	makers := routes.Builtin()
	s := routed(r, m, makers[slices.IndexFunc(makers,
		func(k router.Maker) bool { return k.Name == routing && k.Suits(m) })])
	c := &s.Config
	c.LinksFail, c.Engine, c.EjectionCreditCycles, c.HeadersSpeculate = true, "cycle", 0, false
	if rapid.Bool().Draw(r, "hold links") {
		holdLinks(c)
	}
	*c = must.Have(c.Resolved())
	w, x, err := c.Wire()
	must.Do(err)
	var cables []router.Link
	for l := range router.Link(w.Links()) {
		if from, to := w.Ends(l); w.Kind(l) == router.Network && from.Router < to.Router {
			cables = append(cables, l)
		}
	}
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(r, "seed of failures"), 0))
	rng.Shuffle(len(cables), func(i, k int) { cables[i], cables[k] = cables[k], cables[i] })
	percent, failed := rapid.IntRange(1, 10).Draw(r, "percent"), make([]bool, w.Links())
	for _, l := range cables[:max(1, len(cables)*percent/100)] {
		_, to := w.Ends(l)
		back, _ := w.Out(to.Router, to.Port)
		s.Failed = append(s.Failed, l, back)
		failed[l], failed[back] = true, true
	}
	left := x.(router.Leftover)
	left.SetFailed(failed, true)
	var pairs [][2]topology.Node
	for from := range topology.Node(m.Nodes()) {
		for to := range topology.Node(m.Nodes()) {
			if left.Reach(from, to) == router.OnEscapePath {
				pairs = append(pairs, [2]topology.Node{from, to})
			}
		}
	}
	for i := range s.Messages {
		if k := &s.Messages[i]; i%4 == 0 && len(pairs) > 0 {
			pair := pairs[rng.IntN(len(pairs))]
			k.From, k.To = pair[0], pair[1]
		}
	}
	s.Messages = slices.DeleteFunc(s.Messages, func(k reference.Timed) bool {
		return left.Reach(k.From, k.To) == router.Unreached
	})
	return s
}

// With failed links the engine and the plain model send every flit on the same channel in the same
// cycle, all packets arrive, and some of them on escape paths.
func TestFailedLinksAgreeWithReference(t *testing.T) { failedLinksAgree(t, 12) }

func failedLinksAgree(t *testing.T, checks int) {
	laws.AtMost(t, checks)
	packets, onEscapePaths, byPacket := 0, 0, 0 // byPacket: that the packet engine has sent
	rapid.Check(t, func(r *rapid.T) {
		s := drawFailed(r, "dragonfly:a3h1p1", "dragonfly:a4h1p1", "dragonfly:a2h1p2", "hyperx:3x3:p1",
			"hyperx:4x3:p1", "hyperx:4:p2", "hyperx:3x2:w2p1", "fat-tree:3x3:2", "mesh:3x3")
		w, _, err := s.Config.Wire()
		must.Do(err)
		run, sent, escaped := compare(r, s), 0, map[int64]bool{}
		for _, m := range s.Messages {
			sent += (int(m.Flits)-1)/s.Config.PacketFlits + 1
		}
		for _, k := range run.Sent {
			if w.IsEscapePath(k.On) {
				escaped[k.Packet] = true
			}
		}
		if len(run.Packets) != sent {
			r.Fatalf("%d of %d packets arrive", len(run.Packets), sent)
		}
		packets, onEscapePaths = packets+sent, onEscapePaths+len(escaped)
		s.Config.Engine = "packet"
		if _, err := netsim.New(s.Config); err == nil {
			byPacket += sent
		}
	})
	t.Logf("%d packets, %d on escape paths, %d in the packet engine", packets, onEscapePaths, byPacket)
	share, least := 20, packets/10 // one in share takes an escape path; of few draws fewer may
	if checks < 100 {
		share, least = 40, 0
	}
	if !t.Failed() && (packets < 5*checks || share*onEscapePaths < packets || byPacket < least) {
		t.Errorf("%d packets, %d on escape paths and %d in the packet engine are too few", packets,
			onEscapePaths, byPacket)
	}
}
