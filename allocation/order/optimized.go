package order

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"contend/allocation"
	"contend/router/topology"
)

// optimizedOrder returns the nodes of any machine in an order of low objective (see objective). It
// improves the best of startingOrders by threshold accepting [Dueck and Scheuer 1990]. The order
// need not be the minimum, unlike in [Leung et al. 2002, sec. 2.2], who state an integer programme.
//
// The search moves homes with all their nodes. If all homes carry the same number of
// nodes, the objective of the homes is that of the nodes. Otherwise it is an
// approximation, and the starting order remains if the search has not improved it. The
// same machine always gets the same order, because its size seeds the stream.
//
// On one idle core of the 2020s the search takes a second for 32x32 routers of one node, 0.05 s for
// the same number of nodes on 16x16 routers, and 3 s for 64x64 routers (see
// BenchmarkOptimizedOrder). It also needs memory for a table of distances.
func optimizedOrder(machine topology.Topology) ([]topology.Node, error) {
	d, err := allocation.NewTable(machine)
	if err != nil {
		return nil, fmt.Errorf("order %s: %w", Optimized, err)
	}
	best, minCost := startingOrder(machine, d)
	stream := rand.New(rand.NewPCG(uint64(len(d.Home)), uint64(d.Homes)))
	for _, weights := range searchThresholds {
		s := newOrderSearch(d, homesOf(d, best), stream)
		s.run(weights)
		order := s.nodes(machine)
		if cost := objective(d, order); cost < minCost {
			best, minCost = order, cost
		}
	}
	return best, nil
}

// searchThresholds are the initial thresholds of each search, in weights of two adjacent homes and
// one hop. Much higher thresholds destroy the starting order. Lower thresholds find less from a
// poor start and more from a good one.
var searchThresholds = [...]int64{2, 1}

// startingOrder returns the best of the curves, in all orientations that give different orders, and
// its objective. For a machine without coordinates it returns the order of the node numbers.
func startingOrder(machine topology.Topology, d *allocation.Rows) (best []topology.Node,
	minCost int64) {
	for _, name := range startingOrders(machine) {
		order, err := New(name, machine)
		if err != nil {
			continue
		}
		if cost := objective(d, order); best == nil || cost < minCost {
			best, minCost = order, cost
		}
	}
	return best, minCost
}

// startingOrders returns the names of the curves of a machine.
func startingOrders(machine topology.Topology) []string {
	names := []string{RowMajor, Snake, ShuffledRowMajor, ShuffledSnake, Hilbert, HIndex}
	if cube, ok := machine.(*topology.Cube); ok && len(cube.Dims()) == 2 {
		for _, name := range names {
			names = append(names, name+"/yx")
		}
	}
	return names
}

// homesOf lists the homes of an order in which the nodes of a home follow each other.
func homesOf(d *allocation.Rows, order []topology.Node) []int32 {
	homes := make([]int32, 0, d.Homes)
	for _, n := range order {
		if home := d.Home[n]; len(homes) == 0 || homes[len(homes)-1] != home {
			homes = append(homes, home)
		}
	}
	return homes
}

// orderSearch improves an order of homes, on a ring of places, by moves of intervals of the ring.
type orderSearch struct {
	d      *allocation.Rows
	weight []int32   // weight of two homes that many places apart, up to the window
	at     []int32   // home at each place
	place  []int32   // place of each home
	near   [][]int32 // the nearest homes of each home
	stream *rand.Rand
	old    []piece // pieces of the ring before a move
	new    []piece // pieces of the ring after the move

	behind, ahead []int32 // homes on both sides of a cut: memory of crossing
	moved         []int32 // homes in their new order: memory of apply
}

// piece is an interval of places of the ring, from the last to the first if reversed.
type piece struct {
	from, n  int
	reversed bool
}

const (
	searchNear = 12 // number of neighbours that a home may be moved next to
	// movesPerHome is the number of moves tried for each home, within the two limits for small and
	// large machines.
	movesPerHome, minMoves, maxMoves = 400, 1 << 17, 1 << 19
)

