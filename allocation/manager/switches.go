// Package manager has the rules by which resource managers of clusters place jobs: the rules of
// Slurm's plugins topology/tree and topology/block, of Kueue and of Volcano.
//
// Example: four leaf switches of four nodes, two below each of two switches, have 2, 4, 3 and 3
// free nodes. The rules give a job of five these numbers of nodes of each leaf switch
// (testdata/package.txt):
//
//	                  leaf switch  1  2  3  4
//	free                           2  4  3  3
//	slurm-tree                     1  4  0  0
//	kueue-best-fit                 1  4  0  0
//	kueue-least-free               2  0  3  0
//	kueue-balanced                 0  0  3  2
//	volcano-binpack                2  3  0  0
//
// A rule sees the machine as switches above nodes. The comment of each rule states it in our own
// words, from the documents of the program, and for Slurm from the behaviour of slurmctld, with the
// versions that were compared.
package manager

import (
	"fmt"
	"slices"

	"contend/allocation"
	"contend/router/topology"
)

// switches are the switches of a machine: the routers of a machine with levels, or the subtrees of
// a fat tree, whose routers above the same nodes count as one switch. The switches of level 0 have
// the nodes.
type switches struct {
	level  []int
	up     [][]int32 // the switches above each, in ascending order
	below  [][]int32 // the leaves below each, in ascending order; a leaf itself
	leaves []int32
	nodes  [][]topology.Node // of each leaf, ascending
	leaf   []int32           // of each node
	free   []int             // free nodes below each switch, as count left them
}

// newSwitches returns the switches of a machine, or an error that names the allocator.
func newSwitches(allocator string, machine topology.Topology) (*switches, error) {
	s := &switches{leaf: make([]int32, machine.Nodes())}
	levelled, ok := machine.(topology.Levelled)
	if ok {
		_, ok = levelled.Level(0)
	}
	if tree, fat := topology.FatTreeOf(machine); fat {
		s.ofFatTree(tree)
	} else if ok {
		s.ofLevels(levelled)
	} else {
		return nil, fmt.Errorf("allocator %s needs a tree, a fat-tree or a graph whose routers have "+
			"levels, such as that of Slurm's topology.conf; this machine is none", allocator)
	}
	s.nodes = make([][]topology.Node, len(s.level))
	for n, leaf := range s.leaf {
		if s.level[leaf] != 0 {
			return nil, fmt.Errorf("allocator %s needs all nodes on routers of level 0; node %d is on one "+
				"of level %d", allocator, n, s.level[leaf])
		}
		s.nodes[leaf] = append(s.nodes[leaf], topology.Node(n))
	}
	s.below, s.free = make([][]int32, len(s.level)), make([]int, len(s.level))
	order := make([]int32, len(s.level))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(a, b int32) int { return s.level[a] - s.level[b] })
	for _, i := range order {
		if len(s.nodes[i]) > 0 {
			s.below[i] = append(s.below[i], i)
			s.leaves = append(s.leaves, i)
		}
		slices.Sort(s.below[i])
		s.below[i] = slices.Compact(s.below[i])
		for _, above := range s.up[i] {
			s.below[above] = append(s.below[above], s.below[i]...)
		}
	}
	slices.Sort(s.leaves)
	return s, nil
}

// whole has the switches of a machine with one switch above all nodes, for allocators that place a
// job wherever enough nodes are free.
type whole struct{ *switches }

// newWhole returns the switches of a machine, or an error that names the allocator.
func newWhole(allocator string, machine topology.Topology) (whole, error) {
	s, err := newSwitches(allocator, machine)
	if err == nil && !slices.ContainsFunc(s.below,
		func(l []int32) bool { return len(l) == len(s.leaves) }) {
		err = fmt.Errorf("allocator %s needs a switch above all nodes; this machine has none", allocator)
	}
	return whole{s}, err
}

// CountDecides implements Counting.
func (w whole) CountDecides() bool { return true }

// Check implements Allocator.
func (w whole) Check(req allocation.Request) error { return req.Check(len(w.leaf)) }

// lowest returns the best switch of the lowest level on which some switch has at least size free
// nodes. better reports whether switch i is better than an earlier switch.
func (w whole) lowest(size int, better func(i, than int) bool) int {
	best := -1
	for i, n := range w.free {
		if n >= size && (best < 0 || w.level[i] < w.level[best] ||
			w.level[i] == w.level[best] && better(i, best)) {
			best = i
		}
	}
	return best
}

// ofLevels makes each router a switch of its level.
func (s *switches) ofLevels(m topology.Levelled) {
	s.up = make([][]int32, m.Routers())
	for r := range topology.Router(m.Routers()) {
		level, _ := m.Level(r)
		s.level = append(s.level, level)
		for p := range topology.Port(m.Ports()) {
			if peer, _, ok := m.Peer(r, p); ok {
				if above, _ := m.Level(peer); above > level {
					s.up[r] = append(s.up[r], int32(peer))
				}
			}
		}
		slices.Sort(s.up[r])
		s.up[r] = slices.Compact(s.up[r])
	}
	for n := range s.leaf {
		r, _ := m.Attach(topology.Node(n))
		s.leaf[n] = int32(r)
	}
}

