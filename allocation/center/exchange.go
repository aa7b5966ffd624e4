package center

import (
	"contend/allocation"
	"contend/router/topology"
)

// exchanges are those of MM+Inc [Bender et al., WADS 2005, sec. 5]: an allocated processor for
// a free one as long as that reduces the sum of pairwise distances. Each time it makes the
// exchange that gains most, and among equals the first by the processor that leaves and then
// by the one that joins. The paper does not say which.
type exchanges struct {
	geometry
	taken []topology.Node // allocated, in node order
	free  []topology.Node // free at first, also those taken
	spare []spare         // those that may join
}

// spare is a free processor that may join.
type spare struct {
	node  topology.Node
	total int // sum of the distances to all allocated
}

// improve makes the exchanges in an allocation, whose nodes are in node order. It returns the
// allocation and by how much the sum falls.
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

// best returns the exchange that gains most: the index in taken of the processor that leaves, and
// the one that joins. The gain is 0 if no exchange gains. The exchange of the processor farthest
// from all others for the nearest free one shows what can be gained. Most others cannot gain as
// much, however far apart the two processors lie.
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

// listSpares sets spare to the free processors whose sum of distances is below a limit, and returns
// the first one of the least sum. It reports false if there is none.
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
