package manager

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"

	"contend/allocation"
	"contend/router/topology"
)

// slurmTree places jobs of whole nodes as slurmctld does with select/cons_tres and topology/tree,
// for jobs that name no nodes and no number of switches, where nodes have equal weights. Nodes
// that lack the resources a job asks for, such as too few GPUs that are free, count as busy.
//
// A job gets free nodes of one leaf switch after the other, the first free nodes of each, until it
// has enough. The next leaf switch is the best of the unused leaf switches with free nodes. They
// are compared in the order of their definition, and a leaf switch replaces the best one so far
//
//   - if it is fitter and has the same number of hops to the leaf switches used so far (the sum
//     over them), or
//   - if it is nearer, and it, or the switch above it that decides the comparison, has room for all
//     missing nodes.
//
// If two switches both have room for all missing nodes, the one with fewer free nodes is fitter. If
// one of them has room, that one is fitter. If neither has room, the comparison continues with the
// switches above them. If these are the same switch, the one with more free nodes is fitter, and
// among equals the lower one. Free nodes below upper switches exclude the nodes that the job has
// taken.
//
// Slurm before 24.05.3 differs: a nearer leaf switch replaces the best one if it is at least as
// fit, and upper switches keep the number of free nodes from before the job.
//
// The rule was compared with slurmctld 22.05.8 and 25.05.8 in random states, without a difference.
// Slurm's comparison of leaf switches at different depths reads past the root; this one ends at the
// root.
type slurmTree struct {
	whole
	old        bool      // the rule before 24.05.3
	hopsToUsed []int32   // of each switch: its hops to all leaf switches used, added up
	hops       []int32   // of each switch, set by hopsFrom
	queue      []int32   // memory of hopsFrom
	left       []int     // of each switch: free nodes below it less those of the job
	down       [][]int32 // the switches below each
}

// Versions lists the versions of Slurm whose rules differ.
func Versions() []allocation.Info {
	return []allocation.Info{{Name: "24.05.3", Doc: "Slurm 24.05.3 and later"},
		{Name: "22.05", Doc: "Slurm before 24.05.3"}}
}

// NewSlurmTree returns slurm-tree of one of Versions, "" for the first of them.
func NewSlurmTree(machine topology.Topology, version string) (*slurmTree, error) {
	a, err := newSlurmTree("slurm-tree", machine)
	if err != nil {
		return nil, err
	}
	a.old = version == Versions()[1].Name
	return a, nil
}

// newSlurmTree returns the current rule on a tree of switches. Errors have the name.
func newSlurmTree(name string, machine topology.Topology) (*slurmTree, error) {
	s, err := newWhole(name, machine)
	if err != nil {
		return nil, err
	}
	n := len(s.level)
	a := &slurmTree{whole: s, hopsToUsed: make([]int32, n),
		hops: make([]int32, n), left: s.free, down: make([][]int32, n)}
	for i, up := range s.up {
		for _, above := range up {
			a.down[above] = append(a.down[above], int32(i))
		}
	}
	return a, nil
}

// Allocate implements Allocator. Ranks are in node order.
func (a *slurmTree) Allocate(dst []topology.Node, free *allocation.FreeSet,
	req allocation.Request) ([]topology.Node, bool) {
	if !a.count(free, req) {
		return dst, false
	}
	return a.fill(dst, free, req), true
}

// fill appends the nodes of a job, chosen from those counted as free.
func (a *slurmTree) fill(dst []topology.Node, free *allocation.FreeSet,
	req allocation.Request) []topology.Node {
	clear(a.hopsToUsed)
	from := len(dst)
	for missing := req.Size; missing > 0; {
		leaf := a.best(missing)
		n := min(missing, a.left[leaf])
		dst = free.AppendOf(dst, a.nodes[leaf], n)
		if missing -= n; missing > 0 {
			a.exclude(leaf)
		}
	}
	slices.Sort(dst[from:])
	return dst
}

