package topology

import (
	"fmt"
	"slices"
	"sync"
)

// Dragonfly is a network of groups (Kim et al., "Technology-Driven, Highly-Scalable Dragonfly
// Topology", ISCA 2008, sec. 3). Local links join every two routers of a group. A router has h
// global links to other groups, and every two groups are joined.
//
// Router i of group G has number a·G + i. Its ports: the first a-1 lead to the other
// routers of the group, in their order; the next h are the global ones; the last p carry
// nodes. Nodes are numbered in the order of their routers.
//
// The Arrangement decides which global port leads to which group. The global ports of a group are
// numbered through its routers: port k of router i is slot i·h + k. With fewer than a·h + 1 groups,
// slots are dealt to the other groups in rounds of g-1, so that the numbers of links between two
// groups differ by one at most. A shorter last round joins the nearest groups, as Circulant does.
// If a·h and g are both odd it leaves one slot of each group free.
type Dragonfly struct {
	local, global, nodes, groups int // a, h, p, g
	arrangement                  Arrangement
	rounds                       int // rounds of slots, a last, shorter one included
	// groupOf is the group of each router, slotAt where each slot of a group is: the index of its
	// router in the group, and its port. Routings read both for each head, faster than they divide.
	groupOf []int32
	slotAt  []struct{ index, port int32 }
	// slots returns the slots of the links from group g to group G, from (g·groups + G)·rounds on.
	// It computes them at the first call.
	slots func() []int32
	// far returns the router at the other end of global link k of router r, at r·h + k, or noRouter.
	// It computes them at the first call.
	far func() []Router
}

// noRouter is the end of a global link that is missing.
const noRouter Router = -1

// DragonflyConfig describes a Dragonfly.
type DragonflyConfig struct {
	// GroupRouters is a, the routers of a group: at least 1.
	GroupRouters int
	// GlobalLinks is h, the global links of a router: at least 1.
	GlobalLinks int
	// Concentration is p, the nodes of a router; 0 means 1.
	Concentration int
	// Groups is g, 1 to a·h + 1; 0 stands for a·h + 1.
	Groups int
	// Arrangement says which global ports lead to which groups.
	Arrangement Arrangement
}

// NewDragonfly returns the dragonfly of a configuration.
func NewDragonfly(c DragonflyConfig) (*Dragonfly, error) {
	for _, k := range []struct {
		field        string
		value, least int
	}{{"GroupRouters", c.GroupRouters, 1}, {"GlobalLinks", c.GlobalLinks, 1},
		{"Concentration", c.Concentration, 0}, {"Groups", c.Groups, 0}} {
		if k.value < k.least {
			return nil, bad(k.field, "it must be at least 1", "is %d", k.value)
		}
		if k.value > MaxPorts {
			return nil, bad(k.field, fmt.Sprintf("it is at most %d", MaxPorts), "is %d", k.value)
		}
	}
	slots := c.GroupRouters * c.GlobalLinks
	t := &Dragonfly{local: c.GroupRouters, global: c.GlobalLinks, nodes: max(1, c.Concentration),
		groups: c.Groups, arrangement: c.Arrangement}
	if t.groups == 0 {
		t.groups = slots + 1
	}
	if t.groups > slots+1 {
		return nil, bad("Groups",
			fmt.Sprintf("%d routers with %d global links each reach at most %d groups", t.local, t.global,
				slots+1), "is %d", c.Groups)
	}
	if err := tooLarge("GroupRouters", t.groups*t.local, t.Ports(), t.nodes); err != nil {
		return nil, err
	}
	if c.Arrangement > Circulant {
		return nil, bad("Arrangement", "give Absolute, Relative or Circulant", "is %d", c.Arrangement)
	}
	if c.Arrangement == Circulant && c.GlobalLinks%2 == 1 {
		return nil, bad("GlobalLinks", "the circulant arrangement needs an even number", "is %d",
			c.GlobalLinks)
	}
	for r := range t.groups * t.local {
		t.groupOf = append(t.groupOf, int32(r/t.local))
	}
	for slot := range int32(slots) {
		t.slotAt = append(t.slotAt, struct{ index, port int32 }{slot / int32(t.global),
			int32(t.GlobalPort(int(slot) % t.global))})
	}
	t.rounds = (slots + t.groups - 2) / max(1, t.groups-1)
	t.slots, t.far = sync.OnceValue(t.findSlots), sync.OnceValue(t.farRouters)
	return t, nil
}

