package scheduler

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"contend/internal/must"
)

// logged returns a job with the wait time of its log.
func logged(j Job, wait float64) Job {
	j.SWF = &[18]float64{swfWait: wait}
	return j
}

// TestLoadByHand is pascual2009 Eq. 2. Of four jobs the first is the first 1% (Tstart =
// 10). The third ends after the last arrival, at 40, because its wait is known. The
// remaining jobs are 2 x 5 at 12..17+3 = 20 and, at 40 itself, one of no length.
func TestLoadByHand(t *testing.T) {
	jobs := []Job{logged(job(1, 10, 100, 8), 0), logged(job(2, 12, 5, 2), 3),
		logged(job(3, 20, 15, 4), 6), job(4, 40, 0, 1)}
	if got, ok := Load(jobs, 4); !ok || got != 10.0/(4*(40-10)) {
		t.Errorf("got %v, %v", got, ok)
	}
	jobs[2].SWF[swfWait] = 5 // now it ends at 40 and counts
	if got, ok := Load(jobs, 4); !ok || got != 70.0/(4*(40-10)) {
		t.Errorf("got %v, %v", got, ok)
	}
	jobs[2].SWF[swfWait] = -1 // unknown, so it ends at 35
	jobs[3].RunTime = 1       // and nothing ends at 40
	if got, ok := Load(jobs, 4); !ok || got != 70.0/(4*(35-10)) {
		t.Errorf("got %v, %v", got, ok)
	}
}

// TestLoadWarmUp: of 101 to 200 jobs two are the first 1%.
func TestLoadWarmUp(t *testing.T) {
	for n, start := range map[int]float64{100: 0, 101: 1, 200: 1, 201: 2} {
		jobs := make([]Job, n)
		for i := range jobs {
			jobs[i] = job(JobID(i+1), float64(i), 1, 1)
		}
		// Jobs from start+1 to n-2 end by the last arrival, at n-1.
		counted := float64(n-2) - start
		if got, ok := Load(jobs, 1); !ok || got != counted/(float64(n-1)-start) {
			t.Errorf("%d jobs: %v, %v", n, got, ok)
		}
	}
}

// TestSubmittedLoadByHand: work of all jobs, whenever they end, over 3 processors for 12 s.
func TestSubmittedLoadByHand(t *testing.T) {
	jobs := []Job{job(1, 10, 100, 2), job(2, 12, 5, 2), job(3, 22, 30, 3)}
	if got, ok := SubmittedLoad(jobs, 3); !ok || got != 300.0/(3*12) {
		t.Errorf("got %v, %v", got, ok)
	}
}

// Jobs that span no time, or no processors, have no load.
func TestLoadUnknown(t *testing.T) {
	same := []Job{job(1, 3, 9, 1), job(2, 3, 9, 1)}
	for _, jobs := range [][]Job{nil, same[:1], same, {job(1, 3, 0, 1), job(2, 3, 0, 1)}} {
		_, some := Load(jobs, 10)
		_, submitted := SubmittedLoad(jobs, 10)
		if some || submitted {
			t.Errorf("%v has load", jobs)
		}
	}
	if _, ok := Load([]Job{job(1, 0, 1, 1), job(2, 1, 1, 1), job(3, 9, 1, 1)}, 0); ok {
		t.Error("a load on no processors")
	}
}

func TestTraceStats(t *testing.T) {
	got := NewTraceStats([]Job{job(1, 10, 4, 7), job(2, 12, 6, 8), job(3, 12, 1, 1),
		job(4, 22, 5, 8)}, 16)
	want := TraceStats{Jobs: 4, Processors: 16, First: 10, Last: 22,
		SubmittedLoad: 117.0 / (16 * 12), Load: 49.0 / (16 * 8),
		LoadKnown: true,
		Work:      28 + 48 + 1 + 40, MeanSize: 6, Sizes: []SizeCount{{1, 1}, {7, 1}, {8, 2}},
		PowersOfTwo:      0.75,
		RunTime:          Quantiles{1, 1, 4, 5, 6, 6, 6, 4},
		InterarrivalMean: 4, InterarrivalCV: math.Sqrt((4.0+16+36)/3) / 4}
	want.Estimate = want.RunTime
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	if d := cmp.Diff(TraceStats{Processors: 3}, NewTraceStats(nil, 3)); d != "" {
		t.Errorf("no jobs, -want +got:\n%s", d)
	}
	one := NewTraceStats([]Job{job(1, 10, 4, 7)}, 0)
	if one.InterarrivalMean != 0 || one.LoadKnown {
		t.Errorf("one job: %+v", one)
	}
}

// TestTraceStatsOfKTH compares with what the archive and johnson2010 IV and V print of this log:
// 28,489 jobs, of which 9,371 have size 1 or that of the machine.
func TestTraceStatsOfKTH(t *testing.T) {
	s := NewTraceStats(readKTH(t), 100)
	if s.Jobs != 28489 || !s.LoadKnown || math.Abs(s.Load-0.7018) > 0.0001 {
		t.Errorf("%d jobs, load %v", s.Jobs, s.Load)
	}
	if got := s.Sizes[0].Jobs + s.Sizes[len(s.Sizes)-1].Jobs; got != 9371 {
		t.Errorf("%d jobs of size 1 or 100, published 9371", got)
	}
}

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
