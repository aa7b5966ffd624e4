package center

import (
	"math"
	"slices"

	"contend/allocation"
	"contend/router/topology"
)

// Median gives a job the processors around a median. A candidate takes the k free processors
// nearest to its center. Its score is the sum of their pairwise distances. The lowest score wins,
// and among equals the first center in node order. LastShell decides among processors equally far
// from the center.
//
// Gen-Alg [Krumke et al., Theoretical Computer Science 181, 1997] uses the free processors as
// centers. It finds a sum of at most 2 - 2/k times the minimum in any metric space. MM [Bender et
// al., WADS 2005, sec. 2.1] uses all crossings of coordinates of free processors. It finds a sum of
// at most 2 - 1/(2d) times the minimum on a mesh of d dimensions (sec. 4.1), and the minimum for up
// to three processors (sec. 2.3). On a machine without coordinates the centers of MM are all
// routers with nodes. MM+Inc (sec. 5) is MM followed by exchanges; its ties are counted before the
// exchanges. Ranks are in node order.
type Median struct {
	geometry
	tieCounter
	// Winner has the nodes of the last allocation, in their order.
	Winner []topology.Node

	nodes     int
	exchanges *exchanges // nil unless the allocator is MM+Inc
}

// geometry is a kind of machine with its distances: a lattice with L1, or any machine with hops. It
// finds the best candidate and adds up distances.
type geometry interface {
	// search appends the nodes of the candidate with the lowest score, in node order, and returns
	// the score. If ties are counted, it adds the sets of all candidates with that score to ties.
	search(dst []topology.Node, free *allocation.FreeSet, size int,
		ties *tieCounter) ([]topology.Node, int64)
	// sumTo sets the nodes to which total adds up the distances.
	sumTo(nodes []topology.Node)
	// add adds n to these nodes if sign is 1, and removes it if sign is -1.
	add(n topology.Node, sign int)
	// total returns the sum of the distances from n to these nodes.
	total(n topology.Node) int
	metric
	// diameter returns an upper bound of the distance between two nodes.
	diameter() int
}

// NewMedian returns gen-alg, mm or mm-inc for a machine. last is one of MedianShells, or "" for the
// first. Distances are L1 if the machine has coordinates, otherwise hops.
func NewMedian(name string, s allocation.Site, last string) (*Median, error) {
	if last == "" {
		last = LastShells()[0].Name
	}
	a := &Median{nodes: s.Machine.Nodes()}
	if cube, ok := latticeCube(s.Machine); ok {
		a.geometry = newOnLattice(cube, name != "gen-alg", last)
	} else {
		hops, err := newByHops(name, s, last)
		if err != nil {
			return nil, err
		}
		a.geometry = hops
	}
	a.Winner = make([]topology.Node, 0, a.nodes)
	if name == "mm-inc" {
		a.exchanges = &exchanges{geometry: a.geometry}
	}
	return a, nil
}

// Check implements Allocator.
func (a *Median) Check(req allocation.Request) error { return req.Check(a.nodes) }

// CountDecides implements Counting: a job starts if enough processors are free.
func (a *Median) CountDecides() bool { return true }

// Allocate implements Allocator.
func (a *Median) Allocate(dst []topology.Node, free *allocation.FreeSet,
	req allocation.Request) ([]topology.Node, bool) {
	req.MustMakeSense()
	if req.Size > free.Count() {
		return dst, false
	}
	a.Search(free, req.Size)
	return append(dst, a.Winner...), true
}

// Search sets Winner to the best candidate and returns its score.
func (a *Median) Search(free *allocation.FreeSet, size int) (score int64) {
	a.clearSets()
	a.Winner, score = a.search(a.Winner[:0], free, size, &a.tieCounter)
	if a.countsTies {
		a.countSets()
	}
	if a.exchanges != nil {
		gained := int64(0)
		a.Winner, gained = a.exchanges.improve(a.Winner, free)
		score -= gained
	}
	return score
}

