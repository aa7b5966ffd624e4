package netsim

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"contend/internal/must"
	"contend/router"
	"contend/router/topology"
)

// marksOn runs an incast, or uniform traffic, and returns the packets, in the order of arrival, and
// what each link has seen.
func marksOn(t *testing.T, c Config, kind string, load float64) (list []router.Arrival,
	seen []router.MarkedLink) {
	n := must.Have(New(c))
	n.Watch(func(p *router.Arrival) { list = append(list, *p) })
	d := must.Have(TrafficPattern{Name: kind}.On(c.Topology, false, nil))
	tr := &Traffic{Destination: d.To, Rates: d.Rates, Load: load, Flits: 8}
	tr.Start(c.Topology.Nodes(), rand.New(rand.NewPCG(3, 4)))
	run(t, n, tr, 2000)
	n.ResetCongestion() // buffers are full
	run(t, n, tr, 6000)
	for l := range n.wiring.Links() {
		seen = append(seen, n.routers.Marked(router.Link(l)))
	}
	return list, seen
}

// markingNetwork returns a network that marks packets behind more than 8 flits, and reacts to no
// mark.
func markingNetwork(m topology.Topology, s router.Switching, threads int) Config {
	c := Default(m)
	c.SourceQueues, c.Switching, c.BufferFlits, c.Threads = QueuePerDestination, s, 32, threads
	c.Engine, c.RoutingCycles = "cycle", 1
	c.Congestion = &DCQCN{MarkFrom: 8, MarkTo: 40, MarkShare: 0.5, CNPCycles: 1 << 30, AlphaCycles: 1,
		TimerCycles: 1, CounterFlits: 1, Gain: 1, Recovery: 1, Additive: 1, Hyper: 1, Least: 1}
	return c
}

// Only the link to the busy node of an incast marks: those behind it are victims. Under uniform
// traffic links to routers mark that carry too much, such as those up a slim tree. Threads mark the
// same packets.
func TestMarksAtTheRoot(t *testing.T) {
	for _, s := range []router.Switching{router.Wormhole, router.VirtualCutThrough,
		router.StoreAndForward} {
		line := markingNetwork(cube(t, false, 5), s, 1)
		list, seen := marksOn(t, line, "incast", 0.8)
		w := must.Have(New(line)).wiring
		for l, k := range seen {
			if hot := w.LinkOf(w.Ejection(0)) == router.Link(l); hot != (k.Marked > 50) ||
				!hot && k.Marked > 0 {
				t.Errorf("%d: link %s marks %d of %d packets", s, w.Describe(w.First(router.Link(l))),
					k.Marked, k.Heads)
			}
		}
		if !slices.ContainsFunc(list, func(p router.Arrival) bool { return p.Marked }) {
			t.Errorf("%d: no packet arrives marked", s)
		}
		slim := tree(t, 4, 2, 1)
		list, seen = marksOn(t, markingNetwork(slim, s, 1), "uniform", 0.8)
		up := int64(0)
		w = must.Have(New(markingNetwork(slim, s, 1))).wiring
		for l, k := range seen {
			if w.Kind(router.Link(l)) == router.Network {
				up += k.Marked
			}
		}
		if up < 100 {
			t.Errorf("%d: links between routers mark %d packets", s, up)
		}
		for _, threads := range []int{2, 5} {
			again, _ := marksOn(t, markingNetwork(slim, s, threads), "uniform", 0.8)
			if !reflect.DeepEqual(again, list) {
				t.Errorf("%d: %d threads give other packets", s, threads)
			}
		}
	}
}
