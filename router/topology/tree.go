package topology

import (
	"fmt"
	"slices"
)

// Tree is a k-ary n-tree (Petrini and Vanneschi, IPPS 1997, sec. 2): k^n nodes
// under n levels of routers, each with k ports down and, but for those of the
// top level, k up. With fewer ports up it is slimmed, as sites build them to
// save routers: a generalised fat tree in the sense of Öhring et al. (IPPS
// 1995). The last nodes may be missing.
//
// It is the FatTree of k subtrees at each level, without bundles and with one rail. The digits
// of a node's number in base k are the ports down on its way from the top.
type Tree struct {
	*FatTree
}

// TreeConfig describes a Tree.
type TreeConfig struct {
	// Arity is k, the ports down of a router: at least 2.
	Arity int
	// Levels is n, the levels of routers: at least 1.
	Levels int
	// UpPorts are the ports up of the routers of each level but the top one,
	// from the bottom, each 1 to Arity. A single number applies to every level;
	// none means Arity.
	UpPorts []int
	// Nodes is the number of nodes, from the left; 0 means all k^n.
	Nodes int
}

// NewTree returns the tree of a configuration.
func NewTree(c TreeConfig) (*Tree, error) {
	if c.Arity < 2 {
		return nil, bad("Arity", "it must be at least 2", "is %d", c.Arity)
	}
	if c.Levels < 1 {
		return nil, bad("Levels", "it must be at least 1", "is %d", c.Levels)
	}
	places := 1
	for range c.Levels {
		if places > MaxNodes/c.Arity {
			return nil, bad("Levels", fmt.Sprintf("a machine has at most %d nodes", MaxNodes),
				"is %d with an arity of %d", c.Levels, c.Arity)
		}
		places *= c.Arity
	}
	if c.Nodes < 0 || c.Nodes > places {
		return nil, bad("Nodes", fmt.Sprintf("a %d-ary %d-tree has room for 1 to %d", c.Arity, c.Levels,
			places), "is %d", c.Nodes)
	}
	if n := len(c.UpPorts); n > 1 && n != c.Levels-1 {
		right := fmt.Sprintf("give one for all levels, or %d, one for each level but the top one",
			c.Levels-1)
		return nil, bad("UpPorts", right, "has %d entries", n)
	}
	for _, u := range c.UpPorts {
		if u < 1 || u > c.Arity {
			return nil, bad("UpPorts", fmt.Sprintf("a router with %d ports down has 1 to %d ports up",
				c.Arity, c.Arity), "has %d", u)
		}
	}
	t, err := newFatTree(FatTreeConfig{Children: slices.Repeat([]int{c.Arity}, c.Levels),
		Parents: c.UpPorts, Nodes: c.Nodes})
	if err != nil {
		return nil, err
	}
	return &Tree{t}, nil
}

// Arity returns the ports down of a router.
func (t *Tree) Arity() int { return t.children[0] }

// Family implements Routed.
func (t *Tree) Family() string { return "a tree" }
