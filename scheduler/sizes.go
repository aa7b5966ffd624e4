package scheduler

import (
	"math"
	"math/bits"

	"contend/internal/call"
	"contend/internal/decimal"
)

// SizeConfig describes the distribution of the number of nodes that a generated job requests. It
// depends on the machine by its number of nodes alone: machines with the same number have jobs of
// the same sizes, whatever joins their nodes.
type SizeConfig struct {
	// Distribution is one of
	//
	//   - uniform: the sizes from Min to Max, all alike
	//   - log-uniform: sizes from Min to Max, whose logarithm is uniform (Downey, HPDC 1997)
	//   - power-of-two: the powers of two from Min to Max, all alike; powers of two prevail in logs
	//     (Feitelson, JSSPP 1996)
	//   - exponential: an exponential draw of the mean Mean, moved to the nearest size of the machine
	//   - fixed: Value
	//   - weighted: sizes with Weights
	//
	// If it is empty, jobs draw sides.
	Distribution string
	// Min and Max bound sizes. Max = 0 means the machine's number of nodes.
	Min, Max int
	Mean     float64       // of exponential draws, above 0 and at most the machine's number of nodes
	Value    int           // the fixed size
	Weights  []call.Weight // of weighted sizes
}

// sizeField is the field that errors name.
const sizeField = "SyntheticConfig.Size"

// Check returns an error if jobs of these sizes do not fit a machine of n nodes.
func (c SizeConfig) Check(n int) error {
	_, err := c.table(n)
	return err
}

// DependsOnMachine reports whether sizes depend on the machine's number of nodes.
func (c SizeConfig) DependsOnMachine() bool {
	bounds := c.Distribution == "uniform" || c.Distribution == "log-uniform" ||
		c.Distribution == "power-of-two"
	return bounds && c.Max == 0 || c.Distribution == "exponential"
}

// table returns p, where p[k] is the probability of size k on a machine of n nodes. A size drawn
// with u from [0, 1) is the first one whose cumulative probability exceeds u.
func (c SizeConfig) table(n int) ([]float64, error) {
	p := make([]float64, n+1)
	switch c.Distribution {
	case "uniform", "log-uniform", "power-of-two":
		low, high := max(1, c.Min), c.Max
		if high == 0 {
			high = n
		}
		if high < low || high > n {
			return nil, badField(sizeField, "has sizes from %d to %d, and the machine has %d nodes", low,
				high, n)
		}
		for k := low; k <= high; k++ {
			p[k] = c.weight(k)
		}
	case "exponential":
		if !(c.Mean > 0) || c.Mean > float64(n) {
			return nil, badField(sizeField, "has the mean %v, and the machine has %d nodes", c.Mean, n)
		}
		// The probability that a draw is above k and a half. Each size has the draws within a half.
		above := func(k int) float64 { return exp(-(float64(k) + 0.5) / c.Mean) }
		for k := 1; k < n; k++ {
			p[k] = above(k-1) - above(k)
		}
		p[n] = above(n - 1)
		p[1] += 1 - above(0)
	case "fixed", "weighted":
		list := c.Weights
		if c.Distribution == "fixed" {
			list = []call.Weight{{Value: c.Value, Weight: 1}}
		}
		for _, w := range list {
			if w.Value < 1 || w.Value > n {
				return nil, badField(sizeField, "has the size %d, and the machine has %d nodes", w.Value, n)
			}
			p[w.Value] += w.Weight
		}
	default:
		return nil, badField(sizeField, "has the distribution %q: it must be uniform, log-uniform, "+
			"power-of-two, exponential, fixed or weighted", c.Distribution)
	}
	sum := 0.0
	for _, q := range p {
		sum += q
	}
	if !(sum > 0) {
		return nil, badField(sizeField, "has no power of two from %d to %d", c.Min, c.Max)
	}
	for k := range p {
		p[k] /= sum
	}
	return p, nil
}

// weight returns how often a size is drawn that is within the bounds, relative to others.
func (c SizeConfig) weight(k int) float64 {
	switch {
	case c.Distribution == "log-uniform":
		return decimal.Rounded(math.Log1p(1/float64(k)), lublinDigits)
	case c.Distribution == "power-of-two" && bits.OnesCount(uint(k)) != 1:
		return 0
	}
	return 1
}

// Round returns how the mean size is rounded, for RoundToPower: to a power of two if all sizes are
// powers of two, because jobs may need such a size.
func (c SizeConfig) Round() string {
	powers := c.Distribution == "weighted"
	for _, w := range c.Weights {
		powers = powers && bits.OnesCount(uint(w.Value)) == 1
	}
	if powers || c.Distribution == "power-of-two" {
		return "nearest"
	}
	return "none"
}
