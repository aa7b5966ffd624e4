package report

import (
	"fmt"
	"math"
	"slices"

	"contend/experiments"
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
	return "\n### Jumps over time\n\n" + MarkdownTable(grid, len(r.Study.Axes))
}

func jumpHeader(r *experiments.Results) []string {
	var header []string
	for _, key := range r.AxisKeys() {
		header = append(header, shortKey(key))
	}
	for _, m := range r.Study.Primary {
		header = append(header, title(m, unitOf(r, m, all(r))))
	}
	return append(header, "time jumped", "flit-hops", "simulated, one in", "rates checked", "beyond",
		"mean error")
}

// jumpRow sums over the replications of a point.
func jumpRow(r *experiments.Results, point int) []string {
	row := slices.Clone(r.Points[point].Labels)
	for _, m := range r.Study.Primary {
		e, _ := r.Estimate(point, m)
		row = append(row, withError(e, "±"))
	}
	var hops, simulated float64
	for _, run := range r.Runs[point] {
		all, _ := run.Value("flit_hops")
		some, _ := run.Value("simulated_flit_hops")
		hops, simulated = hops+all, simulated+some
	}
	one := *r
	one.Points, one.Runs = r.Points[point:point+1], r.Runs[point:point+1]
	j := jumpsOf(&one)
	share := "" // no job sends messages
	if j.share.N > 0 {
		share = Significant(j.share.Value(), 4) + "%"
	}
	row = append(row, share, fmt.Sprintf("%.2g", hops),
		saving(hops, simulated), fmt.Sprint(j.checked))
	if j.checked == 0 {
		return append(row, "", "")
	}
	return append(row, fmt.Sprint(j.wrong), Significant(j.off/float64(j.checked), 2)+"%")
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
		return Significant(times, 2)
	}
	scale := math.Pow(10, math.Floor(math.Log10(times))-2)
	return fmt.Sprint(int64(math.Round(times/scale) * scale))
}
