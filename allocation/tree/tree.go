// Package tree has the allocators that fill routers, groups of routers and subtrees, and those that
// take free processors in the order of their numbers or at random.
//
// Example: a tree has four routers with four nodes each, of which nodes 0-2, 5, 6, 8-11 and 13 are
// free. sequential gives a job of four the nodes 0-2 and 5. by-router and contiguous give it 8-11,
// the nodes of one router. For a job of five no router suffices: by-router takes 8-11 and 13, the
// fewest routers. contiguous looks for a subtree of the next level, here the whole tree, and takes
// its first free nodes, 0-2, 5 and 6 (testdata/package.txt).
package tree

import (
	"cmp"
	"fmt"
	"iter"
	"slices"

	"contend/allocation"
	"contend/router/topology"
)

// sequential gives a job the first free processors in node order, wherever they are:
// the non-contiguous policy of [Pascual et al. 2009, sec. 3] and "a flat vision of the
// network". It works on any machine and refuses only if too few processors are free.
type sequential struct{ nodes int }

// NewSequential returns sequential [Pascual et al. 2009, sec. 3].
func NewSequential(machine topology.Topology) *sequential { return &sequential{machine.Nodes()} }

// Check implements Allocator.
func (a *sequential) Check(req allocation.Request) error { return req.Check(a.nodes) }

// CountDecides implements Counting.
func (a *sequential) CountDecides() bool { return true }

// Allocate implements Allocator.
func (a *sequential) Allocate(dst []topology.Node, free *allocation.FreeSet,
	req allocation.Request) ([]topology.Node, bool) {
	req.MustMakeSense()
	if req.Size > free.Count() {
		return dst, false
	}
	return free.AppendFirst(dst, 0, free.Nodes(), req.Size), true
}

// quasiContiguous places jobs in subtrees of a k-ary n-tree [Pascual et al. 2009, sec. 3], or of
// any fat tree. A job of size s has level l, the smallest whose subtrees have room for s nodes: k^l
// >= s in a k-ary tree. It gets the first free processors of the first subtree of that level that
// has s of them: the contiguous policy. If no subtree has, a share qct of its processes, in
// percent, may use one more level. The job then gets the free processors of a subtree of level l
// that lacks at most
//
//	ceil(qct/100 · s)                                     (Eq. 1)
//
// and the rest from that subtree's siblings. If no subtree has such siblings, the job
// waits. With qct = 0 this is the contiguous policy.
//
// The paper leaves the choice of subtrees open. Here the subtree one level up is the first suitable
// one. Within it the job gets the subtree with the most free processors, and among equals the
// first, because "we maintain the maximum possible number of nodes under switches belonging to the
// same level". Ranks are in node order, those of the siblings last.
//
// Shapes have no effect. Missing nodes count as busy.
type quasiContiguous struct {
	tree    *topology.FatTree
	percent int // qct
}

// NewContiguous returns the contiguous policy for a tree or a fat tree.
func NewContiguous(machine topology.Topology) (*quasiContiguous, error) {
	return NewQuasiContiguous("contiguous", machine, 0)
}

// NewQuasiContiguous returns the quasi-contiguous policy for a tree or a fat tree. percent is qct,
// from 0 to 100. Errors have the name.
func NewQuasiContiguous(name string, machine topology.Topology,
	percent int) (*quasiContiguous, error) {
	t, ok := topology.FatTreeOf(machine)
	if !ok {
		return nil, fmt.Errorf("allocator %s needs a tree or a fat-tree; this machine is neither", name)
	}
	return &quasiContiguous{t, percent}, nil
}

// Check implements Allocator.
func (a *quasiContiguous) Check(req allocation.Request) error { return req.Check(a.tree.Nodes()) }

// Allocate implements Allocator. It visits the subtrees of the job's level once, from
// the left, grouped by parent.
func (a *quasiContiguous) Allocate(dst []topology.Node, free *allocation.FreeSet,
	req allocation.Request) ([]topology.Node, bool) {
	req.MustMakeSense()
	if req.Size > free.Count() {
		return dst, false
	}
	span, level := allocation.LevelOf(a.tree, req.Size)
	family := span // the nodes one level up
	if level < a.tree.Levels() {
		family = a.tree.Span(level)
	}
	minInside := req.Size - (a.percent*req.Size+99)/100 // processors under one subtree
	parent, main := -1, 0
	for above := 0; above < a.tree.Nodes(); above += family {
		all, maxFree, fullest := 0, 0, 0
		for from := above; from < above+family; from += span {
			n := free.CountIn(from, span)
			if n >= req.Size {
				return free.AppendFirst(dst, from, span, req.Size), true
			}
			if all += n; n > maxFree {
				maxFree, fullest = n, from
			}
		}
		if parent < 0 && all >= req.Size && maxFree >= minInside {
			parent, main = above, fullest
		}
	}
	if parent < 0 {
		return dst, false
	}
	start := len(dst)
	dst = free.AppendFirst(dst, main, span, req.Size)
	dst = free.AppendFirst(dst, parent, main-parent, req.Size-(len(dst)-start))
	return free.AppendFirst(dst, main+span, parent+family-main-span,
		req.Size-(len(dst)-start)), true
}

// fewest gives a job as few routers, or as few groups, as the free nodes allow: by-router
// and by-group, and, with the rows or diagonals of a HyperX as groups, rows and diagonal.
//
// If some router or group has enough free nodes, the job gets the one with the fewest that suffice,
// the first of equals. Otherwise it gets all free nodes of the one with the most, the first of
// equals, and the rest of its nodes by the same rule. So entirely free routers come first. Within a
// group the same rule chooses the routers.
//
// No smaller number of routers, or groups, has enough free nodes. [Kaplan et al. 2017,
// "Unveiling the Interplay Between Global Link Arrangements and Network Management
// Algorithms on Dragonfly Networks", CCGrid] and [Yang et al., "Watch Out for the Bully!",
// SC 2016] compare such compact placements with random ones. The rule for the last router
// is ours. It is the best fit that Slurm uses for leaf switches.
type fewest struct {
	*division
	grouped bool    // groups are chosen before routers
	groups  ranking // memory for the choice of groups
	routers ranking // and of routers
}

