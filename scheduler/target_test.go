package scheduler

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestScaleToLoad compares the load of scaled jobs with Eq. 2 itself. Only submissions
// change, and by one factor.
func TestScaleToLoad(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(200, 600).Draw(t, "jobs")
		var jobs []Job
		now := 0.0
		for i := range n {
			now += rapid.Float64Range(1, 100).Draw(t, "gap")
			jobs = append(jobs, Job{ID: JobID(i + 1), Submit: now,
				RunTime: rapid.Float64Range(1, 300).Draw(t, "run"),
				Size:    rapid.IntRange(1, 16).Draw(t, "size")})
		}
		before := append([]Job(nil), jobs...)
		target := rapid.Float64Range(0.1, 1.2).Draw(t, "target")
		f, err := ScaleToLoad(jobs, 64, target)
		if err != nil {
			t.Fatal(err)
		}
		if load, _ := Load(jobs, 64); math.Abs(load/target-1) > loadNear {
			t.Fatalf("load %v, wanted %v", load, target)
		}
		for i := range jobs {
			want := before[0].Submit + f*(before[i].Submit-before[0].Submit)
			if math.Abs(jobs[i].Submit-want) > 1e-6*want {
				t.Fatalf("job %d submitted at %v, by the factor %v it is %v", i, jobs[i].Submit, f, want)
			}
			jobs[i].Submit = before[i].Submit
			if jobs[i].RunTime != before[i].RunTime || jobs[i].Size != before[i].Size {
				t.Fatalf("job %d is another", i)
			}
		}
	})
}

// TestScaleToLoadRefuses: two jobs have no load.
func TestScaleToLoadRefuses(t *testing.T) {
	_, err := ScaleToLoad([]Job{{Size: 1, RunTime: 5}, {Size: 1, Submit: 1, RunTime: 5}}, 4, 0.5)
	if err == nil || !strings.Contains(err.Error(), "not defined") {
		t.Fatal(err)
	}
}
