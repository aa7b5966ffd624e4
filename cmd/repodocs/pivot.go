package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"contend/experiments"
	"contend/experiments/metrics"
	"contend/experiments/report/tables"
	"contend/experiments/stats"
	"contend/internal/input"
)

// table returns the Markdown table of a mark.
func (m *tableMark) table(r *experiments.Results) (string, error) {
	if has := r.Metrics(); !slices.Contains(has, m.metric) {
		return "", fmt.Errorf("no run has the metric %s: %s", m.metric, input.OneOf(m.metric, has))
	}
	t := pivot{mark: m, results: r}
	if err := t.findAxes(); err != nil {
		return "", err
	}
	return t.table()
}

// pivot is a table of a metric: a row for all values that the axes of rows have together, a column
// for each value of another axis.
type pivot struct {
	mark    *tableMark
	results *experiments.Results
	rows    []int // axes of the rows
	column  int   // axis of the columns
}

// findAxes sets the axes of rows and columns. It refuses a choice that would put two points into
// one cell.
func (t *pivot) findAxes() error {
	keys := t.results.AxisKeys()
	t.column = slices.Index(keys, t.mark.columns)
	for _, key := range t.mark.rows {
		t.rows = append(t.rows, slices.Index(keys, key))
	}
	if at := slices.Index(append(t.rows, t.column), -1); at >= 0 {
		return fmt.Errorf("%s is no axis of the study %s", append(t.mark.rows, t.mark.columns)[at],
			t.results.Study.Name)
	}
	for axis, key := range keys {
		if axis != t.column && !slices.Contains(t.rows, axis) && len(t.labels(axis)) > 1 {
			return fmt.Errorf("points differ in %s too: add it to rows", key)
		}
	}
	return nil
}

// labels lists the labels of an axis, in their order.
func (t *pivot) labels(axis int) []string {
	return t.results.Study.LabelsOf(t.results.Points, t.results.AxisKeys()[axis])
}

// table returns the table, the column of the reference first.
func (t *pivot) table() (string, error) {
	m, r, columns := t.mark, t.results, t.labels(t.column)
	at := slices.Index(columns, m.relative)
	if at < 0 {
		return "", fmt.Errorf("relative_to=%s is no value of %s", m.relative, m.columns)
	}
	columns = slices.Insert(slices.Delete(slices.Clone(columns), at, at+1), 0, m.relative)
	grid := [][]string{t.header(columns)}
	for i := range r.Points {
		if r.Points[i].Labels[t.column] != t.labels(t.column)[0] {
			continue
		}
		var row []string
		for _, axis := range t.rows {
			row = append(row, r.Points[i].Labels[axis])
		}
		cells, err := t.cells(i, columns)
		if err != nil {
			return "", err
		}
		grid = append(grid, append(row, cells...))
	}
	return tables.MarkdownTable(grid, len(t.rows)), nil
}

// header returns the names of the axes of the rows, then the columns, the first with its unit.
func (t *pivot) header(columns []string) (head []string) {
	for _, key := range t.mark.rows {
		head = append(head, key[strings.LastIndexByte(key, '.')+1:])
	}
	head = append(head, columns...)
	unit := metrics.UnitOf(t.mark.metric, &t.results.Points[0].Spec)
	head[len(t.rows)] = tables.Title(head[len(t.rows)], unit)
	return head
}

// cells returns the mean at the reference, and the ratios of the other columns to it, in the row of
// a point. A cell is empty where runs have no such metric. It refuses a point that was not run.
func (t *pivot) cells(point int, columns []string) (cells []string, err error) {
	r, base := t.results, 0
	for n, c := range columns {
		at, _ := r.Study.Sibling(r.Points, point, t.mark.columns, c)
		if r.Replications(at) == 0 {
			return nil, fmt.Errorf("%s was not run: contend run resumes the study",
				strings.Join(r.Points[at].Labels, " "))
		}
		text := ""
		if n == 0 {
			base = at
			if e, ok := r.Estimate(at, t.mark.metric); ok {
				text = tables.MeanText(e)
			}
		} else if ratio, ok := r.PairedRatio(at, base, t.mark.metric); ok {
			text = ratioText(&ratio)
		}
		cells = append(cells, text)
	}
	return cells, nil
}

// ratioText returns a ratio with its interval, where it has one.
func ratioText(r *stats.PairedRatio) string {
	text := tables.Significant(r.Mean, 3)
	if !math.IsNaN(r.Low) {
		text += fmt.Sprintf(" (%s to %s)", tables.Significant(r.Low, 3), tables.Significant(r.High, 3))
	}
	return text
}