// best returns the leaf switch to use next, from the leaf switches with free nodes left.
func (a *slurmTree) best(missing int) int {
	best := -1
	for _, leaf := range a.leaves {
		i := int(leaf)
		if a.left[i] == 0 {
			continue
		}
		if best < 0 {
			best = i
			continue
		}
		fitter, fits := a.compare(i, best, missing)
		if a.old {
			fits = fitter >= 0
		}
		nearer := cmp.Compare(a.hopsToUsed[best], a.hopsToUsed[i])
		if nearer > 0 && fits || nearer == 0 && fitter > 0 {
			best = i
		}
	}
	return best
}

// compare returns 1 if switch i is fitter than j, -1 if j is fitter, and 0 if neither is. It
// reports whether i, or the switch above it that decides, has room for the missing nodes.
func (a *slurmTree) compare(i, j, missing int) (fitter int, fits bool) {
	for {
		fits = a.left[i] >= missing
		other := a.left[j] >= missing
		switch {
		case fits && other && a.left[i] != a.left[j]:
			return cmp.Compare(a.left[j], a.left[i]), true
		case fits != other && fits:
			return 1, true
		case fits != other:
			return -1, false
		}
		p, q := a.parent(i), a.parent(j)
		if fits || p == q || p < 0 || q < 0 {
			break
		}
		i, j = p, q
	}
	if a.left[i] != a.left[j] {
		return cmp.Compare(a.left[i], a.left[j]), fits
	}
	return cmp.Compare(a.level[j], a.level[i]), fits
}

// exclude sets the free nodes left at a leaf switch to 0, and adds the hops to it to hopsToUsed.
func (a *slurmTree) exclude(leaf int) {
	a.hopsFrom(int32(leaf))
	for i, h := range a.hops {
		a.hopsToUsed[i] += h
	}
	n := a.left[leaf]
	a.left[leaf] = 0
	if a.old {
		return
	}
	for i := a.parent(leaf); i >= 0; i = a.parent(i) {
		a.left[i] = max(0, a.left[i]-n)
	}
}

// hopsFrom sets hops to the numbers of links between a switch and all others, breadth first.
func (a *slurmTree) hopsFrom(from int32) {
	for i := range a.hops {
		a.hops[i] = -1
	}
	a.hops[from] = 0
	a.queue = append(a.queue[:0], from)
	for at := 0; at < len(a.queue); at++ {
		i := a.queue[at]
		for _, list := range [2][]int32{a.up[i], a.down[i]} {
			for _, peer := range list {
				if a.hops[peer] < 0 {
					a.hops[peer] = a.hops[i] + 1
					a.queue = append(a.queue, peer)
				}
			}
		}
	}
}

// slurmBlock places jobs of whole nodes as slurmctld does with topology/block, for jobs that name
// no nodes, where nodes have equal weights. Nodes that lack the resources a job asks for count as
// busy.
//
// The switches of level 0 are base blocks, in the order of their definition. Those of level l are
// blocks of 2^l neighbouring base blocks; l is up to 15. A job of k nodes needs ceil(k/b) base
// blocks, b being their planning size, and gets its nodes within one block of the first level whose
// blocks have that many base blocks. If no level has, it may use the whole machine. Within the
// block the job may use smaller blocks, at most the number of the largest smaller blocks that it
// would need if they were empty. If the whole machine is not a whole number of smaller blocks,
// Slurm leaves out the last one when it tests for room, and this allocator does the same.
//
// Of the blocks with enough free nodes in the number of smaller blocks that the job may use, it
// gets the block with the fewest free nodes, the last of equals. There it gets one base block after
// the other, and the first free nodes of each. A base block in a smaller block that the job already
// uses comes first. Otherwise it gets a base block in the smaller block with the fewest free nodes
// among those with room for all missing nodes, or, if none has room, in the smaller block with the
// most free nodes. Among base blocks of one smaller block, or of equal ones, it gets the one with
// the fewest free nodes among those with room for all missing nodes, or, if none has room, the one
// with the most free nodes, the last of equals.
//
// With segments (Slurm's --segment) a job whose size is a multiple of the segment gets its segments
// one after the other, each by this rule, and waits if one of them finds no place. Slurm refuses
// larger jobs whose size is not a multiple; here they are placed without segments.
//
// The rule was compared with slurmctld 25.05.8 in random states, without a difference. Slurm 22.05
// has no topology/block.
type slurmBlock struct {
	*switches
	levels  []int // of blocks, ascending from 0
	size    int   // planning size of base blocks
	segment int

	left     []int  // free nodes of each base block, by its index in leaves
	smaller  []int  // free nodes of each smaller block
	sorted   []int  // memory of largest
	used     []bool // base blocks that the segment uses
	choice   blockChoice
	segments []int // nodes that the job gets of each base block
}

