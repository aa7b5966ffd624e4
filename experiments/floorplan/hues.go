package floorplan

import (
	"cmp"
	"math"
	"slices"

	"contend/experiments/figure"
)

// Borders counts the borders between areas: by area, then by neighbour.
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

// Hues gives every area a colour of figures, see colours.
func (b Borders) Hues() []int {
	var greys []float64
	for h := range figure.Hues {
		greys = append(greys, figure.HueGrey(h))
	}
	return b.colours(greys)
}

// colours gives every area one of the colours with these greys, from 0 for black to 1 for white,
// so that neighbours differ where the colours suffice. The areas with most neighbours come first.
// Of the colours that no neighbour has, an area gets one that differs from its neighbours in grey
// too, of several the one with fewest areas. If all colours are taken, it gets the one with the
// shortest borders.
func (b Borders) colours(greys []float64) []int {
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
			if cmp.Or(shared[h]-shared[best], alike(greys, shared, h)-alike(greys, shared, best),
				used[h]-used[best]) < 0 {
				best = h
			}
		}
		hues[i] = best
		used[best]++
	}
	return hues
}

// alike returns 1 if a colour has nearly the grey of one that neighbours have, else 0.
func alike(greys []float64, shared []int, colour int) int {
	const distinct = 0.08 // of the range from black to white
	for c, n := range shared {
		if n > 0 && math.Abs(greys[c]-greys[colour]) < distinct {
			return 1
		}
	}
	return 0
}
