package experiments

import (
	"math"
	"slices"

	"contend/experiments/stats"
	"contend/experiments/study"
)

// Jumps reports whether time may be jumped over in some run of the study (runs.fast_forward).
func (r *Results) Jumps() bool {
	return slices.ContainsFunc(r.Points, func(p study.Point) bool { return p.Spec.FastForward > 0 })
}

// jumpConfidence is the confidence of the intervals of jumps.
const jumpConfidence = 0.95

// jumpHalf returns half the width of the interval of the error that jumps over time leave to the
// mean of a metric at a point, as stats.Estimate.WithShared adds it: 0 without one, NaN where it is
// unknown. Runs of a point jump by the same rules, so their errors may have one sign. So their half
// widths are averaged, and do not shrink with the root of their number. A confidence above that of
// jumps widens them in proportion to the logarithm of the permitted error: so the rule of three in
// them grows, and normal quantiles grow less. A lower confidence leaves them as runs state them.
func (r *Results) jumpHalf(point int, metric string) float64 {
	if r.Points[point].Spec.FastForward == 0 {
		return 0
	}
	sum, n := 0.0, 0
	for i := range r.Runs[point] {
		run := &r.Runs[point][i]
		if _, ok := run.Value(metric); ok {
			sum += run.JumpHalf(metric)
			n++
		}
	}
	return sum / float64(max(1, n)) * jumpFactor(r.Study.Runs.Confidence)
}

// jumpFactor is what half widths of jumps are multiplied by for a confidence.
func jumpFactor(confidence float64) float64 {
	return max(1, math.Log(1-confidence)/math.Log(1-jumpConfidence))
}

// jumpHalves are those of the means a and b of paired runs, and of the mean logarithm of their
// ratios.
type jumpHalves struct{ a, b, logarithm float64 }

// pairedJumpHalves returns what jumps leave to means over the common replications of points i and
// j. The jumps of two points have different errors, so halves add. Equal runs have an exact ratio.
func (r *Results) pairedJumpHalves(i, j int, metric string, confidence float64,
) (half jumpHalves) {
	x, y, p, q := r.Runs[i], r.Runs[j], &r.Points[i], &r.Points[j]
	if p.Spec.FastForward == 0 && q.Spec.FastForward == 0 || p.Hash == q.Hash ||
		len(x) == 0 || len(y) == 0 {
		return jumpHalves{}
	}
	factor, n := jumpFactor(confidence), 0.0
	for a, b := range runPairs(x, y, r.Constant(i), r.Constant(j)) {
		v, ok := a.Value(metric)
		w, both := b.Value(metric)
		if !ok || !both {
			continue
		}
		of, by := factor*a.JumpHalf(metric), factor*b.JumpHalf(metric)
		half.a, half.b = half.a+of, half.b+by
		half.logarithm += logarithmHalf(of, v) + logarithmHalf(by, w)
		n++
	}
	if n == 0 {
		return jumpHalves{}
	}
	return jumpHalves{half.a / n, half.b / n, half.logarithm / n}
}

// logarithmHalf returns by how much the logarithm of a value may be off if the value is off by
// half: a value that is off by a share h of it has a logarithm that is off by -log(1 - h) at most.
func logarithmHalf(half, value float64) float64 {
	if half == 0 {
		return 0
	}
	return -math.Log1p(-min(1, half/math.Abs(value)))
}

// JumpHalfOfRatio returns half the width of the interval of the error that jumps over time leave to
// the logarithm of the ratio of the means of a metric at points i and j (Ratio): 0 without one, NaN
// where it is unknown.
func (r *Results) JumpHalfOfRatio(i, j int, metric string) float64 {
	a, b := r.Paired(i, j, metric)
	half := r.pairedJumpHalves(i, j, metric, r.Study.Runs.Confidence)
	return logarithmHalf(half.a, stats.Mean(a)) + logarithmHalf(half.b, stats.Mean(b))
}
