package stats

// LookConfidence returns the confidence of the interval at the k-th look, from 1, so that the
// intervals of all looks hold together with the given confidence. Whoever adds values until an
// interval leaves out 0 errs more often than a single interval says, so the permitted error
// α = 1 - confidence is divided over all looks, of which there may be any number:
//
//	α(k) = α / (k (k + 1)), and Σ 1/(k (k + 1)) = 1/2 + 1/6 + 1/12 + ... = 1
//
// By the union bound the interval at which somebody stops holds too, for whatever reason he stops
// (Jennison and Turnbull, Group Sequential Methods, 2000, ch. 9: repeated confidence intervals).
// The bound costs width: with many values and 95%, a seventh at the first look and three fifths at
// the fifth.
func LookConfidence(look int, confidence float64) float64 {
	return 1 - (1-confidence)/lookFactor(look)
}

// LookP returns the p-value of a test at a look, corrected for all looks: min(1, p k (k + 1)).
func LookP(look int, p float64) float64 { return min(1, p*lookFactor(look)) }

// lookFactor returns k (k + 1), the reciprocal of the share of the error that look k gets.
func lookFactor(look int) float64 { return float64(look) * float64(look+1) }
