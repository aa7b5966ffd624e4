package center

import (
	"fmt"
	"math"
	"slices"

	"contend/allocation"
	"contend/router/topology"
)

// byHops is the geometry of any machine, with hops as distances. Krumke et al. define Gen-Alg on
// all metrics. On a lattice onLattice gives the same results faster.
//
// The centers of MM are crossings of coordinates. On a grid of any number of dimensions a router
// with nodes is a center if each of its coordinates is a coordinate of some free processor. On a
// machine without coordinates all routers with nodes are centers.
//
// A decision sorts the free processors by hops once for each center. With LastShellPrevious the
// sort for a center starts from the order of the previous center. For c centers and r routers with
// free processors a decision takes c·r steps, plus the time to add up distances for each center.
type byHops struct {
	*allocation.Rows
	machine   topology.Topology
	crossings bool // MM
	last      string
	tree      *topology.FatTree // with LastShellPrevious on a tree; otherwise nil
	meter     allocation.PairSum

	routers  []topology.Router // of each home
	centers  []int32           // homes
	free     []topology.Node   // free processors
	list     []freeRun         // free in runs, sorted by hops to the center
	sorted   []freeRun         // memory of sort
	at       []int32           // memory of sort: runs at each distance
	shell    []topology.Node   // for LastShellGreedy: processors of the last shell
	inShell  []int             // by processor of shell: hops to all processors nearer to the center
	sums     []int             // for each home, hops to all processors in taken
	taken    []topology.Node   // processors of the candidate
	minScore int64             // the lowest score so far
	origin   []uint16          // hops from the node of the last call of From
}

// freeRun is a run of consecutive entries of free that have one home, so equal hops.
type freeRun struct {
	home        int32
	first, size int32 // in free
}

// newByHops returns the geometry of a machine by its hops alone.
func newByHops(name string, s allocation.Site, last string) (*byHops, error) {
	machine := s.Machine
	d, err := s.Rows()
	if err != nil {
		return nil, fmt.Errorf("allocator %s: %w", name, err)
	}
	a := &byHops{Rows: d, machine: machine, crossings: name != "gen-alg", last: last,
		meter: allocation.PairSumOf(machine, d), routers: make([]topology.Router, d.Homes),
		sums: make([]int, d.Homes), at: make([]int32, d.Max+1)}
	for n, home := range d.Home {
		a.routers[home], _ = machine.Attach(topology.Node(n))
	}
	if last == LastShellPrevious {
		a.tree, _ = topology.FatTreeOf(machine)
	}
	return a, nil
}

// search implements geometry.
func (a *byHops) search(dst []topology.Node, free *allocation.FreeSet, size int,
	ties *tieCounter) ([]topology.Node, int64) {
	a.free = free.AppendTo(a.free[:0])
	a.listRuns()
	bottom, start := a.bottom(size), len(dst)
	a.minScore = math.MaxInt64
	for range a.candidates(free, size) {
		score := a.meter.Sum(a.taken)
		if score < a.minScore {
			a.minScore, dst = score, append(dst[:start], a.taken...)
			ties.clearSets()
		}
		if score == a.minScore && ties.countsTies {
			ties.addSet(a.taken)
		}
		if a.minScore <= bottom && !ties.countsTies {
			break // no later candidate has less
		}
	}
	slices.Sort(dst[start:])
	return dst, a.minScore
}

// candidates iterates over the candidates. In each step taken has the processors of one.
func (a *byHops) candidates(free *allocation.FreeSet, size int) func(func() bool) {
	if a.tree != nil {
		return func(yield func() bool) { a.treeCandidates(free, size, yield) }
	}
	a.findCenters()
	return func(yield func() bool) {
		for _, center := range a.centers {
			if a.last != LastShellPrevious {
				a.listRuns()
			}
			a.sort(center)
			a.take(size)
			if a.last == LastShellGreedy {
				a.takeGreedily(center)
			}
			if !yield() {
				return
			}
		}
	}
}

// bottom returns a lower bound of the sum of the hops of size free processors: processors of
// different homes are at least 1 apart, and no home has more than maxPerHome free processors.
func (a *byHops) bottom(size int) int64 {
	maxPerHome, count := 0, make([]int32, a.Homes)
	for _, r := range a.list {
		count[r.home] += r.size
		maxPerHome = max(maxPerHome, int(count[r.home]))
	}
	whole, rest := size/maxPerHome, size%maxPerHome
	together := whole*(maxPerHome*(maxPerHome-1)/2) + rest*(rest-1)/2
	return int64(size)*int64(size-1)/2 - int64(together)
}

