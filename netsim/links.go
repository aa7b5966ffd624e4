package netsim

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"contend/router"
	"contend/router/topology"
)

// LinkTimings returns the delays of each link. The configuration must be a resolved one.
func (c *Config) LinkTimings(w *router.Wiring) []router.LinkTiming {
	links := make([]router.LinkTiming, w.Links())
	for l := range links {
		links[l] = c.timingOf(w, router.Link(l))
	}
	return links
}

// timingOf returns the delays of link l.
func (c *Config) timingOf(w *router.Wiring, l router.Link) router.LinkTiming {
	t := c.linkTiming(c.linkCyclesOf(w, l))
	if c.NodeCreditCycles > 0 && w.Kind(l) != router.Network {
		t.Credit = int32(c.NodeCreditCycles)
	}
	if c.EjectionCreditCycles > 0 && w.Kind(l) == router.Ejection {
		t.Credit = int32(c.EjectionCreditCycles)
	}
	return t
}

// LinksDiffer reports whether links may differ in delay or width.
func (c *Config) LinksDiffer() bool {
	_, timed := c.Topology.(topology.Timed)
	_, paced := c.Topology.(topology.Paced)
	return timed || paced || c.OwnLinks != nil ||
		c.NodeLinkCycles+c.NodeFlitCycles+c.NodeCreditCycles+c.EjectionCreditCycles > 0 ||
		len(c.ClassLinkCycles)+len(c.ClassFlitCycles) > 0
}

// linkCyclesOf returns D and F of a link where they differ from LinkCycles and FlitCycles,
// otherwise 0.
func (c *Config) linkCyclesOf(w *router.Wiring, l router.Link) (delay, flit int) {
	if c.OwnLinks != nil {
		return c.OwnLinks(w, l)
	}
	if w.Kind(l) != router.Network {
		return c.NodeLinkCycles, c.NodeFlitCycles
	}
	from, _ := w.Ends(l)
	if t, ok := c.Topology.(topology.Classed); ok {
		class := t.LinkClass(from.Router, from.Port)
		if len(c.ClassLinkCycles) > 0 {
			delay = c.ClassLinkCycles[class]
		}
		if len(c.ClassFlitCycles) > 0 {
			flit = c.ClassFlitCycles[class]
		}
	}
	if t, ok := c.Topology.(topology.Timed); ok {
		if d := t.LinkCycles(from.Router, from.Port); d > 0 {
			delay = d
		}
	}
	if t, ok := c.Topology.(topology.Paced); ok {
		if f := t.LinkFlitCycles(from.Router, from.Port); f > 0 {
			flit = f
		}
	}
	return delay, flit
}

// cardFlitCycles returns the cycles of a flit on the card of each router that is a host: the
// fastest of its links to other routers, where none of these has nodes and all are slower than the
// links of its own nodes. It is 0 for other routers, and the list is nil if no router is a host.
func (c *Config) cardFlitCycles(w *router.Wiring) []float64 {
	inside := make([]float64, w.Topology.Routers()) // F of the slowest link of a node, 0 for no node
	for n := range topology.Node(w.Nodes()) {
		r := w.Enters(w.Injection(n))
		inside[r] = max(inside[r], c.injectionFlitCycles(w, n))
	}
	var cards []float64
	for l := range router.Link(w.Links()) {
		if w.Kind(l) != router.Network || inside[w.Leaves(l)] == 0 {
			continue
		}
		if cards == nil {
			cards = make([]float64, len(inside))
		}
		r, card := w.Leaves(l), float64(c.timingOf(w, l).Flit)
		if to := w.Enters(w.First(l)); card <= inside[r] || inside[to] > 0 || cards[r] < 0 {
			cards[r] = -1
		} else if cards[r] == 0 || card < cards[r] {
			cards[r] = card
		}
	}
	any := false
	for r := range cards {
		cards[r] = max(0, cards[r])
		any = any || cards[r] > 0
	}
	if !any {
		return nil
	}
	return cards
}

// HostNodes returns the number of nodes of a host, those of the first leaf, where RailByHost or
// slower links between the leaves of a fat tree say that its leaves are hosts; 0 where nothing does.
func (c *Config) HostNodes() int {
	t := c.Topology
	tree, _ := t.(*topology.FatTree)
	node := cmp.Or(c.NodeFlitCycles, c.FlitCycles)
	if !(topology.Rails(t) > 1 && c.Rail == RailByHost) &&
		!(tree != nil && len(c.ClassFlitCycles) > 0 && c.ClassFlitCycles[0] > node) {
		return 0
	}
	first, _ := topology.AttachRail(t, 0, 0)
	n := topology.Node(1)
	for int(n) < t.Nodes() {
		if r, _ := topology.AttachRail(t, n, 0); r != first {
			break
		}
		n++
	}
	return int(n)
}