// farRouters returns the routers at the other ends of all global links: see far.
func (t *Dragonfly) farRouters() []Router {
	far := make([]Router, 0, t.Routers()*t.global)
	for r := range Router(t.Routers()) {
		for k := range t.global {
			to, _, ok := t.Peer(r, t.GlobalPort(k))
			if !ok {
				to = noRouter
			}
			far = append(far, to)
		}
	}
	return far
}

// Far returns the router at the other end of the global link at port p of router r, or -1.
func (t *Dragonfly) Far(r Router, p Port) Router {
	return t.far()[int(r)*t.global+int(p)-(t.local-1)]
}

// globalFrom returns the routers at the other ends of the global links of a router, or noRouter.
func (t *Dragonfly) globalFrom(r Router) []Router {
	return t.far()[int(r)*t.global : (int(r)+1)*t.global]
}

// Nodes implements Topology.
func (t *Dragonfly) Nodes() int { return t.Routers() * t.nodes }

// Routers implements Topology.
func (t *Dragonfly) Routers() int { return t.groups * t.local }

// Ports implements Topology.
func (t *Dragonfly) Ports() int { return t.local - 1 + t.global + t.nodes }

// Groups implements Grouped.
func (t *Dragonfly) Groups() int { return t.groups }

// Group implements Grouped.
func (t *Dragonfly) Group(r Router) int { return int(t.groupOf[r]) }

// GroupRouters returns a, the number of routers of a group.
func (t *Dragonfly) GroupRouters() int { return t.local }

// GlobalLinks returns h, the number of global links of a router.
func (t *Dragonfly) GlobalLinks() int { return t.global }

// RouterOf returns the router of node n.
func (t *Dragonfly) RouterOf(n Node) Router { return Router(int(n) / t.nodes) }

// Attach implements Topology.
func (t *Dragonfly) Attach(n Node) (Router, Port) {
	return t.RouterOf(n), Port(t.local - 1 + t.global + int(n)%t.nodes)
}

// Peer implements Topology.
func (t *Dragonfly) Peer(r Router, p Port) (Router, Port, bool) {
	group, i, port := t.Group(r), int(r)%t.local, int(p)
	switch {
	case port < 0 || port >= t.local-1+t.global:
		return 0, 0, false
	case port < t.local-1:
		j := port
		if j >= i {
			j++
		}
		return Router(group*t.local + j), t.LocalPort(Router(group*t.local+j), r), true
	}
	slot := i*t.global + port - (t.local - 1)
	to, ok := t.leads(group, slot)
	if !ok {
		return 0, 0, false
	}
	far, farPort := t.GlobalLink(to, group, slot/(t.groups-1))
	return far, farPort, true
}

// LocalPort returns the port of router r that leads to another router of its group.
func (t *Dragonfly) LocalPort(r, to Router) Port {
	i, j := int(r)-t.Group(r)*t.local, int(to)-t.Group(to)*t.local
	if j > i {
		j--
	}
	return Port(j)
}

// GlobalPort returns the port of router r that is its global link k, 0 to h-1.
func (t *Dragonfly) GlobalPort(k int) Port { return Port(t.local - 1 + k) }

// atSlot returns the router and port of a slot of a group.
func (t *Dragonfly) atSlot(group, slot int) (Router, Port) {
	k := &t.slotAt[slot]
	return Router(group*t.local + int(k.index)), Port(k.port)
}

// Distance implements Metric. A path over at most one local link in either group and the global
// link between has three channels at most. A shorter path has fewer local links, or two global
// links and no local one.
func (t *Dragonfly) Distance(a, b Node) int {
	from, to := t.RouterOf(a), t.RouterOf(b)
	d := t.MinimalHops(from, to)
	if d == 3 && t.twoGlobal(from, to) {
		return 2
	}
	return d
}

// MinimalHops returns the number of channels of a minimal path between two routers: a shortest one
// with at most one global link. The shortest path of all, over a third group, may have one channel
// less: see Distance.
func (t *Dragonfly) MinimalHops(from, to Router) int {
	g, h := t.Group(from), t.Group(to)
	switch {
	case from == to:
		return 0
	case g == h:
		return 1
	}
	fewest := 3
	for i := range t.LinksBetween(g, h) {
		r, p := t.GlobalLink(g, h, i)
		far, _, _ := t.Peer(r, p)
		hops := 1
		if r != from {
			hops++
		}
		if far != to {
			hops++
		}
		fewest = min(fewest, hops)
	}
	return fewest
}