// listRuns sets list to the free processors in node order. The processors of one home form a run,
// except under LastShellGreedy, which takes single processors.
func (a *byHops) listRuns() {
	a.list = a.list[:0]
	for i, n := range a.free {
		last := len(a.list) - 1
		if last >= 0 && a.list[last].home == a.Home[n] && a.last != LastShellGreedy {
			a.list[last].size++
			continue
		}
		a.list = append(a.list, freeRun{a.Home[n], int32(i), 1})
	}
}

// take sets taken to the first size processors of list.
func (a *byHops) take(size int) {
	a.taken = a.taken[:0]
	for _, r := range a.list {
		n := min(size-len(a.taken), int(r.size))
		a.taken = append(a.taken, a.free[r.first:int(r.first)+n]...)
		if len(a.taken) == size {
			return
		}
	}
}

// findCenters lists the centers for the free processors.
func (a *byHops) findCenters() {
	a.centers = a.centers[:0]
	grid, ok := a.machine.(topology.Grid)
	switch {
	case !a.crossings:
		for _, n := range a.free {
			// The same center twice in a row changes nothing.
			if k := len(a.centers); k == 0 || a.centers[k-1] != a.Home[n] {
				a.centers = append(a.centers, a.Home[n])
			}
		}
	case !ok:
		for home := range a.routers {
			a.centers = append(a.centers, int32(home))
		}
	default:
		used := make([][]bool, len(grid.Dims()))
		for d, n := range grid.Dims() {
			used[d] = make([]bool, n)
			for _, n := range a.free {
				used[d][grid.Coordinate(a.routers[a.Home[n]], d)] = true
			}
		}
		for home, r := range a.routers {
			if crosses(grid, r, used) {
				a.centers = append(a.centers, int32(home))
			}
		}
	}
}

// crosses reports whether a free processor uses each coordinate of a router.
func crosses(grid topology.Grid, r topology.Router, used [][]bool) bool {
	for d := range used {
		if !used[d][grid.Coordinate(r, d)] {
			return false
		}
	}
	return true
}

// sort sorts list by the hops to a center, stably: a counting sort.
func (a *byHops) sort(center int32) {
	row := a.Row(center)
	clear(a.at)
	for _, r := range a.list {
		a.at[row[r.home]]++
	}
	before := int32(0)
	for hops, n := range a.at {
		a.at[hops] = before
		before += n
	}
	a.sorted = slices.Grow(a.sorted[:0], len(a.list))[:len(a.list)]
	for _, r := range a.list {
		hops := row[r.home]
		a.sorted[a.at[hops]] = r
		a.at[hops]++
	}
	a.list, a.sorted = a.sorted, a.list
}

// takeGreedily replaces the processors taken from the last shell by the choice of LastShellGreedy.
func (a *byHops) takeGreedily(center int32) {
	size, row := len(a.taken), a.Row(center)
	hops, inner := row[a.list[size-1].home], size-1
	for inner > 0 && row[a.list[inner-1].home] == hops {
		inner--
	}
	a.shell, a.inShell = a.shell[:0], a.inShell[:0]
	for _, r := range a.list[inner:] {
		if row[r.home] == hops {
			a.shell, a.inShell = append(a.shell, a.free[r.first]), append(a.inShell, 0)
		}
	}
	a.taken = a.taken[:inner]
	for _, n := range a.taken {
		a.From(n)
		for j, m := range a.shell {
			a.inShell[j] += a.To(m)
		}
	}
	takeGreedily(a.shell, a.inShell, size-inner, a)
	a.taken = append(a.taken, a.shell[:size-inner]...)
}

// addHops adds a multiple of the hops from a home to the sums of all homes.
func (a *byHops) addHops(to int32, times int) {
	for home, hops := range a.Row(to) {
		a.sums[home] += times * int(hops)
	}
}

