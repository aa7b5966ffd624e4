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
			if g := factorFor(before, 64, target); g > 0 {
				t.Fatalf("%v, and %v does", err, g)
			}
			return
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

// factorFor tries factors close to each other, and returns one that brings the load of jobs
// within 1% of a target, or 0. The load jumps where a job starts to end after the last
// submission, so there may be none.
func factorFor(jobs []Job, processors int, target float64) float64 {
	scaled := append([]Job(nil), jobs...)
	for f := 0.01; f < 100; f *= 1.001 {
		scaleTimes(scaled, jobs, f)
		if load, ok := Load(scaled, processors); ok && math.Abs(load/target-1) <= loadNear {
			return f
		}
	}
	return 0
}

// TestScaleToLoadRefuses: two jobs have no load.
func TestScaleToLoadRefuses(t *testing.T) {
	_, err := ScaleToLoad([]Job{{Size: 1, RunTime: 5}, {Size: 1, Submit: 1, RunTime: 5}}, 4, 0.5)
	if err == nil || !strings.Contains(err.Error(), "not defined") {
		t.Fatal(err)
	}
}
