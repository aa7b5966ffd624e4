package mapping

import (
	"cmp"
	"slices"
)

// Bisect maps by dual recursive bipartitioning (Pellegrini and Roman 1996): it halves the places by
// distance and the processes by traffic, gives one half of the processes to each half of the
// places, and does so again in each half.
//
// Places of a machine with coordinates are cut across the dimension in which they extend furthest.
// Elsewhere they are divided between two places that are far apart. Processes are exchanged
// between the halves as long as that makes hop-bytes fewer (Kernighan and Lin 1970), where the
// place of a process is the hopUnit of its part: partners outside of the part count with where they
// are so far.
func (p *Places) Bisect(t Traffic) []int32 {
	p.check(t)
	b := &bisection{Places: p, traffic: t.scaled(), part: make([]int32, p.n),
		weight: make([]int64, p.n)}
	at, all := make([]int32, p.n), make([]int32, p.n)
	for i := range all {
		all[i] = int32(i)
	}
	b.parts = []part{{all, p.order}}
	for i := 0; i < len(b.parts); i++ { // halves are appended: wider parts come first
		if k := b.parts[i]; len(k.places) == 1 {
			at[k.processes[0]] = k.places[0]
		} else {
			b.split(int32(i))
		}
	}
	return at
}

// part is a set of processes and the set of as many places that they get.
type part struct{ processes, places []int32 }

// bisection is the state of Bisect.
type bisection struct {
	*Places
	traffic Traffic
	parts   []part
	part    []int32 // of each process: index in parts
	weight  []int64 // memory of bestSwap, by index in a part
}

// hopUnit is the number of units in a hop, in which mean hops are counted.
const hopUnit = 1 << 10

// meanHops returns the mean hops between two sets of places, in units of 1/hopUnit.
func (p *Places) apart(a, b []int32) int64 {
	sum := int64(0)
	for _, x := range a {
		row := p.hops[int(x)*p.n:][:p.n]
		for _, y := range b {
			sum += int64(row[y])
		}
	}
	return sum * hopUnit / int64(len(a)*len(b))
}

// split replaces a part by two halves, which are appended.
func (b *bisection) split(i int32) {
	k := b.parts[i]
	left, right := b.halve(k.places)
	h := b.halves(k, left, right)
	best, minCost := []bool(nil), int64(0)
	for _, start := range [][]bool{h.byNumber(), h.grownFrom(false), h.grownFrom(true)} {
		h.right = start
		h.exchange()
		if cost := h.cost(); best == nil || cost < minCost {
			best, minCost = h.right, cost
		}
	}
	halves := [2]part{{places: left}, {places: right}}
	for j, process := range k.processes {
		side := 0
		if best[j] {
			side = 1
		}
		halves[side].processes = append(halves[side].processes, process)
		b.part[process] = int32(len(b.parts) + side)
	}
	b.parts = append(b.parts, halves[0], halves[1])
}

// halve divides places into two halves by distance.
func (p *Places) halve(places []int32) (left, right []int32) {
	sorted := slices.Clone(places)
	key := p.widest(places)
	if key == nil {
		first := p.furthest(places, places[0])
		second := p.furthest(places, first)
		key = func(x int32) int { return int(p.between(first, x)) - int(p.between(second, x)) }
	}
	slices.SortStableFunc(sorted, func(x, y int32) int { return cmp.Compare(key(x), key(y)) })
	half := len(places) / 2
	return sorted[:half], sorted[half:]
}

// widest returns the coordinate in which places extend furthest, the later one of equals, nil on a
// machine without coordinates.
func (p *Places) widest(places []int32) (key func(x int32) int) {
	maxWidth := int32(-1)
	for _, of := range p.sides {
		low, high := of[places[0]], of[places[0]]
		for _, x := range places {
			low, high = min(low, of[x]), max(high, of[x])
		}
		if high-low >= maxWidth {
			maxWidth, key = high-low, func(x int32) int { return int(of[x]) }
		}
	}
	return key
}

// furthest returns the place furthest from another one, the first of several.
func (p *Places) furthest(places []int32, from int32) (far int32) {
	far = from
	for _, x := range places {
		if p.between(from, x) > p.between(from, far) {
			far = x
		}
	}
	return far
}
