package experiments

import (
	"math"
	"slices"

	"contend/experiments/metrics"
	"contend/experiments/stats"
	"contend/experiments/study"
)

// Jumps reports whether time may be jumped over in some run of the study (runs.fast_forward).
func (r *Results) Jumps() bool {
	return slices.ContainsFunc(r.Points, func(p study.Point) bool { return p.Spec.FastForward > 0 })
}

// jumpConfidence is the confidence of the half widths of single runs.
const jumpConfidence = 0.95

// fewAudits is the number of audits of a point from which on jams that none has seen count no more.
const fewAudits = 60

// pooledErrors are the errors that jumps over time leave to numbers that are means over runs, or
// over pairs of runs. Replications do not reduce the part of them that runs share: what the audits
// of all runs show of it is the mean of the biases of the runs. Runs are clusters: the audits of one
// are of the same jobs. So the interval of that mean follows from how biases differ between runs.
type pooledErrors struct {
	biases      []float64 // of each number
	half, alone float64   // sums over the numbers
	unseen      float64   // sum of errors by jams that no audit has seen
}

// add adds a run that the next number has with a factor: by that times its value it may be off.
func (p *pooledErrors) add(run *metrics.Result, metric string, factor float64, audits int) (
	bias float64,
) {
	e := run.JumpError(metric)
	size := math.Abs(factor)
	p.half, p.alone = p.half+size*e.Half, p.alone+size*e.Alone
	if jams, ok := run.Value("unseen_jams"); ok && audits < fewAudits {
		p.unseen += size * jams / 100
	}
	return factor * e.Bias
}

// interval returns half the width of the interval of the error of the mean: 0 without one, NaN
// where it is unknown. It is no wider than the mean of what each run says of itself, which holds for
// errors of one sign. A confidence above that widens the latter in proportion to the logarithm of
// the permitted error; a lower one leaves them.
func (p *pooledErrors) interval(confidence float64) float64 {
	n, factor := float64(len(p.biases)), max(1, math.Log(1-confidence)/math.Log(1-jumpConfidence))
	half, alone := factor*p.half/max(1, n), factor*p.alone/max(1, n)
	if n < 2 || half == 0 {
		return half
	}
	e := stats.EstimateOf(p.biases, confidence)
	shared := math.Abs(e.Mean) + p.unseen/n/n
	if !math.IsNaN(e.Half) {
		shared += e.Half
	}
	if shared = math.Hypot(shared, alone); shared < half {
		return shared
	}
	return half
}

// auditsOf returns the number of audits of the runs of a point.
func (r *Results) auditsOf(point int) (n int) {
	for i := range r.Runs[point] {
		audits, _ := r.Runs[point][i].Value("jumps_audited")
		n += int(audits)
	}
	return n
}

// JumpHalf returns half the width of the interval of the error that jumps over time leave to the
// mean of a metric at a point: 0 without one, NaN where it is unknown.
func (r *Results) JumpHalf(point int, metric string) float64 {
	if r.Points[point].Spec.FastForward == 0 {
		return 0
	}
	var p pooledErrors
	audits := r.auditsOf(point)
	for i := range r.Runs[point] {
		run := &r.Runs[point][i]
		if v, ok := run.Value(metric); ok {
			p.biases = append(p.biases, p.add(run, metric, v, audits))
		}
	}
	return p.interval(r.Study.Runs.Confidence)
}

// pairedJumpHalf returns half the width of the interval of the error that jumps leave to the mean of
// a - b over the common replications of points i and j, each value replaced by a factor times it.
// Equal runs have an exact difference.
func (r *Results) pairedJumpHalf(i, j int, metric string, confidence float64,
	of, by func(value float64) float64,
) float64 {
	x, y, p, q := r.Runs[i], r.Runs[j], &r.Points[i], &r.Points[j]
	if p.Spec.FastForward == 0 && q.Spec.FastForward == 0 || p.Hash == q.Hash ||
		len(x) == 0 || len(y) == 0 {
		return 0
	}
	var both pooledErrors
	audits, auditsBy := r.auditsOf(i), r.auditsOf(j)
	for a, b := range runPairs(x, y, r.Constant(i), r.Constant(j)) {
		v, ok := a.Value(metric)
		w, known := b.Value(metric)
		if ok && known {
			e := both.add(a, metric, of(v), audits)
			e -= both.add(b, metric, by(w), auditsBy)
			if r.Constant(i) != r.Constant(j) { // no two audits of the constant one differ
				e = math.NaN()
			}
			both.biases = append(both.biases, e)
		}
	}
	return both.interval(confidence)
}

// jumpHalfOfLogarithm is pairedJumpHalf for the mean logarithm of a/b. A value that is off by a share
// h has a logarithm that is off by -log(1 - h) at most.
func (r *Results) jumpHalfOfLogarithm(i, j int, metric string, confidence float64,
	of, by func(value float64) float64,
) float64 {
	half := r.pairedJumpHalf(i, j, metric, confidence, of, by)
	if half == 0 {
		return 0
	}
	return -math.Log1p(-min(1, half))
}

// over returns the share of a number in the sum of others.
func over(total float64) func(float64) float64 {
	return func(value float64) float64 { return value / total }
}

// itself returns a number, and one returns 1.
func itself(value float64) float64 { return value }
func one(float64) float64          { return 1 }

// JumpHalfOfRatio returns half the width of the interval of the error that jumps over time leave to
// the logarithm of the ratio of the means of a metric at points i and j (Ratio): 0 without one, NaN
// where it is unknown.
func (r *Results) JumpHalfOfRatio(i, j int, metric string) float64 {
	a, b := r.Paired(i, j, metric)
	return r.jumpHalfOfLogarithm(i, j, metric, r.Study.Runs.Confidence,
		over(stats.Mean(a)), over(stats.Mean(b)))
}
