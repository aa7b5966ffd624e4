package tables

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"contend/experiments"
	"contend/experiments/stats"
)

// Table returns the study's table of measured and published values.
func Table(r *experiments.Results) Grid { return markdown.studyTable(r) }

// studyTable returns the study's table.
func (f form) studyTable(r *experiments.Results) Grid {
	g := Grid{Cells: f.studyCells(r), Left: len(RowKeys(r))}
	f.names(r, &g)
	return g
}

// Markdown returns the study's table with its caption, differences and break-evens.
func Markdown(r *experiments.Results) string { return markdown.study(r) }

// Terminal returns the same as a text to read as it is, with labels and metrics as commands take
// them.
func Terminal(r *experiments.Results) string { return terminal.study(r) }

// study returns the study's table with its caption, differences and break-evens.
func (f form) study(r *experiments.Results) string {
	table := f.studyTable(r)
	text := f.caption(r) + f.table(table.Cells, table.Left)
	for _, g := range append(f.differences(r), f.breakEvens(r)...) {
		text += g.text(f)
	}
	return text
}

// caption returns the title of the study, its inputs, and what a reader of the table must know.
func (f form) caption(r *experiments.Results) string {
	s := "**" + cmp.Or(f.prose(r.Study.Title), f.cell(r.Study.Name)) + "**"
	if r.Study.Cites != "" {
		s += " (" + f.prose(r.Study.Cites) + ")"
	}
	for _, in := range r.Study.InputNotes("") {
		s += "\n\n" + f.prose(in) + "."
	}
	return s + "\n\n" + strings.Join(TableNotes(r), "\n") + "\n\n"
}

// TeX returns the study's table as a tabular with booktabs rules and the names of papers.
func TeX(r *experiments.Results) string {
	table := latex.studyTable(r)
	text := TeXPackages + texComment(r.Study.Title)
	for _, note := range NonEmpty(append(r.Study.InputNotes(""), jumpText(r), trimText(r))...) {
		text += texComment(note)
	}
	return text + table.tabular("")
}

// tableMetrics lists the metrics of the study's table that some run has.
func tableMetrics(r *experiments.Results) []string {
	wanted := r.Study.Table.Metrics
	if wanted == nil {
		wanted = r.Study.Primary
	}
	have := r.Metrics()
	return slices.DeleteFunc(slices.Clone(wanted),
		func(m string) bool { return !slices.Contains(have, m) })
}

// studyCells returns the header and the rows of the study's table: the axes, then for each metric
// the measured value and, if a paper printed any, the published value and the ratio.
func (f form) studyCells(r *experiments.Results) [][]string {
	metrics := tableMetrics(r)
	if len(growingQueues(r, metrics)) > 0 && !slices.Contains(metrics, queueGrowth) {
		metrics = append(metrics, queueGrowth)
	}
	header := RowKeys(r)
	for i := range header {
		header[i] = ShortKey(header[i])
	}
	relative, printed := RelativeCells(r), map[string]bool{}
	addTitle := func(metric, text string) {
		header = append(header, text)
		if printed[metric] = HasPublished(r, metric); printed[metric] {
			header = append(header, "published", "ratio")
		}
	}
	if relative != nil {
		addTitle(RelativeMetric(r), f.title(RelativeMetric(r), "")+" / "+
			f.name(r, r.Study.Table.Relative))
	}
	for _, m := range metrics {
		addTitle(m, f.title(m, UnitOf(r, m, AllPoints(r))))
	}
	rows := [][]string{header}
	for i := range r.Points {
		if r.BeyondCurve(i) {
			continue
		}
		row := RowLabels(r, i)
		// add adds the cells of a metric; what is not a number is left empty.
		add := func(metric string, e stats.Estimate, measured bool, published float64, digits int) {
			cell, of, ratio := "", "", ""
			if measured {
				cell = f.number(e)
			}
			if !math.IsNaN(published) {
				if of = Significant(published, digits); measured && published != 0 {
					ratio = fmt.Sprintf("%.2f", e.Mean/published)
				}
			}
			if row = append(row, cell); printed[metric] {
				row = append(row, of, ratio)
			}
		}
		if relative != nil {
			c, ok := relative[i]
			if !ok {
				c.published = math.NaN()
			}
			add(RelativeMetric(r), c.Measured, ok, c.published, 4)
		}
		for _, m := range metrics {
			e, ok := r.Estimate(i, m)
			add(m, e, ok, publishedAt(r, i, m), 5)
		}
		rows = append(rows, row)
	}
	return rows
}

// publishedAt returns the published value of a metric at a point, NaN if there is none.
func publishedAt(r *experiments.Results, point int, metric string) float64 {
	if x, ok := r.Published(point, metric); ok {
		return x
	}
	return math.NaN()
}

// RowKeys returns the keys of the axes and the keys that the table shows beside them.
func RowKeys(r *experiments.Results) []string { return append(r.AxisKeys(), r.Study.Table.Keys...) }

// RowLabels returns the labels of RowKeys at a point.
func RowLabels(r *experiments.Results, i int) []string {
	labels := slices.Clone(r.Points[i].Labels)
	for _, key := range r.Study.Table.Keys {
		labels = append(labels, r.Study.LabelAt(&r.Points[i], key))
	}
	return labels
}

// RelativeMetric returns the metric of the relative column.
func RelativeMetric(r *experiments.Results) string {
	return append(slices.Clone(r.Study.Primary), "finish_time")[0]
}

// relativeCell is a cell of the relative column.
type relativeCell struct {
	Measured  stats.Estimate
	published float64 // NaN if there is none
}

// RelativeCells returns the relative column by point, nil if there is none. It divides published
// values by the published value of the reference.
func RelativeCells(r *experiments.Results) map[int]relativeCell {
	metric, axis := RelativeMetric(r), r.RelativeAxis()
	var cells map[int]relativeCell
	for i := range r.Points {
		at, ok := r.Study.Sibling(r.Points, i, axis, r.Study.Table.Relative)
		if !ok {
			continue
		}
		if ratio, ok := r.Ratio(i, at, metric); ok {
			if cells == nil {
				cells = map[int]relativeCell{}
			}
			cells[i] = relativeCell{ratio, publishedAt(r, i, metric) / publishedAt(r, at, metric)}
		}
	}
	return cells
}
