package plot

import (
	"cmp"
	"fmt"
	"math"
	"slices"
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
	for _, c := range hueColours {
		greys = append(greys, Grey(c.R, c.G, c.B))
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

// Beside returns the pairs of nodes that are neighbours: in the drawing, or in order of number, as
// over time.
func (f *FloorPlan) Beside() (pairs [][2]int) {
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

// Touching returns which jobs, in order of their starts, are neighbours: one follows the other on
// a node, or they overlap in time on two nodes that are beside each other.
func Touching(jobs []FloorJob, nodes int, beside [][2]int) Borders {
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
	for _, pair := range beside {
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

// JobColours gives jobs on a machine the colours with these greys, from 0 for black to 1 for
// white, so that two jobs differ where one follows the other on a node, or both run at a time on
// nodes beside each other.
func JobColours(jobs []FloorJob, nodes int, beside [][2]int, greys []float64) ([]int, error) {
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
	for at, c := range Touching(placed, nodes, beside).colours(greys) {
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