// NewSlurmBlock returns slurm-block. Size is the planning size of base blocks, 0 for the number of
// nodes of the first one, and segment the number of nodes of a segment, 0 for none.
func NewSlurmBlock(machine topology.Topology, size, segment int) (*slurmBlock, error) {
	s, err := newSwitches("slurm-block", machine)
	if err != nil {
		return nil, err
	}
	a := &slurmBlock{switches: s, size: size, segment: segment}
	if size == 0 {
		a.size = len(s.nodes[s.leaves[0]])
	}
	for _, l := range s.level {
		if l <= 15 {
			a.levels = append(a.levels, l)
		}
	}
	slices.Sort(a.levels)
	a.levels = slices.Compact(a.levels)
	for i, leaves := range s.below {
		if l := s.level[i]; l > 0 && l <= 15 {
			first, _ := slices.BinarySearch(s.leaves, leaves[0])
			last, _ := slices.BinarySearch(s.leaves, leaves[len(leaves)-1])
			if first>>l<<l != first || last != min(first+1<<l, len(s.leaves))-1 {
				return nil, fmt.Errorf("allocator slurm-block needs switches above 2^l neighbouring base "+
					"blocks on level l, as in a topology.conf of blocks; one of level %d is above %d of them", l,
					len(leaves))
			}
		}
	}
	n := len(s.leaves)
	a.left, a.smaller, a.used = make([]int, n), make([]int, n), make([]bool, n)
	a.segments = make([]int, n)
	return a, nil
}

// Check implements Allocator.
func (a *slurmBlock) Check(req allocation.Request) error {
	return checkOnEmptyMachine("slurm-block", a, len(a.leaf), req)
}

// Allocate implements Allocator. Ranks are in node order.
func (a *slurmBlock) Allocate(dst []topology.Node, free *allocation.FreeSet,
	req allocation.Request) ([]topology.Node, bool) {
	if !a.count(free, req) {
		return dst, false
	}
	for i, leaf := range a.leaves {
		a.left[i] = a.free[leaf]
	}
	clear(a.segments)
	segment := req.Size
	if a.segment > 0 && req.Size%a.segment == 0 {
		segment = a.segment
	}
	for placed := 0; placed < req.Size; placed += segment {
		if !a.place(segment) {
			return dst, false
		}
	}
	from := len(dst)
	for i, n := range a.segments {
		dst = free.AppendOf(dst, a.nodes[a.leaves[i]], n)
	}
	slices.Sort(dst[from:])
	return dst, true
}

// blockChoice has the sizes of the blocks from which a segment gets its nodes.
type blockChoice struct {
	span      int  // base blocks of a block
	small     int  // base blocks of a smaller block
	maxBlocks int  // smaller blocks that it may use
	free      bool // it may use all smaller blocks of a block
}

// need returns the sizes of blocks for a segment of some nodes.
func (a *slurmBlock) need(nodes int) (c blockChoice) {
	base := (nodes + a.size - 1) / a.size
	level := bits.Len(uint(base - 1))
	at, _ := slices.BinarySearch(a.levels, level)
	c.span, c.small = len(a.leaves), 1
	if at < len(a.levels) {
		c.span = 1 << a.levels[at]
	}
	if at > 0 {
		c.small = 1 << a.levels[at-1]
	}
	c.maxBlocks = (base + c.small - 1) / c.small
	c.free = c.span == c.small*c.maxBlocks
	return c
}

