package floorplan

import (
	"cmp"
	"fmt"
	"slices"
)

// Touching returns which jobs, in order of their starts, are neighbours: one follows the other on
// a node, or they overlap in time on two nodes that are beside each other.
func Touching(jobs []Job, nodes int, beside [][2]int) Borders {
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
func JobColours(jobs []Job, nodes int, beside [][2]int, greys []float64) ([]int, error) {
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
	for at, c := range Touching(placed, nodes, beside).colours(greys) {
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
