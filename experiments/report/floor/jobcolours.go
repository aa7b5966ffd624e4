package floor

import (
	"cmp"
	"fmt"
	"slices"

	"contend/experiments/plot"
)

// NeighbourNodes returns the pairs of nodes that are neighbours in the drawing or in the order of
// their numbers, which charts over time use.
func (f *Plan) NeighbourNodes() (pairs [][2]int) {
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
func JobBorders(jobs []Job, nodes int, neighbours [][2]int) plot.Borders {
	b := make(plot.Borders, len(jobs))
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
func JobColours(jobs []Job, nodes int, neighbours [][2]int, greys []float64) ([]int, error) {
	placed, order := make([]Job, len(jobs)), make([]int, len(jobs))
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
	for at, c := range JobBorders(placed, nodes, neighbours).Colours(greys) {
		colours[order[at]] = c
	}
	return colours, nil
}

// Job is a job with its nodes.
type Job struct {
	Number     string
	Start, End float64
	Nodes      []int // in order of number
}
