package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"contend/experiments"
	"contend/experiments/stats"
	"contend/experiments/study"
	"contend/internal/input"
)

// PrintedNumber is one number that a paper prints: a metric of a row of published values.
type PrintedNumber struct {
	Row       int     // index of the row
	Metric    string  // of the row
	Name      string  // labels of the point; values of the row if no point belongs to it
	Ran       bool    // some run measured it
	Value     float64 // the number
	Text      string  // the number as printed
	Point     int     // index of the point, -1 if flags have left it out
	Elsewhere bool    // the number belongs to another study

	rounding float64     // half a unit of the last printed digit
	stated   float64     // error that the paper states for the number, 0 if none
	as       study.Point // the point; with the keys of the row if flags have left it out
}

// Printed lists the published values of the study in the order of their rows.
func Printed(r *experiments.Results) []PrintedNumber {
	var all []PrintedNumber
	for n, row := range r.Study.Published.Rows() {
		as := study.Point{Spec: r.Study.Base}
		for _, key := range input.SortedKeys(row.Where) {
			if err := r.Study.Assign(&as, key, row.Where[key]); err != nil {
				continue // flags have left out the variant
			}
		}
		var matching []int
		for i := range r.Points {
			if study.Matches(&r.Points[i], row.Where) {
				matching = append(matching, i)
			}
		}
		name := ""
		if matching == nil {
			matching = []int{-1}
			var parts []string
			for _, key := range input.SortedKeys(row.Where) {
				parts = append(parts, fmt.Sprint(row.Where[key]))
			}
			name = strings.Join(parts, " ")
		}
		for _, metric := range input.SortedKeys(row.Values) {
			for _, i := range matching {
				f := PrintedNumber{Row: n, Metric: metric, Name: name, Value: row.Values[metric],
					Text: row.Texts[metric], rounding: row.Rounding[metric],
					stated: row.Stated[metric], Point: i, as: as}
				if i >= 0 {
					f.as, f.Name = r.Points[i], strings.Join(r.Points[i].Labels, " ")
					_, f.Ran = r.Estimate(i, metric)
				}
				f.Elsewhere = r.Study.Published.Elsewhere != nil &&
					study.Matches(&f.as, r.Study.Published.Elsewhere)
				all = append(all, f)
			}
		}
	}
	return all
}

// Cell is one cell of a rule: a measured value against a published one.
type Cell struct {
	PrintedNumber
	Run       bool           // the cell was run
	Measured  stats.Estimate // valid if run
	Published float64        // the printed number, or its ratio to another one
	Within    bool           // the cell is as close as the rule requires
	unsure    float64        // largest error of Published due to printing
}

// RuleCells lists all published cells that a rule judges, run or not. The
// reference of a ratio is no cell, since x/x would always be within.
func RuleCells(r *experiments.Results, t *study.Tolerance) []Cell {
	var cells []Cell
	figures := Printed(r)
	for _, f := range figures {
		if f.Metric != t.Metric || f.Elsewhere || !study.Matches(&f.as, t.Where) {
			continue
		}
		c := Cell{PrintedNumber: f, Published: f.Value, unsure: f.rounding + f.stated}
		if t.Relative != "" {
			if f.Point >= 0 {
				axis := slices.Index(r.AxisKeys(), t.AmongKey(r.Study))
				if axis < 0 || f.as.Labels[axis] == t.Relative {
					continue
				}
			}
			if !divideByReference(r, &c, t, figures) {
				continue
			}
		} else if f.Point >= 0 {
			c.Measured, c.Run = r.Estimate(f.Point, t.Metric)
			c.Published += t.Offset
		}
		c.Within = c.within(t)
		cells = append(cells, c)
	}
	return cells
}

// Ratio returns measured over published, NaN where it is not defined.
func (c *Cell) Ratio() float64 {
	if !c.Run || c.Published == 0 {
		return math.NaN()
	}
	return c.Measured.Mean / c.Published
}

// divideByReference divides a cell by its reference. It reports false if the paper has no number
// for the reference.
func divideByReference(r *experiments.Results, c *Cell, t *study.Tolerance,
	figures []PrintedNumber) bool {
	if c.Point < 0 {
		return true // not run, so there is nothing to divide
	}
	base, ok := r.Study.Sibling(r.Points, c.Point, t.AmongKey(r.Study), t.Relative)
	at := slices.IndexFunc(figures, func(f PrintedNumber) bool {
		return ok && f.Point == base && f.Metric == t.Metric
	})
	if at < 0 || figures[at].Value == 0 {
		return false
	}
	by := figures[at]
	c.Published = c.Value / by.Value
	size := math.Abs(by.Value)
	c.unsure = c.unsure/size + math.Abs(c.Published)*(by.rounding+by.stated)/size
	c.Measured, c.Run = r.Ratio(c.Point, base, t.Metric)
	return true
}

// within reports whether a measured cell is as close to the published one as the
// rule requires.
func (c *Cell) within(t *study.Tolerance) bool {
	if !c.Run {
		return false
	}
	allowed := t.Within
	if t.Rule == "ratio" {
		allowed *= math.Abs(c.Published)
	}
	if t.Interval && !math.IsNaN(c.Measured.Half) {
		allowed += c.Measured.Half
	}
	// The last term covers the rounding of decimals to binary numbers.
	allowed += c.unsure + 1e-12*math.Abs(c.Published)
	return math.Abs(c.Measured.Mean-c.Published) <= allowed
}
