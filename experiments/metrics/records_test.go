package metrics

import "testing"

// A machine too large to measure has no measures.
func TestNoMeasuresAreNoZeros(t *testing.T) {
	c := &Collector{place: &placementMeans{}}
	for _, cell := range c.measureCells(&PlacementQuality{}) {
		if cell != "" {
			t.Errorf("a machine without measures has the measure %q", cell)
		}
	}
}
