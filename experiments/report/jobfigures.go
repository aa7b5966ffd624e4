package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"contend/experiments/metrics"
	"contend/experiments/plot"
	"contend/experiments/report/tables"
	"contend/experiments/study"
)

// jobKinds are the kinds of figures of jobs of the first replication.
var jobKinds = []kind{
	{name: "scatter", collect: jobsFigure, sentences: func(k *drawing, d *plot.Figure) []string {
		marks := "Points, one for each job of the first replication"
		if n := k.figure.Processors; n > 0 {
			marks = fmt.Sprintf("Points, one for each job of %d processors of the first replication", n)
		}
		return []string{k.marksSentence(marks, k.comparedText(d, false)), k.settingText()}
	}},
	{name: "sizes", collect: sizesFigure, sentences: func(k *drawing, d *plot.Figure) []string {
		shown := k.metricText()
		if k.figure.Metric != "jobs" {
			shown = k.comparedText(d, true)
		}
		return []string{k.marksSentence("Points, one for each size of job", shown), k.settingText()}
	}},
}

// sizeGain is the improvement of one allocator over another for jobs of one size.
type sizeGain struct {
	processors, jobs int
	percent          float64 // NaN if the reference is 0
}

// sizesFigure collects, by job size, the improvement of a point over the point with the label
// f.Relative, in percent, or the number of jobs [Johnson, Bunde and Leung 2010, Figs. 9 to 14]. The
// sizes are in ascending order or, for x = study.JobRanks, in order of their number of jobs.
func sizesFigure(k *drawing) plot.Figure {
	r, f := k.results, k.figure
	x := "Size of jobs (processors)"
	if f.X == study.JobRanks {
		x = "Size of jobs, by rank of their number"
	}
	y := "Jobs"
	if f.Metric != "jobs" {
		y = (&drawing{results: r, figure: f, points: tables.AllPoints(r)}).ordinateLabel(true)
	}
	series := map[int]plot.Series{}
	points := slices.DeleteFunc(slices.Clone(k.points), func(i int) bool {
		series[i] = k.sizeSeriesAt(i)
		return k.label(i, f.Series) == f.Relative || !slices.ContainsFunc(series[i].Y, isNumber)
	})
	names := tables.LabelsOf(r, points, f.Series)
	d := k.panels(k.axes(plot.Scatter, x, y), points, names,
		func(points []int, name string) plot.Series {
			for _, i := range points {
				if k.label(i, f.Series) == name {
					return series[i]
				}
			}
			return plot.Series{Name: name}
		})
	d.NoLegend = true
	if len(names) > 1 || f.Metric != "jobs" && f.YLabel == "" { // a label may say whose gain it is
		d.NoLegend = false
	}
	if f.Metric != "jobs" && !d.Y.Log {
		d.Levels = []float64{0}
	}
	return d
}

// sizeSeriesAt returns the series of a point, empty if the figure has no reference for it.
func (k *drawing) sizeSeriesAt(point int) plot.Series {
	r, f := k.results, k.figure
	base, ok := r.Study.Sibling(r.Points, point, f.Series, f.Relative)
	if !ok {
		return plot.Series{}
	}
	gains := sizeGains(r.Folder.SizesOf(r.Points[point].Hash), r.Folder.SizesOf(r.Points[base].Hash))
	return sizeSeries(k.label(point, f.Series), gains, f)
}

// sizeSeries returns a series of gains, or of numbers of jobs, in the order that the figure asks
// for.
func sizeSeries(name string, gains []sizeGain, f *study.Figure) plot.Series {
	if f.X == study.JobRanks { // of equally common sizes the larger first, as in sec. III
		slices.SortFunc(gains, func(a, b sizeGain) int {
			return cmp.Or(cmp.Compare(b.jobs, a.jobs), cmp.Compare(b.processors, a.processors))
		})
	}
	s := plot.Series{Name: name}
	for i, g := range gains {
		x, y := float64(g.processors), g.percent
		if f.X == study.JobRanks {
			x = float64(i + 1)
		}
		s.X = append(s.X, x)
		if f.Metric == "jobs" {
			s.Y = append(s.Y, float64(g.jobs))
			continue
		}
		// The interval is a line from the mark down to 0.
		s.Y, s.Low, s.High = append(s.Y, y), append(s.Low, min(0, y)), append(s.High, max(0, y))
	}
	return s
}

// sizeGains returns the gain of each size of jobs of one table over another, in ascending order of
// size. Both tables are of the same jobs.
func sizeGains(of, base map[int]metrics.Mean) (gains []sizeGain) {
	for processors, b := range base {
		g := sizeGain{processors, b.N, math.NaN()}
		if a, ok := of[processors]; ok && b.Sum > 0 {
			g.percent = 100 * (1 - a.Value()/b.Value())
		}
		gains = append(gains, g)
	}
	slices.SortFunc(gains, func(a, b sizeGain) int {
		return cmp.Compare(a.processors, b.processors)
	})
	return gains
}

// jobsFigure collects the numbers of a scatter plot with a mark for each job.
func jobsFigure(k *drawing) plot.Figure {
	r, f := k.results, k.figure
	d := k.axes(plot.Scatter, k.columnTitle(f.X), k.columnTitle(f.Metric))
	d.X.Time, d.Y.Time = tables.IsTime(r, f.X) && f.XScale == 0, tables.IsTime(r, f.Metric)
	names := slices.DeleteFunc(k.labels(f.Series), func(name string) bool {
		return len(k.jobMarks(k.points, name).X) == 0
	})
	return k.panels(d, k.points, names, k.jobMarks)
}

// columnTitle returns the label of an axis that shows a column of jobs.csv.
func (k *drawing) columnTitle(column string) string {
	return tables.AxisTitle(column, tables.ColumnUnit(column, tables.ClockOf(k.results, k.points)))
}

// jobMarks returns the marks of one series. Points that are the same run contribute their marks
// once.
func (k *drawing) jobMarks(points []int, name string) plot.Series {
	f, s := k.figure, plot.Series{Name: name}
	done := map[string]bool{}
	for _, i := range points {
		hash := k.results.Points[i].Hash
		if k.label(i, f.Series) != name || done[hash] {
			continue
		}
		done[hash] = true
		t := k.storedJobs(i)
		for row := range t.Rows {
			x, y := t.Number(row, f.X), t.Number(row, f.Metric)
			if f.Processors > 0 && t.Number(row, "processors") != float64(f.Processors) ||
				f.LogX && !(x > 0) || f.LogY && !(y > 0) || math.IsNaN(x+y) {
				continue
			}
			s.X, s.Y = append(s.X, x*cmp.Or(f.XScale, 1)), append(s.Y, y)
		}
	}
	return s
}

// storedJobs returns the jobs of a point's first replication, none if they were not stored.
func (k *drawing) storedJobs(point int) *tables.Part {
	t, err := k.table("jobs", point, k.figure.X, k.figure.Metric, "processors")
	if len(k.results.Runs[point]) == 0 || err != nil {
		return &tables.Part{}
	}
	return t
}
