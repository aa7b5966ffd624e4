package plot

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// The curve ends at the least saturated load, whatever the order of the loads and whatever a
// higher load shows; accepted load goes on.
func TestEndAtSaturation(t *testing.T) {
	nan := math.NaN()
	curve := func() Series {
		return Series{X: []float64{0.1, 0.4, 0.3, 0.2}, Y: []float64{1, 4, 3, 2},
			Low: []float64{0, 3, 2, 1}, High: []float64{2, 5, 4, 3}}
	}
	saturated := []bool{false, false, true, false}
	latency, accepted, free := curve(), curve(), curve()
	latency.EndAtSaturation(saturated, true)
	accepted.EndAtSaturation(saturated, false)
	free.EndAtSaturation(make([]bool, 4), true)
	wantLatency, wantAccepted, wantFree := curve(), curve(), curve()
	wantLatency.Y, wantLatency.Low = []float64{1, nan, nan, 2}, []float64{0, nan, nan, 1}
	wantLatency.High, wantLatency.Crossed = []float64{2, nan, nan, 3}, saturated
	wantAccepted.Crossed, wantFree.Crossed = saturated, make([]bool, 4)
	for _, c := range []struct {
		what      string
		want, got Series
	}{
		{"latency", wantLatency, latency}, {"accepted", wantAccepted, accepted},
		{"free", wantFree, free},
	} {
		if diff := cmp.Diff(c.want, c.got, cmpopts.EquateNaNs()); diff != "" {
			t.Errorf("%s: %s", c.what, diff)
		}
	}
}
