package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"contend/experiments/metrics"
	"contend/experiments/plot"
	"contend/experiments/report/tables"
	"contend/experiments/study"
)

// slowdown is how many times as long a job takes beside one other job only.
type slowdown struct {
	jobs     [2]int // the job and the other one
	patterns [2]string
	times    float64
}

// readSlowdowns reads the slowdowns in a table.
func readSlowdowns(t *tables.Part) (list []slowdown) {
	for i := range t.Rows {
		list = append(list, slowdown{[2]int{int(t.Number(i, "job")), int(t.Number(i, "by_job"))},
			[2]string{t.Text(i, "pattern"), t.Text(i, "by_pattern")}, t.Number(i, "slowdown")})
	}
	return list
}

// slowdownColumns are the columns that readSlowdowns reads.
var slowdownColumns = []string{"job", "by_job", "pattern", "by_pattern", "slowdown"}

// slowdownMatrix draws how many times as long a job takes beside each other job only: jobs by their
// numbers, or the means over jobs by their patterns.
func slowdownMatrix(k *drawing) (plot.Drawable, error) {
	t, err := k.table("slowdowns", k.points[0], slowdownColumns...)
	if err != nil {
		return nil, err
	}
	list := readSlowdowns(t)
	if len(list) == 0 {
		return nil, k.bad("no two jobs of its run were on the machine at the same time",
			"choose a point whose jobs overlap")
	}
	d := plot.Figure{X: plot.Axis{Label: "Job beside it"}, Y: plot.Axis{Label: "Job"},
		Colour:  plot.Axis{Label: "Time over time alone", Min: new(1.0)},
		Subject: fmt.Sprintf("Which jobs slow which (%s)", k.pointText()),
		Description: "Time of a job (row) with one other job (column) only, over its time alone on the " +
			"same nodes; white: not on the machine at the same time. First replication."}
	if k.figure.X == study.ByPattern {
		d.X.Label, d.Y.Label = "Pattern of the job beside it", "Pattern of the job"
		d.Description = "Means over jobs by their patterns. " + d.Description
		var names []string
		for _, s := range list {
			names = append(names, s.patterns[:]...)
		}
		slices.Sort(names)
		fillSlowdowns(&d, slices.Compact(names), func(name string) string { return name }, list,
			func(s *slowdown) [2]string { return s.patterns })
		return d, nil
	}
	excess := map[int]float64{}
	for _, s := range list {
		for _, job := range s.jobs {
			excess[job] = max(excess[job], s.times-1)
		}
	}
	jobs := worstJobs(excess)
	fillSlowdowns(&d, jobs, strconv.Itoa, list, func(s *slowdown) [2]int { return s.jobs })
	if left := len(excess) - len(jobs); left > 0 {
		d.Description += fmt.Sprintf(" The %d jobs with the largest ones; %d have less.", len(jobs), left)
	}
	return d, nil
}

// fillSlowdowns fills the matrix with the means over the slowdowns of each two jobs or patterns.
func fillSlowdowns[E comparable](d *plot.Figure, names []E, text func(E) string, list []slowdown,
	pair func(*slowdown) [2]E,
) {
	means := map[[2]E]*metrics.Mean{}
	for i := range list {
		of := pair(&list[i])
		if means[of] == nil {
			means[of] = &metrics.Mean{}
		}
		means[of].Add(list[i].times)
	}
	fillMatrix(d, names, text, func(of [2]E) float64 {
		if m := means[of]; m != nil {
			*d.Colour.Min = min(*d.Colour.Min, m.Value())
			return m.Value()
		}
		return math.NaN()
	})
}