// sumTo implements geometry.
func (a *byHops) sumTo(nodes []topology.Node) {
	clear(a.sums)
	if a.tree != nil {
		a.sumOnTree(nodes)
		return
	}
	for i := 0; i < len(nodes); { // nodes that follow each other have most homes in common
		home, from := a.Home[nodes[i]], i
		for i < len(nodes) && a.Home[nodes[i]] == home {
			i++
		}
		a.addHops(home, i-from)
	}
}

// add implements geometry.
func (a *byHops) add(n topology.Node, sign int) { a.addHops(a.Home[n], sign) }

// total implements geometry.
func (a *byHops) total(n topology.Node) int { return a.sums[a.Home[n]] }

// From sets the origin of To.
func (a *byHops) From(n topology.Node) { a.origin = a.Row(a.Home[n]) }

// To returns the hops from the origin to a node.
func (a *byHops) To(n topology.Node) int { return int(a.origin[a.Home[n]]) }

// diameter returns an upper bound of the hops between two nodes.
func (a *byHops) diameter() int { return a.Max }

// On a tree or a fat tree with LastShellPrevious, the candidates follow from the free processors of
// subtrees.
//
// Let T(l) be the subtree of level l around a center, whose processors are up to 2l hops away, and
// L the lowest level at which T(L) has enough free processors for the job. The candidate takes all
// free processors of T(L-1). The other processors of T(L) are its last shell: all are 2L hops away.
// LastShellPrevious orders the shell like this: first the routers before T(L-1), the last router
// first, because each of them was a center and was nearest to itself; then the processors behind
// T(L-1), in node order, because no center so far was nearer to one of them than to another. The
// processors of one router stay in node order.
//
// Example: a tree with two nodes on each router and two routers below each of the next level, of
// whose nodes 0, 2, 4, 5, 6 and 7 are free, and a job of five. For center 4, T(1) has the free
// processors 4, 5, 6 and 7, and T(2) has all. The candidate takes 4, 5, 6 and 7, and one of the
// shell 0, 2: processor 2, on the last router before node 4.
//
// So all centers in T(L-1) have the same candidate. MM also has centers without free processors.
// Such a center has the candidate of the last center with free processors before it in T(L), or of
// the first one behind it, so Gen-Alg and MM give the same results. On a 4-ary 8-tree a decision
// takes 2 ms, and 0.7 s with a sort for each center.

// treeCandidates calls yield for each candidate, whose processors are in taken.
func (a *byHops) treeCandidates(free *allocation.FreeSet, size int, yield func() bool) {
	for n, ok := free.Next(0); ok; {
		level, leaf := 0, a.tree.Span(0)
		for free.CountIn(subtree(int(n), a.tree.Span(level))) < size {
			level++
		}
		inner, span := subtree(int(n), leaf)
		if level > 0 {
			inner, span = subtree(int(n), a.tree.Span(level-1))
		}
		first, whole := subtree(int(n), a.tree.Span(level))
		n, ok = free.Next(topology.Node(inner + span))
		taken := min(size, free.CountIn(inner, span))
		if 2*int64(level)*int64(taken)*int64(size-taken) > a.minScore {
			continue // these pairs alone are too far apart
		}
		a.taken = free.AppendFirst(a.taken[:0], inner, span, size)
		for from := inner - leaf; from >= first && len(a.taken) < size; from -= leaf {
			a.taken = free.AppendFirst(a.taken, from, leaf, size-len(a.taken))
		}
		a.taken = free.AppendFirst(a.taken, inner+span, first+whole-inner-span, size-len(a.taken))
		if !yield() {
			return
		}
	}
}

// subtree returns the first node of the subtree around a node, and its span.
func subtree(n, span int) (first, nodes int) { return n / span * span, span }

// sumOnTree is sumTo on a tree: each processor adds two hops to a home for each level at which the
// two are in different subtrees.
func (a *byHops) sumOnTree(nodes []topology.Node) {
	leaf := a.tree.Span(0)
	for l := range a.tree.Levels() - 1 {
		for home := range a.sums {
			a.sums[home] += 2 * len(nodes)
		}
		span := a.tree.Span(l)
		for i := 0; i < len(nodes); {
			first, from := int(nodes[i])/span, i
			for i < len(nodes) && int(nodes[i])/span == first {
				i++
			}
			for home := first * span / leaf; home < min((first+1)*span/leaf, a.Homes); home++ {
				a.sums[home] -= 2 * (i - from)
			}
		}
	}
}
