package order

import (
	"math/rand/v2"
	"slices"

	"contend/allocation"
	"contend/router/topology"
)

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
	// movesPerHome are tried, within the two limits for small and large machines.
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

// crossing returns the part of the objective of pairs of a home of piece i and one behind its end.
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
