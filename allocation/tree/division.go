package tree

import (
	"cmp"
	"fmt"
	"slices"

	"contend/allocation"
	"contend/router/topology"
)

// division is a machine divided into groups of routers, with the free nodes of each, which
// allocators that fill routers or groups count at every decision.
//
// Groups are those of a dragonfly, the pods of a tree, or others that an allocator forms, such as
// the rows of a HyperX. Routers without nodes do not count.
type division struct {
	nodes []topology.Node // sorted by group, router and number
	// routers holds the place in nodes of each router's first node, and groups the place
	// in routers of each group's first router. Both have the end as their last entry.
	routers, groups []int
	router          []int32 // router of each node, by its place in routers
	free            []int   // free nodes of each router
	inGroup         []int   // free nodes of each group
}

// newDivision divides a machine. groupOf returns the group of a router.
func newDivision(machine topology.Topology, groupOf func(topology.Router) int) *division {
	d := &division{nodes: make([]topology.Node, machine.Nodes())}
	home := make([]topology.Router, machine.Nodes())
	for n := range d.nodes {
		d.nodes[n] = topology.Node(n)
		home[n], _ = machine.Attach(topology.Node(n))
	}
	slices.SortStableFunc(d.nodes, func(a, b topology.Node) int {
		return cmp.Or(cmp.Compare(groupOf(home[a]), groupOf(home[b])), cmp.Compare(home[a], home[b]))
	})
	d.router = make([]int32, len(d.nodes))
	for i, n := range d.nodes {
		r := home[n]
		if i == 0 || home[d.nodes[i-1]] != r {
			if i == 0 || groupOf(home[d.nodes[i-1]]) != groupOf(r) {
				d.groups = append(d.groups, len(d.routers))
			}
			d.routers = append(d.routers, i)
		}
		d.router[n] = int32(len(d.routers) - 1)
	}
	d.free, d.inGroup = make([]int, len(d.routers)), make([]int, len(d.groups))
	d.groups = append(d.groups, len(d.routers))
	d.routers = append(d.routers, len(d.nodes))
	return d
}

// ungrouped divides a machine into its routers alone: all are in one group.
func ungrouped(machine topology.Topology) *division {
	return newDivision(machine, func(topology.Router) int { return 0 })
}

// byGroups divides a machine into its own groups: those of a dragonfly or a graph, or the pods of a
// tree, the subtrees below the top level. For a machine without groups, and for one that is a
// single group, it returns an error that names the allocator.
func byGroups(allocator string, machine topology.Topology) (*division, error) {
	if g, ok := machine.(topology.Grouped); ok && g.Groups() > 1 {
		return newDivision(machine, g.Group), nil
	}
	if t, ok := topology.FatTreeOf(machine); ok && t.Levels() > 1 {
		leaves := t.Span(t.Levels()-2) / t.Span(0) // of a pod
		return newDivision(machine, func(leaf topology.Router) int {
			_, subtree, _ := t.Place(leaf)
			return subtree / leaves
		}), nil
	}
	return nil, fmt.Errorf("allocator %s needs a machine of two or more groups, such as a dragonfly "+
		"or a fat tree of two or more levels; this machine has none", allocator)
}

// Check implements Allocator for those that place a job wherever enough nodes are free.
func (d *division) Check(req allocation.Request) error { return req.Check(len(d.nodes)) }

// CountDecides implements Counting for the same allocators.
func (d *division) CountDecides() bool { return true }

// count counts the free nodes of all routers and groups. It reports false if too few are
// free for the request.
func (d *division) count(free *allocation.FreeSet, req allocation.Request) bool {
	req.MustMakeSense()
	if req.Size > free.Count() {
		return false
	}
	free.CountBy(d.free, d.router)
	for g := range d.inGroup {
		d.inGroup[g] = 0
		for _, n := range d.free[d.groups[g]:d.groups[g+1]] {
			d.inGroup[g] += n
		}
	}
	return true
}

// appendFree appends the first free nodes of the routers from one up to another one, at most limit.
func (d *division) appendFree(dst []topology.Node, free *allocation.FreeSet, from, to,
	limit int) []topology.Node {
	return free.AppendOf(dst, d.nodes[d.routers[from]:d.routers[to]], limit)
}

// nextFree returns the first place in nodes from one on whose node is free, or end if there is none
// before it.
func (d *division) nextFree(free *allocation.FreeSet, from, end int) int {
	for from < end && !free.Free(d.nodes[from]) {
		from++
	}
	return from
}
