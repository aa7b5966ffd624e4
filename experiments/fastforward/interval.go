package fastforward

import (
	"math"
	"slices"

	"contend/experiments/stats"
)

// observation is what one audit says: means over the jobs of the jump, the length of the jump, and
// as its weight the length times the jobs, over the probability with which it was drawn.
type observation struct {
	errors, levels       [errorKinds]float64
	jobs, cycles, weight float64
}

// jobError is the relative error of the time of a job in an audited jump, without its sign.
type jobError struct{ size, weight float64 }

// addJob adds the error of a job.
func (a *audits) addJob(x jobError) {
	i, _ := slices.BinarySearchFunc(a.jobs, x, func(y, x jobError) int {
		if y.size > x.size {
			return -1
		}
		return 1
	})
	a.jobs = slices.Insert(a.jobs, i, x)
}

// quantile returns a bound that the relative error of a job in a jump exceeds in 5% of jumps: the
// weighted quantile of the errors that audits have seen, with that of the jump in question counted
// as exceeding all (conformal prediction: Tibshirani, Foygel Barber, Candès and Ramdas, NeurIPS
// 2019). Fewer than 20 errors have no such quantile: then it is the largest, and the tolerance at
// least.
func (a *audits) quantile() float64 {
	all := 0.0
	for _, x := range a.jobs {
		all += x.weight
	}
	n := float64(len(a.jobs))
	exceeding := all / max(1, n)
	for _, x := range a.jobs {
		if exceeding += x.weight; exceeding > (1-confidence)*all*(n+1)/n {
			if n < 20 {
				return max(x.size, a.tolerance)
			}
			return x.size
		}
	}
	return a.tolerance
}

// mean returns the mean error of all jumps, and the half width of its 95% interval, per cycle of a
// job, and NaN without audits. With the weights w, the errors x, the mean forecast as their level
// and m' = (Σw)²/Σw² (Kish, Survey Sampling, 1965, sec. 11.7) the half width is
//
//	t·s/√m' + (3/m')·max(tolerance·level, largest |x|),
//
// where Student's t has m' - 1 degrees of freedom. The second term is the rule of three (Hanley and
// Lippman-Hand, JAMA 249, 1983): where m' audits show no jam, up to 3/m' of the time may jam. The
// error of a jump that is shorter than the mean counts for the share of it.
func (a *audits) mean(kind int) (bias, half float64) {
	var w, w2, level, cycles, largest float64
	for i := range a.list {
		o := &a.list[i]
		w, w2 = w+o.weight, w2+o.weight*o.weight
		bias += o.weight * o.errors[kind]
		level += o.weight * o.levels[kind]
		cycles += o.cycles
	}
	if w == 0 {
		return 0, math.NaN()
	}
	bias, level = bias/w, level/w
	n, squares := w*w/w2, 0.0
	for i := range a.list {
		o := &a.list[i]
		squares += o.weight * (o.errors[kind] - bias) * (o.errors[kind] - bias)
		share := min(1, o.cycles*float64(len(a.list))/cycles)
		largest = max(largest, share*math.Abs(o.errors[kind]))
	}
	half = 3 / n * max(a.tolerance*level, largest)
	if n >= 2 {
		half += stats.Half(squares/w/(n-1), int(n)-1, confidence)
	}
	return bias, half
}

// halfOf returns the half width of a 95% interval from a variance that is known.
func halfOf(variance float64) float64 {
	if variance == 0 {
		return 0
	}
	return stats.Half(variance, math.MaxInt32, confidence)
}

// serviceHalf returns the half width of the 95% interval of the mean service time, relative to it,
// with the bias that audits show.
func (e *Executor) serviceHalf() float64 {
	half := halfOf(e.sums.drawnVariance)
	if e.sums.unsureCycles > 0 {
		bias, mean := e.audits.mean(timeError)
		if math.IsNaN(mean) {
			mean = e.config.Tolerance
		}
		half += (math.Abs(bias) + mean) * e.sums.unsureCycles
	}
	return half / e.sums.serviceCycles
}

// waitHalf returns the half width of the 95% interval of a sum of waits, relative to it. Where no
// audit has seen a wait, those that are estimates may be wrong as a whole.
func (e *Executor) waitHalf(sum, kind int) float64 {
	all, half := e.sums.messages[sum], e.sums.onePeriod[sum]
	if unsure := all - e.sums.sure[sum]; unsure > 0 {
		bias, mean := e.audits.mean(kind)
		if mean += math.Abs(bias); mean > 0 {
			half += mean * e.sums.unsureCycles
		} else {
			half += unsure
		}
	}
	if half == 0 {
		return 0
	}
	return half / all
}