// ofFatTree makes each subtree of a fat tree a switch, level by level.
func (s *switches) ofFatTree(t *topology.FatTree) {
	base := 0
	for l := range t.Levels() {
		count := (t.Nodes() + t.Span(l) - 1) / t.Span(l)
		for i := range count {
			s.level = append(s.level, l)
			var up []int32
			if l+1 < t.Levels() {
				up = []int32{int32(base + count + i/t.Children(l+1))}
			}
			s.up = append(s.up, up)
		}
		base += count
	}
	for n := range s.leaf {
		s.leaf[n] = int32(n / t.Span(0))
	}
}

// parent returns the last of the switches above one, or -1.
func (s *switches) parent(i int) int {
	if up := s.up[i]; len(up) > 0 {
		return int(up[len(up)-1])
	}
	return -1
}

// children returns the children of each switch.
func (s *switches) children() [][]int32 {
	down := make([][]int32, len(s.level))
	for i := range s.level {
		if p := s.parent(i); p >= 0 {
			down[p] = append(down[p], int32(i))
		}
	}
	return down
}

// sizes returns the number of nodes below each switch.
func (s *switches) sizes() []int {
	sizes := make([]int, len(s.level))
	for i, leaves := range s.below {
		for _, leaf := range leaves {
			sizes[i] += len(s.nodes[leaf])
		}
	}
	return sizes
}

// count sets free. It reports false if fewer nodes are free than requested.
func (s *switches) count(free *allocation.FreeSet, req allocation.Request) bool {
	req.MustMakeSense()
	if req.Size > free.Count() {
		return false
	}
	free.CountBy(s.free, s.leaf)
	s.sumLeaves()
	return true
}

// sumLeaves sets the free nodes of upper switches to the sums over the leaves below them.
func (s *switches) sumLeaves() {
	for i, leaves := range s.below {
		if len(s.nodes[i]) > 0 {
			continue
		}
		s.free[i] = 0
		for _, leaf := range leaves {
			s.free[i] += s.free[leaf]
		}
	}
}

// keepFreeBelow sets the free nodes of all leaf switches that are not below switch i to 0.
func (s *switches) keepFreeBelow(i int) {
	for _, leaf := range s.leaves {
		if _, below := slices.BinarySearch(s.below[i], leaf); !below {
			s.free[leaf] = 0
		}
	}
	s.sumLeaves()
}

// checkOnEmptyMachine returns an error for a request that an allocator does not place on the empty
// machine.
func checkOnEmptyMachine(name string, a allocation.Allocator, nodes int,
	req allocation.Request) error {
	if err := req.Check(nodes); err != nil {
		return err
	}
	if _, ok := a.Allocate(nil, allocation.NewFreeSet(nodes), req); !ok {
		return fmt.Errorf("asks for %d processors, for which %s finds no place on the empty machine",
			req.Size, name)
	}
	return nil
}

// oneSwitch keeps a job below one switch, of the lowest level that has a switch with enough nodes
// for the job. Of the switches of that level with enough free nodes the job gets the one with the
// fewest, the first of equals, and there leaf switches by the rule of slurm-tree. It waits if no
// switch of that level has enough. A job of Slurm with --switches=1 and no limit to its wait gets
// the same if a leaf switch can hold it. Larger jobs wait for a part of the tree. The rule is ours.
type oneSwitch struct {
	*slurmTree
	size []int // number of nodes below each switch
}

// NewOneSwitch returns one-switch.
func NewOneSwitch(machine topology.Topology) (*oneSwitch, error) {
	s, err := newSlurmTree("one-switch", machine)
	if err != nil {
		return nil, err
	}
	return &oneSwitch{s, s.sizes()}, nil
}

// CountDecides implements Counting: jobs wait for a place.
func (a *oneSwitch) CountDecides() bool { return false }

// Allocate implements Allocator. Ranks are in node order.
func (a *oneSwitch) Allocate(dst []topology.Node, free *allocation.FreeSet,
	req allocation.Request) ([]topology.Node, bool) {
	if !a.count(free, req) {
		return dst, false
	}
	best, level := -1, 0
	for i, nodes := range a.size {
		if nodes < req.Size || best >= 0 && a.level[i] > level {
			continue
		}
		if best < 0 || a.level[i] < level || a.better(i, best, req.Size) {
			best, level = i, a.level[i]
		}
	}
	if a.free[best] < req.Size {
		return dst, false
	}
	a.keepFreeBelow(best)
	return a.fill(dst, free, req), true
}

// better reports whether switch i comes before switch j, an earlier one of its level.
func (a *oneSwitch) better(i, j, size int) bool {
	return a.free[i] >= size && (a.free[j] < size || a.free[i] < a.free[j])
}
