package scheduler

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"contend/internal/must"
)

// transformed returns the changed jobs.
func transformed(t testing.TB, jobs []Job, c TransformConfig) []Job {
	t.Helper()
	w := must.Have(NewTransform(&List{Jobs: jobs}, c))
	return must.Have(ReadAll(w))
}

func TestTransform(t *testing.T) {
	jobs := []Job{job(1, 10, 4, 7), job(2, 12, 6, 24),
		{ID: 3, Submit: 20, RunTime: 1, Estimate: 5, Size: 30, Shape: []int{6, 5}}}
	tests := []struct {
		name   string
		config TransformConfig
		want   []Job
	}{
		{"first 2", TransformConfig{First: 2}, jobs[:2]},
		{"more than there are", TransformConfig{First: 9}, jobs},
		{"load", TransformConfig{Load: 2}, []Job{job(1, 10, 4, 7), job(2, 11, 6, 24),
			{ID: 3, Submit: 15, RunTime: 1, Estimate: 5, Size: 30, Shape: []int{6, 5}}}},
		{"work multiple", TransformConfig{Work: 0.5}, []Job{job(1, 10, 2, 7), job(2, 12, 3, 24),
			{ID: 3, Submit: 20, RunTime: 0.5, Estimate: 2.5, Size: 30, Shape: []int{6, 5}}}},
		{"divide", TransformConfig{Divide: 4}, []Job{job(1, 10, 4, 2), job(2, 12, 6, 6),
			{ID: 3, Submit: 20, RunTime: 1, Estimate: 5, Size: 8}}},
		{"divide by all there is", TransformConfig{Divide: math.MaxInt}, []Job{job(1, 10, 4, 1),
			job(2, 12, 6, 1), {ID: 3, Submit: 20, RunTime: 1, Estimate: 5, Size: 1}}},
		{"clamp", TransformConfig{Max: 24}, []Job{job(1, 10, 4, 7), job(2, 12, 6, 24),
			{ID: 3, Submit: 20, RunTime: 1, Estimate: 5, Size: 24}}},
		{"round down", TransformConfig{Round: "down"}, []Job{job(1, 10, 4, 4), job(2, 12, 6, 16),
			{ID: 3, Submit: 20, RunTime: 1, Estimate: 5, Size: 16, Shape: []int{4, 4}}}},
		{"round to nearest", TransformConfig{Round: "nearest"}, []Job{job(1, 10, 4, 8), job(2, 12, 6, 32),
			{ID: 3, Submit: 20, RunTime: 1, Estimate: 5, Size: 32, Shape: []int{8, 4}}}},
		{"round up, at most 30", TransformConfig{Round: "up", Max: 30},
			[]Job{job(1, 10, 4, 8), job(2, 12, 6, 16),
				{ID: 3, Submit: 20, RunTime: 1, Estimate: 5, Size: 30}}},
		{"divide, then round, then clamp", TransformConfig{Divide: 3, Round: "up", Max: 9},
			[]Job{job(1, 10, 4, 4), job(2, 12, 6, 8),
				{ID: 3, Submit: 20, RunTime: 1, Estimate: 5, Size: 8}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if d := cmp.Diff(test.want, transformed(t, jobs, test.config)); d != "" {
				t.Errorf("-want +got:\n%s", d)
			}
		})
	}
	if jobs[2].Shape[0] != 6 {
		t.Error("the source's shape was changed")
	}
}

// TestAssignPattern: frequencies follow the weights, and the seeds do not depend on
// them.
func TestAssignPattern(t *testing.T) {
	jobs := make([]Job, 10_000)
	for i := range jobs {
		jobs[i] = job(JobID(i), 0, 1, 1)
	}
	some := transformed(t, jobs, TransformConfig{Assign: true, Patterns: []float64{1, 4}, Seed: 3})
	one := transformed(t, jobs, TransformConfig{Assign: true, Seed: 3})
	second := 0
	for i := range some {
		second += some[i].Pattern
		if some[i].Seed != one[i].Seed || some[i].Seed == 0 || one[i].Pattern != 0 {
			t.Fatalf("job %d: %+v, %+v", i, some[i], one[i])
		}
	}
	if second < 7800 || second > 8200 { // five standard deviations
		t.Errorf("pattern 1 drawn %d times, expected 8000", second)
	}
}

func TestReplicate(t *testing.T) {
	jobs := []Job{job(4, 10, 4, 7), job(9, 100, 6, 24), job(5, 1000, 1, 2)}
	got, err := Replicate(jobs, 3, 20, 1)
	if err != nil || len(got) != 9 {
		t.Fatalf("%d jobs, error %v", len(got), err)
	}
	seen := map[JobID]bool{}
	for i, j := range got {
		if seen[j.ID] || j.Submit < 0 || i > 0 && j.Submit < got[i-1].Submit {
			t.Errorf("job %+v", j)
		}
		seen[j.ID] = true
		original := jobs[i/3] // 20 seconds do not mix them
		if j.Size != original.Size || j.Submit < original.Submit-20 || j.Submit > original.Submit+20 {
			t.Errorf("job %+v is no copy of %+v", j, original)
		}
	}
}