// injectionFlitCycles returns the cycles of a flit at the rate of a network interface.
func (c *Config) injectionFlitCycles(w *router.Wiring, n topology.Node) float64 {
	link := c.timingOf(w, w.LinkOf(w.Injection(n)))
	return max(float64(link.Flit), c.InjectionFlitCycles)
}

// linkTiming returns the delays of a link, given its delay and flit time or 0 for the defaults. A
// flit and its credit pass the same cable, so the credit delay differs by as much as the delay.
func (c *Config) linkTiming(delay, flit int) router.LinkTiming {
	if delay == 0 {
		delay = c.LinkCycles
	}
	if flit == 0 {
		flit = c.FlitCycles
	}
	return router.LinkTiming{Delay: int32(delay), Flit: int32(flit),
		Credit: int32(max(1, c.CreditCycles+delay-c.LinkCycles))}
}

// resolveLinks returns an error if ClassLinkCycles or ClassFlitCycles do not fit the topology.
func (c *Config) resolveLinks() error {
	for _, k := range []struct {
		field string
		list  []int
	}{{"ClassLinkCycles", c.ClassLinkCycles}, {"ClassFlitCycles", c.ClassFlitCycles}} {
		if len(k.list) == 0 {
			continue
		}
		t, ok := c.Topology.(topology.Classed)
		if !ok {
			return bad(k.field, "leave it out", "is set, and the topology has no classes of links")
		}
		if names := t.LinkClasses(); len(names) != len(k.list) {
			return bad(k.field, fmt.Sprintf("give one for each class of links: %s",
				strings.Join(names, ", ")), "has %d entries", len(k.list))
		}
	}
	return nil
}

// maxCycles is the maximum of the times of a slow link: the calendar is as long as their sum.
const maxCycles = 1 << 16

// slows reports whether SetBandwidth may be called.
func (c *Config) slows() bool { return c.SlowestBandwidth > 0 && c.SlowestBandwidth < 1 }

// checkBandwidth returns an error if SlowestBandwidth is out of its bounds.
func (c *Config) checkBandwidth() error {
	if b := c.SlowestBandwidth; b != 0 && !(b >= 1.0/maxCycles && b <= 1) {
		return bad("SlowestBandwidth", fmt.Sprintf("it must be 0, or from 1/%d to 1", maxCycles), "is %v",
			b)
	}
	return nil
}

// slowestFlit returns the maximum time of a flit on a slow link, 0 if there are none.
func (c *Config) slowestFlit(w *router.Wiring) (slowest Cycle) {
	if !c.slows() {
		return 0
	}
	for _, t := range c.LinkTimings(w) {
		slowest = max(slowest, Cycle(math.Round(float64(t.Flit)/c.SlowestBandwidth)))
	}
	return min(slowest, maxCycles)
}

// FlitCyclesAt returns the cycles of a flit on a link at a share of its bandwidth, given the cycles
// at full bandwidth. It reports false if the share is not in (0, 1], or if the cycles are not a
// whole number within 1%, or equal those at full bandwidth although the share is smaller.
func FlitCyclesAt(share float64, flitCycles int) (cycles int, ok bool) {
	exact := float64(flitCycles) / share
	whole := math.Round(exact)
	return int(whole), share == 1 || share > 0 && share < 1 && math.Abs(exact-whole) <= 0.01*exact &&
		int(whole) > flitCycles
}

// SetBandwidth gives links, each in its one direction, a share of their configured bandwidth from
// now on: the time of a flit is divided by the share. The delay of a link is unchanged. The share
// is at least Config.SlowestBandwidth and such that a flit takes a whole number of cycles: see
// FlitCyclesAt.
func (n *Network) SetBandwidth(share float64, links ...router.Link) error {
	if !n.config.slows() || share < n.config.SlowestBandwidth {
		return fmt.Errorf("netsim: a bandwidth of %v, less than Config.SlowestBandwidth, %v", share,
			n.config.SlowestBandwidth)
	}
	for _, l := range links {
		flit := int(n.config.timingOf(n.wiring, l).Flit)
		cycles, ok := FlitCyclesAt(share, flit)
		if !ok || Cycle(cycles) > n.config.slowestFlit(n.wiring) {
			return fmt.Errorf("netsim: at a bandwidth of %v a flit that takes %d cycles at full bandwidth "+
				"would take %.2f, which is no whole number or too long", share, flit, float64(flit)/share)
		}
		n.routers.SetFlitTime(l, int32(cycles))
	}
	return nil
}
