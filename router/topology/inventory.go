package topology

import "math/bits"

// Inventory counts what a network is built of.
type Inventory struct {
	Nodes, Routers int
	// MaxPorts is the maximum number of ports of a router that are in use.
	MaxPorts int
	// NodePorts is the number of ports to nodes, over all network interfaces.
	NodePorts int
	// Links are the numbers of links between routers, each for both directions, by class, and Classes
	// the names of the classes. A topology without classes has one, "".
	Links   []int
	Classes []string
	// Bisection is the number of links of Bisection, 0 if there is none.
	Bisection int
}

// Ports returns the number of ports in use of all routers.
func (v *Inventory) Ports() int {
	ports := v.NodePorts
	for _, n := range v.Links {
		ports += 2 * n
	}
	return ports
}

// InventoryOf counts the parts of a topology.
func InventoryOf(t Topology) Inventory {
	v := Inventory{Nodes: t.Nodes(), Routers: t.Routers(), Classes: []string{""}}
	classes, classed := t.(Classed)
	if classed {
		v.Classes = classes.LinkClasses()
	}
	v.Bisection, _ = Bisection(t)
	v.Links = make([]int, len(v.Classes))
	used := make([]int, t.Routers())
	for n := range Node(t.Nodes()) {
		for rail := range Rails(t) {
			r, _ := AttachRail(t, n, rail)
			used[r]++
			v.NodePorts++
		}
	}
	for r := range Router(t.Routers()) {
		for p := range Port(t.Ports()) {
			s, q, ok := t.Peer(r, p)
			if !ok {
				continue
			}
			used[r]++
			if r < s || r == s && p < q { // once a link
				class := 0
				if classed {
					class = classes.LinkClass(r, p)
				}
				v.Links[class]++
			}
		}
		v.MaxPorts = max(v.MaxPorts, used[r])
	}
	return v
}

// Bisection returns the number of links, each for both directions, between two parts of a machine
// that are as equal as whole lines of a dimension, groups, or subtrees of the top level allow: of
// all such divisions the fewest links (Dally and Towles, 2004, sec. 3.1.2). The fewest of all
// divisions may be fewer. It reports false for other topologies, where there is one part, and where
// nodes of a tree are missing.
func Bisection(t Topology) (links int, ok bool) {
	switch t := t.(type) {
	case *Cube:
		return fewestAlong(t.dims, func(d, _ int) int {
			if t.wrap[d] && t.dims[d] > 2 {
				return 2
			}
			return 1
		})
	case *HyperX:
		return fewestAlong(t.grid.dims, func(d, half int) int {
			return half * (t.grid.dims[d] - half) * t.width[d]
		})
	case *Dragonfly:
		return t.bisection(), t.groups > 1
	case *FatTree:
		return t.bisection()
	case *Tree:
		return t.bisection()
	}
	return 0, false
}

// fewestAlong returns the fewest links between two halves of a grid, of all dimensions, or of the
// even ones if there are any. across is the number of links in each line of dimension d, of whose
// routers half are on one side.
func fewestAlong(dims []int, across func(d, half int) int) (links int, ok bool) {
	routers, even := 1, false
	for _, k := range dims {
		routers, even = routers*k, even || k%2 == 0
	}
	for d, k := range dims {
		if k < 2 || even && k%2 == 1 {
			continue
		}
		if n := routers / k * across(d, k/2); !ok || n < links {
			links, ok = n, true
		}
	}
	return links, ok
}

// bisection returns the links between the first groups and the others, or between other halves if
// fewer are: of all halves with up to 16 groups, and of those that exchanges of two groups lead to
// with up to 64.
func (t *Dragonfly) bisection() int {
	first := make([]bool, t.groups)
	for g := range t.groups / 2 {
		first[g] = true
	}
	links := t.cut(first)
	if t.groups <= 16 {
		for set := range uint(1) << t.groups {
			if bits.OnesCount(set) != t.groups/2 {
				continue
			}
			for g := range first {
				first[g] = set>>g&1 != 0
			}
			links = min(links, t.cut(first))
		}
		return links
	}
	for gained := t.groups <= 64 && t.uneven(); gained; {
		gained = false
		for i := range first {
			for k := range i {
				if first[i] == first[k] {
					continue
				}
				first[i], first[k] = first[k], first[i]
				if n := t.cut(first); n < links {
					links, gained = n, true
				} else {
					first[i], first[k] = first[k], first[i]
				}
			}
		}
	}
	return links
}

// uneven reports whether pairs of groups differ in their numbers of links.
func (t *Dragonfly) uneven() bool {
	for g := 2; g < t.groups; g++ {
		if t.LinksBetween(0, g) != t.LinksBetween(0, 1) {
			return true
		}
	}
	return false
}

// cut returns the links between some groups and the others.
func (t *Dragonfly) cut(first []bool) (links int) {
	for i := range first {
		for k := range i {
			if first[i] != first[k] {
				links += t.LinksBetween(i, k)
			}
		}
	}
	return links
}

// bisection returns the links that lead up from half the subtrees of the top level, or from a lower
// level of these subtrees if fewer do.
func (t *FatTree) bisection() (links int, ok bool) {
	top := len(t.span) - 1
	subtrees := t.children[top] / 2
	for level := top - 1; level >= 0; level-- {
		if n := t.rails * subtrees * t.width[level] * t.UpPorts(level); !ok || n < links {
			links, ok = n, true
		}
		subtrees *= t.children[level]
	}
	return links, ok && links > 0 && t.nodes == t.span[top]
}