// exchanges improves a candidate for MM+Inc [Bender et al., WADS 2005, sec. 5]: it exchanges an
// allocated processor for a free one as long as that reduces the sum of pairwise distances. Each
// step makes the exchange with the largest gain; among equals the first by the processor that
// leaves, and then by the processor that joins. The paper leaves the choice open.
type exchanges struct {
	geometry
	taken []topology.Node // allocated, in node order
	free  []topology.Node // free before the decision, including taken
	spare []spare         // processors that may join
}

// spare is a free processor that may join.
type spare struct {
	node  topology.Node
	total int // sum of the distances to all allocated
}

// improve exchanges processors of an allocation while the sum of pairwise distances decreases.
// taken has the allocation in node order. improve returns the new allocation, in node order, and
// the decrease of the sum.
func (a *exchanges) improve(taken []topology.Node,
	free *allocation.FreeSet) (improved []topology.Node, gained int64) {
	a.taken, a.free = taken, free.AppendTo(a.free[:0])
	a.sumTo(taken)
	for {
		gain, i, joins := a.best()
		if gain == 0 {
			return a.taken, gained
		}
		gained += int64(gain)
		a.add(a.taken[i], -1)
		a.add(joins, 1)
		for ; i > 0 && a.taken[i-1] > joins; i-- {
			a.taken[i] = a.taken[i-1]
		}
		for ; i+1 < len(a.taken) && a.taken[i+1] < joins; i++ {
			a.taken[i] = a.taken[i+1]
		}
		a.taken[i] = joins
	}
}

// best returns the exchange with the largest gain: the gain, the index in taken of the processor
// that leaves, and the processor that joins. The gain is 0 if no exchange gains. best first
// computes the exchange of the processor farthest from all others for the nearest free one. The
// gain of another exchange is at most its gain if the two processors were as far apart as the
// diameter, so most exchanges need no distance.
func (a *exchanges) best() (gain, from int, joins topology.Node) {
	farthest, maxTotal, diameter := 0, 0, a.diameter()
	for i, n := range a.taken {
		if total := a.total(n); total > maxTotal {
			farthest, maxTotal = i, total
		}
	}
	nearest, ok := a.listSpares(maxTotal + diameter)
	if !ok {
		return 0, 0, 0
	}
	a.From(a.taken[farthest])
	// The first exchange beyond the bound is the best.
	bound := max(0, maxTotal-nearest.total+a.To(nearest.node)-1)
	for i, leaves := range a.taken {
		total := a.total(leaves)
		if total-nearest.total+diameter <= bound {
			continue
		}
		a.From(leaves)
		for _, s := range a.spare {
			if total-s.total+diameter <= bound {
				continue
			}
			// The joining processor has no distance to the one that leaves.
			if g := total - s.total + a.To(s.node); g > bound {
				gain, bound, from, joins = g, g, i, s.node
			}
		}
	}
	return gain, from, joins
}

// listSpares sets spare to the free processors whose sum of distances to the allocated ones is
// below limit. It returns the first with the lowest sum, or false if there is none.
func (a *exchanges) listSpares(limit int) (nearest spare, ok bool) {
	a.spare = a.spare[:0]
	left := a.taken
	for _, n := range a.free {
		if len(left) > 0 && left[0] == n {
			left = left[1:]
			continue
		}
		s := spare{n, a.total(n)}
		if s.total >= limit {
			continue
		}
		if a.spare = append(a.spare, s); !ok || s.total < nearest.total {
			nearest, ok = s, true
		}
	}
	return nearest, ok
}

