package scheduler

import (
	"math"
	"reflect"
	"slices"
	"testing"
)

// Submissions move by a uniform draw, the same for the same seed, and stay in order.
func TestShake(t *testing.T) {
	var jobs []Job
	for i := range 2000 {
		jobs = append(jobs, Job{ID: JobID(i), Submit: float64(10 * i), Size: 1 + i%5})
	}
	shaken := slices.Clone(jobs)
	if err := Shake(shaken, 60, 3); err != nil {
		t.Fatal(err)
	}
	sum, widest := 0.0, 0.0
	for i, j := range shaken {
		moved := j.Submit - jobs[j.ID].Submit
		sum, widest = sum+moved, max(widest, math.Abs(moved))
		if j.Size != jobs[j.ID].Size || j.Submit < 0 || i > 0 && j.Submit < shaken[i-1].Submit {
			t.Fatalf("job %d is %+v", i, j)
		}
	}
	// Uniform from -60 to 60: the standard deviation is 35, and that of the mean of
	// 2000 is 0.8.
	if widest > 60 || widest < 59 || math.Abs(sum/2000) > 4 {
		t.Errorf("moved by %v on average, by %v at most", sum/2000, widest)
	}
	again := slices.Clone(jobs)
	if err := Shake(again, 60, 3); err != nil || !reflect.DeepEqual(again, shaken) {
		t.Errorf("the same seed shakes otherwise: %v", err)
	}
}