// newOrderSearch returns a local search that begins at an order of homes.
func newOrderSearch(d *allocation.Rows, homes []int32, stream *rand.Rand) *orderSearch {
	per := (len(d.Home) + d.Homes/2) / d.Homes
	s := &orderSearch{
		d: d, weight: homeWeights(d.Homes, per), at: homes, place: make([]int32, d.Homes),
		near:   make([][]int32, d.Homes),
		stream: stream,
	}
	for i, home := range homes {
		s.place[home] = int32(i)
	}
	for home := range s.near {
		s.near[home] = nearest(d.Row(int32(home)), home)
	}
	s.behind, s.ahead = make([]int32, len(s.weight)), make([]int32, len(s.weight))
	return s
}

// nearest lists the nearest homes of a home, by distance and then by number.
func nearest(row []uint16, home int) []int32 {
	wanted := min(searchNear, len(row)-1)
	out := make([]int32, 0, wanted)
	for hops := uint16(0); len(out) < wanted; hops++ {
		for other, far := range row {
			if far == hops && other != home && len(out) < wanted {
				out = append(out, int32(other))
			}
		}
	}
	return out
}

// run tries moves and applies those that add less than the threshold to the objective.
// The threshold falls to zero. It starts at the given number of weights of two adjacent
// homes and one hop.
func (s *orderSearch) run(weights int64) {
	n := len(s.at)
	if n < 4 {
		return
	}
	moves := int64(min(max(movesPerHome*n, minMoves), maxMoves)) / int64(len(searchThresholds))
	highest := weights * int64(s.weight[1])
	for left := moves; left > 0; left-- {
		if s.propose() && s.change() < highest*left/moves {
			s.apply()
		}
	}
}

// propose draws a move that brings a home next to one that is near it: it reverses or
// moves an interval, or exchanges two homes. It reports false for a move without effect.
func (s *orderSearch) propose() bool {
	n := len(s.at)
	p := s.stream.IntN(n)
	near := s.near[s.at[p]]
	q := int(s.place[near[s.stream.IntN(len(near))]])
	gap := (q - p + n) % n // q is gap places after p
	if gap < 2 {
		return false
	}
	s.new = s.new[:0]
	switch kind := s.stream.IntN(4); kind {
	case 0: // reverse the interval from behind p to q
		s.cut(p+1, gap)
		s.new = append(s.new, piece{s.old[0].from, s.old[0].n, true}, s.old[1])
	case 1: // exchange q and the home behind p
		s.cut(p+1, 1, gap-2, 1)
		s.new = append(s.new, s.old[2], s.old[1], s.old[0], s.old[3])
	default: // move the interval that begins at q behind p, and possibly reverse it
		length := 1 + s.stream.IntN(3)
		if gap+length > n {
			return false
		}
		s.cut(p+1, gap-1, length)
		s.new = append(s.new, piece{s.old[1].from, s.old[1].n, kind == 2}, s.old[0], s.old[2])
	}
	return true
}

// cut sets old to the pieces of the ring from a place on: those of the given lengths and the rest.
func (s *orderSearch) cut(from int, lengths ...int) {
	s.old = s.old[:0]
	left := len(s.at)
	for _, n := range lengths {
		s.old = append(s.old, piece{from: from, n: n})
		from, left = from+n, left-n
	}
	s.old = append(s.old, piece{from: from, n: left})
}

// change returns the increase of the objective by the move.
func (s *orderSearch) change() int64 { return s.between(s.new) - s.between(s.old) }

// between returns the part of the objective of pairs of homes in different pieces. A pair counts at
// the first cut between its homes.
func (s *orderSearch) between(pieces []piece) int64 {
	sum := int64(0)
	for i := range pieces {
		if pieces[i].n > 0 {
			sum += s.crossing(pieces, i)
		}
	}
	return sum
}

