package scheduler

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"contend/internal/must"
)

// TestScaleToLoad compares the load of scaled jobs with the target. Only submissions
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
		f := must.Have(ScaleToLoad(jobs, 64, target))
		if load, _ := SubmittedLoad(jobs, 64); math.Abs(load/target-1) > 1e-9 {
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

// TestScaleToLoadCountsLateJobs: the second of three jobs ends after the last submission. It
// has nearly all of the work.
func TestScaleToLoadCountsLateJobs(t *testing.T) {
	jobs := []Job{job(1, 0, 1, 1), job(2, 10, 98, 8), job(3, 20, 1, 15)}
	if f, err := ScaleToLoad(jobs, 16, 0.5); err != nil || f != 800.0/(16*20)/0.5 ||
		jobs[2].Submit != 100 {
		t.Fatalf("factor %v, %v: %+v", f, err, jobs)
	}
}

// TestScaleToLoadRefuses: jobs of one time have no load, and no double holds times that are
// 1e-20 s apart after a second.
func TestScaleToLoadRefuses(t *testing.T) {
	same := []Job{job(1, 0, 5, 1), job(2, 0, 5, 1)}
	if _, err := ScaleToLoad(same, 4, 0.5); err == nil ||
		!strings.Contains(err.Error(), "these 2 jobs have no load, because") {
		t.Error(err)
	}
	apart := []Job{job(1, 1, 5, 1), job(2, 2, 5, 1)}
	if _, err := ScaleToLoad(apart, 4, 1e20); err == nil ||
		!strings.Contains(err.Error(), "no scaling of arrivals reaches it within 1% from 2.5") {
		t.Error(err)
	}
}
