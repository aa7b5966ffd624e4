package scheduler

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// cplantStream returns the jobs of a stream.
func cplantStream(t testing.TB, c CplantStreamConfig) []Job {
	t.Helper()
	g, err := NewCplantStream(c)
	return jobsOf(t, g, err)
}

// TestLeung2002Stream is sec. 4: "91 jobs of size 2, 33 jobs of size 5, 31
// jobs of size 25, and 33 jobs of size 30", "starts with some large jobs to
// fill up the machine", "small jobs are interspersed", "the last job submitted
// is small".
func TestLeung2002Stream(t *testing.T) {
	jobs := cplantStream(t, CplantStreamConfig{Interarrival: Distribution{Kind: "fixed", Mean: 3}})
	counts, large, run := map[int]int{}, 0, 0
	for i, j := range jobs {
		counts[j.Size]++
		if j.ID != JobID(i+1) || j.Submit != float64(3*i) || j.RunTime != 0 || j.Shape != nil {
			t.Fatalf("%+v", j)
		}
		if j.Size >= 25 {
			large++
			run = 0
		} else {
			run++
		}
		switch {
		case i < 4 && j.Size < 25:
			t.Errorf("job %d of the first has %d processors", i, j.Size)
		case i >= 5 && j.Size >= 25 && jobs[i-1].Size >= 25:
			t.Errorf("two large jobs in a row at %d", i)
		case run > 3:
			t.Errorf("%d small jobs in a row at %d", run, i)
		}
	}
	if d := cmp.Diff(map[int]int{2: 91, 5: 33, 25: 31, 30: 33}, counts); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	if used := jobs[0].Size + jobs[1].Size + jobs[2].Size + jobs[3].Size; used+
		25 <= 128 || used > 128 {
		t.Errorf("the first four have %d processors", used)
	}
	if last := jobs[len(jobs)-1]; last.Size > 5 || large != 64 {
		t.Errorf("the last job has %d processors, %d are large", last.Size, large)
	}
}

// Seeds decide what is drawn, and nothing else.
func TestLeung2002StreamIsTheSame(t *testing.T) {
	c := CplantStreamConfig{Interarrival: Distribution{Kind: "exponential", Mean: 3},
		Service: Distribution{Kind: "exponential", Mean: 9}, Seed: 1}
	a, again := cplantStream(t, c), cplantStream(t, c)
	c.Seed = 2
	for i, j := range cplantStream(t, c) {
		if !cmp.Equal(a[i], again[i]) || j.Size != a[i].Size || j.Seed == a[i].Seed ||
			j.RunTime == a[i].RunTime || i > 0 && j.Submit == a[i].Submit || j.Estimate != j.RunTime {
			t.Errorf("%+v, again %+v, with another seed %+v", a[i], again[i], j)
		}
	}
}