// place chooses the base blocks of a segment. It reports false if there is no place for the
// segment.
func (a *slurmBlock) place(nodes int) bool {
	a.choice = a.need(nodes)
	first := a.block(nodes)
	if first < 0 {
		return false
	}
	last := min(first+a.choice.span, len(a.leaves))
	a.countSmaller(first, last)
	clear(a.used)
	for blocksLeft := a.choice.maxBlocks; nodes > 0; {
		i, again := a.baseBlock(first, last, nodes)
		if i < 0 || a.left[i] == 0 || blocksLeft <= 0 && !again && !a.choice.free {
			return false
		}
		if !again {
			blocksLeft--
		}
		n := min(nodes, a.left[i])
		a.used[i] = true
		a.segments[i] += n
		a.left[i] -= n
		nodes -= n
	}
	return true
}

// countSmaller sets smaller for the base blocks from first to last.
func (a *slurmBlock) countSmaller(first, last int) {
	clear(a.smaller)
	for i := first; i < last; i++ {
		a.smaller[i/a.choice.small] += a.left[i]
	}
}

// block returns the first base block of the block that the segment gets, -1 if none has room.
func (a *slurmBlock) block(nodes int) int {
	best, minAll := -1, 0
	for first := 0; first < len(a.leaves); first += a.choice.span {
		last := min(first+a.choice.span, len(a.leaves))
		all := 0
		for _, n := range a.left[first:last] {
			all += n
		}
		usable := all
		if !a.choice.free {
			usable = a.largest(first, last)
		}
		if usable >= nodes && (best < 0 || all <= minAll) {
			best, minAll = first, all
		}
	}
	return best
}

// largest returns the free nodes of the largest smaller blocks, for the number of them that the
// segment may use.
func (a *slurmBlock) largest(first, last int) (sum int) {
	a.countSmaller(first, last)
	small := a.choice.small
	at := first / small
	a.sorted = append(a.sorted[:0], a.smaller[at:min(at+a.choice.span/small, (last+small-1)/small)]...)
	slices.Sort(a.sorted)
	for _, n := range a.sorted[max(0, len(a.sorted)-a.choice.maxBlocks):] {
		sum += n
	}
	return sum
}

// baseBlock returns the base block to use next, and whether it is in a smaller block that the
// segment uses already.
func (a *slurmBlock) baseBlock(first, last, missing int) (best int, again bool) {
	best = -1
	for i := first; i < last; i++ {
		if a.used[i] {
			continue
		}
		if best < 0 {
			best, again = i, a.uses(i)
			continue
		}
		if !a.choice.free && i/a.choice.small != best/a.choice.small {
			now := a.uses(i)
			c := a.fitter(i, best, missing)
			switch {
			case now != again && now || now == again && c > 0:
				best, again = i, now
				continue
			case now != again || c < 0:
				continue
			}
		}
		fits, other := a.left[i] >= missing, a.left[best] >= missing
		if fits && (!other || a.left[i] <= a.left[best]) || !fits && !other && a.left[i] >= a.left[best] {
			best = i
		}
	}
	return best, again
}

// uses reports whether the segment uses a base block of the smaller block of another one.
func (a *slurmBlock) uses(i int) bool {
	from := i / a.choice.small * a.choice.small
	return slices.Contains(a.used[from:min(from+a.choice.small, len(a.used))], true)
}

// fitter compares the smaller blocks of two base blocks. It returns 1 if the smaller block of i
// comes first, -1 if that of j does, and 0 if they are equal.
func (a *slurmBlock) fitter(i, j, missing int) int {
	m, n := a.smaller[i/a.choice.small], a.smaller[j/a.choice.small]
	fits, other := m >= missing, n >= missing
	switch {
	case fits && other:
		return cmp.Compare(n, m)
	case fits != other && fits:
		return 1
	case fits != other:
		return -1
	}
	return cmp.Compare(m, n)
}
