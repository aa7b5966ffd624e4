package page

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"contend/experiments/floorplan"
)

// colourOf finds a colour of jobs in the styles.
var colourOf = regexp.MustCompile(`--job\d+: #(..)(..)(..);`)

// jobGreys returns how light each colour of jobs is in print without colours, from 0 for black to
// 1 for white.
func jobGreys() (greys []float64) {
	for _, c := range colourOf.FindAllStringSubmatch(joined("player.css"), -1) {
		grey := 0.0
		for i, weight := range []float64{0.299, 0.587, 0.114} { // as of figure.HueGrey
			part, _ := strconv.ParseUint(c[i+1], 16, 8)
			grey += weight * float64(part) / 255
		}
		greys = append(greys, grey)
	}
	return greys
}

// colours returns the colours of the jobs in a recorded table, so that jobs differ that touch on
// the map or over time.
func (m *machine) colours(table []byte) ([]int, error) {
	var rows struct {
		Start, End []float64
		Nodes      []json.RawMessage // a string, the number of a single node, or null
	}
	if err := json.Unmarshal(table, &rows); err != nil {
		return nil, err
	}
	jobs := make([]floorplan.TimedJob, len(rows.Nodes))
	for i, nodes := range rows.Nodes {
		jobs[i] = floorplan.TimedJob{Start: rows.Start[i], End: rows.End[i]}
		if text := string(nodes); text != "null" {
			jobs[i].Nodes = strings.Trim(text, `"`)
		}
	}
	return floorplan.JobColours(jobs, m.Nodes, m.beside(), jobGreys())
}

// besideWithin is the greatest distance of neighbours on the map.
const besideWithin = 1.3

// beside returns the pairs of nodes that are neighbours: on the map, or in order of number, as
// over time.
func (m *machine) beside() (pairs [][2]int) {
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
