package validation

import (
	"fmt"
	"math"
	"slices"

	"contend/experiments"
	"contend/experiments/report/tables"
)

// jumpSection returns what jumps over time saved in each point, and what full simulations of
// some of them found. It is "" for studies in which every flit is simulated.
func jumpSection(r *experiments.Results) string {
	grid := [][]string{jumpHeader(r)}
	for i, p := range r.Points {
		if p.Spec.FastForward > 0 && len(r.Runs[i]) > 0 {
			grid = append(grid, jumpRow(r, i))
		}
	}
	if len(grid) == 1 {
		return ""
	}
	return "\n## Jumps over time\n\n" + tables.MarkdownTable(grid, len(r.Study.Axes))
}

func jumpHeader(r *experiments.Results) []string {
	var header []string
	for _, key := range r.AxisKeys() {
		header = append(header, tables.ShortKey(key))
	}
	for _, m := range r.Study.Primary {
		header = append(header, tables.Title(m, tables.UnitOf(r, m, tables.AllPoints(r))))
	}
	return append(header, "time jumped", "flit-hops", "simulated, one in", "rates checked", "beyond",
		"mean error")
}

// jumpRow sums over the replications of a point.
func jumpRow(r *experiments.Results, point int) []string {
	row := slices.Clone(r.Points[point].Labels)
	for _, m := range r.Study.Primary {
		e, _ := r.Estimate(point, m)
		row = append(row, tables.WithError(e, "±"))
	}
	var hops, simulated float64
	for _, run := range r.Runs[point] {
		all, _ := run.Value("flit_hops")
		some, _ := run.Value("simulated_flit_hops")
		hops, simulated = hops+all, simulated+some
	}
	one := *r
	one.Points, one.Runs = r.Points[point:point+1], r.Runs[point:point+1]
	j := tables.JumpsOf(&one)
	share := "" // no job sends messages
	if j.Share.N > 0 {
		share = tables.Significant(j.Share.Value(), 4) + "%"
	}
	row = append(row, share, fmt.Sprintf("%.2g", hops),
		saving(hops, simulated), fmt.Sprint(j.Checked))
	if j.Checked == 0 {
		return append(row, "", "")
	}
	return append(row, fmt.Sprint(j.Wrong), tables.Significant(j.Off/float64(j.Checked), 2)+"%")
}

// saving returns how many times more flit-hops a run has than were simulated.
func saving(hops, simulated float64) string {
	switch {
	case hops == 0:
		return ""
	case simulated == 0:
		return "none"
	}
	times := hops / simulated
	if times < 100 {
		return tables.Significant(times, 2)
	}
	scale := math.Pow(10, math.Floor(math.Log10(times))-2)
	return fmt.Sprint(int64(math.Round(times/scale) * scale))
}
