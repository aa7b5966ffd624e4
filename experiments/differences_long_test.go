//go:build long

package experiments

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"contend/experiments/stats"
)

// Where there is no difference, at most 5% of studies end with an interval that excludes equality,
// although each looks at up to eleven numbers of replications. Intervals that ignore the looks err
// in more than 10% of the same studies, so the test can tell.
func TestLongSequentialDifferencesErrSeldom(t *testing.T) {
	text := strings.Replace(twoAllocators, "within = 0.1", "within = 0.0001", 1)
	text = strings.Replace(text, "max_replications = 40", "max_replications = 60", 1)
	st := mustParseSmall(t, text)
	rng := rand.New(rand.NewPCG(5, 6))
	wrong, naive := 0, 0
	const studies = 600
	for range studies {
		var differences []float64
		crossed := false
		r, _ := sequence(t, st, func(int) (float64, float64) {
			a, b := 10+rng.NormFloat64(), 10+rng.NormFloat64()
			differences = append(differences, a-b)
			if n := len(differences); n >= 10 && n%5 == 0 {
				e := stats.EstimateOf(differences, 0.95)
				crossed = crossed || math.Abs(e.Mean) > e.Half
			}
			return a, b
		})
		a, b := r.Paired(0, 1, "wait_time")
		test := stats.TestPairs(a, b, stats.LookConfidence(st.LookOf(len(a)), 0.95))
		e := test.Tested()
		if math.Abs(e.Mean) > e.Half {
			wrong++
		}
		if crossed {
			naive++
		}
	}
	t.Logf("of %d studies %d err, %d without the correction", studies, wrong, naive)
	if wrong > studies*5/100 || naive < studies/10 {
		t.Errorf("of %d studies %d err, %d without the correction", studies, wrong, naive)
	}
}
