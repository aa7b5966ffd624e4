package experiments

import (
	"math"
	"testing"
)

// A ratio to nothing is not defined, and not without bounds: figures leave it out.
func TestRatioToNothing(t *testing.T) {
	for _, a := range [][]float64{{0, 0}, {1, 2}, {3}} {
		if e := estimateRatio(a, make([]float64, len(a)), 0.95); !math.IsNaN(e.Mean) || !math.IsNaN(e.Half) {
			t.Errorf("%v over zeros is %+v", a, e)
		}
	}
	if e := estimateRatio([]float64{2, 4}, []float64{1, 2}, 0.95); e.Mean != 2 || !math.IsNaN(e.Half) {
		t.Errorf("twice as much is %+v", e)
	}
}
