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

// matrixOf collects the numbers of a table.
func matrixOf(r *experiments.Results, f *study.Figure) *tables.Matrix {
	k := newDrawing(r, f.LaidOut())
	labels := map[string][]string{f.Columns: k.labels(f.Columns)}
	printed := func(key, label string) string {
		return tables.PrintedOf(r, key, label, f.Labels)
	}
	m := &tables.Matrix{Over: tables.AxisTitle(f.Columns, ""), Ratios: f.Relative != ""}
	columns := slices.DeleteFunc(slices.Clone(labels[f.Columns]),
		func(label string) bool { return label == f.Relative })
	for _, label := range columns {
		m.Columns = append(m.Columns, printed(f.Columns, label))
	}
	for _, key := range f.Rows {
		labels[key] = k.labels(key)
		m.Keys = append(m.Keys, tables.AxisTitle(key, ""))
	}
	for _, row := range k.rowsOf(labels) {
		var names []string
		for i, key := range f.Rows {
			names = append(names, printed(key, row[i]))
		}
		var cells []stats.Estimate
		for _, label := range columns {
			cells = append(cells, k.estimateAt(row, label))
		}
		m.Names, m.Cells = append(m.Names, names), append(m.Cells, cells)
	}
	return m
}

// rowsOf lists the different labels of the rows at the points of a table, in the order of each.
func (k *drawing) rowsOf(labels map[string][]string) (rows [][]string) {
	for _, i := range k.points {
		row := k.rowAt(i)
		if !slices.ContainsFunc(rows, func(other []string) bool { return slices.Equal(other, row) }) {
			rows = append(rows, row)
		}
	}
	slices.SortStableFunc(rows, func(a, b []string) int {
		for i, key := range k.figure.Rows {
			if n := slices.Index(labels[key], a[i]) - slices.Index(labels[key], b[i]); n != 0 {
				return n
			}
		}
		return 0
	})
	return rows
}

// rowAt returns the labels of the row of a point.
func (k *drawing) rowAt(point int) (row []string) {
	for _, key := range k.figure.Rows {
		row = append(row, k.label(point, key))
	}
	return row
}

// estimateAt returns the estimate of a cell of a table, with a mean of NaN if there is none.
func (k *drawing) estimateAt(row []string, column string) stats.Estimate {
	f := k.figure
	for _, i := range k.points {
		if k.label(i, f.Columns) != column || !slices.Equal(k.rowAt(i), row) {
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
	tex, _, fits := m.TeX(tableWidth(f))
	if !fits {
		return m.TooWide(f.Name, tableWidth(f))
	}
	g := m.Plain()
	return errors.Join(out.WriteText(base+".tex", []byte(tables.TeXPackages+tex)),
		out.WriteText(base+".md", []byte(tables.MarkdownTable(g.Cells, g.Left))),
		plot.Save(d, out.WriteText, base, []string{"csv"}))
}

// tableSentences describe a table: its metric and keys, and what its numbers are.
func (k *drawing) tableSentences(d *plot.Figure) []string {
	f := k.figure
	rows := ""
	for _, key := range f.Rows {
		rows += ", " + tables.ShortKey(key)
	}
	text := []string{k.ordinateLabel(false) + " by" + rows[1:] + " (rows) and " +
		tables.ShortKey(f.Columns) + " (columns).", k.settingText(), k.replicationsText()}
	if intervals := k.intervalsText(d); intervals != "" {
		text = append(text, intervals)
		if _, shown, _ := matrixOf(k.results, f).TeX(tableWidth(f)); !shown {
			text[len(text)-1] = "Means end at the second digit of half of their intervals. " + intervals
		}
	}
	return text
}
