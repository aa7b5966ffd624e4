package scheduler

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"contend/internal/must"
)

// textbook is FCFS by its definition, without events or nodes. A job starts at the
// earliest time at which the running jobs ahead of it leave room. It starts neither
// before its own submission nor before the start of the previous job.
func textbook(jobs []Job, nodes int) []recordOf {
	var records []recordOf
	earliest := 0.0
	var running []Job // Submit holds the end
	for _, j := range jobs {
		at := max(earliest, j.Submit)
		for {
			used, next := 0, 0.0
			for i, other := range running {
				used += other.Size
				if i == 0 || other.Submit < next {
					next = other.Submit
				}
			}
			if used+j.Size <= nodes && (len(running) == 0 || next > at) {
				break
			}
			at = max(at, next)
			running = slices.DeleteFunc(running, func(other Job) bool { return other.Submit <= at })
		}
		earliest = at
		running = append(running, Job{Submit: at + j.RunTime, Size: j.Size})
		records = append(records, recordOf{j.ID, Cycle(j.Submit), Cycle(at), Cycle(at + j.RunTime)})
	}
	return records
}

// compareWithTextbook simulates jobs and compares all their times with textbook.
func compareWithTextbook(t rapid.TB, jobs []Job, nodes int) {
	t.Helper()
	got, totals := simulate(t, jobs, nodes)
	order := func(a, b recordOf) int { return int(a.ID - b.ID) }
	want := textbook(jobs, nodes)
	slices.SortFunc(got, order)
	slices.SortFunc(want, order)
	if !slices.Equal(got, want) {
		t.Fatalf("-textbook +simulation:\n%s", cmp.Diff(want, got))
	}
	work, finish := 0.0, Cycle(0)
	for i, j := range jobs {
		work += float64(j.Size) * j.RunTime
		finish = max(finish, want[i].End)
	}
	if totals.Used.Float64() != work || totals.Finish != finish || totals.Jobs != len(jobs) {
		t.Fatalf("totals %+v, want work %v, finish %d, %d jobs", totals, work, finish, len(jobs))
	}
}

func TestFCFSAgainstTextbook(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		nodes := rapid.IntRange(1, 20).Draw(t, "nodes")
		gaps := rapid.SliceOfN(rapid.IntRange(0, 8), 1, 60).Draw(t, "gaps")
		jobs, now := make([]Job, len(gaps)), 0
		for i, gap := range gaps {
			now += gap
			run := rapid.IntRange(0, 15).Draw(t, "run")
			jobs[i] = job(JobID(i+1), float64(now), float64(run), rapid.IntRange(1, nodes).Draw(t, "size"))
		}
		compareWithTextbook(t, jobs, nodes)
	})
}

func TestFCFSAgainstTextbookManySeeds(t *testing.T) {
	for seed := range uint64(5000) {
		r := rand.New(rand.NewPCG(seed, 0))
		nodes := 1 + r.IntN(64)
		jobs, now := make([]Job, 1+r.IntN(80)), 0
		for i := range jobs {
			now += r.IntN(1 + r.IntN(20))
			jobs[i] = job(JobID(i+1), float64(now), float64(r.IntN(40)), 1+r.IntN(nodes))
		}
		compareWithTextbook(t, jobs, nodes)
	}
}

func TestFCFSAgainstTextbookOnKTH(t *testing.T) {
	jobs := must.Have(ReadAll(openTrace(t, "KTH-SP2-1996-2.swf.gz")))
	if len(jobs) != 28489 {
		t.Errorf("%d jobs, the log has 28489", len(jobs))
	}
	compareWithTextbook(t, jobs, 100)
}