// crossing returns the part of the objective of pairs of a home in piece i and a home behind its
// end.
func (s *orderSearch) crossing(pieces []piece, i int) int64 {
	window := len(s.weight) - 1
	behind := s.behind[:min(window, pieces[i].n)]
	for x := range behind {
		behind[x] = s.home(pieces[i], pieces[i].n-1-x)
	}
	ahead := s.ahead[:0]
	for j := i + 1; len(ahead) < window; j++ {
		next := pieces[j%len(pieces)]
		for y := 0; y < next.n && len(ahead) < window; y++ {
			ahead = append(ahead, s.home(next, y))
		}
	}
	sum := int64(0)
	for x, home := range behind {
		row, weight := s.d.Row(home), s.weight[x+1:]
		for y, w := range weight {
			sum += int64(w) * int64(row[ahead[y]])
		}
	}
	return sum
}

// home returns the i-th home of a piece.
func (s *orderSearch) home(p piece, i int) int32 {
	if p.reversed {
		i = p.n - 1 - i
	}
	if i += p.from; i >= len(s.at) {
		i -= len(s.at)
	}
	return s.at[i]
}

// apply makes the proposed move. The last piece keeps its places, because moves never reverse it.
func (s *orderSearch) apply() {
	s.moved = s.moved[:0]
	for _, p := range s.new[:len(s.new)-1] {
		for i := range p.n {
			s.moved = append(s.moved, s.home(p, i))
		}
	}
	for i, home := range s.moved {
		at := (s.old[0].from + i) % len(s.at)
		s.at[at], s.place[home] = home, int32(at)
	}
}

// nodes lists the nodes in the order of their homes.
func (s *orderSearch) nodes(machine topology.Topology) []topology.Node {
	order := byNumber(machine)
	slices.SortStableFunc(order,
		func(a, b topology.Node) int { return int(s.place[s.d.Home[a]] - s.place[s.d.Home[b]]) })
	return order
}

// The weight w(k) of two nodes whose ranks differ by k halves with every four ranks and is 0 beyond
// 24: w(1) = 1, w(5) = 1/2. The paper requires a rapid, for instance exponential, decrease without
// figures. If the weight halves with every rank, the search finds orders that join clumps of a few
// nodes by long hops: 30 consecutive nodes of 32x32 are up to 9% farther apart than on Hilbert's
// curve. With these figures they are 2% nearer, on 8x8x5 5%.
const weightWindow = 24

// weightUnit is the weight 1. Weights are whole numbers, so that sums do not depend on
// the order of addition. They are even, because some are halved.
const weightUnit = 1 << 20

// weightOf returns w(k) in units of 1/weightUnit.
func weightOf(k int) int64 {
	if k < 1 || k > weightWindow {
		return 0
	}
	quarters := [4]int64{weightUnit, 881744, 741455, 623487} // weightUnit times 2^(-i/4)
	return quarters[(k-1)%4] >> ((k - 1) / 4) &^ 1
}

// objective returns the sum over pairs of nodes of their distance times the weight of their
// difference in rank [Leung et al. 2002, sec. 2.2 and 2.3], in units of 1/weightUnit. The
// difference is taken in the shorter direction, because the span is that of a ring.
func objective(d *allocation.Rows, order []topology.Node) int64 {
	n, sum := len(order), int64(0)
	for i, a := range order {
		row := d.Row(d.Home[a])
		for k := 1; k <= min(weightWindow, n/2); k++ {
			pair := weightOf(k) * int64(row[d.Home[order[(i+k)%n]]])
			if 2*k == n {
				pair /= 2 // both ends count it
			}
			sum += pair
		}
	}
	return sum
}

// homeWeights returns the weight of two homes by the number of places between them, on
// a ring of homes with the same number of nodes. It is the sum over their pairs of
// nodes. The last entry is not 0.
func homeWeights(homes, per int) []int32 {
	weights := make([]int32, 1, homes/2+1)
	nodes := homes * per
	for k := 1; k <= homes/2; k++ {
		sum := int64(0)
		for a := range per {
			for b := range per {
				gap := k*per + b - a
				sum += weightOf(min(gap, nodes-gap))
			}
		}
		if 2*k == homes {
			sum /= 2
		}
		if sum == 0 {
			break
		}
		weights = append(weights, int32(sum))
	}
	return weights
}
