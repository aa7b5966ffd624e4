package tree

import (
	"iter"

	"contend/allocation"
	"contend/router/topology"
)

// fewest gives a job as few routers, or as few groups, as the free nodes allow: by-router
// and by-group, and, with the rows or diagonals of a HyperX as groups, rows and diagonal.
//
// Where one router or group has enough free nodes, the job gets the one with the fewest
// that suffice, the first of equals. Where none has, it gets all free nodes of the one with
// most, the first of equals, and the rest of its nodes by the same rule. So routers that
// are free as a whole come first. Within a group the same rule chooses the routers.
//
// No smaller number of routers, or groups, has enough free nodes. [Kaplan et al. 2017,
// "Unveiling the Interplay Between Global Link Arrangements and Network Management
// Algorithms on Dragonfly Networks", CCGrid] and [Yang et al., "Watch Out for the Bully!",
// SC 2016] compare such compact placements with random ones. The rule for the last router
// is ours. It is the best fit that Slurm uses for leaf switches.
type fewest struct {
	*division
	grouped bool    // groups are chosen first
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

// fromRouters appends size free nodes of the routers from one up to another one.
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
// fewest free nodes that suffice, or else the one with most, until the job has all of its nodes.
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

// bestFit returns the unit with the fewest free nodes that suffice, of those from one
// place on. The first of them suffices.
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