// twoGlobal reports whether two global links lead from one router to another.
func (t *Dragonfly) twoGlobal(from, to Router) bool {
	for _, middle := range t.globalFrom(from) {
		if middle != noRouter && slices.Contains(t.globalFrom(middle), to) {
			return true
		}
	}
	return false
}

// LinkClasses implements Classed.
func (t *Dragonfly) LinkClasses() []string { return []string{"local", "global"} }

// LinkClass implements Classed.
func (t *Dragonfly) LinkClass(_ Router, p Port) int {
	if int(p) >= t.local-1 && int(p) < t.local-1+t.global {
		return 1
	}
	return 0
}

// Label implements Labelled.
func (t *Dragonfly) Label(r Router) string {
	return fmt.Sprintf("group %d router %d", t.Group(r), int(r)%t.local)
}

// Family implements Routed.
func (t *Dragonfly) Family() string { return "a dragonfly" }

// DefaultRouting implements Routed.
func (t *Dragonfly) DefaultRouting(int) string { return "minimal" }

// Arrangement decides which global links of a dragonfly lead to which groups (Camarero, Vallejo and
// Beivide, "Topological Characterization of Hamming and Dragonfly Networks and Its Implications on
// Routing", ACM TACO 11(4), 2014, sec. 4). In a round of g-1 slots each other group has one slot.
type Arrangement uint8

// The arrangements.
const (
	// Absolute deals slots to the other groups in the order of their numbers, as Kim et al. 2008,
	// fig. 5.
	Absolute Arrangement = iota
	// Relative deals slots to the groups in the order in which they follow the group: slot s leads
	// s+1 groups ahead.
	Relative
	// Circulant leads one group ahead and one back, then two ahead and two back, and so on.
	// Where a round has an even number of slots, router i is joined with routers i of other
	// groups.
	Circulant
)

// arrangements has the names of the arrangements.
var arrangements = []string{"absolute", "relative", "circulant"}

// Arrangements returns the names of the arrangements, in the order of their numbers.
func Arrangements() []string { return slices.Clone(arrangements) }

// ArrangementNamed returns the arrangement of that name.
func ArrangementNamed(name string) (Arrangement, bool) {
	i := slices.Index(arrangements, name)
	return Arrangement(max(0, i)), i >= 0
}

// String returns the name of the arrangement.
func (a Arrangement) String() string { return arrangements[a] }

// LinksBetween returns the number of global links from one group to another.
func (t *Dragonfly) LinksBetween(from, to int) int {
	n := 0
	for n < t.rounds && t.slot(from, to, n) >= 0 {
		n++
	}
	return n
}

// GlobalLink returns the router and port at which global link i from one group to another
// one begins, i from 0 to LinksBetween-1.
func (t *Dragonfly) GlobalLink(from, to, i int) (Router, Port) {
	return t.atSlot(from, int(t.slot(from, to, i)))
}

// slot returns the slot that leads from one group to another one in a round, negative if there is
// none.
func (t *Dragonfly) slot(from, to, round int) int32 {
	return t.slots()[(from*t.groups+to)*t.rounds+round]
}

// findSlots returns the slots of all groups and rounds: see Dragonfly.slots.
func (t *Dragonfly) findSlots() []int32 {
	rounds := t.rounds
	list := slices.Repeat([]int32{-1}, t.groups*t.groups*rounds)
	for group := range t.groups {
		for slot := range t.local * t.global {
			if to, ok := t.leads(group, slot); ok {
				list[(group*t.groups+to)*rounds+slot/(t.groups-1)] = int32(slot)
			}
		}
	}
	return list
}

// leads returns the group to which a slot of a group leads, and false if the slot is free. In a
// last, shorter round groups ahead and back come in pairs. The last slot of an odd number joins
// opposite groups, if there are any.
func (t *Dragonfly) leads(group, slot int) (to int, ok bool) {
	if t.groups == 1 {
		return 0, false
	}
	all, s, arrangement := t.local*t.global, slot%(t.groups-1), t.arrangement
	if rest := all % (t.groups - 1); slot >= all-rest {
		if arrangement = Circulant; s == rest-1 && rest%2 == 1 {
			return (group + t.groups/2) % t.groups, t.groups%2 == 0
		}
	}
	ahead := s + 1
	switch {
	case arrangement == Absolute && s < group:
		return s, true
	case arrangement == Absolute:
		return s + 1, true
	case arrangement == Circulant && s%2 == 0:
		ahead = s/2 + 1
	case arrangement == Circulant:
		ahead = t.groups - (s/2 + 1)
	}
	return (group + ahead) % t.groups, true
}
