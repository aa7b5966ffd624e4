package plot

import (
	"cmp"
	"math"
	"slices"
)

// Borders holds the number of borders of each area with each of its neighbours.
type Borders []map[int]int

// Add adds a border between two areas.
func (b Borders) Add(i, j int) {
	if i == j {
		return
	}
	for _, p := range [][2]int{{i, j}, {j, i}} {
		if b[p[0]] == nil {
			b[p[0]] = map[int]int{}
		}
		b[p[0]][p[1]]++
	}
}

// Hues assigns each area one of the light colours of tiles, as the method Colours does.
func (b Borders) Hues() []int {
	var greys []float64
	for _, c := range hueColours {
		greys = append(greys, Grey(c.R, c.G, c.B))
	}
	return b.Colours(greys)
}

// Colours assigns each area one of the colours with these greys, from 0 for black to 1 for
// white, so that neighbours differ where the colours suffice. Areas with more neighbours come
// first. An area gets a colour that no neighbour has and that differs from theirs in grey too;
// of several the one with the fewest areas. If the neighbours have all colours, it gets the
// colour with which it has the fewest borders.
func (b Borders) Colours(greys []float64) []int {
	order := make([]int, len(b))
	hues := make([]int, len(b))
	for i := range b {
		order[i], hues[i] = i, -1
	}
	slices.SortStableFunc(order, func(i, j int) int { return len(b[j]) - len(b[i]) })
	used, shared := make([]int, len(greys)), make([]int, len(greys))
	for _, i := range order {
		clear(shared)
		for j, n := range b[i] {
			if hues[j] >= 0 {
				shared[hues[j]] += n
			}
		}
		best := 0
		for h := range greys {
			if cmp.Or(shared[h]-shared[best], similarGrey(greys, shared, h)-similarGrey(greys, shared, best),
				used[h]-used[best]) < 0 {
				best = h
			}
		}
		hues[i] = best
		used[best]++
	}
	return hues
}

// similarGrey returns 1 if a colour has nearly the grey of one that neighbours have, else 0.
func similarGrey(greys []float64, shared []int, colour int) int {
	const distinct = 0.08 // of the range from black to white
	for c, n := range shared {
		if n > 0 && math.Abs(greys[c]-greys[colour]) < distinct {
			return 1
		}
	}
	return 0
}
