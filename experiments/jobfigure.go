package experiments

import (
	"encoding/csv"
	"math"
	"slices"
	"strconv"

	"contend/experiments/bounded"
	"contend/experiments/figure"
)

// A figure of kind scatter has a mark for each job of the first replication: x
// and metric are columns of jobs.csv. The runner keeps jobs for studies that
// have such figures.

// numberColumns are those of jobs.csv a figure can have.
func numberColumns() []string {
	return slices.DeleteFunc(JobColumns(), func(column string) bool { return column == "pattern" })
}

// checkColumns tests a figure of jobs.
func (f *Figure) checkColumns(at string) *InputError {
	for _, part := range []struct{ name, column string }{{".x", f.X}, {".metric", f.Metric}} {
		if known := numberColumns(); !slices.Contains(known, part.column) {
			return badInput(at+part.name, oneOf(part.column, known), "%s%s is %q, which is no column of jobs.csv", at, part.name, part.column)
		}
	}
	return nil
}

// drawsJobs tells whether a figure needs the jobs of the runs.
func (st *Study) drawsJobs() bool {
	return slices.ContainsFunc(st.Figures, func(f Figure) bool { return f.Kind == "scatter" })
}

// scatter gathers the marks of a figure, and reports false where there are
// none.
func (r *Results) scatter(f Figure, d figure.Figure, points []int) (figure.Figure, bool) {
	d.Kind = figure.Scatter
	clock := UnitOf("wait_time", &r.Study.Base)
	d.X.Time, d.Y.Time = isTime(columnUnit(f.X, clock)) && f.XScale == 0, isTime(columnUnit(f.Metric, clock))
	names := r.labels(points, f.Series)
	names = slices.DeleteFunc(names, func(name string) bool { return len(r.marks(&f, &d, points, name).X) == 0 })
	d, any := r.drawPanels(&f, d, points, func(points []int) (all []figure.Series, any bool) {
		for _, name := range names {
			s := r.marks(&f, &d, points, name)
			all, any = append(all, s), any || len(s.X) > 0
		}
		return all, any
	})
	if any && single(&d) {
		d.Legend = figure.NoLegend
	}
	return d, any
}

// marks are those of a series: of points that are one run, see Study.dropped,
// they are the same.
func (r *Results) marks(f *Figure, d *figure.Figure, points []int, name string) figure.Series {
	s := figure.Series{Name: name}
	done := map[string]bool{}
	for _, i := range points {
		hash := r.Points[i].Hash
		if r.labelAt(i, f.Series) != name || done[hash] {
			continue
		}
		done[hash] = true
		for _, job := range r.jobs(i) {
			x, y := job[f.X], job[f.Metric]
			if f.Processors > 0 && job["processors"] != float64(f.Processors) || d.X.Log && !(x > 0) || d.Y.Log && !(y > 0) || math.IsNaN(x+y) {
				continue
			}
			s.X, s.Y = append(s.X, scaled(x, f.XScale)), append(s.Y, y)
		}
	}
	return s
}

// jobs returns the numbers of the jobs of a point's first replication by
// column, those that are not there as NaN; none where they were not kept.
func (r *Results) jobs(point int) []map[string]float64 {
	if len(r.runs[point]) == 0 {
		return nil
	}
	path := r.folder.part("jobs", runKey{r.Points[point].Hash, 0})
	file, err := bounded.Open(path, bounded.Rows)
	if err != nil {
		return nil
	}
	defer file.Close()
	rows, err := csv.NewReader(newRowReader(path, file)).ReadAll()
	if err != nil || len(rows) == 0 {
		return nil
	}
	var jobs []map[string]float64
	for _, row := range rows[1:] {
		job := map[string]float64{}
		for i, column := range rows[0] {
			x, err := strconv.ParseFloat(row[i], 64)
			if err != nil {
				x = math.NaN()
			}
			job[column] = x
		}
		jobs = append(jobs, job)
	}
	return jobs
}
