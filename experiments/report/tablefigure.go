package report

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"contend/experiments"
	"contend/experiments/plot"
	"contend/experiments/report/tables"
	"contend/experiments/stats"
	"contend/experiments/study"
	"contend/internal/written"
)

// tableKinds are the kinds of figures that are text.
var tableKinds = []kind{
	{name: "table", collect: barsFigure, sentences: (*drawing).tableSentences},
}

// matrixOf collects the numbers of a table. One with more rows than a page has gets the values of a
// key of its rows as groups of columns, if it has a row for each combination and fits its width
// then.
func matrixOf(r *experiments.Results, f *study.Figure) *tables.Matrix {
	m, _ := layOutTable(r, f)
	return m
}

// layOutTable is matrixOf with the key of the groups, "" for none.
func layOutTable(r *experiments.Results, f *study.Figure) (m *tables.Matrix, over string) {
	k := newDrawing(r, f.LaidOut())
	m = k.matrix(f.Rows, "")
	if !m.IsLong() || len(f.Rows) < 2 {
		return m, ""
	}
	for i := len(f.Rows) - 1; i >= 0; i-- {
		wide := k.matrix(tables.WithoutAxis(f.Rows, i), f.Rows[i])
		if wide.IsLong() || len(wide.Names)*len(wide.Groups) != len(m.Names) {
			continue
		}
		if wide.Fits(tableWidth(f)) {
			return wide, f.Rows[i]
		}
	}
	return m, ""
}

// matrix returns the numbers by keys of rows and the key of the columns, in groups by the values of
// the key over; none for "".
func (k *drawing) matrix(rows []string, over string) *tables.Matrix {
	r, f := k.results, k.figure
	printed := func(key, label string) string { return tables.PrintedOf(r, key, label, f.Labels) }
	m := &tables.Matrix{Over: tables.AxisTitle(f.Columns, ""), Ratios: f.Relative != ""}
	columns := slices.DeleteFunc(k.labels(f.Columns),
		func(label string) bool { return label == f.Relative })
	for _, label := range columns {
		m.Columns = append(m.Columns, printed(f.Columns, label))
	}
	groups := []string{""}
	if over != "" {
		groups, m.Over = k.labels(over), tables.AxisTitle(over, "")+" and "+tables.ShortKey(f.Columns)
		for _, label := range groups {
			m.Groups = append(m.Groups, printed(over, label))
		}
	}
	for _, key := range rows {
		m.Keys = append(m.Keys, tables.AxisTitle(key, ""))
	}
	for _, row := range k.rowsOf(rows) {
		var names []string
		for i, key := range rows {
			names = append(names, printed(key, row[i]))
		}
		var cells []stats.Estimate
		for _, group := range groups {
			for _, label := range columns {
				cells = append(cells, k.estimateWhere(func(point int) bool {
					return k.label(point, f.Columns) == label && (over == "" || k.label(point, over) == group) &&
						slices.Equal(k.rowAt(point, rows), row)
				}))
			}
		}
		m.Names, m.Cells = append(m.Names, names), append(m.Cells, cells)
	}
	return m
}

// rowsOf lists the different labels of the keys of rows at the points of a table, in the order of
// each.
func (k *drawing) rowsOf(keys []string) (rows [][]string) {
	for _, i := range k.points {
		row := k.rowAt(i, keys)
		if !slices.ContainsFunc(rows, func(other []string) bool { return slices.Equal(other, row) }) {
			rows = append(rows, row)
		}
	}
	var labels [][]string
	for _, key := range keys {
		labels = append(labels, k.labels(key))
	}
	slices.SortStableFunc(rows, func(a, b []string) int {
		for i, order := range labels {
			if n := slices.Index(order, a[i]) - slices.Index(order, b[i]); n != 0 {
				return n
			}
		}
		return 0
	})
	return rows
}

// rowAt returns the labels of the keys of rows at a point.
func (k *drawing) rowAt(point int, keys []string) (row []string) {
	for _, key := range keys {
		row = append(row, k.label(point, key))
	}
	return row
}

// estimateWhere returns the estimate of the points of a cell of a table, with a mean of NaN if
// there is none.
func (k *drawing) estimateWhere(inCell func(point int) bool) stats.Estimate {
	for _, i := range k.points {
		if !inCell(i) {
			continue
		}
		if e, ok := k.estimateOf(i); ok {
			return e
		}
	}
	return stats.Estimate{Mean: math.NaN(), Half: math.NaN()}
}

// tableWidth returns the width in mm that a table has to fit.
func tableWidth(f *study.Figure) float64 { return cmp.Or(f.WidthMM, plot.OneColumnMM) }

// saveTable writes a table into the folder figures of a folder, as LaTeX and Markdown, and its
// numbers as those of a figure.
func saveTable(r *experiments.Results, f *study.Figure, d plot.Drawable,
	out *written.Folder) error {
	m, base := matrixOf(r, f), "figures/"+f.Name
	tex, _ := m.TeX(tableWidth(f))
	g := m.Plain()
	return errors.Join(out.WriteText(base+".tex", []byte(tex)),
		out.WriteText(base+".md", []byte(tables.MarkdownTable(g.Cells, g.Left))),
		plot.Save(d, out.WriteText, base, []string{"csv"}))
}

// tableSentences describe a table: its metric and keys, and what its numbers are.
func (k *drawing) tableSentences(d *plot.Figure) []string {
	f := k.figure
	m, over := layOutTable(k.results, f)
	rows, columns := "", tables.ShortKey(f.Columns)
	for _, key := range f.Rows {
		if key != over {
			rows += ", " + tables.ShortKey(key)
		}
	}
	if over != "" {
		columns = tables.ShortKey(over) + ", " + columns
	}
	text := []string{
		k.ordinateLabel(false) + " by" + rows[1:] + " (rows) and " + columns + " (columns).",
		k.settingText(), k.replicationsText()}
	if intervals := k.intervalsText(d); intervals != "" {
		text = append(text, intervals)
		if _, shown := m.TeX(tableWidth(f)); !shown {
			text[len(text)-1] = "Means end at the second digit of half of their intervals. " + intervals
		}
	}
	return text
}
