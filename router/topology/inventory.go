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
	// Bisection is the number of links of Bisection, 0 if there is none, and Part the number of nodes
	// of its smaller part.
	Bisection, Part int
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
	v.Bisection, v.Part, _ = Bisection(t)
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
// whose numbers of routers, groups or leaves differ by one at most, and the nodes of the smaller
// part: the fewest links (Dally and Towles, 2004, sec. 3.1.2), on a dragonfly of divisions between
// groups. It reports false for other topologies, where there is one part, and where nodes of a tree
// or of routers of a grid are missing.
func Bisection(t Topology) (links, nodes int, ok bool) {
	switch t := t.(type) {
	case *Cube:
		links = bisectGrid(t.dims, func(d, _ int) int {
			if t.wrap[d] {
				return 2
			}
			return 1
		})
		return links, t.routers / 2 * t.maxNodes, links > 0 && t.Nodes() == t.routers*t.maxNodes
	case *HyperX:
		links = bisectGrid(t.grid.dims, func(d, first int) int {
			return first * (t.grid.dims[d] - first) * t.width[d]
		})
		return links, t.grid.routers / 2 * t.grid.maxNodes, links > 0
	case *Dragonfly:
		return t.bisection(), t.groups / 2 * (t.Nodes() / t.groups), t.groups > 1
	case *FatTree:
		return t.bisection()
	case *Tree:
		return t.bisection()
	}
	return 0, 0, false
}

// bisectGrid returns the fewest links between half of the routers of a grid, rounded down, and the
// others: between those that come first in the order of coordinates, for any order of dimensions.
// across is the number of links in a line of dimension d between the first routers and the others.
// Such halves are the best of complete graphs (Lindsey 1964) and of meshes and tori (Arjona Aroca
// and Fernández Anta 2014). Of a HyperX whose widths differ other halves may have some percent
// fewer.
func bisectGrid(dims []int, across func(d, first int) int) int {
	routers := 1
	for _, k := range dims {
		routers *= k
	}
	known := map[int]int{} // by the dimensions that are in lines already
	var bisect func(used, routers int) int
	bisect = func(used, routers int) int {
		if links, ok := known[used]; ok {
			return links
		}
		fewest := 0
		bit := 1 // of a dimension of several routers
		for d, k := range dims {
			if k < 2 {
				continue
			}
			this := bit
			if bit <<= 1; used&this != 0 {
				continue
			}
			// Half of the slices come first, and of an odd number half of the middle one.
			lines, odd := routers/k, k%2
			more := odd * (lines / 2) // lines with a router of the middle slice among the first
			links := (lines - more) * across(d, k/2)
			if odd == 1 {
				links += more*across(d, k/2+1) + bisect(used|this, lines)
			}
			if fewest == 0 || links < fewest {
				fewest = links
			}
		}
		known[used] = fewest
		return fewest
	}
	return bisect(0, routers)
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
// level of these subtrees if fewer do, and the nodes below them. Of an odd number half of the
// middle subtree counts too, as far as it has whole leaves.
func (t *FatTree) bisection() (links, nodes int, ok bool) {
	top := len(t.span) - 1
	for level := top; level > 0; level-- {
		half := t.children[level] / 2
		up, below := 0, 1 // links that cut off a subtree, and its subtrees of a level
		for l := level - 1; l >= 0; l-- {
			if n := t.rails * below * t.width[l] * t.UpPorts(l); up == 0 || n < up {
				up = n
			}
			below *= t.children[l]
		}
		links, nodes = links+half*up, nodes+half*t.span[level-1]
		if t.children[level]%2 == 0 {
			break
		}
	}
	return links, nodes, links > 0 && t.nodes == t.span[top]
}
