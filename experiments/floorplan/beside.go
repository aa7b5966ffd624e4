package floorplan

import (
	"cmp"
	"slices"
)

// besideWithin is the greatest distance of neighbours on the map.
const besideWithin = 1.3

// Beside returns the pairs of nodes that are neighbours: on the map, or in order of number, as
// over time.
func (m *Screen) Beside() (pairs [][2]int) {
	order := make([]int, m.Nodes)
	for n := range order {
		order[n] = n
		if n > 0 {
			pairs = append(pairs, [2]int{n - 1, n})
		}
	}
	if len(m.X) < m.Nodes {
		return pairs // too many for a map
	}
	for _, axes := range [][2][]float64{{m.X, m.Y}, {m.Y, m.X}} {
		along, across := axes[0], axes[1]
		slices.SortFunc(order, func(i, j int) int {
			return cmp.Or(cmp.Compare(across[i], across[j]), cmp.Compare(along[i], along[j]))
		})
		for k := 1; k < len(order); k++ {
			i, j := order[k-1], order[k]
			if across[i] == across[j] && along[j]-along[i] <= besideWithin {
				pairs = append(pairs, [2]int{min(i, j), max(i, j)})
			}
		}
	}
	slices.SortFunc(pairs, func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
	return slices.Compact(pairs)
}
