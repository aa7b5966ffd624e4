package manager

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"

	"contend/allocation"
	"contend/router/topology"
)

// slurmBlock places jobs of whole nodes as slurmctld does with topology/block, for jobs that name
// no nodes, where nodes have equal weights. Nodes that lack the resources a job asks for count as
// busy.
//
// The switches of level 0 are base blocks, in the order of their definition. Those of level l are
// blocks of 2^l neighbouring base blocks; l is up to 15. A job of k nodes needs ceil(k/b) base
// blocks, b being their planning size, and gets its nodes within one block of the first level
// whose blocks have that many. If no level has, it may use the whole machine. Within it the job may
// use at most as many of the largest smaller blocks as it would need if those were empty. Where the
// whole machine is no whole number of those, Slurm leaves out the last one when it asks whether
// there is room, and so does this.
//
// Of the blocks with enough free nodes in as many smaller blocks as the job may use, it gets the
// one with the fewest free nodes, the last of equals. There it gets base blocks, one after the
// other, and the first free nodes of each: one in a smaller block that it uses already, before one
// in another; else one in a smaller block that has room for all that is missing, the one with the
// fewest free nodes; else one in that with the most. Among base blocks of one smaller block, or of
// equal ones, it gets one that has room for all that is missing, the one with the fewest free
// nodes, else the one with the most, the last of equals.
//
// With segments (Slurm's --segment) a job whose size is a multiple of the segment gets its segments
// one after the other, each by this rule, and waits if one of them finds no place. Slurm refuses
// jobs that are larger and no multiple; here they are placed without segments.
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
					"blocks on level l; one of level %d is above %d of them", l, len(leaves))
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

// blockChoice is the sizes of blocks from which a segment gets its nodes.
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

// largest returns the free nodes of the largest smaller blocks, of as many as the segment may use.
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

// fitter compares the smaller blocks of two base blocks: 1 if that of i is to be used before that
// of j, -1 the other way round, 0 if they are equal.
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
