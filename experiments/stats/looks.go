package stats

// Whoever adds values until an interval leaves out 0 and looks k times errs more often than
// the interval says. These functions divide the permitted error over all looks, of which there
// may be any number: the k-th look gets 1/(k(k+1)) of it, and 1/2 + 1/6 + 1/12 + ... = 1. By
// the union bound the intervals of all looks hold together with the stated confidence, so the
// one at which somebody stops holds too, for whatever reason he does (Jennison and Turnbull,
// Group Sequential Methods, 2000, ch. 9: repeated confidence intervals). The bound costs
// width: with many values and 95%, a seventh at the first look and three fifths at the fifth.

// LookConfidence returns the confidence of an interval at a look, from 1, so that the
// intervals of all looks hold together with the given confidence.
func LookConfidence(look int, confidence float64) float64 {
	return 1 - (1-confidence)/looks(look)
}

// LookP returns the p-value of a test at a look, corrected for all looks: at most 1.
func LookP(look int, p float64) float64 { return min(1, p*looks(look)) }

// looks returns the reciprocal of the share of the error that a look gets.
func looks(look int) float64 { return float64(look) * float64(look+1) }
