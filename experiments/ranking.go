package experiments

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// compareRanking tests what a paper says in words: that allocators, say, come
// in a certain order. In each group of points that differ in one axis only, the
// means must not fall along the list, but for the part t.Within. A group of
// which an entry was not run does not hold.
func (r *Results) compareRanking(t Tolerance, names Names) Verdict {
	v := Verdict{Rule: r.describeRule(t), Why: t.Why}
	pass, tried := 0, 0
	for i := range r.Points {
		group := r.rankingFrom(i, t, names)
		if group == nil {
			continue
		}
		tried++
		text := notRun(group, t)
		if text == "" {
			text = fall(group, t)
		}
		if text == "" {
			pass++
		} else {
			v.Outside = append(v.Outside, strings.TrimPrefix(r.groupName(i, r.among(t))+": "+text, ": "))
		}
	}
	least := t.AtLeast
	if least == 0 {
		least = tried
	}
	v.Pass = tried > 0 && pass >= least
	v.Summary = fmt.Sprintf("%d of %d groups", pass, tried)
	return v
}

// rankingFrom returns the means of a group in the order of the ranking, NaN for
// those not there; nil unless point i is the first of them.
func (r *Results) rankingFrom(i int, t Tolerance, names Names) []float64 {
	if slices.Index(r.AxisKeys(), r.among(t)) < 0 {
		return nil
	}
	var means []float64
	first := -1
	for _, label := range t.Ranking {
		mean := math.NaN()
		if at, ok := r.sibling(i, r.among(t), label); ok && matches(&r.Points[at], t.Where, names) {
			if e, measured := r.Estimate(at, t.Metric); measured {
				mean = e.Mean
			}
			if first < 0 {
				first = at
			}
		}
		means = append(means, mean)
	}
	if first != i {
		return nil
	}
	return means
}

// notRun names the entries of a ranking that are not there, "" where all are.
func notRun(means []float64, t Tolerance) string {
	var missing []string
	for i, m := range means {
		if math.IsNaN(m) {
			missing = append(missing, t.Ranking[i])
		}
	}
	if missing == nil {
		return ""
	}
	return "no runs of " + strings.Join(missing, ", ")
}

// fall describes the first step down along the means, "" where there is none.
func fall(means []float64, t Tolerance) string {
	before := -1
	for i, m := range means {
		if math.IsNaN(m) {
			continue
		}
		if before >= 0 && m < means[before]*(1-t.Within) {
			return fmt.Sprintf("%s has %s, %s has %s", t.Ranking[before], significant(means[before], 5), t.Ranking[i], significant(m, 5))
		}
		before = i
	}
	return ""
}

// groupName is a point's labels without that of one axis.
func (r *Results) groupName(i int, key string) string {
	axis := slices.Index(r.AxisKeys(), key)
	labels := slices.Clone(r.Points[i].Labels)
	return strings.Join(slices.Delete(labels, axis, axis+1), " ")
}

func describeRanking(t Tolerance) string {
	text := fmt.Sprintf("%s: from least to most %s", t.Metric, strings.Join(t.Ranking, ", "))
	if t.Within > 0 {
		text += fmt.Sprintf(", a fall of %g%% allowed", 100*t.Within)
	}
	return text
}
