package sim

import (
	"strings"
	"testing"
)

// Three jobs by hand, of 3, 5 and 4 processors in row-major order on a mesh of 4 x 4 x 4. The
// first has nodes 0 to 2 and ends before the third comes, the second 3 to 7, the third 0 to 2 and
// 8. Their boxes are 3x1x1, 4x2x1 and 3x3x1, so that cubes have 27, 64 and 27 processors; spans
// are 3, 5 and 9, and the third job is in two parts. They are served for 20, 200 and 50 s.
func TestLocalityByHand(t *testing.T) {
	s := fcfsLog(t, [][3]float64{{0, 20, 3}, {0, 200, 5}, {30, 50, 4}})
	s.Machine.Dims, s.Allocator, s.Locality = []int{4, 4, 4}, allocatorOf("free-list"), true
	wantMetrics(t, runOf(t, s), map[string]float64{
		"span_ring": 17.0 / 3, "components": 4.0 / 3,
		"bounding_box": 20.0 / 3, "bounding_cube": 118.0 / 3,
		"bounding_box_per_processor":  (1 + 8/5.0 + 9/4.0) / 3,
		"bounding_cube_per_processor": (9 + 64/5.0 + 27/4.0) / 3,
		"box_side_sum_per_processor":  (5/3.0 + 7/5.0 + 7/4.0) / 3,
		"components_per_processor":    (1/3.0 + 1/5.0 + 2/4.0) / 3,
		"span_ring_max":               9, "span_ring_sum_of_squares": 9 + 25 + 81,
		"span_ring_weighted": (3*20 + 5*200 + 9*50) / 270.0,
		"stretch_span_max":   9 / 4.0, "stretch_span_sum_of_squares": 1 + 1 + 81/16.0,
		"stretch_span_weighted": (20 + 200 + 9/4.0*50) / 270,
		"bounding_box_max":      9, "bounding_box_sum_of_squares": 9 + 64 + 81,
		"bounding_cube_max": 64, "bounding_cube_weighted": (27*20 + 64*200 + 27*50) / 270.0,
		"box_side_sum_sum_of_squares": 25 + 49 + 49, "box_side_sum_weighted": 1850 / 270.0,
		"components_sum_of_squares": 6, "components_per_processor_max": 0.5,
	})
	s.WarmupJobs = 1
	wantMetrics(t, runOf(t, s), map[string]float64{"span_ring_sum_of_squares": 25 + 81,
		"bounding_box": 17.0 / 2})
	s.WarmupJobs, s.Locality = 0, false
	for name := range runOf(t, s) {
		if strings.HasSuffix(name, "_max") || strings.HasSuffix(name, "_of_squares") ||
			strings.HasSuffix(name, "_weighted") || strings.HasSuffix(name, "_per_processor") ||
			name == "bounding_box" || name == "bounding_cube" {
			t.Errorf("%s is measured unasked", name)
		}
	}
}
