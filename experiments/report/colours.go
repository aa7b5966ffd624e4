package report

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"

	"contend/experiments/metrics"
	"contend/experiments/plot"
)

// colourOf finds a colour of jobs in the styles.
var colourOf = regexp.MustCompile(`--job\d+: #(..)(..)(..);`)

// jobGreys returns how light each colour of jobs is in print without colours, from 0 for black to
// 1 for white.
func jobGreys() (greys []float64) {
	for _, c := range colourOf.FindAllStringSubmatch(joined("player.css"), -1) {
		grey := 0.0
		for i, weight := range []float64{0.299, 0.587, 0.114} { // as of plot.HueGrey
			part, _ := strconv.ParseUint(c[i+1], 16, 8)
			grey += weight * float64(part) / 255
		}
		greys = append(greys, grey)
	}
	return greys
}

// coloursOf returns the colours of the jobs in a recorded table, so that jobs differ that touch on
// the map or over time.
func coloursOf(m *plot.Screen, table []byte) ([]int, error) {
	var rows struct {
		Start, End []float64
		Nodes      []json.RawMessage // a string, the number of a single node, or null
	}
	if err := json.Unmarshal(table, &rows); err != nil {
		return nil, err
	}
	jobs := make([]plot.FloorJob, len(rows.Nodes))
	for i, text := range rows.Nodes {
		jobs[i] = plot.FloorJob{Start: rows.Start[i], End: rows.End[i]}
		nodes, err := metrics.ParseNodes(strings.Trim(strings.TrimPrefix(string(text), "null"), `"`))
		if err != nil {
			return nil, err
		}
		jobs[i].Nodes = nodes
	}
	return plot.JobColours(jobs, m.Nodes, m.Beside(), jobGreys())
}
