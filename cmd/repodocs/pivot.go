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

// table returns the Markdown table of a mark, the column of the reference first.
func (m *tableMark) table(r *experiments.Results) (string, error) {
	if err := m.check(r); err != nil {
		return "", err
	}
	keys, columns := r.AxisKeys(), []string{m.relative}
	for _, label := range r.Study.LabelsOf(r.Points, m.columns) {
		if label != m.relative {
			columns = append(columns, label)
		}
	}
	grid := [][]string{m.header(r, columns)}
	for i := range r.Points {
		labels := r.Points[i].Labels
		if labels[slices.Index(keys, m.columns)] != m.relative {
			continue
		}
		var row []string
		for _, key := range m.rows {
			row = append(row, labels[slices.Index(keys, key)])
		}
		for _, column := range columns {
			cell, err := m.cell(r, i, column)
			if err != nil {
				return "", err
			}
			row = append(row, cell)
		}
		grid = append(grid, row)
	}
	return tables.MarkdownTable(grid, len(m.rows)), nil
}

// check refuses names that the results do not have, and a choice of axes that would put two points
// into one cell.
func (m *tableMark) check(r *experiments.Results) error {
	if has := r.Metrics(); !slices.Contains(has, m.metric) {
		return fmt.Errorf("no run has the metric %s: %s", m.metric, input.OneOf(m.metric, has))
	}
	keys, shown := r.AxisKeys(), append(slices.Clone(m.rows), m.columns)
	for _, key := range shown {
		if !slices.Contains(keys, key) {
			return fmt.Errorf("%s is no axis of the study %s", key, r.Study.Name)
		}
	}
	for _, key := range keys {
		if !slices.Contains(shown, key) && len(r.Study.LabelsOf(r.Points, key)) > 1 {
			return fmt.Errorf("points differ in %s too: add it to rows", key)
		}
	}
	if !slices.Contains(r.Study.LabelsOf(r.Points, m.columns), m.relative) {
		return fmt.Errorf("relative_to=%s is no value of %s", m.relative, m.columns)
	}
	return nil
}

// header returns the names of the axes of the rows, then the columns, the first with its unit.
func (m *tableMark) header(r *experiments.Results, columns []string) (head []string) {
	for _, key := range m.rows {
		head = append(head, key[strings.LastIndexByte(key, '.')+1:])
	}
	head = append(head, columns...)
	unit := metrics.UnitOf(m.metric, &r.Points[0].Spec)
	head[len(m.rows)] = tables.Title(m.relative, unit)
	return head
}

// cell returns the mean at the reference point, or the ratio to it of another column in its row. It
// is empty where runs have no such metric. It refuses a point that was not run.
func (m *tableMark) cell(r *experiments.Results, reference int, column string) (string, error) {
	at, _ := r.Study.Sibling(r.Points, reference, m.columns, column)
	if r.Replications(at) == 0 {
		return "", fmt.Errorf("%s was not run: contend run resumes the study",
			strings.Join(r.Points[at].Labels, " "))
	}
	if column == m.relative {
		if e, ok := r.Estimate(at, m.metric); ok {
			return tables.MeanText(e), nil
		}
	} else if ratio, ok := r.PairedRatio(at, reference, m.metric); ok {
		return ratioText(&ratio), nil
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
