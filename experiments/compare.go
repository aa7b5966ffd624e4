package experiments

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Verdict is what one rule says about the results.
type Verdict struct {
	// Rule is the rule in words.
	Rule string
	Pass bool
	// Summary counts; Outside lists the cells that are not within.
	Summary string
	Outside []string
}

// Compare tests the results against the study's tolerances. A study without
// any has nothing to say and returns nil; nor have the rules about published
// figures where there are none for any point, as with another log.
func (r *Results) Compare(names Names) []Verdict {
	var verdicts []Verdict
	for _, t := range r.Study.Tolerances {
		switch {
		case r.incomparable(&t) != "":
		case t.Rule == "ranking":
			verdicts = append(verdicts, r.compareRanking(t, names))
		case !r.hasPublished(t.Metric):
		case t.Rule == "order":
			verdicts = append(verdicts, r.compareOrder(t, names))
		default:
			verdicts = append(verdicts, r.compareCells(t, names))
		}
	}
	return verdicts
}

// comparison is one cell: measured against published.
type comparison struct {
	point     int
	measured  Estimate
	published float64
}

// compareCells tests every cell of a ratio or difference rule.
func (r *Results) compareCells(t Tolerance, names Names) Verdict {
	v := Verdict{Rule: describeRule(t)}
	cells, within := r.cells(t, names), 0
	for _, c := range cells {
		off, text := c.measured.Mean/c.published-1, ""
		if t.Rule == "difference" {
			off = c.measured.Mean - c.published
		}
		if math.Abs(off) <= t.Within {
			within++
			continue
		}
		if t.Rule == "difference" {
			text = signed(off)
		} else {
			text = fmt.Sprintf("ratio %.3f", off+1)
		}
		v.Outside = append(v.Outside, fmt.Sprintf("%s: measured %s, published %s, %s",
			strings.Join(r.Points[c.point].Labels, " "), withError(c.measured, "±"), significant(c.published, 5), text))
	}
	least := t.AtLeast
	if least == 0 {
		least = len(cells)
	}
	v.Pass = len(cells) > 0 && within >= least
	v.Summary = fmt.Sprintf("%d of %d cells within, at least %d wanted", within, len(cells), least)
	return v
}

// cells pairs measured and published figures, both divided by those at
// RelativeTo where the rule says so.
func (r *Results) cells(t Tolerance, names Names) []comparison {
	var cells []comparison
	for i := range r.Points {
		e, measured := r.Estimate(i, t.Metric)
		published, known := r.Published(i, t.Metric)
		if !measured || !known || !matches(&r.Points[i], t.Where, names) {
			continue
		}
		if t.Relative != "" {
			base, ok := r.sibling(i, r.among(t), t.Relative)
			reference, known := 0.0, false
			if ok {
				reference, known = r.Published(base, t.Metric)
			}
			if known {
				e, known = r.ratio(i, base, t.Metric)
			}
			if !known {
				continue
			}
			published /= reference
		}
		cells = append(cells, comparison{i, e, published + t.Offset})
	}
	return cells
}

// sibling returns the point that differs from point i in one axis only, where
// it has that label.
func (r *Results) sibling(i int, key, label string) (int, bool) {
	return r.Study.sibling(r.Points, i, key, label)
}

func (st *Study) sibling(points []Point, i int, key, label string) (int, bool) {
	axis := st.axis(key)
	if axis < 0 {
		return 0, false
	}
	want := slices.Clone(points[i].Labels)
	want[axis] = label
	j := slices.IndexFunc(points, func(p Point) bool { return slices.Equal(p.Labels, want) })
	return j, j >= 0
}

// among is the axis a rule ranks or divides along.
func (r *Results) among(t Tolerance) string {
	if keys := r.AxisKeys(); t.Among == "" && len(keys) > 0 {
		return keys[len(keys)-1]
	}
	return t.Among
}

// compareOrder tests Kendall's tau of each group of points that differ in one
// axis only.
func (r *Results) compareOrder(t Tolerance, names Names) Verdict {
	v := Verdict{Rule: describeRule(t)}
	type group struct{ measured, published []float64 }
	groups, order := map[string]*group{}, []string{}
	axis := slices.Index(r.AxisKeys(), r.among(t))
	for _, c := range r.cells(t, names) {
		if axis < 0 {
			break
		}
		labels := slices.Clone(r.Points[c.point].Labels)
		name := strings.Join(slices.Delete(labels, axis, axis+1), " ")
		g, ok := groups[name]
		if !ok {
			g = &group{}
			groups[name], order = g, append(order, name)
		}
		g.measured, g.published = append(g.measured, c.measured.Mean), append(g.published, c.published)
	}
	pass, tried, lowest := 0, 0, math.Inf(1)
	for _, name := range order {
		tau := kendallTau(groups[name].measured, groups[name].published)
		if math.IsNaN(tau) {
			continue // a group of one, or all tied
		}
		tried++
		lowest = min(lowest, tau)
		if tau >= t.Tau {
			pass++
		} else {
			v.Outside = append(v.Outside, fmt.Sprintf("%s: tau %.2f", name, tau))
		}
	}
	v.Pass = tried > 0 && pass == tried
	v.Summary = fmt.Sprintf("%d of %d groups", pass, tried)
	if tried > 0 {
		v.Summary += fmt.Sprintf(", least tau %.2f", lowest)
	}
	return v
}

func describeRule(t Tolerance) string {
	if t.Offset != 0 {
		plain := t
		plain.Offset = 0
		return strings.Replace(describeRule(plain), "published", fmt.Sprintf("(published %+g)", t.Offset), 1)
	}
	switch t.Rule {
	case "order":
		return fmt.Sprintf("%s: Kendall's tau of the order at least %g", t.Metric, t.Tau)
	case "ranking":
		return describeRanking(t)
	case "difference":
		return fmt.Sprintf("%s: measured less published at most %g", t.Metric, t.Within)
	}
	if t.Relative != "" {
		return fmt.Sprintf("%s relative to %s: measured over published within %g%%", t.Metric, t.Relative, 100*t.Within)
	}
	return fmt.Sprintf("%s: measured over published within %g%%", t.Metric, 100*t.Within)
}

// String is the verdict as contend compare prints it.
func (v Verdict) String() string {
	word := "FAIL"
	if v.Pass {
		word = "pass"
	}
	s := fmt.Sprintf("%s  %s (%s)\n", word, v.Rule, v.Summary)
	for _, o := range v.Outside {
		s += "      " + o + "\n"
	}
	return s
}
