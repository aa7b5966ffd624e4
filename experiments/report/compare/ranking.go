package compare

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"contend/experiments"
	"contend/experiments/report/tables"
	"contend/experiments/spec"
)

// compareRanking tests an order that a paper states in words, for example of
// allocators. In each group of points that differ in one axis only, a mean must
// not be lower than the one before it by more than the fraction t.Within. A group
// fails if one of its entries was not run.
func compareRanking(v *Verdict, r *experiments.Results, t *experiments.Tolerance,
	names spec.Names) {
	pass, tried := 0, 0
	for i := range r.Points {
		group := rankingFrom(r, i, t, names)
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
			v.Outside = append(v.Outside, strings.TrimPrefix(groupName(r, i, among(r, t))+": "+text,
				": "))
		}
	}
	v.decide(t, pass, tried)
	v.Summary = fmt.Sprintf("%d of %d groups", pass, tried)
}

// rankingFrom returns the means of a group in the order of the ranking, NaN for
// missing ones. It returns nil unless point i is the first of the group.
func rankingFrom(r *experiments.Results, i int, t *experiments.Tolerance,
	names spec.Names) []float64 {
	if slices.Index(r.AxisKeys(), among(r, t)) < 0 {
		return nil
	}
	var means []float64
	first := -1
	for _, label := range t.Ranking {
		mean := math.NaN()
		if at, ok := tables.Sibling(r, i, among(r, t), label); ok &&
			experiments.Matches(&r.Points[at], t.Where, names) {
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

// notRun names the missing entries of a ranking, "" if there are none.
func notRun(means []float64, t *experiments.Tolerance) string {
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

// fall describes the first step down along the means, "" if there is none.
func fall(means []float64, t *experiments.Tolerance) string {
	before := -1
	for i, m := range means {
		if math.IsNaN(m) {
			continue
		}
		if before >= 0 && m < means[before]-t.Within*math.Abs(means[before]) {
			return fmt.Sprintf("%s has %s, %s has %s", t.Ranking[before],
				tables.Significant(means[before], 5), t.Ranking[i], tables.Significant(m, 5))
		}
		before = i
	}
	return ""
}

// groupName returns a point's labels without that of one axis.
func groupName(r *experiments.Results, i int, key string) string {
	axis := slices.Index(r.AxisKeys(), key)
	labels := slices.Clone(r.Points[i].Labels)
	return strings.Join(slices.Delete(labels, axis, axis+1), " ")
}

// describeRanking returns in words what a ranking rule requires.
func describeRanking(t *experiments.Tolerance) string {
	text := fmt.Sprintf("%s: from least to most %s", t.Metric, strings.Join(t.Ranking, ", "))
	if t.Within > 0 {
		text += fmt.Sprintf(", a fall of %s allowed", percent(t.Within))
	}
	return text
}
