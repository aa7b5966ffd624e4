package experiments

import (
	"cmp"
	"encoding/csv"
	"math"
	"slices"
	"strconv"

	"contend/experiments/bounded"
	"contend/experiments/decimal"
	"contend/experiments/figure"
)

// SizeColumns are those of a run's table of job sizes.
func SizeColumns() []string { return []string{"processors", "jobs", "sum_pairwise_distance"} }

// sizeMeans are what jobs had by their number of processors.
type sizeMeans []mean

// add notes the sum of pairwise distances of a job.
func (s *sizeMeans) add(processors int, sum int64) {
	for len(*s) <= processors {
		*s = append(*s, mean{})
	}
	(*s)[processors].add(float64(sum))
}

// rows are the table, a row for each size there was.
func (s sizeMeans) rows() (rows [][]string) {
	for processors, m := range s {
		if m.n > 0 {
			rows = append(rows, []string{strconv.Itoa(processors), strconv.Itoa(m.n), decimal.Exact(m.value())})
		}
	}
	return rows
}

// sizesKind is the kind of figures that show what becomes of jobs of each size.
const sizesKind = "sizes"

// bySize tells whether a figure of the study needs tables of job sizes.
func (st *Study) bySize() bool {
	return slices.ContainsFunc(st.Figures, func(f Figure) bool { return f.Kind == sizesKind })
}

// sizeGain is what one allocator has gained over another for jobs of one size.
type sizeGain struct {
	processors, jobs int
	percent          float64 // NaN where there was nothing to gain
}

// sizesDrawing draws the improvement of a point over that of the label
// RelativeTo by size of the jobs, in percent, or the number of jobs [Johnson,
// Bunde and Leung 2010, Figs. 9 to 14]. Sizes are in their own order or, for x
// = "rank", in order of their number of jobs.
func (r *Results) sizesDrawing(f Figure, o FigureOptions, names Names) (figure.Figure, bool) {
	d := figure.Figure{Kind: figure.Scatter, WidthMM: o.WidthMM, Legend: figure.NoLegend,
		X: figure.Axis{Label: f.XLabel, Log: f.LogX || o.LogX}, Y: figure.Axis{Label: f.YLabel, Log: f.LogY || o.LogY}}
	points := slices.DeleteFunc(r.drawn(&f, names), func(i int) bool {
		return r.labelAt(i, f.Series) == f.Relative || len(r.sizeSeriesAt(&f, i).Y) == 0
	})
	labels := r.labels(points, f.Series)
	d, any := r.drawPanels(&f, d, points, func(points []int) (all []figure.Series, any bool) {
		for _, name := range labels {
			s := figure.Series{Name: name}
			at := slices.IndexFunc(points, func(i int) bool { return r.labelAt(i, f.Series) == name })
			if at >= 0 {
				s = r.sizeSeriesAt(&f, points[at])
			}
			all, any = append(all, s), any || at >= 0
		}
		return all, any
	})
	if len(labels) > 1 {
		d.Legend = figure.Above
	}
	if f.Metric != "jobs" && !d.Y.Log {
		d.Levels = []float64{0}
	}
	return d, any
}

// sizeSeriesAt is what a figure shows of a point, empty where there is nothing.
func (r *Results) sizeSeriesAt(f *Figure, i int) figure.Series {
	base, ok := r.sibling(i, f.Series, f.Relative)
	if !ok {
		return figure.Series{}
	}
	gains := sizeGains(r.folder.sizesOf(r.Points[i].Hash), r.folder.sizesOf(r.Points[base].Hash))
	s := sizeSeries(r.labelAt(i, f.Series), gains, *f)
	if !slices.ContainsFunc(s.Y, func(y float64) bool { return !math.IsNaN(y) }) {
		return figure.Series{}
	}
	return s
}

func sizeSeries(name string, gains []sizeGain, f Figure) figure.Series {
	if f.X == "rank" { // of equally common sizes the larger first, as the ranks in sec. III have it
		slices.SortFunc(gains, func(a, b sizeGain) int {
			return cmp.Or(cmp.Compare(b.jobs, a.jobs), cmp.Compare(b.processors, a.processors))
		})
	}
	s := figure.Series{Name: name}
	for i, g := range gains {
		x, y := float64(g.processors), g.percent
		if f.X == "rank" {
			x = float64(i + 1)
		}
		s.X = append(s.X, x)
		if f.Metric == "jobs" {
			s.Y = append(s.Y, float64(g.jobs))
			continue
		}
		s.Y, s.Low, s.High = append(s.Y, y), append(s.Low, min(0, y)), append(s.High, max(0, y)) // a line down to nothing gained
	}
	return s
}

// sizeGains compares two tables of the same jobs, in order of the sizes.
func sizeGains(of, base map[int]mean) (gains []sizeGain) {
	for processors, b := range base {
		g := sizeGain{processors, b.n, math.NaN()}
		if a, ok := of[processors]; ok && b.sum > 0 {
			g.percent = 100 * (1 - a.value()/b.value())
		}
		gains = append(gains, g)
	}
	slices.SortFunc(gains, func(a, b sizeGain) int { return cmp.Compare(a.processors, b.processors) })
	return gains
}

// sizesOf reads the table of job sizes of a point's first replication, nil
// where there is none that can be read.
func (f *Folder) sizesOf(hash string) map[int]mean {
	path := f.part("sizes", runKey{hash, 0})
	file, err := bounded.Open(path, bounded.Rows)
	if err != nil {
		return nil
	}
	defer file.Close()
	rows, err := csv.NewReader(newRowReader(path, file)).ReadAll()
	if err != nil || len(rows) < 2 {
		return nil
	}
	sizes := map[int]mean{}
	for _, row := range rows[1:] {
		processors, err := strconv.Atoi(row[0])
		jobs, err2 := strconv.Atoi(row[1])
		value, err3 := strconv.ParseFloat(row[2], 64)
		if err != nil || err2 != nil || err3 != nil {
			return nil
		}
		sizes[processors] = mean{value * float64(jobs), jobs}
	}
	return sizes
}
