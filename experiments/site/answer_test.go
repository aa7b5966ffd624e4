package site

import (
	"math"
	"slices"
	"testing"

	"contend/experiments/stats"
)

// Verdicts by hand: logarithms of 1/2, 1/4 and 1/8 have the mean ln 1/4 and the standard deviation
// ln 2, and Student's t of two degrees of freedom is 4.3027.
func TestVerdictOfRatios(t *testing.T) {
	half := 4.3027 * math.Ln2 / math.Sqrt(3)
	if low, high := 0.25*math.Exp(-half), 0.25*math.Exp(half); low > 0.0447 || high < 1.398 {
		t.Fatal(low, high)
	}
	for _, c := range []struct {
		a, b []float64
		want []string
	}{
		{[]float64{1, 1, 1}, []float64{2, 4, 8}, []string{"3", "0.250", "0.045 to 1.399", "cannot tell"}},
		{[]float64{1, 1, 1}, []float64{2, 4, 2.8}, []string{"3", "0.355", "0.150 to 0.839", "shorter"}},
		{[]float64{2, 4, 2.8}, []float64{1, 1, 1}, []string{"3", "2.819", "1.192 to 6.669", "longer"}},
		{[]float64{3, 5}, []float64{3, 5}, []string{"2", "1.000", "", "the same"}},
		{[]float64{3}, []float64{1}, []string{"1", "3.000", "", "cannot tell"}},
		{nil, nil, []string{"0", "", "", "cannot tell"}},
	} {
		if got := answerCells(stats.RatioOfPairs(c.a, c.b, 0.95)); !slices.Equal(got, c.want) {
			t.Errorf("%v over %v: %q, want %q", c.a, c.b, got, c.want)
		}
	}
	for metric, want := range map[string]string{"response_time": "all sizes",
		"response_time_size_1": "1 node", "response_time_size_8": "8 to 15 nodes",
		"response_time_size_131072": "131072 nodes and more"} {
		if got := sizeRange(metric); got != want {
			t.Errorf("%s: %s", metric, got)
		}
	}
}
