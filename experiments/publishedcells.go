package experiments

import (
	"fmt"
	"math"
	"slices"
	"strings"
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
	as Point
	// elsewhere tells that another study has the number as its own.
	elsewhere bool
}

// printed lists the published figures in the order of their rows.
func (r *Results) printed(names Names) []printedFigure {
	var all []printedFigure
	for n, row := range r.Study.Published.mustRows() {
		as := Point{Spec: r.Study.Base}
		for _, key := range sortedKeys(row.where) {
			if err := r.Study.assign(&as, key, row.where[key], names); err != nil {
				continue // flags have taken the variant out
			}
		}
		var met []int
		for i := range r.Points {
			if matches(&r.Points[i], row.where, names) {
				met = append(met, i)
			}
		}
		if met == nil {
			met = []int{-1}
		}
		for _, metric := range sortedKeys(row.values) {
			for _, i := range met {
				f := printedFigure{row: n, metric: metric, value: row.values[metric],
					text: row.texts[metric], rounding: row.rounding[metric],
					stated: row.stated[metric], point: i, as: as}
				if i >= 0 {
					f.as = r.Points[i]
				}
				f.elsewhere = r.Study.Published.Elsewhere != nil &&
					matches(&f.as, r.Study.Published.Elsewhere, names)
				all = append(all, f)
			}
		}
	}
	return all
}

// name tells which number of the study it is.
func (f *printedFigure) name(rows []publishedRow) string {
	if f.point >= 0 {
		return strings.Join(f.as.Labels, " ")
	}
	var parts []string
	where := rows[f.row].where
	for _, key := range sortedKeys(where) {
		parts = append(parts, fmt.Sprint(where[key]))
	}
	return strings.Join(parts, " ")
}

// comparison is one cell of a rule: measured against published.
type comparison struct {
	printedFigure
	// run tells whether there is something measured.
	run      bool
	measured Estimate
	// published is the printed number, or its ratio to another one.
	published float64
	// unsure is by how much published may be off as printed.
	unsure float64
}

// ruleCells lists all published cells a rule is about, run or not. What others
// are divided by is no cell: there x/x would always be within.
func (r *Results) ruleCells(t *Tolerance, names Names) []comparison {
	var cells []comparison
	figures := r.printed(names)
	for _, f := range figures {
		if f.metric != t.Metric || f.elsewhere || !matches(&f.as, t.Where, names) {
			continue
		}
		c := comparison{printedFigure: f, published: f.value, unsure: f.rounding + f.stated}
		if t.Relative != "" {
			if f.point >= 0 {
				axis := slices.Index(r.AxisKeys(), r.among(*t))
				if axis < 0 || f.as.Labels[axis] == t.Relative {
					continue
				}
			}
			if !r.divide(&c, t, figures) {
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
func (r *Results) divide(c *comparison, t *Tolerance, figures []printedFigure) bool {
	if c.point < 0 {
		return true // not run, whatever it is divided by
	}
	base, ok := r.sibling(c.point, r.among(*t), t.Relative)
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
	c.measured, c.run = r.ratio(c.point, base, t.Metric)
	return true
}

// within tells whether a measured cell is as near to the published one as the
// rule asks for.
func (c *comparison) within(t *Tolerance) bool {
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
	allowed += c.unsure + 1e-12*math.Abs(c.published) // the last: what binary numbers make of decimals
	return math.Abs(c.measured.Mean-c.published) <= allowed
}