// NewByRouter returns by-router [Kaplan et al. 2017].
func NewByRouter(machine topology.Topology) (*fewest, error) {
	return newFewest(ungrouped(machine), false), nil
}

// NewByGroup returns by-group [Kaplan et al. 2017].
func NewByGroup(machine topology.Topology) (*fewest, error) {
	d, err := byGroups("by-group", machine)
	if err != nil {
		return nil, err
	}
	return newFewest(d, true), nil
}

// newFewest returns the allocator of a division, by groups first if grouped.
func newFewest(d *division, grouped bool) *fewest { return &fewest{division: d, grouped: grouped} }

// Allocate implements Allocator.
func (a *fewest) Allocate(dst []topology.Node, free *allocation.FreeSet,
	req allocation.Request) ([]topology.Node, bool) {
	if !a.count(free, req) {
		return dst, false
	}
	if !a.grouped {
		return a.fromRouters(dst, free, 0, len(a.free), req.Size), true
	}
	for g, n := range a.groups.choose(a.inGroup, req.Size) {
		dst = a.fromRouters(dst, free, a.division.groups[g], a.division.groups[g+1], n)
	}
	return dst, true
}

// fromRouters appends size free nodes of the routers with the places from to to-1.
func (a *fewest) fromRouters(dst []topology.Node, free *allocation.FreeSet, from, to,
	size int) []topology.Node {
	for r, n := range a.routers.choose(a.free[from:to], size) {
		dst = a.appendFree(dst, free, from+r, from+r+1, n)
	}
	return dst
}

// ranking sorts routers or groups by their free nodes, most first, equals by number.
type ranking struct {
	sorted []int // units with free nodes
	start  []int // first place in sorted of the units with that many free nodes
}

// choose yields the units that the job gets, with the number of its nodes in each: the one with the
// fewest free nodes that suffice, otherwise the one with the most, until the job has all of its
// nodes.
func (k *ranking) choose(free []int, size int) iter.Seq2[int, int] {
	return func(yield func(unit, nodes int) bool) {
		k.sort(free)
		for next := 0; size > 0; next++ {
			unit := k.sorted[next]
			if free[unit] >= size {
				unit = k.bestFit(free, next, size)
			}
			if n := min(size, free[unit]); !yield(unit, n) {
				return
			}
			size -= free[unit]
		}
	}
}

// bestFit returns the unit with the fewest free nodes that suffice among the units of sorted from
// place from on. The first of these suffices.
func (k *ranking) bestFit(free []int, from, size int) int {
	for n := size; ; n++ {
		if at := max(from, k.start[n]); at < len(k.sorted) && free[k.sorted[at]] == n {
			return k.sorted[at]
		}
	}
}

// sort ranks the units with free nodes by counting, which takes linear time.
func (k *ranking) sort(free []int) {
	maxFree, units := 0, 0
	for _, n := range free {
		maxFree = max(maxFree, n)
		if n > 0 {
			units++
		}
	}
	k.start = resized(k.start, maxFree+1)
	k.sorted = resized(k.sorted, units)
	clear(k.start)
	for _, n := range free {
		k.start[n]++
	}
	place := 0
	for n := maxFree; n > 0; n-- {
		place, k.start[n] = place+k.start[n], place
	}
	for unit, n := range free {
		if n > 0 {
			k.sorted[k.start[n]] = unit
			k.start[n]++
		}
	}
	for n := 1; n < maxFree; n++ { // back to the first place
		k.start[n] = k.start[n+1]
	}
	k.start[maxFree] = 0
}

// resized returns a slice of n entries, in the memory of s if that suffices.
func resized(s []int, n int) []int {
	if cap(s) < n {
		return make([]int, n)
	}
	return s[:n]
}

// division is a machine divided into groups of routers, with the free nodes of each, which
// allocators that fill routers or groups count at every decision.
//
// Groups are the groups of a dragonfly, the pods of a tree, or sets of routers that an allocator
// forms, such as the rows of a HyperX. Routers without nodes do not count.
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

// ungrouped divides a machine into its routers, all in one group.
func ungrouped(machine topology.Topology) *division {
	return newDivision(machine, func(topology.Router) int { return 0 })
}

// byGroups divides a machine into its groups: see topology.GroupsOf. For a machine without groups,
// and for one that is a single group, it returns an error that names the allocator.
func byGroups(allocator string, machine topology.Topology) (*division, error) {
	if _, group, ok := topology.GroupsOf(machine); ok {
		return newDivision(machine, group), nil
	}
	return nil, fmt.Errorf("allocator %s needs a machine of two or more groups, such as a dragonfly "+
		"or a fat tree of two or more levels; this machine has none", allocator)
}

// Check implements Allocator for allocators that place a job wherever enough nodes are free.
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

// appendFree appends the first free nodes of the routers with the places from to to-1, at most
// limit.
func (d *division) appendFree(dst []topology.Node, free *allocation.FreeSet, from, to,
	limit int) []topology.Node {
	return free.AppendOf(dst, d.nodes[d.routers[from]:d.routers[to]], limit)
}

// nextFree returns the first place in nodes, from place from on, whose node is free, or end if
// there is none before end.
func (d *division) nextFree(free *allocation.FreeSet, from, end int) int {
	for from < end && !free.Free(d.nodes[from]) {
		from++
	}
	return from
}
