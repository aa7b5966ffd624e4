//go:build long

package experiments

import (
	"math"
	"math/rand/v2"
	"testing"

	"contend/experiments/stats"
	"contend/experiments/study"
)

// Of 1,000 studies that stop at 5% of the mean, the 95% intervals hold the mean in
// 93 to 97% where runs are normal or nearly so, however many it takes. With the
// long tail of an exponential distribution intervals of ten runs are 5 points
// short of it without any rule of stopping; stopping takes 3 more at the worst.
func TestLongStoppedIntervalsCover(t *testing.T) {
	normal := func(rng *rand.Rand, deviation float64) float64 {
		return 1 + deviation*rng.NormFloat64()
	}
	lognormal := func(rng *rand.Rand, deviation float64) float64 {
		v := math.Log(1 + deviation*deviation)
		return math.Exp(math.Sqrt(v)*rng.NormFloat64() - v/2)
	}
	exponential := func(rng *rand.Rand, deviation float64) float64 {
		return 1 + deviation*(rng.ExpFloat64()-1)
	}
	for _, k := range []struct {
		name        string
		draw        func(*rand.Rand, float64) float64
		deviation   float64
		least, most float64
	}{
		{"normal", normal, 0.06, 93, 97}, {"normal", normal, 0.1, 93, 97}, {"normal", normal, 0.15,
			93, 97},
		{"lognormal", lognormal, 0.1, 92, 97},
		{"exponential", exponential, 0.03, 87, 93}, {"exponential", exponential, 0.15, 84, 90},
	} {
		draw := func(rng *rand.Rand) float64 { return k.draw(rng, k.deviation) }
		share, runs := coverage(t, 3, 1000, draw)
		t.Logf("%s, deviation %g: %.1f%%, %.1f runs", k.name, k.deviation, share, runs)
		if share < k.least || share > k.most {
			t.Errorf("%s of deviation %g: %.1f%% of the intervals hold the mean, want %g to %g%%",
				k.name, k.deviation, share, k.least, k.most)
		}
	}
}

// endedRule runs a study with a precision to reach on values of a distribution of
// mean 1, and returns what it says of the mean.
func endedRule(st *study.Study, p *study.Point, draw func() float64) stats.Estimate {
	f := NewMemory("")
	for n := 0; ; {
		wanted := f.wantedRuns(p, st)
		if wanted == n {
			return stats.EstimateOf(valuesOf(f.firstRuns(p.Hash, n), "wait_time"), st.Runs.Confidence)
		}
		for ; n < wanted; n++ {
			f.Records[RunKey{p.Hash, n}] = runOf("wait_time", draw())
		}
	}
}

// coverage returns the share of studies, in percent, whose 95% interval holds the mean of 1, and
// the mean number of replications they took.
func coverage(t *testing.T, replications, studies int,
	draw func(*rand.Rand) float64) (share, runs float64) {
	t.Helper()
	st := waitStudy(t, replications, 1000, 0.05)
	rng := rand.New(rand.NewPCG(17, uint64(replications)))
	for range studies {
		e := endedRule(st, &study.Point{Hash: "p"}, func() float64 { return draw(rng) })
		if math.Abs(e.Mean-1) <= e.Half {
			share += 100 / float64(studies)
		}
		runs += float64(e.N) / float64(studies)
	}
	return share, runs
}