// LastShell values are rules by which a candidate chooses processors from its last shell if it
// needs only some of them. The papers leave the choice open, and [Johnson et al. 2010, Fig. 8]
// depends on it. Shells are those of the allocator: of equal L-infinity distance for mc, mc1x1 and
// mc1x1-tie, of equal L1 distance for gen-alg, mm and mm-inc.
const (
	// LastShellPrevious takes the processors nearest, in shells, to the center of the previous
	// candidate. Among equals it takes those nearest to the center before that one, and so on, and
	// finally the first in node order. A program has this rule if it keeps one list of free
	// processors and sorts it, stably, by the distances to each center in turn. The rule reproduces
	// the printed figures of MC1x1 in [Johnson et al. 2010], so the authors of that paper, two of
	// whom also wrote [Bender et al. 2005], seem to have used it.
	LastShellPrevious = "previous"
	// LastShellL1 takes the processors with the lowest L1 distance to shell 0, and among equals the
	// first in node order. gen-alg, mm and mm-inc refuse it, because all processors in one of their
	// shells have the same L1 distance.
	LastShellL1 = "l1"
	// LastShellGreedy takes one processor after the other: the one with the least sum
	// of distances to the processors taken so far, and among equals the first in node
	// order.
	LastShellGreedy = "greedy"
	// LastShellNodeOrder takes processors in node order.
	LastShellNodeOrder = "node-order"
)

// LastShells lists the rules for the last shell. The first is the default.
func LastShells() []allocation.Info {
	return []allocation.Info{
		{Name: LastShellPrevious,
			Doc: "those nearest to the center tried before, then to the one before that, " +
				"and so on"},
		{Name: LastShellL1, Doc: "those nearest to the center in L1 first, then in the order of nodes"},
		{Name: LastShellGreedy,
			Doc: "one by one the processor whose distances to those taken so far add up to " +
				"the least"},
		{Name: LastShellNodeOrder, Doc: "in the order of nodes"},
	}
}

// MedianShells returns the LastShells for gen-alg, mm and mm-inc: all but LastShellL1.
func MedianShells() []allocation.Info {
	return slices.DeleteFunc(LastShells(),
		func(w allocation.Info) bool { return w.Name == LastShellL1 })
}

// takePrevious moves the nodes that LastShellPrevious takes for candidate index to the front of
// shell, which is in node order. take is their number. rank returns the distance of a node from the
// center of candidate i. before returns the last candidate before i that may order the nodes of a
// shell differently, or a negative number if there is none.
//
// takePrevious steps back through these candidates. At each it sorts the undecided nodes by their
// distances, takes the nearest and drops the farthest. The nodes at the distance of the last node
// taken remain undecided.
func (k *keys) takePrevious(shell []topology.Node, index, take int,
	rank func(i int, n topology.Node) int, before func(i int, shell []topology.Node) int) {
	for take < len(shell) && shell[0] != shell[len(shell)-1] {
		if index = before(index, shell); index < 0 {
			return
		}
		list := (*k)[:0]
		for _, n := range shell {
			list = append(list, int64(rank(index, n))<<32|int64(n)) // equals stay in node order
		}
		slices.Sort(list)
		for i, key := range list {
			shell[i] = topology.Node(key & math.MaxUint32)
		}
		bound, from, end := list[take-1]>>32, take-1, take
		for from > 0 && list[from-1]>>32 == bound {
			from--
		}
		for end < len(shell) && list[end]>>32 == bound {
			end++
		}
		shell, take, *k = shell[from:end], take-from, list
	}
}

// keys is memory of takePrevious: distances in the upper 32 bits, nodes in the lower.
type keys []int64

// metric returns distances from an origin, which From sets.
type metric interface {
	From(n topology.Node)   // sets the origin
	To(n topology.Node) int // returns the distance of a node from the origin
}

// takeGreedily moves the nodes that LastShellGreedy takes to the front of shell, which is in node
// order. take is their number. At the start sums[i] is the sum of the distances of shell[i] to the
// nodes taken from nearer shells.
func takeGreedily(shell []topology.Node, sums []int, take int, m metric) {
	for i := range take {
		best := i
		for j := i + 1; j < len(shell); j++ {
			if sums[j] < sums[best] {
				best = j
			}
		}
		n := shell[best]
		copy(shell[i+1:best+1], shell[i:best])
		copy(sums[i+1:best+1], sums[i:best])
		shell[i] = n
		m.From(n)
		for j := i + 1; j < len(shell); j++ {
			sums[j] += m.To(shell[j])
		}
	}
}
