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

// table returns the table of Markdown.
func (m *tableMark) table(r *experiments.Results) (string, error) {
	chosen, err := r.Study.Chosen(r.Points, "where", m.where)
	if err != nil {
		return "", err
	}
	t := pivot{mark: m, results: r, column: slices.Index(r.AxisKeys(), m.columns)}
	if m.columns != "" && t.column < 0 {
		return "", fmt.Errorf("columns=%s is no axis of the study %s", m.columns, r.Study.Name)
	}
	for _, metric := range m.metrics {
		if has := r.Metrics(); !slices.Contains(has, metric) {
			return "", fmt.Errorf("no run has the metric %s: %s", metric, input.OneOf(metric, has))
		}
	}
	for i := range r.Points {
		if chosen[i] {
			t.points = append(t.points, i)
		}
	}
	if t.rows, err = t.rowAxes(); err != nil {
		return "", err
	}
	return t.table()
}

// pivot is a table of the means of points by the values of their axes.
type pivot struct {
	mark    *tableMark
	results *experiments.Results
	points  []int // those that it shows
	rows    []int // axes of the rows
	column  int   // axis of the columns, -1 for metrics
}

// rowAxes returns the axes of the rows: those given, by default all that differ. It refuses a
// choice that would put two points into one cell.
func (t *pivot) rowAxes() (axes []int, err error) {
	keys := t.results.AxisKeys()
	for _, key := range t.mark.rows {
		at := slices.Index(keys, key)
		if at < 0 {
			return nil, fmt.Errorf("rows=%s is no axis of the study %s", key, t.results.Study.Name)
		}
		axes = append(axes, at)
	}
	for axis, key := range keys {
		if axis == t.column || slices.Contains(axes, axis) || len(t.labels(axis)) < 2 {
			continue
		}
		if t.mark.rows != nil {
			return nil, fmt.Errorf("points differ in %s too: add it to rows, or choose with where=%s=VALUE",
				key, key)
		}
		axes = append(axes, axis)
	}
	return axes, nil
}

// labels lists the different labels of an axis, in their order.
func (t *pivot) labels(axis int) (list []string) {
	for _, i := range t.points {
		if l := t.results.Points[i].Labels[axis]; !slices.Contains(list, l) {
			list = append(list, l)
		}
	}
	return list
}

// rowOf returns the labels of a point on the axes of the rows.
func (t *pivot) rowOf(point int) (row []string) {
	for _, axis := range t.rows {
		row = append(row, t.results.Points[point].Labels[axis])
	}
	return row
}

func (t *pivot) table() (string, error) {
	var columns []string
	if t.column >= 0 {
		columns = t.labels(t.column)
		if at := slices.Index(columns, t.mark.relative); at >= 0 { // the reference comes first
			columns = slices.Insert(slices.Delete(columns, at, at+1), 0, t.mark.relative)
		} else if t.mark.relative != "" {
			return "", fmt.Errorf("relative_to=%s is no value of %s", t.mark.relative, t.mark.columns)
		}
	}
	grid := [][]string{t.header(columns)}
	var done [][]string
	for _, i := range t.points {
		row := t.rowOf(i)
		if slices.ContainsFunc(done, func(d []string) bool { return slices.Equal(d, row) }) {
			continue
		}
		done = append(done, row)
		cells, err := t.cells(i, columns)
		if err != nil {
			return "", err
		}
		grid = append(grid, append(row, cells...))
	}
	return tables.MarkdownTable(grid, len(t.rows)), nil
}

// header returns the names of the axes of the rows, then the columns with their unit.
func (t *pivot) header(columns []string) (head []string) {
	keys := t.results.AxisKeys()
	for _, axis := range t.rows {
		head = append(head, keys[axis][strings.LastIndexByte(keys[axis], '.')+1:])
	}
	titled := func(name, metric string) string {
		if unit := metrics.UnitOf(metric, &t.results.Points[t.points[0]].Spec); unit != "" {
			name += " (" + unit + ")"
		}
		return name
	}
	for _, c := range columns {
		if t.mark.relative == "" || c == t.mark.relative {
			c = titled(c, t.mark.metrics[0])
		}
		head = append(head, c)
	}
	if columns == nil {
		for _, metric := range t.mark.metrics {
			head = append(head, titled(metric, metric))
		}
	}
	return head
}

// cells returns the cells of the row of a point. A cell is empty where runs have no such metric.
func (t *pivot) cells(point int, columns []string) (cells []string, err error) {
	r := t.results
	if columns == nil {
		for _, metric := range t.mark.metrics {
			text, err := t.mean(point, metric)
			if err != nil {
				return nil, err
			}
			cells = append(cells, text)
		}
		return cells, nil
	}
	for _, c := range columns {
		at, ok := r.Study.Sibling(r.Points, point, t.mark.columns, c)
		if !ok || !slices.Contains(t.points, at) {
			cells = append(cells, "")
			continue
		}
		text, err := t.mean(at, t.mark.metrics[0])
		if err == nil && t.mark.relative != "" && c != t.mark.relative {
			base, _ := r.Study.Sibling(r.Points, point, t.mark.columns, t.mark.relative)
			text = ""
			if ratio, ok := r.PairedRatio(at, base, t.mark.metrics[0]); ok {
				text = ratioText(&ratio)
			}
		}
		if err != nil {
			return nil, err
		}
		cells = append(cells, text)
	}
	return cells, nil
}

// mean returns the mean of a metric at a point, "" if its runs have none. It refuses a point that
// was not run.
func (t *pivot) mean(point int, metric string) (string, error) {
	r := t.results
	if r.Replications(point) == 0 {
		return "", fmt.Errorf("%s was not run: contend run resumes the study",
			strings.Join(r.Points[point].Labels, " "))
	}
	if e, ok := r.Estimate(point, metric); ok {
		return tables.MeanText(e), nil
	}
	return "", nil
}

// ratioText returns a ratio with its interval, where it has one.
func ratioText(r *stats.PairedRatio) string {
	text := tables.Significant(r.Mean, 3)
	if !math.IsNaN(r.Low) {
		text += fmt.Sprintf(" (%s to %s)", tables.Significant(r.Low, 3), tables.Significant(r.High, 3))
	}
	return text
}
