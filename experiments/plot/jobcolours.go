package plot

import (
	"cmp"
	"fmt"
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

// Hues assigns each area one of the light colours of tiles, as the method colours does.
func (b Borders) Hues() []int {
	var greys []float64
	for _, c := range hueColours {
		greys = append(greys, Grey(c.R, c.G, c.B))
	}
	return b.colours(greys)
}

// colours assigns each area one of the colours with these greys, from 0 for black to 1 for
// white, so that neighbours differ where the colours suffice. Areas with more neighbours come
// first. An area gets a colour that no neighbour has and that differs from theirs in grey too;
// of several the one with the fewest areas. If the neighbours have all colours, it gets the
// colour with which it has the fewest borders.
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

// NeighbourNodes returns the pairs of nodes that are neighbours in the drawing or in the order of
// their numbers, which charts over time use.
func (f *FloorPlan) NeighbourNodes() (pairs [][2]int) {
	at := map[[2]int]int{}
	for n, c := range f.Cells {
		at[[2]int{c.Column, c.Row}] = n
	}
	for n, c := range f.Cells {
		if n > 0 {
			pairs = append(pairs, [2]int{n - 1, n})
		}
		for _, next := range [][2]int{{c.Column + 1, c.Row}, {c.Column, c.Row + 1}} {
			if o, ok := at[next]; ok && o != n-1 && o != n+1 {
				pairs = append(pairs, [2]int{min(n, o), max(n, o)})
			}
		}
	}
	return pairs
}

// JobBorders returns the borders between jobs, which are in order of their starts: where one job
// follows another on a node, and where two jobs overlap in time on a pair of neighbouring nodes.
func JobBorders(jobs []FloorJob, nodes int, neighbours [][2]int) Borders {
	b := make(Borders, len(jobs))
	on := make([][]int, nodes) // jobs on each node
	for i, j := range jobs {
		for _, n := range j.Nodes {
			on[n] = append(on[n], i)
		}
	}
	for _, list := range on {
		for i := 1; i < len(list); i++ {
			b.Add(list[i-1], list[i])
		}
	}
	for _, pair := range neighbours {
		below, i := on[pair[0]], 0
		for _, job := range on[pair[1]] {
			for i < len(below) && jobs[below[i]].End < jobs[job].Start {
				i++
			}
			for n := i; n < len(below) && jobs[below[n]].Start <= jobs[job].End; n++ {
				b.Add(below[n], job)
			}
		}
	}
	return b
}

// JobColours assigns jobs the colours with these greys, from 0 for black to 1 for white, so that
// jobs with a border differ where the colours suffice. It refuses a node that the machine does
// not have.
func JobColours(jobs []FloorJob, nodes int, neighbours [][2]int, greys []float64) ([]int, error) {
	placed, order := make([]FloorJob, len(jobs)), make([]int, len(jobs))
	for i, j := range jobs {
		if order[i] = i; len(j.Nodes) > 0 && slices.Max(j.Nodes) >= nodes {
			return nil, fmt.Errorf("node %d of %d", slices.Max(j.Nodes), nodes)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int {
		return cmp.Compare(jobs[i].Start, jobs[j].Start)
	})
	for at, i := range order {
		placed[at] = jobs[i]
	}
	colours := make([]int, len(jobs))
	for at, c := range JobBorders(placed, nodes, neighbours).colours(greys) {
		colours[order[at]] = c
	}
	return colours, nil
}

// FloorJob is a job with its nodes.
type FloorJob struct {
	Number     string
	Start, End float64
	Nodes      []int // in order of number
}
