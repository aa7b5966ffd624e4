package scheduler

import (
	"math"
	"math/rand/v2"
	"slices"
)

// Each purpose has its own random stream, so that drawing more or fewer numbers for one purpose
// never shifts the draws of another. Two workloads that differ in patterns have the same sizes and
// arrivals.
const (
	purposeSides = iota + 1
	purposeArrivals
	purposeService
	purposeQuota
	purposePattern
	purposeJobSeed
	purposeReplicas
	purposeShake
	purposeGroupPattern
)

// stream returns the random stream of one purpose.
func stream(seed, purpose uint64) *rand.Rand {
	return rand.New(rand.NewPCG(mix(seed+purpose*0x9e3779b97f4a7c15), mix(seed^mix(purpose))))
}

// mix is the finaliser of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014). It spreads
// seeds that differ in few bits over all 64 bits.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// Distribution is a distribution of a positive quantity.
type Distribution struct {
	// Kind is exponential or fixed. An empty kind means no distribution: every draw is
	// 0.
	Kind string
	// Mean is the mean of the exponential distribution, or the fixed value. Its unit and
	// range depend on the quantity.
	Mean float64
}

// checkGiven refuses a distribution without a kind, or one that is wrong.
func (d Distribution) checkGiven(field string) error {
	if d.Kind == "" {
		return badField(field+".Kind", "is missing: it must be exponential or fixed")
	}
	return d.check(field, 0)
}

// check refuses a distribution that is wrong, or whose mean is below lowest.
func (d Distribution) check(field string, lowest float64) error {
	switch d.Kind {
	case "":
		return nil
	case "exponential", "fixed":
	default:
		return badField(field+".Kind", "is %q: it must be exponential or fixed", d.Kind)
	}
	if !(d.Mean >= lowest) || d.Mean > maxSeconds {
		return badField(field+".Mean", "is %v: it must be a positive number, at most %v", d.Mean,
			maxSeconds)
	}
	return nil
}

// draw returns a draw from the distribution.
func (d Distribution) draw(r *rand.Rand) float64 {
	switch d.Kind {
	case "exponential":
		return float64(d.Mean * r.ExpFloat64())
	case "fixed":
		return d.Mean
	}
	return 0
}

// picker draws indices with given probabilities.
type picker struct {
	p []float64 // adds up to 1
	r *rand.Rand
}

// newPicker returns a picker of indices with probabilities in the ratio of weights. Without
// weights it picks 0.
func newPicker(field string, weights []float64, seed uint64) (*picker, error) {
	sum := 0.0
	for i, w := range weights {
		if !(w >= 0) || math.IsInf(w, 1) {
			return nil, badField(field, "has %v as weight %d: it must be 0 or more", w, i+1)
		}
		sum += w
	}
	if len(weights) > 0 && !(sum > 0) {
		return nil, badField(field, "has no weight above 0")
	}
	p := slices.Clone(weights)
	for i := range p {
		p[i] /= sum
	}
	return &picker{p: p, r: stream(seed, purposePattern)}, nil
}

// pick draws an index with the probabilities of the picker.
func (k *picker) pick() int {
	if len(k.p) == 0 {
		return 0
	}
	return pickIndex(k.p, k.r.Float64())
}

// pickIndex returns the first index whose cumulative probability exceeds u. It never
// returns an index of probability zero, whatever the rounding error of the sum.
func pickIndex(p []float64, u float64) int {
	last := 0
	for i, q := range p {
		if q == 0 {
			continue
		}
		if last = i; u < q {
			break
		}
		u -= q
	}
	return last
}
