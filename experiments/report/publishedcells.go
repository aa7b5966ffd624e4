package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"contend/experiments"
	"contend/experiments/spec"
	"contend/experiments/stats"
	"contend/experiments/study"
)

// printedFigure is one printed number: a metric of a row of published figures.
type printedFigure struct {
	row      int // index of the row
	metric   string
	value    float64
	text     string  // the value as printed
	rounding float64 // half a unit of the last printed digit
	stated   float64 // error that the paper states for the number, 0 if none
	point    int     // index of the point, -1 if flags have left it out
	// as is the point. If flags have left it out, as has the keys of the row.
	as        study.Point
	elsewhere bool // the number belongs to another study
}

// printed lists the published figures of the study in the order of their rows.
func printed(r *experiments.Results, names spec.Names) []printedFigure {
	var all []printedFigure
	for n, row := range r.Study.Published.MustRows() {
		as := study.Point{Spec: r.Study.Base}
		for _, key := range spec.SortedKeys(row.Where) {
			if err := r.Study.Assign(&as, key, row.Where[key], names); err != nil {
				continue // flags have left out the variant
			}
		}
		var met []int
		for i := range r.Points {
			if study.Matches(&r.Points[i], row.Where, names) {
				met = append(met, i)
			}
		}
		if met == nil {
			met = []int{-1}
		}
		for _, metric := range spec.SortedKeys(row.Values) {
			for _, i := range met {
				f := printedFigure{row: n, metric: metric, value: row.Values[metric],
					text: row.Texts[metric], rounding: row.Rounding[metric],
					stated: row.Stated[metric], point: i, as: as}
				if i >= 0 {
					f.as = r.Points[i]
				}
				f.elsewhere = r.Study.Published.Elsewhere != nil &&
					study.Matches(&f.as, r.Study.Published.Elsewhere, names)
				all = append(all, f)
			}
		}
	}
	return all
}

// name returns the labels of the figure's point, or the values of its row.
func (f *printedFigure) name(rows []study.PublishedRow) string {
	if f.point >= 0 {
		return strings.Join(f.as.Labels, " ")
	}
	var parts []string
	where := rows[f.row].Where
	for _, key := range spec.SortedKeys(where) {
		parts = append(parts, fmt.Sprint(where[key]))
	}
	return strings.Join(parts, " ")
}

// comparison is one cell of a rule: a measured value against a published one.
type comparison struct {
	printedFigure
	run       bool           // the cell was run
	measured  stats.Estimate // valid if run
	published float64        // the printed number, or its ratio to another one
	unsure    float64        // largest error of published due to printing
}

// ruleCells lists all published cells that a rule judges, run or not. The
// reference of a ratio is no cell, since x/x would always be within.
func ruleCells(r *experiments.Results, t *study.Tolerance, names spec.Names) []comparison {
	var cells []comparison
	figures := printed(r, names)
	for _, f := range figures {
		if f.metric != t.Metric || f.elsewhere || !study.Matches(&f.as, t.Where, names) {
			continue
		}
		c := comparison{printedFigure: f, published: f.value, unsure: f.rounding + f.stated}
		if t.Relative != "" {
			if f.point >= 0 {
				axis := slices.Index(r.AxisKeys(), among(r, *t))
				if axis < 0 || f.as.Labels[axis] == t.Relative {
					continue
				}
			}
			if !divide(r, &c, t, figures) {
				continue
			}
		} else if f.point >= 0 {
			c.measured, c.run = r.Estimate(f.point, t.Metric)
			c.published += t.Offset
		}
		cells = append(cells, c)
	}
	return cells
}

// divide divides a cell by its reference. It reports false if the paper has no
// figure for the reference.
func divide(r *experiments.Results, c *comparison, t *study.Tolerance,
	figures []printedFigure) bool {
	if c.point < 0 {
		return true // not run, so there is nothing to divide
	}
	base, ok := sibling(r, c.point, among(r, *t), t.Relative)
	at := slices.IndexFunc(figures, func(f printedFigure) bool {
		return ok && f.point == base && f.metric == t.Metric
	})
	if at < 0 || figures[at].value == 0 {
		return false
	}
	by := figures[at]
	c.published = c.value / by.value
	size := math.Abs(by.value)
	c.unsure = c.unsure/size + math.Abs(c.published)*(by.rounding+by.stated)/size
	c.measured, c.run = r.Ratio(c.point, base, t.Metric)
	return true
}

// within reports whether a measured cell is as close to the published one as the
// rule requires.
func (c *comparison) within(t *study.Tolerance) bool {
	if !c.run {
		return false
	}
	allowed := t.Within
	if t.Rule == "ratio" {
		allowed *= math.Abs(c.published)
	}
	if t.Interval && !math.IsNaN(c.measured.Half) {
		allowed += c.measured.Half
	}
	// The last term covers the rounding of decimals to binary numbers.
	allowed += c.unsure + 1e-12*math.Abs(c.published)
	return math.Abs(c.measured.Mean-c.published) <= allowed
}
