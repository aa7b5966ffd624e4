package topology

import (
	"fmt"
	"slices"
)

// FatTreeConfig describes a FatTree.
type FatTreeConfig struct {
	// Children are the subtrees below a router of each level, nodes at the lowest one, from
	// the bottom: at least one level, and each at least 1.
	Children []int
	// Parents are the routers of the next level to which a router of each level but the top
	// one is joined, from the bottom, each at least 1. A single number applies to every level; none
	// means as many as Children.
	Parents []int
	// Bundle is the number of parallel links to each of them, from the bottom, each at least
	// 1. A single number applies to every level; none means 1.
	Bundle []int
	// Rails is the number of network interfaces of a node, each on a plane of its own; 0
	// means 1.
	Rails int
	// Nodes is the number of nodes, from the left; 0 means that none is missing.
	Nodes int
}

// MaxRails is the maximum number of network interfaces of a node.
const MaxRails = 64

// NewFatTree returns the tree of a configuration.
func NewFatTree(c FatTreeConfig) (*FatTree, error) {
	t, err := newFatTree(c)
	if err != nil {
		return nil, err
	}
	if ports := t.Ports(); ports > MaxPorts || t.Routers() > MaxAllPorts/ports {
		return nil, tooLarge("Children", t.Routers(), ports, 1)
	}
	return t, nil
}

// newFatTree returns the tree of a configuration, with any number of ports.
func newFatTree(c FatTreeConfig) (*FatTree, error) {
	t := &FatTree{nodes: c.Nodes, rails: max(1, c.Rails), children: slices.Clone(c.Children)}
	if c.Rails < 0 || c.Rails > MaxRails {
		return nil, bad("Rails", fmt.Sprintf("give 1 to %d", MaxRails), "is %d", c.Rails)
	}
	if len(c.Children) == 0 {
		return nil, bad("Children", "give the subtrees below a router of each level, such as [4, 4]",
			"is empty")
	}
	places := 1
	for _, m := range c.Children {
		if m < 1 {
			return nil, bad("Children", "every entry must be at least 1", "is %v", c.Children)
		}
		if places > MaxNodes/m {
			return nil, bad("Children", fmt.Sprintf("a machine has at most %d nodes", MaxNodes), "is %v",
				c.Children)
		}
		places *= m
		t.span = append(t.span, places)
	}
	if t.nodes == 0 {
		t.nodes = places
	}
	if t.nodes < 1 || t.nodes > places {
		return nil, bad("Nodes", fmt.Sprintf("this tree has room for 1 to %d", places), "is %d", c.Nodes)
	}
	if places > MaxNodes/t.rails {
		return nil, bad("Rails", fmt.Sprintf("a machine has at most %d network interfaces", MaxNodes),
			"is %d with %d nodes", c.Rails, places)
	}
	below := len(c.Children) - 1 // levels that have a level above
	var err error
	if t.parents, err = perLevel("Parents", c.Parents, c.Children[:below]); err != nil {
		return nil, err
	}
	if t.bundle, err = perLevel("Bundle", c.Bundle, slices.Repeat([]int{1}, below)); err != nil {
		return nil, err
	}
	return t, t.number(places)
}

// perLevel returns the numbers of a field for each level but the top one, and 0 for the top. A
// single number applies to every level, and an empty list means the standard ones.
func perLevel(field string, list, standard []int) ([]int, error) {
	below := len(standard)
	switch {
	case len(list) == 0:
		list = standard
	case len(list) == 1:
		list = slices.Repeat(list, max(1, below))[:below]
	case len(list) != below:
		return nil, bad(field, fmt.Sprintf("give one for all levels, or %d, one for each level but the "+
			"top one", below), "has %d entries", len(list))
	}
	for _, n := range list {
		if n < 1 || n > MaxPorts {
			return nil, bad(field, fmt.Sprintf("every entry must be 1 to %d", MaxPorts), "is %v", list)
		}
	}
	return append(slices.Clone(list), 0), nil
}

// number numbers the routers of a tree with room for a number of nodes.
func (t *FatTree) number(places int) error {
	first, width := 0, 1
	for l, span := range t.span {
		if t.base, t.width = append(t.base, first), append(t.width, width); width > MaxNodes {
			return bad("Parents", fmt.Sprintf("give at most %d", MaxNodes),
				"makes %d routers of level %d above the same nodes", width, l)
		}
		first += places / span * width
		width *= max(1, t.parents[l])
	}
	if t.base = append(t.base, first); first > MaxAllPorts/t.rails {
		return bad("Parents", fmt.Sprintf("a machine has at most %d routers", MaxAllPorts),
			"makes %d routers in each of %d planes", first, t.rails)
	}
	return nil
}
