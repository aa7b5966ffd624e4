package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"contend/experiments"
	"contend/experiments/config"
	"contend/experiments/report/tables"
	"contend/experiments/study"
)

// compareRanking tests an order that a paper states in words, for example of
// allocators. In each group of points that differ in one axis only, a mean must
// not be lower than the one before it by more than the fraction t.Within. A group
// fails if one of its entries was not run.
func compareRanking(v *Verdict, r *experiments.Results, t *study.Tolerance,
	names *config.Registry) {
	pass, tried, axis := 0, 0, slices.Index(r.AxisKeys(), t.AmongKey(r.Study))
	for i := range r.Points {
		means := rankingFrom(r, i, t, names)
		if axis < 0 || means == nil {
			continue
		}
		tried++
		if text := fall(means, t); text == "" {
			pass++
		} else {
			group := strings.Join(slices.Delete(slices.Clone(r.Points[i].Labels), axis, axis+1), " ")
			v.Details = append(v.Details, strings.TrimPrefix(group+": "+text, ": "))
		}
	}
	v.decide(t, pass, tried)
	v.Summary = fmt.Sprintf("%d of %d groups", pass, tried)
}

// rankingFrom returns the means of a group in the order of the ranking, NaN for
// missing ones. It returns nil unless point i is the first of the group.
func rankingFrom(r *experiments.Results, i int, t *study.Tolerance, names *config.Registry,
) (means []float64) {
	first := -1
	for _, label := range t.Ranking {
		mean := math.NaN()
		if at, ok := r.Study.Sibling(r.Points, i, t.AmongKey(r.Study), label); ok &&
			study.Matches(&r.Points[at], t.Where) {
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

// fall names the missing entries of a ranking, else describes the first step down along the means.
// It is "" if the ranking holds.
func fall(means []float64, t *study.Tolerance) string {
	var missing []string
	for i, m := range means {
		if math.IsNaN(m) {
			missing = append(missing, t.Ranking[i])
		}
	}
	if missing != nil {
		return "no runs of " + strings.Join(missing, ", ")
	}
	for i, m := range means[1:] {
		if before := means[i]; m < before-t.Within*math.Abs(before) {
			return fmt.Sprintf("%s has %s, %s has %s", t.Ranking[i], tables.Significant(before, 5),
				t.Ranking[i+1], tables.Significant(m, 5))
		}
	}
	return ""
}

// describeRanking returns in words what a ranking rule requires.
func describeRanking(t *study.Tolerance) string {
	text := fmt.Sprintf("%s: from least to most %s", t.Metric, strings.Join(t.Ranking, ", "))
	if t.Within > 0 {
		text += fmt.Sprintf(", a fall of %s allowed", percentOf(t.Within))
	}
	return text
}
