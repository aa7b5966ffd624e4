package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"contend/experiments"
	"contend/experiments/spec"
	"contend/experiments/stats"
)

// printedFigure is one printed number: a metric of a row of published figures.
type printedFigure struct {
	row    int
	metric string
	value  float64
	text   string // value as it is printed
	// rounding is half a unit of the last digit printed.
	rounding float64
	// stated is the error the paper states beside the number, 0 if none.
	stated float64
	// point is that of the study, -1 where flags have left it out.
	point int
	// as is the point the row describes, as far as the row does.
	as experiments.Point
	// elsewhere tells that another study has the number as its own.
	elsewhere bool
}

// printed lists the published figures in the order of their rows.
func printed(r *experiments.Results, names spec.Names) []printedFigure {
	var all []printedFigure
	for n, row := range r.Study.Published.MustRows() {
		as := experiments.Point{Spec: r.Study.Base}
		for _, key := range spec.SortedKeys(row.Where) {
			if err := r.Study.Assign(&as, key, row.Where[key], names); err != nil {
				continue // flags have taken the variant out
			}
		}
		var met []int
		for i := range r.Points {
			if experiments.Matches(&r.Points[i], row.Where, names) {
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
					experiments.Matches(&f.as, r.Study.Published.Elsewhere, names)
				all = append(all, f)
			}
		}
	}
	return all
}

// name tells which number of the study it is.
func (f *printedFigure) name(rows []experiments.PublishedRow) string {
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

// comparison is one cell of a rule: measured against published.
type comparison struct {
	printedFigure
	// run tells whether there is something measured.
	run      bool
	measured stats.Estimate
	// published is the printed number, or its ratio to another one.
	published float64
	// unsure is by how much published may be off as printed.
	unsure float64
}

// ruleCells lists all published cells a rule is about, run or not. What others
// are divided by is no cell: there x/x would always be within.
func ruleCells(r *experiments.Results, t *experiments.Tolerance, names spec.Names) []comparison {
	var cells []comparison
	figures := printed(r, names)
	for _, f := range figures {
		if f.metric != t.Metric || f.elsewhere || !experiments.Matches(&f.as, t.Where, names) {
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

// divide makes a cell relative to another; false where the paper has no figure
// to divide by.
func divide(r *experiments.Results, c *comparison, t *experiments.Tolerance,
	figures []printedFigure) bool {
	if c.point < 0 {
		return true // not run, whatever it is divided by
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

// within tells whether a measured cell is as near to the published one as the
// rule asks for.
func (c *comparison) within(t *experiments.Tolerance) bool {
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
	// the last: what binary numbers make of decimals
	allowed += c.unsure + 1e-12*math.Abs(c.published)
	return math.Abs(c.measured.Mean-c.published) <= allowed
}
